"""A user's function as the evaluator: batches, seeds, failures, exceptions, resumption."""

import concurrent.futures
import gc
import subprocess
import sys
import time
import traceback
import weakref
from pathlib import Path

import numpy as np
import pytest
from conftest import GRID, QUICK, RANGES, noisy, plain

import aria_qd as aria


def test_a_function_is_given_float32_batches_of_bounded_size(noisy_archive):
    seen = []

    def evaluate(solutions):
        seen.append((solutions.shape, solutions.dtype, solutions.flags.c_contiguous))
        return plain(solutions)

    aria.correct(noisy_archive, evaluate, reevaluations=10, batch_size=64)
    assert sum(shape[0] for shape, _, _ in seen) == 400
    assert max(shape[0] for shape, _, _ in seen) == 64
    assert {(shape[1], dtype, contiguous) for shape, dtype, contiguous in seen} == {(3, np.dtype("float32"), True)}


def test_perturbed_solutions_are_made_a_batch_at_a_time(noisy_archive):
    sizes = []

    def evaluate(solutions):
        sizes.append(len(solutions))
        return plain(solutions)

    aria.improve(noisy_archive, evaluate, **{**QUICK, "pairs": 64}, batch_size=100)
    assert max(sizes) == 100 and sizes.count(100) > 10


@pytest.mark.parametrize("batch_size", [1, 7, 4096])
def test_the_size_of_batches_does_not_matter_to_a_function_without_noise(noisy_archive, batch_size):
    better = aria.improve(noisy_archive, plain, batch_size=batch_size, **QUICK)
    assert np.array_equal(better.solution, aria.improve(noisy_archive, plain, **QUICK).solution)


def test_seeds_are_given_to_functions_that_want_them(noisy_archive):
    seeds = []

    def second(solutions, seed):
        seeds.append(seed)
        return noisy(solutions, seed)

    def keyword(solutions, *, seed):
        return noisy(solutions, seed)

    def with_default(solutions, scale=1.0):
        assert scale == 1.0
        return plain(solutions)

    first = aria.correct(noisy_archive, second, reevaluations=8, batch_size=16)
    assert len(set(seeds)) == len(seeds) == 20 and all(isinstance(seed, int) and seed >= 0 for seed in seeds)
    again = aria.correct(noisy_archive, keyword, reevaluations=8, batch_size=16)
    assert np.array_equal(first.cell_probability, again.cell_probability)
    other = aria.correct(noisy_archive, keyword, reevaluations=8, batch_size=16, seed=2)
    assert not np.array_equal(first.statistics["objective_mean"], other.statistics["objective_mean"])
    aria.correct(noisy_archive, with_default, reevaluations=2)


def test_what_is_kept_of_a_batch_is_not_changed_later(noisy_archive):
    kept, copies = [], []

    def evaluate(solutions):
        kept.append(solutions[:, :1])
        copies.append(solutions[:, :1].copy())
        return plain(solutions)

    aria.improve(noisy_archive, evaluate, batch_size=32, **QUICK)
    assert all(np.array_equal(view, copy) for view, copy in zip(kept, copies))


def test_answers_of_many_kinds_are_taken(noisy_archive):
    def lists(solutions):
        objective, measures = plain(solutions)
        return objective.tolist(), measures.astype(float).tolist()

    def column(solutions):
        objective, measures = plain(solutions)
        return [objective[:, None], measures.astype(np.float16)]

    for function in (lists, column):
        assert aria.correct(noisy_archive, function, reevaluations=2).cells > 10


@pytest.mark.parametrize(("answer", "error", "message"), [
    (lambda x: x, TypeError, r"what evaluate gives must be a pair \(objective, measures\), got ndarray"),
    (lambda x: (x[:, 0],), ValueError, "a pair .* got 1 things"),
    (lambda x: (x[:, :2], x[:, :2]), ValueError, r"objective that evaluate gives must be of shape \(\d+,\), got"),
    (lambda x: (x[:, 0], x), ValueError, r"measures that evaluate gives must be of shape \(\d+, 2\), got"),
    (lambda x: (x[:3, 0], x[:3, :2]), ValueError, "objective that evaluate gives"),
    (lambda x: (["good"] * len(x), x[:, :2]), TypeError, "objective that evaluate gives must be an array of numbers"),
])
def test_wrong_answers_are_told(noisy_archive, answer, error, message):
    with pytest.raises(error, match=message):
        aria.correct(noisy_archive, answer, reevaluations=2)


