"""Evaluations over a pool of processes, threads or machines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .arguments import count, must_be
from .tasks import takes_seed


def spread(evaluate: Callable[..., Any], map: Callable[..., Iterable[Any]], *,
           chunk_size: int = 256) -> Callable[[np.ndarray, int], tuple[np.ndarray, np.ndarray]]:
    """Makes `evaluate` work on chunks side by side.

    Args:
        evaluate: (solutions[, seed]) -> (objective, measures), as for `aria.correct`.
        map: calls a function on every entry of one list, or of two lists side by side, and gives the results in
            order: `executor.map` of `concurrent.futures`, or for Dask
            `lambda f, *lists: client.gather(client.map(f, *lists, pure=False))`.
        chunk_size: solutions per call.

    Every chunk gets a seed of its own, so the result does not depend on which worker takes it.

    >>> with ProcessPoolExecutor() as pool:
    ...     report = aria.correct(archive, aria.spread(evaluate, pool.map, chunk_size=64))
    """
    must_be(callable(evaluate), "evaluate", "a function", evaluate)
    must_be(callable(map), "map", "a function such as executor.map", map)
    rows = count("chunk_size", chunk_size)
    seeded = takes_seed(evaluate) is not None

    def call(solutions: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
        chunks = [solutions[begin:begin + rows] for begin in range(0, len(solutions), rows)]
        if seeded:
            states = np.random.SeedSequence(seed).generate_state(len(chunks), np.uint64)
            answers = map(evaluate, chunks, [int(state) >> 1 for state in states])
        else:
            answers = map(evaluate, chunks)
        objective, measures = zip(*answers)
        return np.concatenate([np.asarray(part).reshape(-1) for part in objective]), np.concatenate(measures)

    return call
