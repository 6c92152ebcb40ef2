"""Symmetries of a task of yours, with which algorithms of the ARIA family solve only a part of the cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _core
from .arguments import count, floats, must, must_be

Map = Callable[[np.ndarray], Any]


class Symmetry:
    """What can be done to solutions that does a like thing to their measures, and nothing to their objective.

    Args:
        solutions: function that maps solutions (n, D).
        measures: function that maps measures (n, m): those of a mapped solution are distributed as these.
        name: in a few words.

    Both only move numbers to other places, change signs, and may add constants. A task is given a few symmetries; those
    that follow by doing one after the other are found.

    >>> mirror = aria.Symmetry(lambda x: 1 - x, lambda m: m * [1, -1] + [0, 1])
    >>> swapped = aria.Symmetry(lambda x: x[:, [1, 0, 2]], lambda m: m[:, ::-1])
    >>> task = aria.tasks.Function(evaluate, ..., symmetries=[mirror, swapped])
    >>> aria.run(task, "aria-me", use_symmetry=True)
    """

    def __init__(self, solutions: Map, measures: Map, *, name: str = "symmetry") -> None:
        must_be(callable(solutions), "solutions", "a function of an array (n, D)", solutions)
        must_be(callable(measures), "measures", "a function of an array (n, m)", measures)
        must_be(isinstance(name, str), "name", "a text", name)
        self.solutions, self.measures, self.name = solutions, measures, name

    @classmethod
    def of_policy(cls, layers: Sequence[int], *, observations: Map, actions: Map, measures: Map,
                  name: str = "symmetry") -> Symmetry:
        """A symmetry of policies, from those of what they see and do.

        Args:
            layers: sizes: observations, hidden layers, actions. Solutions hold the weights layer by layer, (inputs x
                outputs) and then the biases (docs/policies.md).
            observations, actions: functions that map (n, observations) and (n, actions), without constants.
            measures: function that maps measures (n, m).
        """
        sizes = [count("layers", size) for size in layers]
        must(len(sizes) >= 2, "layers", "two sizes or more", sizes)
        maps = [signed_map(observations, sizes[0], "the map of observations"),
                signed_map(actions, sizes[-1], "the map of actions")]
        for found, what in zip(maps, ("observations", "actions")):
            must(not found["offset"].any(), f"the map of {what}", "one that adds no constants", "another")
        weights = _core.map_of_policy(sizes, *maps)
        places, signs = np.asarray(weights["from"]), np.asarray(weights["sign"])
        return cls(lambda rows: rows[:, places] * signs, measures, name=name)

    def to_dict(self, solution_dim: int, measures: int) -> dict[str, Any]:
        """What the library takes."""
        return {"name": self.name,
                "solutions": signed_map(self.solutions, solution_dim, f"the map of solutions of {self.name!r}"),
                "measures": signed_map(self.measures, measures, f"the map of measures of {self.name!r}")}

    def __repr__(self) -> str:
        return f"<aria.Symmetry: {self.name}>"


def signed_map(function: Map, size: int, what: str) -> dict[str, np.ndarray]:
    """Which number goes where, with which sign and constant: `from`, `sign`, `offset`, found by trying it."""
    must_be(callable(function), what, "a function of an array", function)
    rows = np.zeros((3, size))
    rows[1] = np.arange(1, size + 1)  # says where it came from
    rows[2] = np.sqrt(np.arange(2, size + 2))  # shows whether that was all
    images = floats(what, function(rows.copy()), (3, size), np.float64)
    offset = images[0]
    signed_places = np.round(images[1] - offset)
    places = np.abs(signed_places).astype(np.int64) - 1
    must(sorted(places.tolist()) == list(range(size)), what, "one that moves every number to a place of its own",
         "another")
    sign = np.sign(signed_places)
    must(np.allclose(images[2], sign * rows[2][places] + offset, rtol=1e-5, atol=1e-5), what,
         "one that only moves numbers, changes signs and adds constants", "another")
    return {"from": places.astype(np.uint32), "sign": sign.astype(np.float32), "offset": offset.astype(np.float32)}
