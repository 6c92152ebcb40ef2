"""Pictures: that they show the numbers, in the axes given."""

import numpy as np
import pytest
from conftest import GRID, QUICK, RANGES, noisy, plain

import aria_qd as aria

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def report(noisy_archive):
    return aria.correct(noisy_archive, noisy, reevaluations=64)


def image(ax):
    return np.ma.filled(ax.collections[0].get_array().reshape(8, 8).astype(float), np.nan)


def test_a_heat_map_has_every_cell_in_its_place(report):
    ax = plt.figure().add_subplot()
    assert aria.plot.fitness(report, ax) is ax
    shown = image(ax)
    for cell, value in zip(report.archive.index, report.archive.objective_mean):
        assert shown[cell % 8, cell // 8] == pytest.approx(value)  # rows go up the second measure
    assert np.isfinite(shown).sum() == report.corrected.cells
    other = plt.figure().add_subplot()
    aria.plot.fitness(report, other, transpose_measures=True, cbar=None, vmin=-1, vmax=0, cmap="viridis",
                      rasterized=True, pcm_kwargs={"edgecolors": "white"}, aspect="equal")
    assert np.array_equal(image(other), shown.T, equal_nan=True)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("measures[0]", "measures[1]")
    assert (other.get_xlabel(), other.get_ylabel()) == ("measures[1]", "measures[0]")
    assert other.collections[0].get_clim() == (-1, 0) and other.collections[0].get_rasterized()


def test_probability_and_spread(report, noisy_archive):
    assert np.nanmax(image(aria.plot.probability(report))) == pytest.approx(report.archive.cell_probability.max())
    plt.figure()
    ax = aria.plot.spread(report)
    assert 0.01 < np.nanmean(image(ax)) < 0.05  # noise of 0.02 in both
    with pytest.raises(ValueError, match="measures_std of the archive must be known"):
        aria.plot.spread(noisy_archive)
    with pytest.raises(ValueError, match="values must be a column of the archive"):
        aria.plot.probability(noisy_archive)


def test_before_and_after(report, noisy_archive):
    better = aria.improve(noisy_archive, plain, **QUICK)
    axes = aria.plot.compare(noisy_archive, report, better)
    assert len(axes) == 3 and "P-Score" in axes[1].get_title() and "believed" in axes[0].get_title()
    assert len({ax.collections[0].get_clim() for ax in axes}) == 1
    _, own = plt.subplots(1, 2)
    assert (aria.plot.compare(noisy_archive, report, axes=own) == own).all()
    with pytest.raises(ValueError, match="axes must be 3 axes, got 2"):
        aria.plot.compare(noisy_archive, report, better, axes=own)
    with pytest.raises(TypeError, match="report must be what aria.correct gave"):
        aria.plot.compare(noisy_archive, better)


def test_before_and_after_of_arrays(noisy_archive):
    arrays = (noisy_archive.solution, noisy_archive.objective, noisy_archive.measures)
    report = aria.correct(arrays, noisy, reevaluations=16, grid=GRID, ranges=RANGES)
    better = aria.improve(arrays, noisy, grid=GRID, ranges=RANGES, **QUICK)
    assert len(aria.plot.compare(arrays, report, better)) == 3
    assert aria.metrics.archive_profile(report, [-1e9])[0] == report.coverage


def test_pyribs_archives_are_drawn_with_their_statistics(noisy_archive):
    archives = pytest.importorskip("ribs.archives")
    archive = archives.GridArchive(solution_dim=3, dims=GRID, ranges=RANGES)
    archive.add(noisy_archive.solution, noisy_archive.objective, noisy_archive.measures)
    better = aria.improve(archive, plain, **QUICK)
    assert np.nanmin(image(aria.plot.probability(better))) == 1
    plt.figure()
    assert np.isfinite(image(aria.plot.fitness(archive))).sum() == archive.stats.num_elites


def test_where_elites_land(report):
    ax = aria.plot.landing(report)
    stay, leave = (int(text.get_text().split()[0]) for text in ax.get_legend().get_texts())
    assert stay + leave == 40 and leave > 0
    believed = aria.metrics.cells_of(report.claimed.measures, grid=GRID, ranges=RANGES)
    assert stay == (believed == report.statistics["index"]).sum()


def test_a_profile_falls(report, noisy_archive):
    better = aria.correct(aria.improve(noisy_archive, plain, **QUICK), plain, reevaluations=2)
    ax = aria.plot.profile(report, better, labels=["before", "after"], points=20)
    before, after = (line.get_ydata() for line in ax.lines)
    assert (np.diff(before) <= 0).all() and before[0] == report.corrected.coverage and after[0] > before[0]
    with pytest.raises(ValueError, match="labels must be 2 texts"):
        aria.plot.profile(report, better, labels=["one"])


def test_the_cloud_of_a_cell(report):
    ax = aria.plot.cloud(report, 3)
    inside, outside = (len(line.get_xdata()) for line in ax.lines[:2])
    assert inside + outside == 64 and inside == round(64 * float(report.cell_probability[3]))
    with pytest.raises(ValueError, match="row must be from 0 to 39, got 40"):
        aria.plot.cloud(report, 40)


def test_one_measure_is_a_row_and_three_are_refused():
    solutions = np.linspace(0, 1, 20).reshape(10, 2)
    ax = aria.plot.fitness(aria.Archive(solutions, solutions[:, 0], solutions[:, :1], grid=(10,), ranges=[(0, 1)]))
    assert ax.collections[0].get_array().size == 10
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("measures[0]", "")
    with pytest.raises(ValueError, match="one of one or two measures, got 3"):
        aria.plot.fitness(aria.Archive(np.zeros((2, 3)), [0, 0], np.zeros((2, 3)), grid=(2, 2, 2), ranges=[(0, 1)] * 3))
