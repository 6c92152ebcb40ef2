"""What came out: scores, corrections, runs and studies."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from .archive import Archive


@dataclass(frozen=True)
class Scores:
    """The figures that an archive is judged by."""

    cells: int  #: cells that hold a solution
    coverage: float  #: share of all cells, 0 .. 1
    qd_score: float  #: sum over cells of the fitness, normalised by the task's fitness range
    max_fitness: float | None = None
    p_score: float | None = None  #: expected number of elites that stay in their cell; of a corrected archive
    p_score_margin: float | None = None  #: half of its 95 % confidence interval
    v_score: float | None = None  #: sum over cells of the normalised negative variance of the measures

    @classmethod
    def from_json(cls, values: dict[str, Any] | None) -> Scores | None:
        """Scores as summaries hold them."""
        if values is None:
            return None
        return cls(**{name: values.get(name) for name in cls.__dataclass_fields__})  # type: ignore[arg-type]


class _HasScores:
    """The scores of what is really there, as attributes; where nothing was re-evaluated, those that are believed."""

    illusory: Scores | None
    corrected_scores: Scores | None

    @property
    def scores(self) -> Scores:
        """Of the corrected archive, else of the illusory one."""
        found = self.corrected_scores or self.illusory
        if found is None:
            raise ValueError("there are no scores: the archive came without objective or measures, and was not "
                             "re-evaluated")
        return found

    cells = property(lambda self: self.scores.cells, doc="Cells that hold a solution.")
    coverage = property(lambda self: self.scores.coverage, doc="Share of all cells, 0 .. 1.")
    qd_score = property(lambda self: self.scores.qd_score, doc="Sum over cells of the normalised fitness.")
    max_fitness = property(lambda self: self.scores.max_fitness, doc="Best fitness.")
    p_score = property(lambda self: self.scores.p_score, doc="Expected number of elites that stay in their cell.")
    v_score = property(lambda self: self.scores.v_score, doc="Sum over cells of the normalised negative variance.")


class Report(_HasScores):
    """What is really in an archive.

    Attributes:
        claimed: the archive as it was given.
        archive: the corrected archive: every solution in the cell of its mean measures, the best of each cell.
        illusory, corrected: scores of both; `cells`, `coverage`, `qd_score`, `p_score`, `v_score`, `max_fitness` of
            the report itself are the corrected ones.
        statistics: arrays with a row per solution, in the order given: `objective_mean`, `objective_std`,
            `measures_mean`, `measures_std`, `cell_probability`, `cell_probability_lower` and `_upper` (95 %), `index`
            (cell of the mean, -1 where every evaluation failed), `non_finite` (failed evaluations), and
            `objective_samples` (n, k), `measures_samples` (n, k, m).
        summary: all figures, as `aria correct --json` prints them.
    """

    cell_rule = "what falls outside the ranges counts for the nearest cell"

    def __init__(self, claimed: Archive, result: dict[str, Any]) -> None:
        self.claimed = claimed
        self.archive = Archive.from_dict(result["corrected"])
        self.statistics: dict[str, Any] = result["reevaluation"]
        self._json: str = result["summary"]
        self.summary: dict[str, Any] = json.loads(self._json)
        self.illusory = Scores.from_json(self.summary["illusory"])
        self.corrected_scores = Scores.from_json(self.summary["corrected"])

    @property
    def corrected(self) -> Scores:
        """Scores of the corrected archive."""
        assert self.corrected_scores is not None
        return self.corrected_scores

    @property
    def cell_probability(self) -> np.ndarray:
        """(n,) share of a solution's evaluations in the cell of their mean; a failed one is out."""
        return self.statistics["cell_probability"]

    def __str__(self) -> str:
        evaluations = self.statistics["samples"]
        probability = self.cell_probability
        lower, middle, upper = (_core.quantile(probability.astype(float).tolist(), share) for share in (0.25, 0.5, 0.75))
        lines = [f"{len(self.claimed)} solutions on {self.summary['task']}, {evaluations} re-evaluations each", "",
                 _core.score_text(self._json).rstrip("\n"),
                 f"P(cell) of a solution: median {middle:.3f}, half of them from {lower:.3f} to {upper:.3f}; "
                 f"{self.cell_rule}.", _ranges(self.summary)]
        failed = self.summary["failed_reevaluations"]
        if failed:
            lines.append(f"{failed} evaluations failed and count as having left the cell.")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<aria.Report: {self.corrected.cells} of {len(self.claimed)} solutions' cells are real; print() shows more>"


