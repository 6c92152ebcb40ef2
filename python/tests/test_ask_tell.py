"""Ask and tell."""

import pickle

import numpy as np
import pytest
from conftest import GRID, QUICK, RANGES, plain

import aria_qd as aria

SETTINGS = {name: value for name, value in QUICK.items() if name != "reevaluations"}


def finish(algorithm, evaluate=plain, stop_after=None):
    while not algorithm.done and stop_after != 0:
        algorithm.tell(*evaluate(algorithm.ask()))
        stop_after = None if stop_after is None else stop_after - 1
    return algorithm


def test_the_loop_gives_what_improve_gives(noisy_archive):
    algorithm = finish(aria.Aria(noisy_archive, batch_size=50, **SETTINGS))
    result = aria.improve(noisy_archive, plain, details=True, **QUICK)
    assert np.array_equal(algorithm.archive.solution, result.archive.solution)
    assert algorithm.evaluations == result.summary["evaluations"] and algorithm.failed == 0
    assert algorithm.status["phase"] == "done" and "done" in repr(algorithm)
    with pytest.raises(ValueError, match="an algorithm that is not done"):
        algorithm.ask()


def test_asking_again_gives_the_same_until_it_is_told(noisy_archive):
    algorithm = aria.Aria(noisy_archive, batch_size=50, **SETTINGS)
    first = algorithm.ask()
    assert first.shape == (50, 3) and first.dtype == np.float32
    assert np.array_equal(first, algorithm.ask()) and algorithm.seed == algorithm.seed
    seed = algorithm.seed
    algorithm.tell(*plain(first))
    assert algorithm.seed != seed


@pytest.mark.parametrize("calls", [0, 1, 9, 30])
@pytest.mark.parametrize("asked", [False, True])
def test_it_can_be_pickled_anywhere(noisy_archive, calls, asked):
    algorithm = finish(aria.Aria(noisy_archive, batch_size=50, **SETTINGS), stop_after=calls)
    if asked:
        algorithm.ask()
    copy = pickle.loads(pickle.dumps(algorithm))
    assert type(copy) is aria.Aria
    assert np.array_equal(finish(copy).archive.solution, finish(algorithm).archive.solution)


def test_a_checkpoint_goes_on_in_another_process(noisy_archive, tmp_path):
    algorithm = finish(aria.Aria(noisy_archive, batch_size=50, **SETTINGS), stop_after=20)
    algorithm.save(tmp_path / "checkpoint.npz")
    fresh = aria.Aria(noisy_archive, batch_size=64, **SETTINGS)
    fresh.load(tmp_path / "checkpoint.npz")
    assert np.array_equal(finish(fresh).archive.solution, finish(algorithm).archive.solution)
    with pytest.raises(ValueError, match="of an algorithm with the same settings"):
        aria.Aria(noisy_archive, seed=2, **SETTINGS).load(tmp_path / "checkpoint.npz")
    (tmp_path / "bad.npz").write_bytes(b"PK\x03\x04")
    with pytest.raises(ValueError, match="bad.npz"):
        fresh.load(tmp_path / "bad.npz")


def test_any_algorithm_by_ask_and_tell():
    algorithm = aria.AskTell("map-elites", solution_dim=3, grid=GRID, ranges=RANGES, budget=1000, batch=100)
    assert len(finish(algorithm).archive) > 20 and algorithm.evaluations == 1000
    task = aria.tasks.Function(plain, solution_dim=3, grid=GRID, ranges=RANGES)
    ran = aria.run(task, "map-elites", budget=1000, batch=100, reevaluations=0)
    assert np.array_equal(ran.archive.solution, algorithm.archive.solution)
    started = aria.Aria(solution_dim=3, grid=GRID, ranges=RANGES, initial_budget=200, batch=100, **SETTINGS)
    assert len(finish(started).archive) > 20


def test_failures_are_counted(noisy_archive):
    def evaluate(solutions):
        objective, measures = plain(solutions)
        objective[0] = np.nan
        return objective, measures

    algorithm = finish(aria.Aria(noisy_archive, batch_size=10, **SETTINGS), evaluate)
    # one of each batch of ten at the most
    assert algorithm.evaluations / 10 <= algorithm.failed < algorithm.evaluations / 5


def test_mistakes_are_told(noisy_archive):
    algorithm = aria.Aria(noisy_archive, batch_size=10, **SETTINGS)
    algorithm.ask()
    with pytest.raises(ValueError, match=r"must be of shape \(10,\), got \(9,\)"):
        algorithm.tell(np.zeros(9), np.zeros((9, 2)))
    with pytest.raises(ValueError, match=r"must be of shape \(10, 2\)"):
        algorithm.tell(np.zeros(10), np.zeros((10, 3)))
    with pytest.raises(ValueError, match="solution_dim, grid and ranges must be given"):
        aria.AskTell("map-elites")
    with pytest.raises(TypeError, match="grid must be a list of cells along each measure, got int"):
        aria.AskTell("map-elites", solution_dim=3, grid=8, ranges=RANGES)
    with pytest.raises(ValueError, match="sigma must be"):
        aria.Aria(noisy_archive, sigma=0)
    with pytest.raises(ValueError, match="an archive to start from"):
        aria.AskTell("aria", solution_dim=3, grid=GRID, ranges=RANGES)
