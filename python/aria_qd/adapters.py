"""Archives of others, in and out: pyribs, QDax, pandas, NumPy and files. No library of theirs is imported here.

Cells are never copied by number, because libraries count them in different orders: pyribs and we have the last measure
fastest, QDax's two-dimensional centroids the first. What falls outside the ranges counts for the nearest cell, in
pyribs, in QDax (the nearest centroid) and here, and P(cell) counts it so too.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from . import _core
from .archive import Archive, flat_columns
from .arguments import floats, grid as checked_grid, must, must_be, present
from .results import Report, Result, measured

Restore = Callable[[Archive], Any]

# what a result knows of every solution, beside solution, objective and measures
EXTRA = ("objective_mean", "objective_std", "measures_mean", "measures_std", "cell_probability",
         "cell_probability_lower", "cell_probability_upper", "n_evals", "target_index")


def adapt(archive: Any, grid: Any = None, ranges: Any = None, *, policies: bool = False) -> tuple[Archive, Restore]:
    """An archive of any kind as ours, and what makes the same kind of a result. `policies`: genotypes that are trees are
    networks for a robot of ours, see `flatten_tree`."""
    must((grid is None) == (ranges is None) or _is_repertoire(archive), "grid and ranges", "given together",
         "one of them")
    if isinstance(archive, Report):
        archive = measured(archive.archive)
    elif isinstance(archive, Result):
        archive = archive.best
    if isinstance(archive, Archive):
        return _with_grid(archive, grid, ranges), lambda result: result
    if isinstance(archive, (str, os.PathLike)):
        return _with_grid(Archive.load(archive), grid, ranges), lambda result: result
    if _is_grid_archive(archive):
        must(grid is None, "grid", "left out for a pyribs archive, which has its own", grid)
        return from_ribs(archive), lambda result: to_ribs(result, archive)
    if _is_repertoire(archive):
        return (from_qdax(archive, grid, ranges, policies=policies),
                lambda result: to_qdax(result, archive, policies=policies))
    if hasattr(archive, "columns") and hasattr(archive, "to_numpy"):
        return _with_grid(from_pandas(archive), grid, ranges), lambda result: type(archive)(flat_columns(result))
    if isinstance(archive, Mapping):
        return _with_grid(from_mapping(archive), grid, ranges), lambda result: result.columns()
    if isinstance(archive, (tuple, list)) and len(archive) == 3 and np.ndim(archive[0]) == 2:
        own = Archive(*archive, grid=grid, ranges=ranges)
        return own, lambda result: (result.solution, result.objective, result.measures)
    if isinstance(archive, np.ndarray) and archive.ndim == 2:
        return Archive(archive, grid=grid, ranges=ranges), lambda result: result.solution
    raise TypeError("archive must be a pyribs GridArchive, a QDax MapElitesRepertoire, a DataFrame, a dictionary of "
                    "arrays, (solution, objective, measures), an array of solutions (n, D), a path or what aria gave, "
                    f"got {type(archive).__name__}")


def with_statistics(archive: Any, grid: Any = None, ranges: Any = None) -> Archive:
    """An archive of any kind as ours, with everything that is known of its solutions: of Reports and Results, what is
    really there."""
    return from_ribs(archive, statistics=True) if _is_grid_archive(archive) else adapt(archive, grid, ranges)[0]


def _with_grid(archive: Archive, grid: Any, ranges: Any) -> Archive:
    if grid is None:
        return archive
    wanted = checked_grid(grid, ranges)
    grid, ranges = wanted["dims"], wanted["ranges"]  # what was given may be read only once
    columns = archive.columns()
    if archive.grid != wanted:
        # cells of another grid mean nothing here
        for name in ("index", "target_index", "cell_probability", "cell_probability_lower", "cell_probability_upper"):
            columns.pop(name, None)
    return Archive(**columns, grid=grid, ranges=ranges, task=archive.task, provenance=archive.provenance)


# --- pyribs -------------------------------------------------------------------------------------------------------


def _is_grid_archive(archive: Any) -> bool:
    return all(hasattr(archive, name) for name in ("dims", "lower_bounds", "upper_bounds", "index_of", "data", "add"))


def from_ribs(archive: Any, *, statistics: bool = False) -> Archive:
    """A pyribs GridArchive of any dimensions, with the extra fields that `to_ribs` gave it where `statistics` are
    wanted. Solutions of several axes are flattened."""
    extra = [name for name in EXTRA if statistics and name in archive.field_list]
    data = archive.data(["solution", "objective", "measures", "index", *extra])
    n = len(data["objective"])
    must(n >= 1, "archive", "at least one solution", "an empty GridArchive")
    dims = tuple(int(cells) for cells in archive.dims)
    # pyribs' own place for every elite: its rule has an epsilon of its own
    coordinates = np.asarray(archive.int_to_grid_index(data["index"]))
    return Archive(np.asarray(data["solution"]).reshape(n, -1), data["objective"], data["measures"],
                   index=np.ravel_multi_index(tuple(coordinates.T), dims), grid=dims,
                   ranges=list(zip(archive.lower_bounds, archive.upper_bounds)), **{name: data[name] for name in extra})


def to_ribs(result: Archive, like: Any) -> Any:
    """A new GridArchive as `like`, with the statistics of every solution as extra fields."""
    extra = {name: column for name, column in result.columns().items() if name in EXTRA}
    fields = {name: (column.shape[1:], column.dtype) for name, column in extra.items()}
    solution_dim = like.solution_dim
    arguments: dict[str, Any] = {
        "solution_dim": solution_dim, "dims": like.dims, "ranges": list(zip(like.lower_bounds, like.upper_bounds)),
        "learning_rate": like.learning_rate, "threshold_min": like.threshold_min, "epsilon": like.epsilon,
        "qd_score_offset": like.qd_score_offset, "extra_fields": fields}
    dtypes = getattr(like, "dtypes", None)
    if dtypes is not None:
        arguments.update({f"{name}_dtype": dtypes[name] for name in ("solution", "objective", "measures")})
    else:
        arguments["dtype"] = like.dtype
    made = type(like)(**arguments)
    shape = solution_dim if isinstance(solution_dim, tuple) else (solution_dim,)
    added = made.add(result.solution.reshape(len(result), *shape), result.objective, result.measures, **extra)
    rejected = int(np.sum(np.asarray(added["status"]) == 0))
    if rejected:
        warnings.warn(f"{rejected} of {len(result)} solutions are not in the GridArchive: its threshold_min or another "
                      "solution of the same cell kept them out", stacklevel=3)
    return made


# --- QDax ---------------------------------------------------------------------------------------------------------


def _is_repertoire(archive: Any) -> bool:
    return all(hasattr(archive, name) for name in ("genotypes", "fitnesses", "descriptors", "centroids"))


def flatten_tree(tree: Any, *, policies: bool = False) -> np.ndarray:
    """(n, D): the leaves of a pytree, each (n, ...), one after the other.

    The order is JAX's, as of `ravel_pytree`: dictionaries by their sorted keys. With `policies` it is that of our robots'
    networks (docs/policies.md): layers by their numbers, each kernel before its bias.
    """
    leaves: list[np.ndarray] = []
    _map_leaves(lambda leaf: leaves.append(np.asarray(leaf, dtype=np.float32)), tree, policies)
    must(bool(leaves), "the genotypes", "a pytree of arrays", "no array")
    return np.concatenate([leaf.reshape(len(leaf), -1) for leaf in leaves], axis=1)


def unflatten_tree(rows: np.ndarray, like: Any, *, policies: bool = False) -> Any:
    """The pytree of `like` with other numbers: rows (n, D), n as in `like`; the other way round of `flatten_tree`."""
    position = 0

    def next_leaf(leaf: Any) -> Any:
        nonlocal position
        shape = np.shape(leaf)
        size = int(np.prod(shape[1:]))
        part = rows[:, position:position + size].reshape((len(rows), *shape[1:]))
        position += size
        return _array_like(part, leaf)

    made = _map_leaves(next_leaf, like, policies)
    must(position == rows.shape[1], "rows", f"of {position} columns, as the pytree has numbers", rows.shape[1])
    return made


def _policy_order(key: Any) -> tuple[bool, list[tuple[int, str]]]:
    """Dense_2 before Dense_10, kernel before bias."""
    parts = re.split(r"(\d+)", str(key))
    return key == "bias", [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


def _map_leaves(function: Callable[[Any], Any], tree: Any, policies: bool = False) -> Any:
    if tree is None:
        return None
    if isinstance(tree, Mapping):
        # JAX goes through dictionaries by their sorted keys
        keys = sorted(tree, key=_policy_order) if policies else sorted(tree)
        made = {key: _map_leaves(function, tree[key], policies) for key in keys}
        rebuild: Any = type(tree)
        return rebuild({key: made[key] for key in tree})
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(_map_leaves(function, part, policies) for part in tree))
    if isinstance(tree, (tuple, list)):
        return type(tree)(_map_leaves(function, part, policies) for part in tree)
    must_be(hasattr(tree, "shape") and hasattr(tree, "dtype"), "a part of the genotypes",
            "an array, a dictionary, a list or a tuple", tree)
    return function(tree)


def _array_like(values: np.ndarray, like: Any) -> Any:
    """NumPy's array, or one of JAX where `like` is one: made by its own methods, so JAX is not imported here."""
    values = values.astype(np.asarray(like).dtype)
    if hasattr(like, "at") and np.shape(like) == values.shape:
        return like.at[...].set(values)
    return values


