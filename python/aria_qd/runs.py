"""The commands of the program as functions: `correct`, `improve`, `run`, `study`, `report`. Names, defaults and results
are those of the command line: the same seed gives the same bytes."""

from __future__ import annotations

import contextlib
import logging
import numbers
import os
import shutil
import sys
import tempfile
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from . import _core, answers, tasks
from .adapters import adapt
from .archive import Archive
from .arguments import count, must, must_be, one_of, present, seed as checked_seed, settings as setting_texts
from .progress import Progress, Show
from .results import Report, Result, StudyResult
from .symmetry import Symmetry
from .tasks import DEFAULT_BATCH, Function, Task

Path = str | os.PathLike[str]
Evaluate = Task | str | Callable[..., Any]

PRESETS = ("paper", "lite")
KEPT_SAMPLES = 64  # of every solution, enough to draw as a cloud
MOST_EVALUATIONS = 2**24  # of one solution

_log = logging.getLogger("aria_qd")
_threads = 0


def set_threads(threads: int | None = None) -> None:
    """Threads to use from now on; None: one per core. No result depends on it."""
    global _threads
    _threads = 0 if threads is None else count("threads", threads)
    _core.set_threads(_threads)


@contextlib.contextmanager
def _using(threads: int | None) -> Iterator[None]:
    if not _core.fused_multiply_add():
        warnings.warn("this CPU has no fused multiply-add, so results may differ in the last digits from those of other "
                      "machines", stacklevel=4)
    if threads is None:
        yield
        return
    _core.set_threads(count("threads", threads))
    try:
        yield
    finally:
        _core.set_threads(_threads)


def algorithms(task: Task | str = "arm", *, preset: str = "paper") -> dict[str, dict[str, Any]]:
    """Every algorithm by name: `summary`, `needs_archive`, and `settings` with `meaning` and `default` on a task."""
    handle = (tasks.make(task) if isinstance(task, str) else task)._handle
    found = {}
    for entry in _core.list_algorithms(handle, one_of("preset", preset, PRESETS)):
        settings = {setting["name"]: {"meaning": setting["meaning"], "default": tasks.default_of(setting)}
                    for setting in entry["settings"]}
        found[entry["name"]] = {"summary": entry["summary"], "needs_archive": entry["needs_archive"],
                                "settings": settings}
    return found