def test_rows_that_are_not_finite_are_failed_evaluations(noisy_archive):
    def evaluate(solutions):
        objective, measures = plain(solutions)
        measures = measures.copy()
        objective[::4] = np.nan
        measures[1::4] = np.inf
        return objective, measures

    report = aria.correct(noisy_archive, evaluate, reevaluations=8)
    assert report.statistics["non_finite"].tolist() == [4] * 40
    assert report.cell_probability.max() == 0.5
    assert "160 evaluations failed and count as having left the cell" in str(report)
    better = aria.improve(noisy_archive, evaluate, details=True, **QUICK)
    assert better.summary["failed_evaluations"] == better.summary["evaluations"] / 2


class Broken(Exception):
    pass


def test_an_exception_keeps_its_traceback_and_leaves_a_state_to_go_on_from(noisy_archive, tmp_path):
    whole = aria.improve(noisy_archive, noisy, out=tmp_path / "whole", **QUICK)
    calls = 0

    def fragile(solutions, seed):
        nonlocal calls
        calls += 1
        if calls == 60:
            raise Broken("the simulator fell over")
        return noisy(solutions, seed)

    with pytest.raises(Broken, match="fell over") as caught:
        aria.improve(noisy_archive, fragile, out=tmp_path / "a", batch_size=64, **QUICK)
    frames = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert frames[-1] == "fragile"
    assert any("goes on from there" in note for note in caught.value.__notes__)
    assert (tmp_path / "a" / "checkpoint.npz").exists()
    calls = 1000
    better = aria.improve(noisy_archive, fragile, out=tmp_path / "a", batch_size=64, **QUICK)
    alone = aria.improve(noisy_archive, noisy, batch_size=64, **QUICK)
    assert np.array_equal(better.solution, alone.solution)
    assert whole.solution.shape[1] == 3


@pytest.mark.parametrize("stop_at", [1, 2, 17, 40, 41])
def test_an_exception_anywhere_leaves_the_run_as_it_would_have_been(noisy_archive, tmp_path, stop_at):
    calls = 0

    def fragile(solutions):
        nonlocal calls
        calls += 1
        if calls == stop_at:
            raise Broken
        return plain(solutions)

    with pytest.raises(Broken):
        aria.improve(noisy_archive, fragile, out=tmp_path / "a", batch_size=50, **QUICK)
    aria.improve(noisy_archive, fragile, out=tmp_path / "a", batch_size=50, **QUICK)
    aria.improve(noisy_archive, plain, out=tmp_path / "b", **QUICK)
    for name in ("archive.npz", "corrected.npz", "progress.csv"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


@pytest.mark.parametrize("stop", [Broken, KeyboardInterrupt])
@pytest.mark.parametrize("named", [True, False])
def test_what_a_function_has_answered_a_correction_is_not_asked_again(noisy_archive, tmp_path, stop, named):
    calls = 0

    def fragile(solutions, seed):
        nonlocal calls
        calls += 1
        if calls == 7:
            raise stop
        return noisy(solutions, seed)

    alone = aria.correct(noisy_archive, noisy, reevaluations=32, batch_size=100)
    with pytest.raises(stop) as caught:
        aria.correct(noisy_archive, fragile, reevaluations=32, batch_size=100, out=tmp_path / "a" if named else None)
    folder = Path(caught.value.__notes__[0].split("kept in ")[1].split(";")[0])
    assert [file.name for file in folder.iterdir()] == ["answers.npz"] and (folder == tmp_path / "a") == named
    with pytest.warns(UserWarning, match="600 evaluations that an earlier call left"):
        report = aria.correct(noisy_archive, fragile, reevaluations=32, batch_size=100, out=folder)
    assert calls == 13 + 1  # the seventh twice
    assert np.array_equal(report.statistics["objective_mean"], alone.statistics["objective_mean"])
    assert {file.name for file in folder.iterdir()} == {"corrected.npz", "reevaluations.npz"}
    aria.correct(noisy_archive, fragile, reevaluations=32, batch_size=100)
    assert calls == 14 + 13


def test_a_function_may_use_its_arrays_again(noisy_archive, tmp_path):
    objective, measures, calls = np.empty(100, np.float32), np.empty((100, 2), np.float32), 0

    def thrifty(solutions, seed):
        nonlocal calls
        calls += 1
        if calls == 7:
            raise Broken
        n = len(solutions)
        objective[:n], measures[:n] = noisy(solutions, seed)
        return objective[:n], measures[:n]

    alone = aria.correct(noisy_archive, noisy, reevaluations=32, batch_size=100)
    with pytest.raises(Broken):
        aria.correct(noisy_archive, thrifty, reevaluations=32, batch_size=100, out=tmp_path)
    with pytest.warns(UserWarning):
        report = aria.correct(noisy_archive, thrifty, reevaluations=32, batch_size=100, out=tmp_path)
    assert np.array_equal(report.statistics["objective_mean"], alone.statistics["objective_mean"])


def test_one_function_may_be_corrected_with_by_several_threads(noisy_archive):
    def slow(solutions, seed):
        time.sleep(0.001)
        return noisy(solutions, seed)

    task = aria.tasks.Function(slow, solution_dim=3, grid=GRID, ranges=RANGES, batch_size=100)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        reports = list(pool.map(lambda _: aria.correct(noisy_archive, task, reevaluations=16), range(3)))
    assert all(np.array_equal(report.cell_probability, reports[0].cell_probability) for report in reports)


def test_a_correction_replaces_an_earlier_one_and_nothing_else(noisy_archive, tmp_path):
    aria.correct(noisy_archive, plain, reevaluations=2, out=tmp_path / "a")
    aria.correct(noisy_archive, plain, reevaluations=3, out=tmp_path / "a")
    with pytest.raises(ValueError, match="out must be another folder than that of the archive"):
        aria.correct(tmp_path / "a" / "corrected.npz", plain, out=tmp_path / "a")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "corrected.npz").write_text("mine")
    with pytest.raises(ValueError, match="out must be a new folder or that of an earlier correction"):
        aria.correct(noisy_archive, plain, reevaluations=2, out=tmp_path / "b")
    assert (tmp_path / "b" / "corrected.npz").read_text() == "mine"


