"""Archives as arrays, frames, dictionaries and files."""

import numpy as np
import pytest
from conftest import GRID, QUICK, RANGES, plain

import aria_qd as aria


def test_columns_are_checked():
    solutions = np.zeros((3, 2))
    for call, error, message in [
            (lambda: aria.Archive(np.zeros(3)), ValueError, r"solution must be of shape \(n, n\)"),
            (lambda: aria.Archive(np.zeros((0, 2))), ValueError, "at least one row"),
            (lambda: aria.Archive(solutions, np.zeros(2)), ValueError, r"objective must be of shape \(3,\), got \(2,\)"),
            (lambda: aria.Archive(solutions, index=[0.5] * 3), TypeError, "index must be an array of whole numbers"),
            (lambda: aria.Archive(solutions, grid=(3,)), ValueError, "grid and ranges must be given together"),
            (lambda: aria.Archive(solutions, grid=(3,), ranges=[(1, 0)]), ValueError, "ranges must be two finite"),
            (lambda: aria.Archive(solutions, grid=(0,), ranges=[(0, 1)]), ValueError, "grid must be >= 1, got 0"),
            (lambda: aria.Archive(solutions, grid=5, ranges=[(0, 1)]), TypeError, "grid must be a list"),
            (lambda: aria.Archive(solutions, colour=[1, 2, 3]), ValueError, "columns must be of solution, .*got colour"),
            (lambda: aria.correct(7, plain), TypeError, "archive must be a pyribs GridArchive, .*got int"),
            (lambda: aria.correct(solutions, plain), ValueError, "grid and ranges must be given: the archive has no"),
            (lambda: aria.correct(solutions, None), ValueError, "evaluate must be given"),
            (lambda: aria.correct(solutions, 3), TypeError, "evaluate must be a function"),
            (lambda: aria.correct("nowhere.npz"), ValueError, "nowhere.npz"),
    ]:
        with pytest.raises(error, match=message):
            call()


def test_kinds_come_back_as_they_were(noisy_archive):
    where = {"grid": GRID, "ranges": RANGES}
    solutions = aria.improve(noisy_archive.solution, plain, **where, **QUICK)
    assert isinstance(solutions, np.ndarray) and solutions.shape[1] == 3
    triple = (noisy_archive.solution, noisy_archive.objective, noisy_archive.measures)
    better = aria.improve(triple, plain, **where, **QUICK)
    assert isinstance(better, tuple) and np.array_equal(better[0], solutions)
    columns = aria.improve({"solution": noisy_archive.solution, "own": [1]}, plain, **where, **QUICK)
    assert isinstance(columns, dict) and np.array_equal(columns["solution"], solutions)
    assert columns["cell_probability"].min() == 1


def test_a_frame_comes_back_as_a_frame(noisy_archive):
    pandas = pytest.importorskip("pandas")
    frame = noisy_archive.to_pandas()
    better = aria.improve(frame, plain, grid=GRID, ranges=RANGES, **QUICK)
    assert isinstance(better, pandas.DataFrame)
    assert {"solution_2", "objective", "measures_1", "index", "cell_probability"} <= set(better.columns)
    assert np.array_equal(better[["solution_0", "solution_1", "solution_2"]].to_numpy(),
                          aria.improve(noisy_archive, plain, **QUICK).solution)
    with pytest.raises(ValueError, match="columns solution_0"):
        aria.correct(frame.drop(columns=[f"solution_{j}" for j in range(3)]), plain)
    with pytest.raises(ValueError, match="numbered 0 to 1"):
        aria.correct(frame.drop(columns=["solution_1"]), plain)


@pytest.mark.parametrize("kind", ["npz", "csv", "npy"])
def test_files_hold_what_was_written(noisy_archive, tmp_path, kind):
    path = tmp_path / f"archive.{kind}"
    if kind == "npz":
        noisy_archive.save(path)
        assert np.array_equal(np.load(path)["solution"], noisy_archive.solution)
    elif kind == "csv":
        noisy_archive.to_csv(path)
    else:
        np.save(path, noisy_archive.solution)
    read = aria.Archive.load(path)
    assert np.array_equal(read.solution, noisy_archive.solution)
    if kind != "npy":
        assert np.array_equal(read.objective, noisy_archive.objective)
        assert np.array_equal(read.measures, noisy_archive.measures)
    assert (read.grid == noisy_archive.grid) == (kind == "npz")


def test_a_corrected_archive_survives_a_file(noisy_archive, tmp_path):
    report = aria.correct(noisy_archive, plain, reevaluations=3)
    report.archive.save(tmp_path / "a.npz")
    read = aria.Archive.load(tmp_path / "a.npz")
    for name, column in report.archive.columns().items():
        assert np.array_equal(getattr(read, name), column), name
    assert "40 solutions of 3 parameters in a grid of 8 x 8" in repr(noisy_archive)
    assert noisy_archive.centroids.shape == (64, 2) and noisy_archive.cells == report.illusory.cells


def test_settings_that_there_are_not_are_told_with_those_that_are_close(noisy_archive):
    for settings, message in [({"sigm": 0.1}, "sigm.*sigma"), ({"sigma": -1}, "sigma must be"),
                              ({"pairs": 1.5}, "pairs must be a whole number"), ({"preset": "big"}, "preset must be one of paper, lite, got 'big'"),
                              ({"reevaluations": -1}, "reevaluations must be from 0"),
                              ({"on_error": "hide"}, "on_error must be one of raise, skip"),
                              ({"batch_size": 0}, "batch_size must be from 1 to 2147483647, got 0"),
                              ({"threads": 0}, "threads must be >= 1"),
                              ({"checkpoint_every": 0}, "checkpoint_every must be seconds > 0"),
                              ({"out": __file__}, "out must be a folder, got .*test_archives.py")]:
        with pytest.raises(ValueError, match=message):
            aria.improve(noisy_archive, plain, **settings)
    with pytest.raises(ValueError, match="algorithm"):
        aria.run("arm", "aria-mee")
    with pytest.raises(TypeError, match="checkpoint_every must be a number of seconds, got str"):
        aria.improve(noisy_archive, plain, checkpoint_every="1")
    with pytest.raises(TypeError):
        aria.improve(noisy_archive, plain, 3)  # keywords only


def test_what_aria_gave_is_an_archive_too(noisy_archive):
    report = aria.correct(noisy_archive, plain, reevaluations=2)
    result = aria.improve(report, plain, details=True, **QUICK)
    assert np.array_equal(result.initial.solution, report.archive.solution)
    again = aria.correct(result, plain, reevaluations=2)
    assert np.array_equal(again.claimed.solution, result.best.solution) and again.cells == result.cells
    with pytest.raises(ValueError, match="evaluate must be given: the archive is for 'function', a function of yours"):
        aria.correct(result)