def correct(archive: Any, evaluate: Evaluate | None = None, *, reevaluations: int | None = None,
            seed: int | None = None, grid: Sequence[int] | None = None,
            ranges: Sequence[tuple[float, float]] | None = None, fitness_range: tuple[float, float] | None = None,
            keep_samples: bool = False, batch_size: int = DEFAULT_BATCH, on_error: str = "raise",
            out: Path | None = None, threads: int | None = None, progress: bool | Show | None = None) -> Report:
    """Evaluates every solution of an archive many times, and says what is really in it.

    Args:
        archive: pyribs GridArchive, QDax repertoire, DataFrame, dictionary of arrays, (solution, objective, measures),
            solutions (n, D), a path, or what aria gave: an Archive, a Result, a Report.
        evaluate: your function (solutions (n, D) float32[, seed]) -> (objective (n,), measures (n, m)); or a task of
            `aria.tasks`, or its name; None where the archive records its task.
        reevaluations: evaluations of every solution; 1024 unless the archive is a run that says otherwise.
        seed: every draw follows from it; that of the archive where it records one, else 1.
        grid, ranges: cells along each measure and (lower, upper) of each, for archives that do not say. A QDax
            repertoire's are inferred from centroids that form a regular grid.
        fitness_range: (lower, upper) that the QD-Score is normalised by; for a function, the archive's own objectives
            where it is not given.
        keep_samples: keep every single evaluation; else the first 64 of each solution.
        batch_size: solutions per call of your function at the most.
        on_error: "raise": an exception of your function is raised; "skip": it makes a failed evaluation.
        out: folder for corrected.npz and reevaluations.npz, as `aria correct --out`. The same call with the same folder
            goes on where an exception or Ctrl-C has ended it.
        threads: default one per core; no result depends on it.
        progress: True, False, None (a bar where somebody looks) or a function of (phase, done, planned, cells).

    Returns:
        A Report. A failed evaluation (NaN, infinity) counts as having left the cell.
    """
    recorded: dict[str, Any] = {}
    path = ""
    if isinstance(archive, (str, os.PathLike)):
        path = os.fspath(archive)
        recorded = _core.open(path)
        archive = Archive.from_dict(recorded["archive"])
    table, _ = adapt(archive, grid, ranges, policies=_moves_a_robot(evaluate))
    task = task_for(evaluate, table, fitness_range, batch_size, on_error)
    if seed is None:
        known = recorded.get("seed")
        seed = int(table.provenance.get("seed", _core.DEFAULT_SEED) if known is None else known)
    if reevaluations is None:
        reevaluations = recorded.get("reevaluations") or _core.DEFAULT_REEVALUATIONS
    each = count("reevaluations", reevaluations, 1, MOST_EVALUATIONS)
    if out is not None:
        _core.check_correction_folder(os.fspath(out), path)
    if isinstance(task, Function):
        task = task._apart()
    columns = table.to_dict()
    bar = Progress(progress)
    # the answers of a function are for these solutions and these measures
    purpose = zlib.crc32(repr(task._handle.grid).encode(), zlib.crc32(table.solution.tobytes()))
    with _using(threads), contextlib.closing(bar), _folder(out, answers.FILE) as folder, \
            _keeping_answers(task, folder, purpose):
        result = _core.correct(task._handle, columns, each, each if keep_samples else min(each, KEPT_SAMPLES),
                               checked_seed(seed), bar.show)
        if out is not None:
            kept = dict(result["reevaluation"])
            if not keep_samples:
                kept.pop("objective_samples", None)
                kept.pop("measures_samples", None)
            _core.write_correction(folder, columns, result["corrected"], kept)
    return Report(table, result)


@contextlib.contextmanager
def _keeping_answers(task: Task, folder: str, purpose: int) -> Iterator[None]:
    """What a function has answered is written down where the work ends before its time, and is known the next time."""
    if not isinstance(task, Function):
        yield
        return
    kept = task._caller.answers = answers.Answers(folder, purpose)
    if len(kept) > 0:
        warnings.warn(f"{len(kept)} evaluations that an earlier call left in {folder} are taken from there; remove "
                      f"{answers.FILE} where the function has changed since", stacklevel=5)
    try:
        yield
        kept.remove()
    except BaseException:
        kept.write()
        raise


