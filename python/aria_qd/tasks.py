"""Tasks: our own (`Arm`, `Ant`, `Walker`), which run in C++ on all cores, and `Function`, yours.

    ant = aria.tasks.Ant(episode_length=200)
    objective, measures = ant.evaluate(ant.initial_solutions(64), seed=7)
    trajectory = ant.rollout(policy, seed=7)

Every setting that `aria tasks` lists is a keyword.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from . import _core
from .answers import Answers
from .arguments import (batch_seed, count, floats, grid as checked_grid, must, must_be, one_of, pair,
                        seed as checked_seed, settings)
from .symmetry import Symmetry

DEFAULT_BATCH = 4096
MOST_BATCH = 2**31 - 1


class Task:
    """Something that evaluates solutions. Made by `Arm`, `Ant`, `Walker` or `Function`."""

    def __init__(self, handle: _core.Task) -> None:
        self._handle = handle

    @property
    def name(self) -> str:
        """As `--task` on the command line."""
        return self._handle.name

    @property
    def solution_dim(self) -> int:
        """Length of a solution."""
        return self._handle.parameters

    @property
    def grid(self) -> tuple[int, ...]:
        """Cells along each measure."""
        return tuple(self._handle.grid["dims"])

    @property
    def ranges(self) -> list[tuple[float, float]]:
        """(lower, upper) of each measure."""
        return [tuple(entry) for entry in self._handle.grid["ranges"]]

    @property
    def fitness_range(self) -> tuple[float, float]:
        """What a QD-Score is normalised by."""
        return self._handle.fitness_range

    @property
    def settings(self) -> dict[str, str]:
        """Every setting with its value, as text."""
        return dict(self._handle.settings)

    def evaluate(self, solutions: Any, seed: int = 1, *, samples: int = 1) -> tuple[np.ndarray, np.ndarray]:
        """Evaluates solutions, with noise.

        Args:
            solutions: (n, D) floats.
            seed: names the noise; row i has noise of its own.
            samples: evaluations of each solution.

        Returns:
            objective (n,) and measures (n, m), float32; with `samples` > 1, (n, samples) and (n, samples, m). An
            evaluation that failed has a NaN objective.
        """
        rows = floats("solutions", solutions, (None, self.solution_dim))
        must(len(rows) >= 1, "solutions", "at least one row", len(rows))
        return self._handle.evaluate(rows, batch_seed(seed), count("samples", samples))

    __call__ = evaluate

    def initial_solutions(self, n: int, seed: int = 1) -> np.ndarray:
        """(n, D) random solutions, as a run starts from."""
        return np.asarray(self._handle.initial_solutions(count("n", n), checked_seed(seed)))

    def rollout(self, solution: Any = None, *, actions: Any = None, reset_noise: Any = None,
                seed: int = 1) -> dict[str, Any]:
        """Records one rollout of a robot, step by step.

        Args:
            solution: (D,) weights of the policy that moves it; or
            actions: (steps, joints), done whatever happens.
            reset_noise: (2, joints) noise of the joints' angles and rates at the start; drawn by `seed` where None.
            seed: the start is that of `evaluate(solution[None], seed)`, and so are fitness and descriptor.

        Returns:
            `state` (steps + 1, bodies, 13: position, quaternion w x y z, velocity, angular velocity), `observation`
            (steps + 1, ...), `action` (steps, joints), `reward` (steps,), `terminated` (steps,), `contact` (steps + 1,
            bodies), `noise` (2, joints), `length`, `fitness`, `descriptor`, `bodies`, `joints`.
        """
        must((solution is None) != (actions is None), "what to roll out", "either a solution or actions",
             "neither" if solution is None else "both")
        policy = None if solution is None else floats("solution", solution, (None,))
        steps = None if actions is None else floats("actions", actions, (None, None))
        noise = None if reset_noise is None else floats("reset_noise", reset_noise, (None, None))
        result = self._handle.rollout(policy, steps, noise, batch_seed(seed))
        result["terminated"] = result["terminated"].astype(bool)
        result["contact"] = result["contact"].astype(bool)
        return result

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (self.name, self.settings)

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value}" for name, value in self.settings.items())
        return f"<aria.tasks: {self.name}({values})>"


def make(name: str, **values: object) -> Task:
    """A task of ours by its name, with settings."""
    must_be(isinstance(name, str), "task", "a name or a task", name)
    return Task(_core.make_task(name, settings(values)))


def _made_again(name: str, values: dict[str, str]) -> Task:
    return make(name, **values)


class Function(Task):
    """A function of yours as a task.

    Args:
        evaluate: takes solutions (n, D) float32, and a seed where it has a second argument for it; gives objective
            (n,), to be maximised, and measures (n, m). A row with a NaN or an infinity is a failed evaluation.
        solution_dim: D.
        grid: cells along each measure.
        ranges: (lower, upper) of each measure.
        bounds: (lower, upper) of the initial solutions, where an algorithm draws them: two numbers, or two (D,) arrays.
        fitness_range: (lower, upper) that a QD-Score is normalised by.
        batch_size: solutions per call at the most.
        on_error: "raise": an exception of `evaluate` ends the work, what is done is kept; "skip": evaluations that
            raise count as failed.
        name: what runs call it.
        symmetries: `aria.Symmetry`s, for algorithms that are told use_symmetry=True.

    A seed names the noise of a batch, so with another `batch_size` noise that follows from it is another.
    """

    def __init__(self, evaluate: Callable[..., Any], *, solution_dim: int, grid: Sequence[int],
                 ranges: Sequence[tuple[float, float]], bounds: tuple[Any, Any] = (0.0, 1.0),
                 fitness_range: tuple[float, float] = (0.0, 1.0), batch_size: int = DEFAULT_BATCH,
                 on_error: str = "raise", name: str = "function", symmetries: Sequence[Symmetry] = ()) -> None:
        must_be(callable(evaluate), "evaluate", "a function or a task of aria.tasks", evaluate)
        cells = checked_grid(grid, ranges)
        self.function = evaluate
        self._build(describe(solution_dim=solution_dim, grid=cells, bounds=bounds, fitness_range=fitness_range,
                             batch_size=batch_size, on_error=on_error, name=name, symmetries=symmetries))

    def _build(self, description: dict[str, Any]) -> None:
        self._description = description
        self._caller = Caller(self.function, len(description["grid"]["dims"]))
        super().__init__(_core.make_function(self._caller, description))

    def _apart(self) -> Function:
        """The same, for one call alone, whose answers are kept."""
        return _function_again(self.function, self._description)

    def __reduce__(self) -> tuple[Any, ...]:
        return _function_again, (self.function, self._description)


def _function_again(function: Callable[..., Any], description: dict[str, Any]) -> Function:
    task = Function.__new__(Function)
    task.function = function
    task._build(description)
    return task


def describe(*, solution_dim: int, grid: dict[str, Any], bounds: tuple[Any, Any] = (0.0, 1.0),
             fitness_range: tuple[float, float] = (0.0, 1.0), batch_size: int = DEFAULT_BATCH,
             on_error: str = "raise", name: str = "function", symmetries: Sequence[Symmetry] = ()) -> dict[str, Any]:
    """What the library is told of a function."""
    parameters = count("solution_dim", solution_dim)
    must_be(isinstance(bounds, (tuple, list)) and len(bounds) == 2, "bounds", "a pair (lower, upper)", bounds)
    lower, upper = (floats("bounds", np.broadcast_to(end, (parameters,)), (parameters,)) for end in bounds)
    must(bool(np.all(lower < upper) and np.all(np.isfinite(lower)) and np.all(np.isfinite(upper))), "bounds",
         "finite, the lower below the upper", bounds)
    must(isinstance(name, str) and re.fullmatch(r"[A-Za-z0-9_-]+", name) is not None, "name",
         "letters, digits, - and _", repr(name))
    must(name not in {entry["name"] for entry in _core.list_tasks()}, "name", "none of our own tasks'", repr(name))
    must_be(isinstance(symmetries, Iterable), "symmetries", "a list of aria.Symmetry", symmetries)
    symmetries = list(symmetries)
    for symmetry in symmetries:
        must_be(isinstance(symmetry, Symmetry), "symmetries", "a list of aria.Symmetry", symmetry)
    return {"name": name, "parameters": parameters, "grid": grid, "lower": lower, "upper": upper,
            "fitness_range": pair("fitness_range", fitness_range),
            "batch_size": count("batch_size", batch_size, 1, MOST_BATCH),
            "skip_errors": one_of("on_error", on_error, ("raise", "skip")) == "skip",
            "symmetries": [symmetry.to_dict(parameters, len(grid["dims"])) for symmetry in symmetries]}


def takes_seed(function: Callable[..., Any]) -> str | None:
    """How a function wants its seed: "positional", "keyword" or not at all."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    for position, parameter in enumerate(parameters):
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.name == "seed":
            return "keyword"
        plain = parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        if position == 1 and plain and (parameter.name == "seed" or parameter.default is parameter.empty):
            return "positional"
    return None