def grid_of_centroids(centroids: Any, ranges: Any = None) -> dict[str, Any]:
    """The grid whose cells have these centres (cells, m), in whatever order; a ValueError where there is none.

    Ranges are what the spacing gives, half a cell beyond the outermost centres, unless they are given.
    """
    points = np.asarray(centroids, dtype=np.float64)
    must(points.ndim == 2 and len(points) >= 1, "centroids", "of shape (cells, m)", points.shape)
    if ranges is not None:
        ranges = [tuple(entry) for entry in ranges]
        must(len(ranges) == points.shape[1], "ranges", f"given for each of {points.shape[1]} measures", len(ranges))
    dims, found = [], []
    for k in range(points.shape[1]):
        values = np.unique(np.round(points[:, k], 6))
        must(len(values) > 1 or ranges is not None, "ranges", f"given: measure {k} has one cell, of unknown width",
             "None")
        steps = np.diff(values)
        regular = len(steps) == 0 or float(np.ptp(steps)) <= 1e-3 * float(np.mean(steps))
        must(regular, "centroids", "those of a regular grid (or give grid and ranges)",
             f"unequal steps in measure {k}")
        half = float(np.mean(steps)) / 2 if len(steps) else 0.0
        dims.append(len(values))
        found.append((_rounded(values[0] - half), _rounded(values[-1] + half)))
    must(int(np.prod(dims)) == len(points), "centroids", "those of a regular grid (or give grid and ranges)",
         f"{len(points)} centroids in {' x '.join(map(str, dims))} places")
    return checked_grid(dims, found if ranges is None else ranges)


