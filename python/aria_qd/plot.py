"""Pictures of archives, with matplotlib. Axes in, axes out; keywords have pyribs' names.

Archives are `aria.Archive`s, pyribs or QDax archives, Reports (their corrected archive) or Results. Grids of one or two
measures can be drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from .adapters import with_statistics
from .archive import Archive
from .arguments import count, must, must_be, present
from .results import Report, Result

try:
    import matplotlib.pyplot as plt
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Rectangle
except ImportError as error:  # pragma: no cover
    raise ImportError("aria.plot needs matplotlib: pip install 'aria-qd[plot]'") from error

STAYS, LEAVES = "#2a7f9e", "#d1495b"


def fitness(archive: Any, ax: Axes | None = None, **keywords: Any) -> Axes:
    """Heat map of the objective; of a Report or a Result, of what is really there. Keywords as `heatmap`."""
    return heatmap(archive, "objective", ax, **{"cbar_label": "fitness", **keywords})


def probability(archive: Any, ax: Axes | None = None, **keywords: Any) -> Axes:
    """Heat map of P(cell), the share of a solution's evaluations in its cell. Keywords as `heatmap`."""
    return heatmap(archive, "cell_probability", ax,
                   **{"cmap": "viridis", "vmin": 0.0, "vmax": 1.0, "cbar_label": "P(cell)", **keywords})


def spread(archive: Any, ax: Axes | None = None, **keywords: Any) -> Axes:
    """Heat map of the spread of a solution's measures: the root of the summed variances. Keywords as `heatmap`."""
    table = with_statistics(archive)
    deviations = present(table.measures_std, "measures_std of the archive", "known, as of one that was re-evaluated")
    values = np.sqrt((deviations.astype(float) ** 2).sum(axis=1))
    return heatmap(table, values, ax, **{"cmap": "cividis_r", "cbar_label": "spread of the measures", **keywords})


def heatmap(archive: Any, values: str | np.ndarray = "objective", ax: Axes | None = None, *,
            transpose_measures: bool = False, cmap: Any = "magma", aspect: Any = None,
            vmin: float | None = None, vmax: float | None = None, cbar: str | Axes | None = "auto",
            cbar_kwargs: dict[str, Any] | None = None, cbar_label: str | None = None, rasterized: bool = False,
            pcm_kwargs: dict[str, Any] | None = None, title: str | None = None) -> Axes:
    """Colours the cells of an archive.

    Args:
        archive: of any kind.
        values: a column of the archive, or (n,) numbers, one per solution.
        ax: where to draw; the present axes where None.
        transpose_measures: the first measure goes up instead of to the right.
        cmap, vmin, vmax: colours and the values at their ends; those of the data where None.
        aspect: of the axes; square boxes of equal cells where None.
        cbar: "auto", None, or axes for the colour bar; cbar_kwargs: for matplotlib's colorbar.
        rasterized: draw cells as pixels, for small vector files; pcm_kwargs: for matplotlib's pcolormesh.

    Returns:
        The axes.
    """
    table = with_statistics(archive)
    grid = present(table.grid, "the grid of the archive", "known")
    ax = plt.gca() if ax is None else ax
    if isinstance(values, str):
        known = {name: column for name, column in table.columns().items() if column.ndim == 1}
        must(values in known, "values", f"a column of the archive ({', '.join(known)})", repr(values))
        column = known[values]
    else:
        column = np.asarray(values)
        must(column.shape == (len(table),), "values", f"of shape ({len(table)},)", column.shape)
    edges, image = _image(table, column)
    if transpose_measures:
        edges, image = edges[::-1], image.T
    mesh = ax.pcolormesh(edges[0], edges[1], image.T, cmap=cmap, vmin=vmin, vmax=vmax, rasterized=rasterized,
                         **(pcm_kwargs or {}))
    ax.set_xlim(edges[0][0], edges[0][-1])
    ax.set_ylim(edges[1][0], edges[1][-1])
    if aspect is None:
        aspect = (edges[0][-1] - edges[0][0]) / (edges[1][-1] - edges[1][0]) if len(grid["dims"]) > 1 else "auto"
    ax.set_aspect(aspect)
    _label(ax, len(grid["dims"]), transpose_measures)
    if len(grid["dims"]) == 1:
        (ax.set_xticks if transpose_measures else ax.set_yticks)([])
    if title is not None:
        ax.set_title(title)
    if cbar is not None:
        place: dict[str, Any] = {"ax": ax} if isinstance(cbar, str) else {"cax": cbar}
        bar = ax.figure.colorbar(mesh, **place, **(cbar_kwargs or {}))
        if cbar_label:
            bar.set_label(cbar_label)
    return ax