def test_what_a_task_has_itself_cannot_be_given(arm_archive):
    with pytest.raises(ValueError, match="fitness_range must be left out for a task"):
        aria.correct(arm_archive, "arm", reevaluations=2, fitness_range=(-5, 5))
    with pytest.raises(ValueError, match="batch_size and on_error must be left out for a task"):
        aria.correct(arm_archive, "arm", reevaluations=2, on_error="skip")
    with pytest.raises(ValueError, match="archive must be left out for all algorithms but aria"):
        aria.run("arm", "map-elites", budget=100, archive=arm_archive)


def test_an_objective_that_is_not_finite_is_named(noisy_archive):
    objective = noisy_archive.objective.copy()
    objective[0] = np.nan
    archive = aria.Archive(noisy_archive.solution, objective, noisy_archive.measures, grid=GRID, ranges=RANGES)
    with pytest.raises(ValueError, match="objective: row 0 must be finite, got nan"):
        aria.correct(archive, plain, reevaluations=2)


def test_a_task_and_its_function_go_away_together():
    script = ("import aria_qd as aria\n"
              "def evaluate(x): return x[:, 0], x[:, :2]\n"
              "task = aria.tasks.Function(evaluate, solution_dim=3, grid=(4, 4), ranges=[(0, 1), (0, 1)])\n")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == ""

    class Simulator:
        def __init__(self):
            self.task = aria.tasks.Function(self.evaluate, solution_dim=3, grid=GRID, ranges=RANGES)

        def evaluate(self, solutions):
            return plain(solutions)

    gone = weakref.ref(Simulator())
    gc.collect()
    assert gone() is None


def test_answers_for_other_solutions_are_not_taken(noisy_archive, tmp_path):
    def fragile(solutions):
        if len(solutions) < 64:
            raise Broken
        return plain(solutions)

    with pytest.raises(Broken):
        aria.correct(noisy_archive, fragile, reevaluations=2, batch_size=64, out=tmp_path)
    moved = aria.Archive(1 - noisy_archive.solution, noisy_archive.objective, noisy_archive.measures, grid=GRID,
                         ranges=RANGES)
    report = aria.correct(moved, plain, reevaluations=2, batch_size=64, out=tmp_path)
    assert np.allclose(report.statistics["measures_mean"], moved.solution[:, :2], atol=1e-6)
    (tmp_path / "run.toml").write_text("")
    with pytest.raises(ValueError, match="out must be another folder than that of a run"):
        aria.correct(moved, plain, reevaluations=2, out=tmp_path)


