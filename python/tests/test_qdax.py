"""Round trips with QDax. The first half needs an object with a repertoire's attributes, the second QDax itself."""

import dataclasses
import itertools

import numpy as np
import pytest
from conftest import QUICK, plain

import aria_qd as aria
from aria_qd.adapters import flatten_tree, grid_of_centroids, unflatten_tree


@dataclasses.dataclass
class Repertoire:
    """The attributes of qdax.core.containers.mapelites_repertoire.MapElitesRepertoire."""

    genotypes: object
    fitnesses: np.ndarray
    descriptors: np.ndarray
    centroids: np.ndarray
    extra_scores: dict = dataclasses.field(default_factory=dict)

    def replace(self, **fields):
        return dataclasses.replace(self, **fields)


def first_fastest(cells):
    """Centroids in the order of QDax: the first descriptor is the fastest."""
    ticks = (np.arange(cells) + 0.5) / cells
    return np.array([(x, y) for y, x in itertools.product(ticks, ticks)], dtype=np.float32)


def repertoire(cells=6, occupied=14, column=True, tree=True):
    centroids = first_fastest(cells)
    random = np.random.default_rng(1)
    rows = random.choice(len(centroids), occupied, replace=False)
    genotypes = np.zeros((len(centroids), 3), np.float32)
    fitnesses = np.full(len(centroids), -np.inf, np.float32)
    genotypes[rows, :2] = centroids[rows] + random.uniform(-0.03, 0.03, (occupied, 2))
    genotypes[rows, 2] = random.uniform(0, 1, occupied)
    fitnesses[rows] = -genotypes[rows, 2]
    parts = {"params": {"kernel": genotypes[:, 1:].reshape(-1, 2, 1), "bias": genotypes[:, :1]}}
    return Repertoire(parts if tree else genotypes, fitnesses[:, None] if column else fitnesses,
                      genotypes[:, :2].copy(), centroids), rows


@pytest.mark.parametrize("column", [True, False])
@pytest.mark.parametrize("tree", [True, False])
def test_a_repertoire_in_a_repertoire_out(column, tree):
    given, rows = repertoire(column=column, tree=tree)
    report = aria.correct(given, plain, reevaluations=2)
    # empty cells, with fitness -inf and zeros for genotypes, are not solutions
    assert len(report.claimed) == len(rows) == report.corrected.cells
    better = aria.improve(given, plain, **QUICK)
    assert type(better) is Repertoire
    assert better.fitnesses.shape == given.fitnesses.shape and better.centroids is given.centroids
    flat = flatten_tree(better.genotypes)
    fitness = better.fitnesses.reshape(-1)
    occupied = np.isfinite(fitness)
    assert occupied.sum() >= len(rows) and np.isneginf(fitness[~occupied]).all() and (flat[~occupied] == 0).all()
    # each is at the centroid nearest to what it really gives
    objective, measures = plain(flat[occupied])
    distance = ((better.centroids[None] - measures[:, None]) ** 2).sum(axis=2)
    assert np.array_equal(distance.argmin(axis=1), np.flatnonzero(occupied))
    assert np.allclose(objective, fitness[occupied], atol=1e-6)
    if tree:
        assert better.genotypes["params"]["kernel"].shape == (36, 2, 1)
        assert list(better.genotypes["params"]) == ["kernel", "bias"]


def test_cells_are_not_copied_by_number():
    given, rows = repertoire()
    table, _ = aria.adapters.adapt(given)
    column, row = rows % 6, rows // 6
    # theirs: first descriptor fastest; ours: last
    assert sorted(table.index.tolist()) == sorted((column * 6 + row).tolist())
    assert sorted(table.index.tolist()) != sorted(rows.tolist())


def test_ranges_follow_from_a_regular_grid():
    assert grid_of_centroids(first_fastest(5)) == {"dims": [5, 5], "ranges": [(0.0, 1.0), (0.0, 1.0)]}
    moved = first_fastest(4) * np.array([30, 2], np.float32) - np.array([15, 1], np.float32)
    assert grid_of_centroids(moved) == {"dims": [4, 4], "ranges": [(-15.0, 15.0), (-1.0, 1.0)]}
    shuffled = np.random.default_rng(0).permutation(moved)
    assert grid_of_centroids(shuffled) == grid_of_centroids(moved)
    # the published arm has ranges half a cell wider than the spacing says: they can be given
    assert grid_of_centroids(moved, ranges=[(-16, 16), (-1, 1)])["ranges"][0] == (-16.0, 16.0)


