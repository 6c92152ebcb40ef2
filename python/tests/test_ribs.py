"""Round trips with pyribs, and what goes wrong elsewhere."""

import json

import numpy as np
import pytest
from conftest import QUICK, plain

import aria_qd as aria

archives = pytest.importorskip("ribs.archives")


def grid_archive(dims=(8, 8), ranges=((0, 1), (0, 1)), n=200, solution_dim=3, seed=0, **options):
    archive = archives.GridArchive(solution_dim=solution_dim, dims=dims, ranges=ranges, **options)
    random = np.random.default_rng(seed)
    shape = solution_dim if isinstance(solution_dim, tuple) else (solution_dim,)
    solutions = random.uniform(0, 1, (n, *shape))
    lower, upper = np.array(ranges).T
    measures = lower + (upper - lower) * solutions.reshape(n, -1)[:, :len(dims)]
    archive.add(solutions, -np.abs(solutions.reshape(n, -1)[:, -1]), measures)
    return archive


def test_pyribs_in_pyribs_out():
    archive = grid_archive(qd_score_offset=-1.0)
    better = aria.improve(archive, plain, **QUICK)
    assert type(better) is type(archive)
    assert (better.dims == archive.dims).all() and better.qd_score_offset == -1.0
    assert (better.lower_bounds == archive.lower_bounds).all() and (better.upper_bounds == archive.upper_bounds).all()
    assert {"cell_probability", "objective_mean", "measures_mean", "cell_probability_lower"} <= set(better.field_list)
    data = better.data()
    assert (data["cell_probability"] == 1).all()  # there is no noise
    # every elite is in the cell that pyribs has for its measures, and really gives them
    assert np.array_equal(better.index_of(data["measures"]), data["index"])
    objective, measures = plain(data["solution"].astype(np.float32))
    assert np.allclose(objective, data["objective"], atol=1e-6) and np.allclose(measures, data["measures"], atol=1e-6)
    assert better.stats.num_elites >= 55


@pytest.mark.parametrize(("dims", "ranges"), [
    ((30,), [(0, 1)]), ((5, 9), [(0, 1), (-2, 3)]), ((3, 4, 5), [(0, 1), (-1, 1), (10, 20)]),
    ((2, 3, 2, 4), [(0, 1)] * 4)])
def test_any_number_of_dimensions(dims, ranges):
    archive = grid_archive(dims, ranges, solution_dim=6)
    lower, upper = np.array(ranges).T

    def evaluate(solutions):
        return -np.abs(solutions[:, -1]), lower + (upper - lower) * solutions[:, :len(dims)]

    report = aria.correct(archive, evaluate, reevaluations=2)
    assert report.illusory.cells == archive.stats.num_elites == report.corrected.cells
    # cells are in C order, the last measure fastest, as pyribs has them
    assert set(report.archive.index) == set(archive.data("index"))
    better = aria.improve(archive, evaluate, **QUICK)
    assert tuple(better.dims) == dims and better.stats.num_elites >= archive.stats.num_elites


def test_only_occupied_cells_in_the_order_of_insertion_as_float64():
    archive = grid_archive(n=20)
    archive.add([[0.01, 0.01, 0.5]], [-0.5], [[0.01, 0.01]])
    data = archive.data()
    assert data["solution"].dtype == np.float64 and len(data["solution"]) == archive.stats.num_elites < 64
    assert not np.array_equal(np.sort(data["index"]), data["index"])
    table, restore = aria.adapters.adapt(archive)
    assert table.solution.dtype == np.float32 and np.array_equal(table.index, data["index"])
    assert np.allclose(table.solution, data["solution"], atol=1e-7)
    assert restore(table).data("solution").dtype == np.float64


def test_the_epsilon_of_pyribs_does_not_merge_two_elites():
    archive = archives.GridArchive(solution_dim=3, dims=[10, 10], ranges=[(0, 1), (0, 1)])
    # just below a border: pyribs has it in the next cell
    near = 0.3 - 1e-8
    archive.add([[0, 0, 0.1], [0, 0, 0.2]], [0.0, 0.0], [[near, 0.5], [0.25, 0.5]])
    assert archive.stats.num_elites == 2
    report = aria.correct(archive, plain, reevaluations=1)
    assert report.illusory.cells == 2
    assert aria.metrics.pyribs_stats(archive)["num_elites"] == 2


def test_what_is_outside_the_ranges_counts_for_the_nearest_cell_as_in_pyribs():
    archive = archives.GridArchive(solution_dim=2, dims=[4, 4], ranges=[(0, 1), (0, 1)])
    archive.add([[-3.0, 0.1], [7.0, 9.0]], [1.0, 2.0], [[-3.0, 0.1], [7.0, 9.0]])
    report = aria.correct(archive, lambda x: (x[:, 0], x), reevaluations=4)
    assert sorted(report.statistics["index"].tolist()) == sorted(archive.data("index").tolist())
    assert (report.cell_probability == 1).all()
    assert "nearest cell" in report.cell_rule and report.cell_rule in str(report)