def compare(archive: Any, report: Report, better: Any = None, *, axes: Any = None,
            cmap: Any = "magma", vmin: float | None = None, vmax: float | None = None) -> np.ndarray:
    """Before and after, side by side: what the archive claims, what is really in it, and what ARIA made of it.

    Args:
        archive: as it was given to `correct`.
        report: what `correct` said of it.
        better: what `improve` made; left out where None.
        axes: three (or two) to draw in; a new figure where None.

    Returns:
        The axes. Colours mean the same in all of them.
    """
    must_be(isinstance(report, Report), "report", "what aria.correct gave", report)
    tables = [(_in_grid_of(report, archive), "believed"), (with_statistics(report), "really there")]
    if better is not None:
        tables.append((_in_grid_of(report, better), "improved"))
    if axes is None:
        _, axes = plt.subplots(1, len(tables), figsize=(4.2 * len(tables), 3.8), layout="constrained", squeeze=False)
        axes = axes[0]
    drawn = np.atleast_1d(np.asarray(axes, dtype=object)).reshape(-1)
    must(len(drawn) == len(tables), "axes", f"{len(tables)} axes", len(drawn))
    objectives = [table.objective for table, _ in tables if table.objective is not None]
    lower = min(float(values.min()) for values in objectives) if vmin is None else vmin
    upper = max(float(values.max()) for values in objectives) if vmax is None else vmax
    for position, (ax, (table, name)) in enumerate(zip(drawn, tables)):
        last = position == len(tables) - 1
        heatmap(table, "objective", ax, cmap=cmap, vmin=lower, vmax=upper, cbar="auto" if last else None,
                cbar_label="fitness" if last else None, title=f"{name}: {_caption(table)}")
        if position > 0:
            ax.set_ylabel("")
    return drawn


def _in_grid_of(report: Report, archive: Any) -> Archive:
    """An archive of a kind that has no grid, such as arrays, was given one when the report was made."""
    table, grid = with_statistics(archive), report.archive.grid
    if table.grid is not None or grid is None:
        return table
    return with_statistics(table, grid["dims"], grid["ranges"])


def _caption(table: Archive) -> str:
    cells = f"{table.cells} cells"
    return cells if table.cell_probability is None else f"{cells}, P-Score {float(table.cell_probability.sum()):.0f}"


def landing(report: Report, ax: Axes | None = None, *, only_leaving: bool = False, linewidth: float = 0.8) -> Axes:
    """Where elites really land: a line from the measures that the archive claims to their mean, for every solution;
    red where it ends in another cell."""
    must_be(isinstance(report, Report), "report", "what aria.correct gave", report)
    claimed, mean = report.claimed, report.statistics["measures_mean"]
    must(mean.shape[1] == 2, "report", "of an archive with two measures", f"{mean.shape[1]} measures")
    grid = present(report.archive.grid, "the grid of the report", "known")
    measures = present(claimed.measures, "measures", "known of what was corrected")
    same_grid = claimed.index is not None and claimed.grid == grid
    believed = claimed.index if same_grid else np.asarray(_core.cells_of(grid, measures))
    stays = np.asarray(believed == report.statistics["index"])
    ax = plt.gca() if ax is None else ax
    _grid_lines(ax, grid)
    for chosen, colour in ((stays, STAYS), (~stays, LEAVES)):
        if only_leaving and colour == STAYS:
            continue
        ends = np.stack([measures[chosen], mean[chosen]], axis=1)
        ax.add_collection(LineCollection(list(ends), colors=colour, linewidths=linewidth))
        ax.plot(*mean[chosen].T, ".", color=colour, markersize=3,
                label=f"{int(chosen.sum())} {'stay' if colour == STAYS else 'leave'}")
    # below, where it hides nothing
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2, frameon=False)
    return ax


def profile(*archives: Any, labels: Sequence[str] | None = None, ax: Axes | None = None, points: int = 101,
            **keywords: Any) -> Axes:
    """Archive profile: the share of all cells whose mean fitness is at least so high.

    Args:
        archives: Reports, Results or corrected archives.
        labels: of each, for a legend.
        points: thresholds, evenly over the fitness of all.
        keywords: for matplotlib's plot.
    """
    tables = [with_statistics(archive) for archive in archives]
    must(bool(tables) and all(table.objective_mean is not None for table in tables), "archives",
         "ones that were re-evaluated, such as Reports", "others")
    must(labels is None or len(labels) == len(tables), "labels", f"{len(tables)} texts", labels)
    ends = np.concatenate([table.objective_mean for table in tables if table.objective_mean is not None])
    thresholds = np.linspace(ends.min(), ends.max(), count("points", points, 2))
    ax = plt.gca() if ax is None else ax
    for position, table in enumerate(tables):
        share = _core.archive_profile(table.to_dict(), thresholds.tolist())
        ax.plot(thresholds, share, label=None if labels is None else labels[position], **keywords)
    ax.set_xlabel("fitness at least")
    ax.set_ylabel("share of all cells")
    ax.set_ylim(0, 1.02)
    if labels is not None:
        ax.legend()
    return ax


