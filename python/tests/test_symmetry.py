"""Symmetries that a user's task declares."""

import pickle

import numpy as np
import pytest
from conftest import GRID, QUICK, RANGES, noisy, plain

import aria_qd as aria

MIRROR = aria.Symmetry(lambda x: x * [-1, 1, 1] + [1, 0, 0], lambda m: m * [-1, 1] + [1, 0], name="mirror")
SWAP = aria.Symmetry(lambda x: x[:, [1, 0, 2]], lambda m: m[:, ::-1], name="swap")
SQUARE = [MIRROR, SWAP]  # all eight symmetries of a square follow from these two


def square(evaluate=plain, **options):
    return aria.tasks.Function(evaluate, solution_dim=3, grid=GRID, ranges=RANGES, **{"symmetries": SQUARE, **options})


def has_images(archive, symmetry):
    """Whether the image of every solution is in the image of its cell; cells on a diagonal are images of themselves."""
    row, column = np.divmod(archive.index, 8)
    chosen = (row != column) & (row != 7 - column)
    images = symmetry.solutions(archive.solution[chosen].astype(float))
    cells = aria.metrics.cells_of(symmetry.measures(archive.centroids[archive.index[chosen]].astype(float)), grid=GRID,
                                  ranges=RANGES)
    by_cell = dict(zip(archive.index.tolist(), archive.solution))
    assert chosen.sum() >= 40
    return all(np.allclose(by_cell[cell], image, atol=1e-6) for cell, image in zip(cells.tolist(), images))


@pytest.mark.parametrize("algorithm", ["aria-me", "aria-es", "aria-gn"])
def test_only_cells_that_no_symmetry_maps_to_each_other_are_solved(algorithm):
    few = {"initial_budget": 400, "pairs": 8, "steps": 4, "initial_steps": 4, "mean_evaluations": 8, "batch": 50,
           "budget": 20_000, "sigma": 0.02}
    known = aria.algorithms(square())[algorithm]["settings"]
    settings = {name: value for name, value in few.items() if name in known}
    with_it = aria.run(square(), algorithm, use_symmetry=True, reevaluations=4, **settings)
    without = aria.run(square(), algorithm, reevaluations=4, **settings)
    assert with_it.summary["use_symmetry"] and "use_symmetry" not in without.summary
    assert "With the task's symmetry" in str(with_it) and "symmetry" not in str(without)
    assert has_images(with_it.archive, MIRROR) and has_images(with_it.archive, SWAP)
    assert not has_images(without.archive, SWAP)
    assert with_it.summary["evaluations"] < without.summary["evaluations"]


def test_improve_and_ask_and_tell_give_images_of_what_they_solved(noisy_archive):
    searched = []

    def evaluate(solutions, seed):
        searched.append(solutions)
        return noisy(solutions, seed)

    settings = {name: value for name, value in QUICK.items() if name != "reevaluations"}
    better = aria.improve(noisy_archive, evaluate, symmetries=SQUARE, use_symmetry=True, details=True,
                          **{**settings, "reevaluations": 0})
    climbs = np.concatenate(searched)[40 * 16:]  # after what was given was placed
    assert np.quantile(climbs[:, 0], 0.9) < 0.6  # the left half alone
    assert better.archive.cells >= 60 and better.archive.provenance["setting.use_symmetry"] == "yes"
    same_task = aria.improve(noisy_archive, square(noisy), use_symmetry=True, details=True, **settings, reevaluations=0)
    assert np.array_equal(better.archive.solution, same_task.archive.solution)

    algorithm = aria.Aria(noisy_archive, symmetries=SQUARE, use_symmetry=True, **settings)
    while not algorithm.done:
        algorithm = pickle.loads(pickle.dumps(algorithm))
        algorithm.tell(*noisy(algorithm.ask(), algorithm.seed))
    assert np.array_equal(algorithm.archive.solution, better.archive.solution)

    # ten cells, a triangle of one corner, were solved
    assert len(np.unique(better.archive.solution[:, 2])) <= 10


def test_a_run_says_its_symmetries_and_is_not_continued_without(noisy_archive, tmp_path):
    settings = {**QUICK, "out": tmp_path / "run", "use_symmetry": True}
    aria.improve(noisy_archive, plain, symmetries=SQUARE, **settings)
    assert "symmetries = 7" in (tmp_path / "run" / "run.toml").read_text()
    with pytest.raises(ValueError, match="other settings"):
        aria.improve(noisy_archive, plain, symmetries=[MIRROR], **settings)


@pytest.mark.parametrize("layers", [(4, 2), (4, 5, 2), (4, 5, 3, 2)])
def test_policies_are_mapped_as_what_they_see_and_do(layers):
    def answer(weights, seen):
        position = 0
        for inputs, outputs in zip(layers, layers[1:]):
            kernel = weights[position:position + inputs * outputs].reshape(inputs, outputs)
            position += inputs * outputs
            seen = np.tanh(seen @ kernel + weights[position:position + outputs])
            position += outputs
        return seen

    def observations(rows):
        return rows[:, [1, 0, 2, 3]] * [1, 1, -1, 1]

    def actions(rows):
        return -rows[:, ::-1]

    symmetry = aria.Symmetry.of_policy(layers, observations=observations, actions=actions, measures=lambda m: m)
    random = np.random.default_rng(0)
    weights = random.normal(0, 1, sum((inputs + 1) * outputs for inputs, outputs in zip(layers, layers[1:])))
    seen = random.normal(0, 1, (6, 4))
    mapped = symmetry.solutions(weights[None])[0]
    assert np.allclose(answer(mapped, observations(seen)), actions(answer(weights, seen)))


@pytest.mark.parametrize(("call", "error", "message"), [
    (lambda: aria.Symmetry(3, len), TypeError, "solutions must be a function of an array"),
    (lambda: square(symmetries=[3]), TypeError, "symmetries must be a list of aria.Symmetry, got int"),
    (lambda: square(symmetries=MIRROR), TypeError, "symmetries must be a list of aria.Symmetry, got Symmetry"),
    (lambda: square(symmetries=[aria.Symmetry(lambda x: 2 * x, lambda m: m)]), ValueError,
     "the map of solutions of 'symmetry' must be one that moves every number to a place of its own"),
    (lambda: square(symmetries=[aria.Symmetry(lambda x: x, lambda m: m[:, :1])]), ValueError,
     r"the map of measures of 'symmetry' must be of shape \(3, 2\), got \(3, 1\)"),
    (lambda: square(symmetries=[aria.Symmetry(lambda x: np.where(x == np.round(x), x, 0), lambda m: m)]), ValueError,
     "only moves numbers, changes signs and adds constants"),
    (lambda: square(symmetries=[aria.Symmetry(lambda x: x + 1, lambda m: m)]), ValueError,
     "the symmetries of a task must be 1024 at the most"),
    (lambda: aria.Symmetry.of_policy([3], observations=abs, actions=abs, measures=abs), ValueError,
     "layers must be two sizes or more"),
    (lambda: aria.Symmetry.of_policy([2, 1], observations=lambda o: o + 1, actions=lambda a: a, measures=abs),
     ValueError, "the map of observations must be one that adds no constants"),
    (lambda: aria.run(square(symmetries=()), "aria-me", use_symmetry=True, initial_budget=100), ValueError,
     "use_symmetry must be no on task 'function'"),
    (lambda: aria.improve(np.zeros((1, 8)), aria.tasks.Arm(), symmetries=SQUARE), ValueError,
     "symmetries must be left out for a task"),
])
def test_mistakes_are_told(call, error, message):
    with pytest.raises(error, match=message):
        call()