def test_pyribs_subtracts_its_offset_and_counts_coverage_from_0_to_1():
    archive = grid_archive(qd_score_offset=-2.5)
    ours = aria.metrics.pyribs_stats(archive, qd_score_offset=-2.5)
    stats = archive.stats
    assert ours["qd_score"] == pytest.approx(float(stats.qd_score), rel=1e-6)
    assert ours["coverage"] == pytest.approx(stats.coverage) and ours["coverage"] <= 1
    assert ours["num_elites"] == stats.num_elites and ours["obj_max"] == pytest.approx(float(stats.obj_max))


def test_solutions_of_several_axes_come_back_as_such():
    archive = grid_archive(solution_dim=(2, 3))
    better = aria.improve(archive, lambda x: (-np.abs(x[:, -1]), x[:, :2]), **QUICK)
    assert better.solution_dim == (2, 3) and better.data("solution").shape[1:] == (2, 3)


def test_types_of_numbers_and_thresholds_are_kept():
    archive = grid_archive(learning_rate=0.5, threshold_min=-5.0, dtype=np.float32)
    better = aria.improve(archive, plain, **QUICK)
    assert better.data("solution").dtype == np.float32
    assert better.learning_rate == 0.5 and better.threshold_min == -5.0
    with pytest.warns(UserWarning, match="solutions are not in the GridArchive"):
        aria.improve(grid_archive(threshold_min=-0.3, learning_rate=1.0), lambda x: (x[:, 0] - 1, x[:, :2]), **QUICK)


def test_extra_fields_of_the_user_do_not_disturb():
    archive = archives.GridArchive(solution_dim=3, dims=[4, 4], ranges=[(0, 1), (0, 1)],
                                   extra_fields={"note": ((), object), "cell_probability": ((), np.float32)})
    archive.add(np.full((1, 3), 0.5), [0.0], [[0.5, 0.5]], note=["mine"], cell_probability=[0.25])
    better = aria.improve(archive, plain, **QUICK)
    assert "note" not in better.field_list and better.data("cell_probability").min() == 1


def test_a_task_of_ours_takes_the_grid_of_the_archive():
    arm = aria.tasks.Arm()
    archive = archives.GridArchive(solution_dim=8, dims=[10, 12], ranges=[(0, 1), (0, 1)])
    solutions = arm.initial_solutions(400)
    archive.add(solutions, *arm.evaluate(solutions))
    report = aria.correct(archive, arm, reevaluations=64)
    assert report.archive.grid["dims"] == [10, 12]
    better = aria.improve(archive, arm, **QUICK)
    assert tuple(better.dims) == (10, 12)
    with pytest.raises(ValueError, match="the grid of the archive must be that of the task"):
        aria.correct(grid_archive(solution_dim=8, ranges=((0, 2), (0, 1))), arm)


def test_correct_finds_what_the_program_finds_on_the_same_solutions(program, tmp_path):
    pytest.importorskip("pandas")
    arm = aria.tasks.Arm()
    archive = archives.GridArchive(solution_dim=8, dims=arm.grid, ranges=arm.ranges)
    solutions = arm.initial_solutions(3000)
    archive.add(solutions, *arm.evaluate(solutions))
    archive.data(return_type="pandas").to_csv(tmp_path / "archive.csv")
    told = json.loads(program("correct", tmp_path / "archive.csv", "--task", "arm", "--reevaluations", 128, "--json",
                              "--out", tmp_path / "out"))
    report = aria.correct(archive, arm, reevaluations=128)
    assert report.summary["corrected"] == told["corrected"]
    assert report.illusory.cells == told["illusory"]["cells"] == archive.stats.num_elites
    corrected = np.load(tmp_path / "out" / "corrected.npz")
    assert np.array_equal(report.archive.cell_probability, corrected["cell_probability"])


def test_a_csv_of_pyribs_is_read(tmp_path):
    pandas = pytest.importorskip("pandas")
    archive = grid_archive()
    frame = archive.data(return_type="pandas")
    assert isinstance(frame, pandas.DataFrame)
    frame.to_csv(tmp_path / "archive.csv")
    read = aria.Archive.load(tmp_path / "archive.csv")
    assert np.array_equal(read.index, archive.data("index"))
    assert np.allclose(read.solution, archive.data("solution"), atol=1e-7)


def test_an_empty_archive_is_refused():
    with pytest.raises(ValueError, match="at least one solution, got an empty GridArchive"):
        aria.correct(archives.GridArchive(solution_dim=3, dims=[4, 4], ranges=[(0, 1), (0, 1)]), plain)