def cloud(report: Report | Result, row: int, ax: Axes | None = None, *, transpose_measures: bool = False) -> Axes:
    """The evaluations of one solution, around the cell of their mean.

    Args:
        report: what `correct` gave, or a Result.
        row: of the solution, in the archive that was given.
    """
    must_be(isinstance(report, (Report, Result)), "report", "what aria.correct or aria.run gave", report)
    claimed = report.claimed if isinstance(report, Report) else report.archive
    statistics = report.statistics or {}
    must("measures_samples" in statistics, "report", "one that kept samples", "one without")
    row = count("row", row, 0, len(claimed) - 1)
    samples = statistics["measures_samples"][row]
    must(samples.shape[1] == 2, "report", "of an archive with two measures", f"{samples.shape[1]} measures")
    grid, cell = statistics["grid"], int(statistics["index"][row])
    must(cell >= 0, "row", "a solution that could be evaluated", row)
    order = slice(None, None, -1) if transpose_measures else slice(None)
    finite = np.isfinite(statistics["objective_samples"][row])
    lower, width = _cell_box(grid, cell)
    inside = np.asarray(_core.cells_of(grid, np.ascontiguousarray(samples[finite]))) == cell
    ax = plt.gca() if ax is None else ax
    ax.add_patch(Rectangle(tuple(lower[order]), *width[order], facecolor="#e8f1f4", edgecolor=STAYS))
    _label(ax, 2, transpose_measures)
    for chosen, colour in ((inside, STAYS), (~inside, LEAVES)):
        ax.plot(*samples[finite][chosen][:, order].T, ".", color=colour, alpha=0.7, markersize=8, markeredgewidth=0)
    mean = statistics["measures_mean"][row]
    ax.plot(*mean[order], "k+", markersize=10)
    title = f"P(cell) = {statistics['cell_probability'][row]:.2f}   + mean"
    if claimed.measures is not None:
        ax.plot(*claimed.measures[row][order], "kx", markersize=7)
        title += "   x believed"
    ax.set_title(title, fontsize="medium")
    ax.set_aspect(width[order][0] / width[order][1])  # a cell is a square, as in heat maps
    return ax


def _image(table: Archive, values: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """Edges of the cells along both axes, and the value of each cell, NaN where it is empty."""
    grid = present(table.grid, "the grid of the archive", "known")
    dims, ranges = list(grid["dims"]), list(grid["ranges"])
    must(len(dims) <= 2, "archive", "one of one or two measures", f"{len(dims)} measures")
    index = table.places()
    cells = np.full(int(np.prod(dims)), np.nan)
    # of several in a cell, the best is seen
    order = np.argsort(values, kind="stable")
    cells[index[order]] = values[order]
    if len(dims) == 1:
        dims, ranges = [*dims, 1], [*ranges, (0.0, 1.0)]
    edges = [np.linspace(lower, upper, cells_along + 1) for cells_along, (lower, upper) in zip(dims, ranges)]
    return edges, cells.reshape(dims)


def _cell_box(grid: dict[str, Any], cell: int) -> tuple[np.ndarray, np.ndarray]:
    ranges = np.array(grid["ranges"])
    width = (ranges[:, 1] - ranges[:, 0]) / np.array(grid["dims"])
    return ranges[:, 0] + np.array(np.unravel_index(cell, grid["dims"])) * width, width


def _label(ax: Axes, measures: int, transposed: bool) -> None:
    """Says which measure goes where."""
    names = ["measures[0]", "measures[1]" if measures > 1 else ""]
    across, up = reversed(names) if transposed else names
    ax.set_xlabel(across)
    ax.set_ylabel(up)


def _grid_lines(ax: Axes, grid: dict[str, Any]) -> None:
    _label(ax, 2, False)
    for (lower, upper), cells, line in zip(grid["ranges"], grid["dims"], (ax.axvline, ax.axhline)):
        for place in np.linspace(lower, upper, cells + 1):
            line(place, color="0.9", linewidth=0.5, zorder=0)
    ax.set_xlim(*grid["ranges"][0])
    ax.set_ylim(*grid["ranges"][1])
    ax.set_aspect((grid["ranges"][0][1] - grid["ranges"][0][0]) / (grid["ranges"][1][1] - grid["ranges"][1][0]))