def improve(archive: Any, evaluate: Evaluate | None = None, *, seed: int = 1, preset: str = "paper",
            reevaluations: int = 1024, grid: Sequence[int] | None = None,
            ranges: Sequence[tuple[float, float]] | None = None, fitness_range: tuple[float, float] | None = None,
            batch_size: int = DEFAULT_BATCH, on_error: str = "raise", out: Path | None = None,
            checkpoint_every: float | None = None, threads: int | None = None,
            progress: bool | Show | None = None, details: bool = False, symmetries: Sequence[Symmetry] = (),
            **settings: Any) -> Any:
    """Makes an archive reproducible, with ARIA: each solution comes to stay in its cell and perform well there, and
    empty cells are filled from their neighbours.

    >>> better = aria.improve(archive, evaluate, sigma=0.02, pairs=128, steps=100)

    Args:
        archive: pyribs GridArchive, QDax repertoire, DataFrame, dictionary of arrays, (solution, objective, measures),
            solutions (n, D), a path, or what aria gave: an Archive, a Result, a Report. It is not changed.
        evaluate: your function (solutions (n, D) float32[, seed]) -> (objective (n,), measures (n, m)); or a task of
            `aria.tasks`, or its name; None where the archive records its task.
        grid, ranges, fitness_range, batch_size, on_error, threads, progress: as in `correct`.
        seed: every draw follows from it.
        preset: "paper": the published budget; "lite": about a sixteenth of it.
        reevaluations: evaluations of every solution in the end, to measure what came out; 0: none.
        out: folder of the run; the same call with the same folder goes on where it stopped.
        checkpoint_every: seconds after which the state is written down; 60 unless given.
        details: give the `Result` of the run instead of the archive.
        symmetries: `aria.Symmetry`s of your function, for use_symmetry=True.
        settings: of ARIA; `aria.algorithms()["aria"]["settings"]` has their defaults:
            sigma: standard deviation of a perturbation, in your parameters.
            pairs: mirrored pairs of evaluations per step; a cell costs about 2 * pairs * steps evaluations.
            steps: steps per cell.
            learning_rate: size of a step of Adam.
            mean_evaluations: evaluations of each solution given, to place it.
            parallel_cells: cells optimised side by side; the result depends on it.
            fitness_resolution: inside a cell, compare the objective in multiples of this; 0: exactly.
            use_symmetry: solve only cells that no symmetry maps to each other.

    Returns:
        An archive of the kind that was given: what is really there after re-evaluation, at most one solution per cell,
        `objective` and `measures` being means; pyribs archives have the statistics of every solution as extra fields
        (`cell_probability`, `objective_mean`, ...), other kinds have them as columns where they have room for them.

    An exception of your function, or Ctrl-C, ends the work and is raised as it is; its notes say where the state is.
    """
    table, restore = adapt(archive, grid, ranges, policies=_moves_a_robot(evaluate))
    task = task_for(evaluate, table, fitness_range, batch_size, on_error, symmetries)
    result = _run(task, "aria", table, seed=seed, preset=preset, reevaluations=reevaluations, out=out,
                  checkpoint_every=checkpoint_every, threads=threads, progress=progress, settings=settings)
    return result if details else restore(result.best)


def run(task: Task | str, algorithm: str, *, seed: int = 1, preset: str = "paper", reevaluations: int = 1024,
        out: Path | None = None, checkpoint_every: float | None = None, threads: int | None = None,
        progress: bool | Show | None = None, archive: Any = None, **settings: Any) -> Result:
    """Runs an algorithm on a task, as `aria run`.

    Args:
        task: a task of `aria.tasks`, such as `Arm()` or `Function(...)`, or the name of one of ours.
        algorithm: a name that `aria.algorithms()` lists.
        archive: what to start from, for an algorithm that needs one.
        settings: of the algorithm, and of a task that is given by name.
        seed, preset, reevaluations, out, checkpoint_every, threads, progress: as in `improve`.

    Returns:
        A Result: `archive`, `corrected`, scores, `summary`.
    """
    if not isinstance(task, (Task, str)):
        raise TypeError(f"task must be a task of aria.tasks or the name of one, got {type(task).__name__}")
    if isinstance(task, str):
        own = {setting["name"] for entry in _core.list_tasks() if entry["name"] == task for setting in entry["settings"]}
        task = tasks.make(task, **{name: settings.pop(name) for name in list(settings) if name in own})
    must_be(isinstance(algorithm, str), "algorithm", "a name that aria.algorithms() lists", algorithm)
    table = None
    if archive is not None:
        takers = [name for name, entry in algorithms(task).items() if entry["needs_archive"]]
        must(algorithm in takers, "archive", f"left out for all algorithms but {', '.join(takers)}",
             f"one for {algorithm}")
        table = adapt(archive)[0]
    return _run(task, algorithm, table, seed=seed, preset=preset, reevaluations=reevaluations, out=out,
                checkpoint_every=checkpoint_every, threads=threads, progress=progress, settings=settings)