class Caller:
    """Calls a user's function, with its answers checked and converted, and kept in `answers` where there are some."""

    def __init__(self, function: Callable[..., Any], measures: int) -> None:
        self._function, self._measures, self._wish = function, measures, takes_seed(function)
        self.answers: Answers | None = None

    def __call__(self, solutions: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
        known = None if self.answers is None else self.answers.find(seed, len(solutions))
        if known is not None:
            return known
        if self._wish == "positional":
            answer = self._function(solutions, seed)
        elif self._wish == "keyword":
            answer = self._function(solutions, seed=seed)
        else:
            answer = self._function(solutions)
        result = checked_answer(answer, len(solutions), self._measures)
        if self.answers is not None:
            self.answers.keep(seed, result)
        return result


def checked_answer(answer: Any, n: int, measures: int) -> tuple[np.ndarray, np.ndarray]:
    """What a function gave, as the library takes it."""
    must_be(isinstance(answer, (tuple, list)), "what evaluate gives", "a pair (objective, measures)", answer)
    must(len(answer) == 2, "what evaluate gives", "a pair (objective, measures)", f"{len(answer)} things")
    objective = np.asarray(answer[0])
    if objective.shape == (n, 1):
        objective = objective[:, 0]
    return (floats("the objective that evaluate gives", objective, (n,)),
            floats("the measures that evaluate gives", answer[1], (n, measures)))


def default_of(setting: dict[str, Any]) -> Any:
    """The default of a setting, as a number, a tuple or a text."""
    text = setting["default"]
    if setting["kind"] == "int":
        return int(text)
    if setting["kind"] == "float":
        return float(text)
    if setting["kind"] == "ints":
        return tuple(int(number) for number in text.strip("[]").split(","))
    return text


def _task_class(entry: dict[str, Any]) -> type[Task]:
    """A class for a registered task, whose signature and help list its settings."""
    lines = []
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for setting in entry["settings"]:
        choices = f" ({' or '.join(setting['choices'])})" if setting["choices"] else ""
        lines.append(f"    {setting['name']}: {setting['meaning']}{choices}; default {setting['default']}.")
        parameters.append(inspect.Parameter(setting["name"], inspect.Parameter.KEYWORD_ONLY, default=default_of(setting)))

    def __init__(self: Task, **values: object) -> None:
        Task.__init__(self, _core.make_task(entry["name"], settings(values)))

    __init__.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    summary = entry["summary"][0].upper() + entry["summary"][1:]
    document = f"{summary}.\n\nArgs:\n" + "\n".join(lines)
    return type(entry["name"].title(), (Task,), {"__init__": __init__, "__doc__": document, "__module__": __name__})


_CLASSES = {entry["name"].title(): _task_class(entry) for entry in _core.list_tasks()}
globals().update(_CLASSES)
__all__ = ["Function", "Task", "make", *_CLASSES]


def __getattr__(name: str) -> Callable[..., Task]:
    raise AttributeError(f"there is no task {name}; there are {', '.join(_CLASSES)}")