class Result(_HasScores):
    """What an algorithm made.

    Attributes:
        archive: what the algorithm believes it has found.
        corrected: what is really there, with the statistics of every solution; None with reevaluations=0.
        initial, initial_corrected: the same of what it started from, where it started from an archive.
        illusory, corrected_scores: scores of both; `cells`, `coverage`, `qd_score`, `p_score`, `v_score`,
            `max_fitness` of the result itself are the corrected ones.
        summary: all figures, as `aria run --json` prints them.
        out: folder of the run, None where none was named.
    """

    def __init__(self, result: dict[str, Any], out: str | None) -> None:
        def table(name: str) -> Archive | None:
            return None if result[name] is None else Archive.from_dict(result[name])

        archive = table("archive")
        assert archive is not None
        self.archive = archive
        self.corrected = table("corrected")
        self.initial = table("initial")
        self.initial_corrected = table("initial_corrected")
        self.statistics: dict[str, Any] | None = result["reevaluation"]
        self.initial_statistics: dict[str, Any] | None = result["initial_reevaluation"]
        self._json: str = result["summary"]
        self.summary: dict[str, Any] = json.loads(self._json)
        self.illusory = Scores.from_json(self.summary["illusory"])
        self.corrected_scores = Scores.from_json(self.summary["corrected"])
        self.out = out

    @property
    def best(self) -> Archive:
        """What to go on with: the corrected archive, with what was measured as `objective` and `measures`; where
        nothing was re-evaluated, what is believed."""
        return self.archive if self.corrected is None else measured(self.corrected)

    def __str__(self) -> str:
        summary = self.summary
        lines = [f"{summary['algorithm']} on {summary['task']}, seed {summary['seed']}: {summary['evaluations']} "
                 f"evaluations in {summary['seconds']:.1f} s", "", _core.score_text(self._json).rstrip("\n"),
                 _ranges(summary)]
        if summary.get("use_symmetry"):
            lines.append("With the task's symmetry: only fundamental cells were solved, the others follow.")
        failed = summary["failed_evaluations"] + summary["failed_reevaluations"]
        if failed:
            lines.append(f"{failed} evaluations failed and count as having left the cell.")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<aria.Result: {self.summary['algorithm']} on {self.summary['task']}, {self.cells} cells; print() shows more>"


def measured(archive: Archive) -> Archive:
    """A corrected archive whose objective and measures are the means that were measured."""
    columns = archive.columns()
    columns["objective"] = archive.objective_mean  # type: ignore[assignment]
    columns["measures"] = archive.measures_mean  # type: ignore[assignment]
    assert archive.grid is not None
    return Archive(**columns, grid=archive.grid["dims"], ranges=archive.grid["ranges"], task=archive.task,
                   provenance=archive.provenance)


class StudyResult:
    """A study: `data` is what study.json holds, `failed` the names of runs that failed, `out` its folder."""

    def __init__(self, result: dict[str, Any], out: str) -> None:
        self.runs: int = result["runs"]
        self.finished: int = result["finished"]
        self.failed: list[str] = result["failed"]
        self.data: dict[str, Any] | None = None if result["data"] is None else json.loads(result["data"])
        self.out = out
        self._text: str | None = result["text"]

    def median(self, algorithm: str, metric: str) -> float:
        """The median over replications of a metric, such as "corrected.p_score"."""
        for entry in (self.data or {}).get("algorithms", []):
            if entry["name"] == algorithm:
                return float(entry["summary"][metric]["median"])
        raise KeyError(algorithm)

    def __str__(self) -> str:
        return self._text or f"{self.finished} of {self.runs} runs finished"

    def __repr__(self) -> str:
        return f"<aria.StudyResult: {self.finished} of {self.runs} runs in {self.out}; print() shows more>"


def _ranges(summary: dict[str, Any]) -> str:
    fitness, variance = summary["ranges"]["fitness"], summary["ranges"]["negative_variance"]
    return (f"QD-Score and V-Score are normalised by fixed ranges: fitness {fitness[0]:g} .. {fitness[1]:g}, minus "
            f"variance {variance[0]:g} .. {variance[1]:g}.")