def _rounded(end: float) -> float:
    """Ends of ranges are round numbers; float32 centroids leave dust on them."""
    return float(np.round(end, 5))


def from_qdax(repertoire: Any, grid: Any = None, ranges: Any = None, *, policies: bool = False) -> Archive:
    """A QDax repertoire: fitness -inf is an empty cell; fitnesses are (cells, 1) since 0.5, (cells,) before."""
    fitness = np.asarray(repertoire.fitnesses, dtype=np.float32)
    must(fitness.ndim == 1 or (fitness.ndim == 2 and fitness.shape[1] == 1), "fitnesses", "(cells,) or (cells, 1)",
         fitness.shape)
    fitness = fitness.reshape(-1)
    occupied = np.isfinite(fitness)
    must(bool(occupied.any()), "archive", "at least one solution", "an empty repertoire")
    if grid is None:
        cells = grid_of_centroids(repertoire.centroids, ranges)
        # a row of the repertoire is the cell around its centroid, whatever the order of the rows
        centres = floats("centroids", np.asarray(repertoire.centroids), (None, len(cells["dims"])))
        index = np.asarray(_core.cells_of(cells, centres))[occupied]
    else:
        must(ranges is not None, "ranges", "given with grid", "None")
        cells, index = checked_grid(grid, ranges), None
    return Archive(flatten_tree(repertoire.genotypes, policies=policies)[occupied], fitness[occupied],
                   np.asarray(repertoire.descriptors)[occupied], index=index, grid=cells["dims"],
                   ranges=cells["ranges"])