def test_centroids_without_a_grid_ask_for_one():
    given, _ = repertoire()
    given.centroids = np.random.default_rng(0).uniform(0, 1, (36, 2)).astype(np.float32)
    with pytest.raises(ValueError, match="centroids must be those of a regular grid"):
        aria.correct(given, plain)
    report = aria.correct(given, plain, grid=(6, 6), ranges=[(0, 1), (0, 1)], reevaluations=2)
    assert report.corrected.cells == 14
    better = aria.improve(given, plain, grid=(6, 6), ranges=[(0, 1), (0, 1)], **QUICK)
    assert np.isfinite(better.fitnesses).sum() > 10


def test_one_cell_along_a_measure_needs_ranges():
    centroids = np.array([[0.25, 0.5], [0.75, 0.5]], np.float32)
    with pytest.raises(ValueError, match="ranges must be given: measure 1 has one cell"):
        grid_of_centroids(centroids)
    assert grid_of_centroids(centroids, ranges=[(0, 1), (0, 1)])["dims"] == [2, 1]


def test_qdax_adds_its_offset_and_counts_coverage_from_0_to_100():
    given, rows = repertoire()
    ours = aria.metrics.qdax_metrics(given, qd_offset=2.0)
    fitness = given.fitnesses[rows, 0]
    assert ours["qd_score"] == pytest.approx(float(fitness.sum()) + 2 * len(rows), rel=1e-5)
    assert ours["coverage"] == pytest.approx(100 * len(rows) / 36)
    theirs = aria.metrics.pyribs_stats(given, qd_score_offset=2.0)
    assert theirs["qd_score"] == pytest.approx(float(fitness.sum()) - 2 * len(rows), rel=1e-5)
    assert theirs["coverage"] == pytest.approx(len(rows) / 36)


def test_trees_are_flattened_as_jax_does():
    tree = {"b": np.arange(6.0).reshape(2, 3), "a": [np.full((2, 1), 9.0), (np.zeros((2, 1, 2)), None)]}
    flat = flatten_tree(tree)
    assert flat.tolist() == [[9, 0, 0, 0, 1, 2], [9, 0, 0, 3, 4, 5]]
    back = unflatten_tree(flat + 1, tree)
    assert list(back) == ["b", "a"] and isinstance(back["a"][1], tuple) and back["a"][1][1] is None
    assert np.array_equal(back["b"], tree["b"] + 1) and back["a"][1][0].shape == (2, 1, 2)
    with pytest.raises(TypeError, match="a part of the genotypes must be an array"):
        flatten_tree({"a": "text"})


def test_networks_for_our_robots_go_in_in_the_order_of_their_weights():
    walker = aria.tasks.Walker(hidden=(4, 4), episode_length=5, grid=(2, 2))
    flat = walker.initial_solutions(4)
    sizes, layers, position = (17, 4, 4, 6), {}, 0
    for number, (inputs, outputs) in enumerate(zip(sizes, sizes[1:])):
        kernel = flat[:, position:position + inputs * outputs].reshape(4, inputs, outputs)
        bias = flat[:, position + inputs * outputs:position + (inputs + 1) * outputs]
        layers[f"Dense_{number}"] = {"kernel": kernel, "bias": bias}
        position += (inputs + 1) * outputs
    genotypes = {"params": layers}
    assert np.array_equal(flatten_tree(genotypes, policies=True), flat)
    assert not np.array_equal(flatten_tree(genotypes), flat)  # JAX would put each bias first
    ten = {f"Dense_{number}": np.full((1, 1), float(number)) for number in range(11)}
    assert flatten_tree(ten, policies=True).tolist() == [list(range(11))]
    centroids = np.array([(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)], np.float32)
    given = Repertoire(genotypes, np.zeros((4, 1), np.float32), centroids, centroids)
    report = aria.correct(given, walker, reevaluations=2)
    assert np.array_equal(report.claimed.solution, flat)
    better = aria.improve(given, walker, pairs=2, steps=1, mean_evaluations=2, reevaluations=2)
    assert better.genotypes["params"]["Dense_1"]["kernel"].shape == (4, 4, 4)


@pytest.fixture(scope="module")
def real():
    containers = pytest.importorskip("qdax.core.containers.mapelites_repertoire")
    return containers


