"""The figures of the program, one by one. Archives are `aria.Archive`s or anything `aria.correct` takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from .adapters import adapt, with_statistics
from .arguments import count, floats, grid as checked_grid, must, pair, present
from .results import Scores


def cells_of(measures: Any, *, grid: Sequence[int], ranges: Sequence[tuple[float, float]]) -> np.ndarray:
    """(n,) cells of measures (n, m), in C order of the grid; what is outside the ranges counts for the nearest."""
    cells = checked_grid(grid, ranges)
    rows = floats("measures", measures, (None, len(cells["dims"])))
    must(bool(np.isfinite(rows).all()), "measures", "finite", "a number that is not")
    return np.asarray(_core.cells_of(cells, rows))


def illusory_scores(archive: Any, *, fitness_range: tuple[float, float], grid: Sequence[int] | None = None,
                    ranges: Sequence[tuple[float, float]] | None = None) -> Scores:
    """What the maker of an archive believed: cells, coverage, QD-Score, best fitness."""
    table, _ = adapt(archive, grid, ranges)
    cells = present(table.grid, "grid", "given for an archive that has none")
    scores: Any = _core.illusory_scores(table.to_dict(), cells, pair("fitness_range", fitness_range))
    return present(Scores.from_json(scores), "the archive", "one with objective and measures")


def corrected_scores(archive: Any, *, fitness_range: tuple[float, float]) -> Scores:
    """Scores of a corrected archive, such as a Report's: also P-Score and V-Score."""
    scores: Any = _core.corrected_scores(with_statistics(archive).to_dict(), pair("fitness_range", fitness_range))
    return present(Scores.from_json(scores), "the archive", "a corrected one")


def archive_profile(archive: Any, thresholds: Sequence[float]) -> np.ndarray:
    """Share of all cells whose mean fitness is at least each threshold, of a corrected archive."""
    return np.array(_core.archive_profile(with_statistics(archive).to_dict(), [float(value) for value in thresholds]))


def pyribs_stats(archive: Any, *, qd_score_offset: float = 0.0, grid: Sequence[int] | None = None,
                 ranges: Sequence[tuple[float, float]] | None = None) -> dict[str, float]:
    """`num_elites`, `coverage` (0 .. 1), `qd_score` (the offset is subtracted from every objective), `obj_max`: the
    figures that pyribs' `archive.stats` gives."""
    scores = illusory_scores(archive, fitness_range=(qd_score_offset, qd_score_offset + 1), grid=grid, ranges=ranges)
    return {"num_elites": scores.cells, "coverage": scores.coverage, "qd_score": scores.qd_score,
            "obj_max": float(scores.max_fitness or 0.0)}


def qdax_metrics(archive: Any, *, qd_offset: float = 0.0, grid: Sequence[int] | None = None,
                 ranges: Sequence[tuple[float, float]] | None = None) -> dict[str, float]:
    """`qd_score` (the offset is added to every fitness), `max_fitness`, `coverage` (0 .. 100): the figures that QDax's
    `default_qd_metrics` gives."""
    scores = illusory_scores(archive, fitness_range=(-qd_offset, 1 - qd_offset), grid=grid, ranges=ranges)
    return {"qd_score": scores.qd_score, "max_fitness": float(scores.max_fitness or 0.0),
            "coverage": 100 * scores.coverage}


def wilson_interval(hits: int, trials: int) -> tuple[float, float]:
    """95 % confidence interval of a probability, from `hits` out of `trials`."""
    return _core.wilson_interval(count("hits", hits, 0), count("trials", trials))


def rank_sum_test(a: Sequence[float], b: Sequence[float]) -> dict[str, Any]:
    """Wilcoxon's rank-sum test: `statistic` (Mann-Whitney's U of a), two-sided `p`, `method` (exact or normal)."""
    return _core.rank_sum_test([float(value) for value in a], [float(value) for value in b])


def holm_correction(p: Sequence[float]) -> list[float]:
    """p-values corrected for making many tests at once."""
    return _core.holm_correction([float(value) for value in p])