def test_without_a_folder_the_state_is_kept_in_one_that_the_exception_names(noisy_archive):
    def fragile(solutions):
        raise Broken

    with pytest.raises(Broken) as caught:
        aria.improve(noisy_archive, fragile, **QUICK)
    folder = caught.value.__notes__[0].split("kept in ")[1].split(";")[0]
    better = aria.improve(noisy_archive, plain, out=folder, **QUICK)
    assert np.array_equal(better.solution, aria.improve(noisy_archive, plain, **QUICK).solution)


def test_errors_can_be_skipped(noisy_archive):
    def picky(solutions):
        if (solutions[:, 0] > 0.5).any():
            raise Broken("too far to the right")
        return plain(solutions)

    with pytest.raises(Broken):
        aria.correct(noisy_archive, picky, reevaluations=4)
    report = aria.correct(noisy_archive, picky, reevaluations=4, on_error="skip")
    right = noisy_archive.solution[:, 0] > 0.5
    assert (report.statistics["non_finite"] == np.where(right, 4, 0)).all()
    assert (report.cell_probability[~right] == 1).all()
    assert report.summary["first_error"].endswith("Broken: too far to the right")
    assert "\n" not in report.summary["first_error"]
    with pytest.raises(RuntimeError, match="no solution could be evaluated: ZeroDivisionError: division by zero"):
        aria.correct(noisy_archive, lambda x: 1 / 0, reevaluations=4, on_error="skip")
    with pytest.raises(RuntimeError, match="no solution could be evaluated: every evaluation gave a NaN") as caught:
        aria.correct(noisy_archive, lambda x: (np.nan * x[:, 0], x[:, :2]), reevaluations=4)
    assert not getattr(caught.value, "__notes__", [])  # nothing to go on from


def test_skipping_does_not_hold_ctrl_c_or_exit_back(noisy_archive):
    for stop in (KeyboardInterrupt, SystemExit):
        def evaluate(solutions, stop=stop):
            raise stop

        with pytest.raises(stop):
            aria.correct(noisy_archive, evaluate, reevaluations=4, on_error="skip")


def test_a_function_is_called_on_the_thread_that_asked():
    import threading

    threads = set()

    def evaluate(solutions):
        threads.add(threading.get_ident())
        return plain(solutions)

    task = aria.tasks.Function(evaluate, solution_dim=3, grid=GRID, ranges=RANGES)
    aria.run(task, "map-elites", budget=2000, reevaluations=4)
    assert threads == {threading.get_ident()}


def test_any_algorithm_runs_on_a_function():
    few = {"budget": 400, "initial_budget": 400, "pairs": 4, "steps": 4, "initial_steps": 2, "mean_evaluations": 4,
           "samples": 2, "batch": 32}
    task = aria.tasks.Function(plain, solution_dim=3, grid=GRID, ranges=RANGES, fitness_range=(-1, 0), bounds=(-1, 1))
    ran = []
    for name, entry in aria.algorithms().items():
        if entry["needs_archive"]:
            continue
        settings = {key: value for key, value in few.items() if key in entry["settings"]}
        try:
            result = aria.run(task, name, reevaluations=4, **settings)
        except ValueError as error:
            assert "policies" in str(error)  # those for robots alone
            continue
        assert result.cells >= 1
        ran.append(name)
    assert {"map-elites", "aria-me", "aria-es", "aria-gn"} <= set(ran)
    assert task.initial_solutions(500).min() < -0.9


def test_a_budget_is_asked_for_where_no_task_has_one():
    task = aria.tasks.Function(plain, solution_dim=3, grid=GRID, ranges=RANGES)
    with pytest.raises(ValueError, match="budget must be >= 1, got 0"):
        aria.run(task, "map-elites")


def test_a_spread_function_gives_what_it_gives_alone(noisy_archive):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as pool:
        pooled = aria.correct(noisy_archive, aria.spread(noisy, pool.map, chunk_size=33), reevaluations=16)
        without_seed = aria.correct(noisy_archive, aria.spread(plain, pool.map), reevaluations=4)
    alone = aria.correct(noisy_archive, aria.spread(noisy, map, chunk_size=33), reevaluations=16)
    assert np.array_equal(pooled.statistics["objective_mean"], alone.statistics["objective_mean"])
    assert (without_seed.cell_probability == 1).all()