def to_qdax(result: Archive, like: Any, *, policies: bool = False) -> Any:
    """A repertoire as `like`: every solution at the nearest centroid, the best of those that meet there."""
    centroids = np.asarray(like.centroids, dtype=np.float64)
    objective = present(result.objective, "objective", "known of a result")
    measures = present(result.measures, "measures", "known of a result")
    nearest = np.array([int(np.argmin(np.sum((centroids - row) ** 2, axis=1))) for row in measures])
    # the last that is written stays: the best
    order = np.argsort(objective, kind="stable")
    rows = np.zeros((len(centroids), result.solution.shape[1]), np.float32)
    fitness = np.full(len(centroids), -np.inf, np.float32)
    descriptors = np.zeros((len(centroids), centroids.shape[1]), np.float32)
    rows[nearest[order]] = result.solution[order]
    fitness[nearest[order]] = objective[order]
    descriptors[nearest[order]] = measures[order]
    fields = {"genotypes": unflatten_tree(rows, like.genotypes, policies=policies),
              "fitnesses": _array_like(fitness.reshape(np.shape(like.fitnesses)), like.fitnesses),
              "descriptors": _array_like(descriptors, like.descriptors)}
    extra_scores = getattr(like, "extra_scores", None)
    if extra_scores:
        # scores of the solutions that were there are not those of the new ones
        fields["extra_scores"] = _map_leaves(lambda leaf: _array_like(np.zeros(np.shape(leaf)), leaf), extra_scores)
    return like.replace(**fields)


# --- pandas and dictionaries --------------------------------------------------------------------------------------


def from_pandas(frame: Any) -> Archive:
    """A DataFrame with pyribs' columns: solution_0, ..., and where known objective, measures_0, ..., index."""
    names = [str(name) for name in frame.columns]
    columns: dict[str, Any] = {}
    for name in ("solution", "measures", "measures_mean", "measures_std"):
        numbered = [f"{name}_{j}" for j in range(sum(_is_numbered(column, name) for column in names))]
        if numbered:
            missing = [column for column in numbered if column not in names]
            must(not missing, f"the columns {name}_*", f"numbered 0 to {len(numbered) - 1}", f"no {missing[:1]}")
            columns[name] = frame[numbered].to_numpy()
    must("solution" in columns, "the DataFrame", "one with columns solution_0, solution_1, ...", names[:8])
    for name in (*EXTRA, "objective", "index"):
        if name in names:
            columns[name] = frame[name].to_numpy()
    return Archive(**columns)


def _is_numbered(column: str, name: str) -> bool:
    return column.startswith(name + "_") and column[len(name) + 1:].isdigit()


def from_mapping(arrays: Mapping[str, Any]) -> Archive:
    """A dictionary of arrays, such as pyribs' `data()` or `numpy.load` gives; names that are not known are left out."""
    must("solution" in arrays, "the archive", "a dictionary with a 'solution'", sorted(arrays)[:8])
    known = {name: arrays[name] for name in ("solution", "objective", "measures", "index", *EXTRA) if name in arrays}
    return Archive(**known)