def _run(task: Task, algorithm: str, table: Archive | None, *, seed: int, preset: str, reevaluations: int,
         out: Path | None, checkpoint_every: float | None, threads: int | None, progress: bool | Show | None,
         settings: Mapping[str, Any]) -> Result:
    config = {"algorithm": algorithm, "seed": checked_seed(seed), "preset": one_of("preset", preset, PRESETS),
              "reevaluations": count("reevaluations", reevaluations, 0, MOST_EVALUATIONS),
              "settings": setting_texts(settings)}
    if checkpoint_every is not None:
        must_be(isinstance(checkpoint_every, numbers.Real), "checkpoint_every", "a number of seconds", checkpoint_every)
        must(checkpoint_every > 0, "checkpoint_every", "seconds > 0", checkpoint_every)
    columns = None if table is None else table.to_dict()
    bar = Progress(progress)
    with _using(threads), contextlib.closing(bar), _folder(out) as folder:
        result = _core.run(task._handle, config, columns, folder, checkpoint_every, bar.show)
    for note in result["notes"]:
        _log.info(note)
    return Result(result, None if out is None else folder)


@contextlib.contextmanager
def _folder(out: Path | None, record: str = "run.toml") -> Iterator[str]:
    """The folder of a run. Where none is named, one that goes away with success, and stays to be continued else."""
    must(out is None or not os.path.exists(out) or os.path.isdir(out), "out", "a folder", out)
    folder = tempfile.mkdtemp(prefix="aria-") if out is None else os.fspath(out)
    try:
        yield folder
    except BaseException as error:
        refused = isinstance(error, ValueError) and str(error).startswith("out ")
        if os.path.exists(os.path.join(folder, record)) and not refused:
            _add_note(error, f"aria: what was done is kept in {folder}; the same call with out={folder!r} goes on from "
                             "there.")
        elif out is None:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    if out is None:
        shutil.rmtree(folder, ignore_errors=True)


def _add_note(error: BaseException, note: str) -> None:
    # a traceback shows notes since Python 3.11
    if sys.version_info >= (3, 11):
        error.add_note(note)
    else:
        setattr(error, "__notes__", [*getattr(error, "__notes__", []), note])
        sys.stderr.write(note + "\n")


def task_for(evaluate: Evaluate | None, archive: Archive, fitness_range: tuple[float, float] | None = None,
             batch_size: int = DEFAULT_BATCH, on_error: str = "raise", symmetries: Sequence[Symmetry] = ()) -> Task:
    """What an archive is evaluated on, in the archive's own grid where it has one."""
    if evaluate is None or isinstance(evaluate, (str, Task)):
        must(not symmetries, "symmetries", "left out for a task, which has its own", symmetries)
        must(fitness_range is None, "fitness_range", "left out for a task, which has its own", fitness_range)
        must(batch_size == DEFAULT_BATCH and on_error == "raise", "batch_size and on_error",
             "left out for a task: they are for functions", (batch_size, on_error))
    if evaluate is None or isinstance(evaluate, str):
        name = evaluate or archive.task
        must(bool(name), "evaluate", "given: the archive does not say what it is for", "nothing")
        ours = [entry["name"] for entry in _core.list_tasks()]
        must(evaluate is not None or name in ours, "evaluate", f"given: the archive is for {name!r}, a function of yours",
             "nothing")
        return Task(_core.recorded_task(name, archive.to_dict()))
    if isinstance(evaluate, Task):
        if archive.grid is None or archive.grid == evaluate._handle.grid:
            return evaluate
        same_ranges = np.allclose(archive.grid["ranges"], evaluate.ranges, atol=1e-6)
        must(same_ranges and not isinstance(evaluate, Function), "the grid of the archive",
             f"that of the task ({evaluate.grid} in {evaluate.ranges})",
             f"{tuple(archive.grid['dims'])} in {archive.grid['ranges']}")
        # our tasks come in any number of cells
        values: dict[str, Any] = {**evaluate.settings, "grid": archive.grid["dims"]}
        return tasks.make(evaluate.name, **values)
    must_be(callable(evaluate), "evaluate", "a function, a task of aria.tasks or its name", evaluate)
    grid = present(archive.grid, "grid and ranges", "given: the archive has no grid")
    if fitness_range is None:
        fitness_range = _believed_range(archive)
    return Function(evaluate, solution_dim=archive.solution.shape[1], grid=grid["dims"], ranges=grid["ranges"],
                    fitness_range=fitness_range, batch_size=batch_size, on_error=on_error, symmetries=symmetries)


