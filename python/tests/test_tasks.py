"""Our tasks as functions."""

import copy
import json
import pickle

import numpy as np
import pytest
from conftest import plain

import aria_qd as aria


def test_every_setting_of_the_program_is_a_keyword(program):
    for entry in json.loads(program("tasks", "--json")):
        task = getattr(aria.tasks, entry["name"].title())()
        assert set(task.settings) == {setting["name"] for setting in entry["settings"]}
        for setting in entry["settings"]:
            assert setting["name"] in type(task).__doc__


def test_algorithms_are_those_of_the_program(program):
    listed = json.loads(program("algorithms", "--task", "ant", "--preset", "lite", "--json"))
    ours = aria.algorithms("ant", preset="lite")
    assert list(ours) == [entry["name"] for entry in listed]
    for entry in listed:
        # several numbers are a tuple here, a list in JSON
        defaults = {setting["name"]: setting["default"] for setting in entry["settings"]}
        defaults = {name: tuple(value) if isinstance(value, list) else value for name, value in defaults.items()}
        assert {name: setting["default"] for name, setting in ours[entry["name"]]["settings"].items()} == defaults


def test_a_task_of_ours_takes_the_seeds_that_functions_are_given():
    arm = aria.tasks.Arm(grid=(8, 8))
    archive = aria.Archive(arm.initial_solutions(20), grid=(8, 8), ranges=arm.ranges)
    report = aria.correct(archive, lambda solutions, seed: arm.evaluate(solutions, seed), reevaluations=4)
    assert report.cells >= 1
    loop = aria.AskTell("map-elites", solution_dim=8, grid=(8, 8), ranges=arm.ranges, budget=100, batch_size=1e2)
    loop.tell(*arm.evaluate(loop.ask(), loop.seed))


def test_tasks_can_be_pickled_and_copied():
    arm = aria.tasks.Arm(grid=(8, 8), joints=3)
    solutions = arm.initial_solutions(5)
    function = aria.tasks.Function(plain, solution_dim=3, grid=(4, 4), ranges=[(0, 1), (0, 1)], name="mine")
    for task in (arm, function):
        for again in (pickle.loads(pickle.dumps(task)), copy.deepcopy(task)):
            assert again.name == task.name and again.grid == task.grid and again.settings == task.settings
            assert np.array_equal(again.evaluate(solutions, 7)[1], task.evaluate(solutions, 7)[1])


def test_evaluation_is_named_by_seed_and_row():
    arm = aria.tasks.Arm()
    solutions = arm.initial_solutions(33, seed=5)
    objective, measures = arm.evaluate(solutions, seed=7)
    assert objective.shape == (33,) and measures.shape == (33, 2)
    assert objective.dtype == measures.dtype == np.float32
    again, _ = arm.evaluate(solutions.astype(np.float64), seed=7)
    assert np.array_equal(objective, again)
    other, _ = arm.evaluate(solutions, seed=8)
    assert not np.array_equal(objective, other)
    one, _ = arm.evaluate(solutions[:1], seed=7)
    assert one[0] == objective[0]


def test_samples_of_one_solution_differ_by_noise_alone():
    arm = aria.tasks.Arm(descriptor_noise=0)
    objective, measures = arm.evaluate(arm.initial_solutions(3), seed=2, samples=5)
    assert objective.shape == (3, 5) and measures.shape == (3, 5, 2)
    assert np.ptp(measures, axis=1).max() == 0 and np.ptp(objective, axis=1).min() > 0


def test_a_rollout_is_what_evaluate_measured():
    ant = aria.tasks.Ant(episode_length=20)
    policy = ant.initial_solutions(1)
    objective, measures = ant.evaluate(policy, seed=9)
    record = ant.rollout(policy[0], seed=9)
    assert record["fitness"] == objective[0]
    assert np.array_equal(record["descriptor"], measures[0])
    steps, bodies = len(record["reward"]), len(record["bodies"])
    assert record["state"].shape == (steps + 1, bodies, 13)
    assert record["contact"].shape == (steps + 1, bodies) and record["contact"].dtype == bool
    # open loop: the same actions from the same start give the same way
    again = ant.rollout(actions=record["action"], reset_noise=record["noise"])
    assert np.array_equal(again["state"], record["state"])


def test_a_walker_walks_differently_with_another_start():
    walker = aria.tasks.Walker(episode_length=10)
    policy = walker.initial_solutions(1)[0]
    assert not np.array_equal(walker.rollout(policy, seed=1)["state"], walker.rollout(policy, seed=2)["state"])


@pytest.mark.parametrize(("call", "error", "message"), [
    (lambda: aria.tasks.Arm(joint=3), ValueError, "joint"),
    (lambda: aria.tasks.Arm(joints=0), ValueError, "joints must be from 1"),
    (lambda: aria.tasks.Arm(joints="many"), ValueError, "joints must be a whole number"),
    (lambda: aria.tasks.Arm(joints=True), ValueError, "joints must be a whole number"),
    (lambda: aria.tasks.Arm(joints=None, grid={}), ValueError, "grid must be"),
    (lambda: aria.tasks.Arm(spread="wide"), ValueError, "spread must be one of deviation, variance, got 'wide'"),
    (lambda: aria.tasks.Arm().evaluate(np.zeros((3, 7))), ValueError, r"solutions must be of shape \(n, 8\), got \(3, 7\)"),
    (lambda: aria.tasks.Arm().evaluate([["a"] * 8]), TypeError, "solutions must be an array of numbers"),
    (lambda: aria.tasks.Arm().evaluate(np.zeros((3, 8)), seed=-1), ValueError, "seed must be from 0"),
    (lambda: aria.tasks.Arm().evaluate(np.zeros((3, 8)), seed=0.5), TypeError, "seed must be a whole number, got float"),
    (lambda: aria.tasks.Arm().rollout(np.zeros(8)), ValueError, "a robot, such as Ant or Walker, got arm"),
    (lambda: aria.tasks.Ant().rollout(np.zeros(8)), ValueError, "a solution"),
    (lambda: aria.tasks.Ant().rollout(), ValueError, "either a solution or actions, got neither"),
    (lambda: aria.tasks.Function(len, solution_dim=1, grid=(2,), ranges=[(0, 1)], name="arm"), ValueError,
     "name must be none of our own tasks', got 'arm'"),
    (lambda: aria.tasks.make("leg"), ValueError, "leg"),
])
def test_mistakes_are_told(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_task_that_is_not_there_is_told_with_those_that_are():
    with pytest.raises(AttributeError, match="no task Leg; there are Arm, Ant, Walker"):
        aria.tasks.Leg  # noqa: B018
