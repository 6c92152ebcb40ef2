"""An archive as a table: one row per solution, NumPy arrays for columns."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core
from .arguments import floats, grid as checked_grid, must, must_be, present

FLOATS = ("objective", "objective_mean", "objective_std", "cell_probability", "cell_probability_lower",
          "cell_probability_upper")
MATRICES = ("measures", "measures_mean", "measures_std")
INTEGERS = {"index": np.int32, "target_index": np.int32, "n_evals": np.int64}
COLUMNS = ("solution", "objective", "measures", "index", *FLOATS[1:], "measures_mean", "measures_std", "n_evals",
           "target_index")


class Archive:
    """Solutions with what is known of them; columns that are not known are None.

    Args:
        solution: (n, D) genotypes.
        objective: (n,) fitness as whoever made the archive believed it.
        measures: (n, m) descriptors as believed.
        grid: cells along each measure, such as (32, 32).
        ranges: (lower, upper) of each measure.
        task: name of the task, where there is one.
        provenance: how it was made: texts by name.
        columns: `index` (n,) cells in C order of the grid; from repeated evaluations `objective_mean`,
            `objective_std`, `measures_mean`, `measures_std`, `cell_probability` with its 95 % interval
            `cell_probability_lower` and `_upper`, `n_evals`; `target_index`, the cell a solution was optimised for.

    What falls outside the ranges counts for the nearest cell, as in pyribs.
    """

    def __init__(self, solution: Any, objective: Any = None, measures: Any = None, *, grid: Any = None,
                 ranges: Any = None, task: str = "", provenance: Mapping[str, str] | None = None,
                 **columns: Any) -> None:
        self.solution: np.ndarray = floats("solution", solution, (None, None))
        n = len(self.solution)
        must(n >= 1, "solution", "at least one row", n)
        self.grid: dict[str, Any] | None = None
        must((grid is None) == (ranges is None), "grid and ranges", "given together", "one of them")
        if grid is not None:
            self.grid = checked_grid(grid, ranges)
        self.task = task
        self.provenance = dict(provenance or {})
        self.objective: np.ndarray | None = None if objective is None else floats("objective", objective, (n,))
        m = None if self.grid is None else len(self.grid["dims"])
        self.measures: np.ndarray | None = None if measures is None else floats("measures", measures, (n, m))
        for name in COLUMNS[3:]:
            setattr(self, name, _column(name, columns.pop(name, None), n, m))
        must(not columns, "columns", f"of {', '.join(COLUMNS)}", ", ".join(columns))

    # columns set by name above, for those who read the types
    index: np.ndarray | None
    objective_mean: np.ndarray | None
    objective_std: np.ndarray | None
    measures_mean: np.ndarray | None
    measures_std: np.ndarray | None
    cell_probability: np.ndarray | None
    cell_probability_lower: np.ndarray | None
    cell_probability_upper: np.ndarray | None
    n_evals: np.ndarray | None
    target_index: np.ndarray | None

    @classmethod
    def from_dict(cls, table: Mapping[str, Any]) -> Archive:
        """What the library gives."""
        grid = table.get("grid") or {}
        columns = {name: table[name] for name in COLUMNS if name in table}
        return cls(**columns, grid=grid.get("dims"), ranges=grid.get("ranges"), task=table.get("task", ""),
                   provenance=table.get("provenance"))

    def to_dict(self) -> dict[str, Any]:
        """What the library takes: the columns that are known, `grid`, `task`, `provenance`."""
        table: dict[str, Any] = self.columns()
        if self.grid is not None:
            table["grid"] = self.grid
        return {**table, "task": self.task, "provenance": self.provenance}

    def columns(self) -> dict[str, np.ndarray]:
        """The columns that are known, by name."""
        return {name: getattr(self, name) for name in COLUMNS if getattr(self, name) is not None}

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Archive:
        """Reads an .npz of ours or with a `solution`, an .npy of genotypes, pyribs' CSV, or a run's folder."""
        return cls.from_dict(_core.open(os.fspath(path))["archive"])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes an .npz that `numpy.load` and the command line read; the same archive gives the same bytes."""
        _core.write_archive(os.fspath(path), self.to_dict())

    @property
    def centroids(self) -> np.ndarray:
        """(cells, m) centres of the cells, in C order: the last measure is the fastest."""
        return np.asarray(_core.centroids(present(self.grid, "grid", "known for centroids")))

    @property
    def cells(self) -> int:
        """How many cells hold a solution."""
        return len(np.unique(self.places()))

    def places(self) -> np.ndarray:
        """(n,) the cell of every solution: by `index` where that is known, else by the measures."""
        if self.index is not None:
            return self.index
        grid = present(self.grid, "grid", "known for an archive without index")
        measures = present(self.measures, "measures", "known for an archive without index")
        return np.asarray(_core.cells_of(grid, measures))

    def to_pandas(self) -> Any:
        """A DataFrame with pyribs' names: solution_0, ..., objective, measures_0, ..., index and the statistics."""
        import pandas  # type: ignore[import-untyped, unused-ignore]

        return pandas.DataFrame(flat_columns(self))

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes the columns of `to_pandas`, without pandas."""
        columns = flat_columns(self)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(",".join(columns) + "\n")
            for row in zip(*(column.tolist() for column in columns.values())):
                file.write(",".join(map(repr, row)) + "\n")

    def __len__(self) -> int:
        return len(self.solution)

    def __repr__(self) -> str:
        where = "" if self.grid is None else " in a grid of " + " x ".join(map(str, self.grid["dims"]))
        known = ", ".join(self.columns())
        return f"<aria.Archive: {len(self)} solutions of {self.solution.shape[1]} parameters{where}; {known}>"


def _column(name: str, value: Any, n: int, m: int | None) -> np.ndarray | None:
    if value is None:
        return None
    if name in MATRICES:
        return floats(name, value, (n, m))
    if name in FLOATS:
        return floats(name, value, (n,))
    array = np.asarray(value)
    must_be(array.dtype.kind in "iu", name, "an array of whole numbers", value)
    must(array.shape == (n,), name, f"of shape ({n},)", array.shape)
    return np.ascontiguousarray(array, dtype=INTEGERS[name])


def flat_columns(archive: Archive) -> dict[str, np.ndarray]:
    """Columns of one number each, as pyribs names them."""
    flat = {}
    for name, column in archive.columns().items():
        if column.ndim == 1:
            flat[name] = column
        else:
            flat.update({f"{name}_{j}": column[:, j] for j in range(column.shape[1])})
    return flat