def _moves_a_robot(evaluate: Evaluate | None) -> bool:
    """Whether solutions are networks of ours, whose weights have an order of their own."""
    task = tasks.make(evaluate) if isinstance(evaluate, str) else evaluate
    return isinstance(task, Task) and task._handle.is_robot


def _believed_range(archive: Archive) -> tuple[float, float]:
    """Where nobody says what fitness to expect: what there is."""
    if archive.objective is None:
        return 0.0, 1.0
    finite = archive.objective[np.isfinite(archive.objective)]
    if len(finite) == 0:
        return 0.0, 1.0
    lower, upper = float(finite.min()), float(finite.max())
    return (lower, upper) if lower < upper else (lower, lower + 1.0)


def study(task: str, algorithms: Sequence[str] | str = "all", *, out: Path, replications: int = 10, seed: int = 1,
          preset: str = "paper", reevaluations: int = 1024, repair: bool = False, threads: int | None = None,
          progress: bool | Show | None = None, algorithm_settings: Mapping[str, Mapping[str, Any]] | None = None,
          **settings: Any) -> StudyResult:
    """Compares algorithms: replicated runs, tables, significance, as `aria study`.

    Args:
        task: name of a task of ours.
        algorithms: names, or "all": those of the published comparison.
        out: folder; a study there goes on, and may be given more algorithms and replications.
        replications: runs of each algorithm, with seeds that count on from `seed`.
        repair: put damaged runs aside and run them anew.
        settings: of the task, and of every algorithm that has them; `algorithm_settings`: of one alone, by its name.
    """
    must_be(isinstance(task, str), "task", "the name of a task", task)
    names = [algorithms] if isinstance(algorithms, str) else list(algorithms)
    config = {"task": task, "algorithms": names, "replications": count("replications", replications),
              "seed": checked_seed(seed), "preset": one_of("preset", preset, PRESETS),
              "reevaluations": count("reevaluations", reevaluations, 1, MOST_EVALUATIONS),
              "settings": setting_texts(settings),
              "algorithm_settings": {name: setting_texts(values)
                                     for name, values in (algorithm_settings or {}).items()}}
    bar = Progress(progress)
    with _using(threads), contextlib.closing(bar), _folder(out, "study.toml") as folder:
        return StudyResult(_core.study(config, folder, bool(repair), bar.show), folder)


def report(*sources: Any, out: Path = "report.html", task: str | None = None, seed: int | None = None,
           reevaluations: int | None = None, threads: int | None = None, progress: bool | Show | None = None,
           **settings: Any) -> str:
    """Writes one page that shows runs, studies and archives, as `aria report`; gives its path.

    Args:
        sources: folders of runs or studies, files of archives, `Result`s and `StudyResult`s with a folder, or
            archives of any kind.
        out: the page; one of ours is replaced.
        task, seed, reevaluations, settings: for archives without a run, which are re-evaluated here where their task
            is known.
    """
    with tempfile.TemporaryDirectory(prefix="aria-") as folder:
        paths = [_source_path(source, os.path.join(folder, f"archive-{i}.npz")) for i, source in enumerate(sources)]
        bar = Progress(progress)
        with _using(threads), contextlib.closing(bar):
            _core.report(paths, os.fspath(out), task, None if seed is None else checked_seed(seed),
                         None if reevaluations is None else count("reevaluations", reevaluations),
                         setting_texts(settings), bar.show)
    return os.fspath(out)


def _source_path(source: Any, scratch: str) -> str:
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    if isinstance(source, (Result, StudyResult)) and source.out is not None:
        return source.out
    adapt(source)[0].save(scratch)
    return scratch
