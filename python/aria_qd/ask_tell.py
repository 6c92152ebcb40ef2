"""Algorithms for those who own the loop."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from .adapters import adapt
from .archive import Archive
from .arguments import count, grid as checked_grid, must, must_be, one_of, present, seed as checked_seed, settings as setting_texts
from .symmetry import Symmetry
from .tasks import DEFAULT_BATCH, MOST_BATCH, checked_answer, describe


class AskTell:
    """Any algorithm of `aria.algorithms()`, a batch at a time.

    >>> algorithm = aria.AskTell("map-elites", solution_dim=8, grid=(32, 32), ranges=[(0, 1), (0, 1)], budget=100_000)
    >>> while not algorithm.done:
    ...     solutions = algorithm.ask()
    ...     algorithm.tell(*evaluate(solutions))
    >>> algorithm.archive

    Args:
        algorithm: its name.
        archive: what to start from, for an algorithm that needs one; of any kind that `aria.correct` takes.
        solution_dim, grid, ranges: where there is no archive that says.
        bounds: (lower, upper) of initial solutions, where the algorithm draws them.
        batch_size: solutions per `ask` at the most.
        symmetries: `aria.Symmetry`s, for an algorithm that is told use_symmetry=True.
        seed, preset, settings: as in `aria.run`.

    It can be pickled at any time, also between `ask` and `tell`; then the same solutions are asked for again.
    """

    def __init__(self, algorithm: str, archive: Any = None, *, solution_dim: int | None = None,
                 grid: Sequence[int] | None = None, ranges: Sequence[tuple[float, float]] | None = None,
                 bounds: tuple[Any, Any] = (0.0, 1.0), fitness_range: tuple[float, float] = (0.0, 1.0), seed: int = 1,
                 preset: str = "paper", batch_size: int = DEFAULT_BATCH, symmetries: Sequence[Symmetry] = (),
                 **settings: Any) -> None:
        must_be(isinstance(algorithm, str), "algorithm", "a name that aria.algorithms() lists", algorithm)
        if archive is None:
            must(solution_dim is not None and grid is not None and ranges is not None,
                 "solution_dim, grid and ranges", "given where there is no archive", "not all of them")
            self._start: Archive | None = None
            cells = checked_grid(grid, ranges)
        else:
            self._start, _ = adapt(archive, grid, ranges)
            cells = present(self._start.grid, "grid and ranges", "given: the archive has no grid")
            solution_dim = self._start.solution.shape[1]
        self._config: dict[str, Any] = {"algorithm": algorithm, "seed": checked_seed(seed),
                        "preset": one_of("preset", preset, ("paper", "lite")), "settings": setting_texts(settings),
                        "batch_size": count("batch_size", batch_size, 1, MOST_BATCH),
                        "description": describe(solution_dim=solution_dim or 0, grid=cells, bounds=bounds,
                                                fitness_range=fitness_range, batch_size=batch_size,
                                                symmetries=symmetries)}
        self._build()

    def _build(self) -> None:
        config = self._config
        self._core = _core.ask_tell(_core.make_function(None, config["description"]), config["algorithm"],
                                    config["seed"], config["preset"], config["settings"],
                                    None if self._start is None else self._start.to_dict(), config["batch_size"])

    def ask(self) -> np.ndarray:
        """(n, D) float32 solutions to evaluate, n <= batch_size; the same ones until they are told."""
        return np.asarray(self._core.ask())

    def tell(self, objective: Any, measures: Any) -> None:
        """Takes the objective (n,) and the measures (n, m) of the solutions asked for; a row with a NaN or an infinity
        is a failed evaluation."""
        dims = self._config["description"]["grid"]["dims"]
        self._core.tell(*checked_answer((objective, measures), self._core.batch, len(dims)))

    @property
    def done(self) -> bool:
        """Whether there is nothing more to ask."""
        return self._core.done

    @property
    def seed(self) -> int:
        """Names the noise of the present batch, for simulators that take a seed."""
        return self._core.seed

    @property
    def archive(self) -> Archive:
        """What the algorithm believes it has found so far."""
        table = self._core.archive
        must("solution" in table, "the archive", "asked for once something was told", "nothing yet")
        return Archive.from_dict(table)

    @property
    def evaluations(self) -> int:
        """Evaluations that were told, in requests that are complete."""
        return self._core.evaluations

    @property
    def failed(self) -> int:
        """Of those, how many failed."""
        return self._core.failed

    @property
    def status(self) -> dict[str, Any]:
        """`phase`, `planned_evaluations`, `cells`, `best_fitness`."""
        return self._core.status

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a checkpoint; `load` of an algorithm made with the same arguments goes on from there."""
        self._core.write_checkpoint(os.fspath(path))

    def load(self, path: str | os.PathLike[str]) -> None:
        """Goes on from a checkpoint."""
        self._core.read_checkpoint(os.fspath(path))

    def __getstate__(self) -> dict[str, Any]:
        return {"config": self._config, "start": None if self._start is None else self._start.to_dict(),
                "state": self._core.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._config = state["config"]
        self._start = None if state["start"] is None else Archive.from_dict(state["start"])
        self._build()
        self._core.load(state["state"])

    def __repr__(self) -> str:
        phase = "done" if self.done else self.status["phase"]
        return f"<aria.{type(self).__name__}: {self._config['algorithm']}, {phase}, {self.evaluations} evaluations>"


class Aria(AskTell):
    """ARIA on an archive, a batch at a time.

    >>> better = aria.Aria(archive, sigma=0.02, pairs=128)
    >>> while not better.done:
    ...     better.tell(*evaluate(better.ask()))
    >>> better.archive

    Args:
        archive: of any kind that `aria.correct` takes. Without one, ARIA makes its own first: `algorithm` is then
            "aria-me" or another that needs none, and `solution_dim`, `grid` and `ranges` are given.
        batch_size: solutions per `ask` at the most.
        settings: of ARIA: `sigma`, `pairs`, `steps`, ...
    """

    def __init__(self, archive: Any = None, *, algorithm: str | None = None, **arguments: Any) -> None:
        super().__init__(algorithm or ("aria" if archive is not None else "aria-me"), archive, **arguments)