@pytest.mark.interop
@pytest.mark.parametrize("tree", [True, False])
def test_with_qdax_itself(real, tree):
    import jax
    import jax.numpy as jnp
    from jax.flatten_util import ravel_pytree

    centroids = real.compute_euclidean_centroids(grid_shape=(6, 8), minval=(0.0, -1.0), maxval=(1.0, 1.0))
    key = jax.random.PRNGKey(0)
    flat = jax.random.uniform(key, (60, 3))
    genotypes = {"params": {"kernel": flat[:, 1:], "bias": flat[:, :1]}} if tree else flat
    measures = jnp.stack([flat[:, 0], 2 * flat[:, 1] - 1], axis=1)
    fitness = -flat[:, 2:]
    given = real.MapElitesRepertoire.init(genotypes, fitness, measures, centroids)

    def evaluate(solutions):
        return -np.abs(solutions[:, 2]), np.stack([solutions[:, 0], 2 * solutions[:, 1] - 1], axis=1)

    table, _ = aria.adapters.adapt(given)
    assert table.grid == {"dims": [6, 8], "ranges": [(0.0, 1.0), (-1.0, 1.0)]}
    occupied = np.isfinite(np.asarray(given.fitnesses).reshape(-1))
    assert len(table) == occupied.sum()
    assert np.array_equal(table.solution, np.asarray(
        jax.vmap(lambda genotype: ravel_pytree(genotype)[0])(given.genotypes))[occupied])
    report = aria.correct(given, evaluate, reevaluations=2)
    assert report.corrected.cells == report.illusory.cells == occupied.sum()

    from qdax.utils.metrics import default_qd_metrics
    theirs = default_qd_metrics(given, qd_offset=1.5)
    ours = aria.metrics.qdax_metrics(given, qd_offset=1.5)
    assert ours["qd_score"] == pytest.approx(float(np.squeeze(theirs["qd_score"])), rel=1e-4)
    assert ours["coverage"] == pytest.approx(float(np.squeeze(theirs["coverage"])), rel=1e-4)

    better = aria.improve(given, evaluate, **QUICK)
    assert type(better) is type(given)
    assert jax.tree.structure(better.genotypes) == jax.tree.structure(given.genotypes)
    assert np.isfinite(np.asarray(better.fitnesses)).sum() >= occupied.sum()
    # QDax can go on with it
    again = better.add(genotypes, measures, fitness)
    assert np.isfinite(np.asarray(again.fitnesses)).sum() >= np.isfinite(np.asarray(better.fitnesses)).sum()


@pytest.mark.interop
def test_what_goes_wrong_elsewhere_with_qdax_itself(real):
    import jax.numpy as jnp

    centroids = real.compute_euclidean_centroids(grid_shape=(5, 4), minval=(0.0, 0.0), maxval=(1.0, 2.0))
    where = {"grid": (5, 4), "ranges": [(0, 1), (0, 2)]}
    random = np.random.default_rng(3)
    # inside and outside of the ranges: the nearest centroid there, the nearest cell here
    measures = random.uniform((-0.5, -1.0), (1.5, 3.0), (400, 2)).astype(np.float32)
    theirs = np.asarray(real.get_cells_indices(jnp.asarray(measures), centroids))
    ours = aria.metrics.cells_of(measures, **where)
    assert np.array_equal(aria.metrics.cells_of(np.asarray(centroids)[theirs], **where), ours)
    # but cells are counted in another order
    assert not np.array_equal(theirs, ours)

    genotypes = np.concatenate([measures, random.uniform(0, 1, (400, 1)).astype(np.float32)], axis=1)[:7]
    given = real.MapElitesRepertoire.init(jnp.asarray(genotypes), jnp.asarray(-genotypes[:, 2:]),
                                          jnp.asarray(measures[:7]), centroids)
    # an empty cell has fitness -inf and a genotype of zeros, and fitnesses are a column
    empty = np.isneginf(np.asarray(given.fitnesses)[:, 0])
    assert given.fitnesses.shape == (20, 1) and empty.sum() >= 13
    assert not np.asarray(given.genotypes)[empty].any()
    report = aria.correct(given, lambda x: (-x[:, 2], x[:, :2]), reevaluations=2)
    assert len(report.claimed) == (~empty).sum() and (report.claimed.solution[:, 2] > 0).all()
    # each stays where QDax has it, outside of the ranges too
    assert (report.cell_probability == 1).all() and "nearest cell" in report.cell_rule
    assert set(report.archive.index) == set(aria.metrics.cells_of(np.asarray(centroids)[~empty], **where))
