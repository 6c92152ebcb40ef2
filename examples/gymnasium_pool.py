"""A Gymnasium environment with noisy observations, evaluated in a pool of processes.

A solution is a linear policy for CartPole; the objective is how long the pole stays up, the measures are where the cart
is and how it leans on average. `aria.spread` cuts batches into chunks for the pool, each with a seed of its own. Needs
gymnasium.
"""

import sys
from concurrent.futures import ProcessPoolExecutor

import gymnasium
import numpy as np

import aria_qd as aria

STEPS = 60
RANGES = [(-0.5, 0.5), (-0.1, 0.1)]


def evaluate(solutions, seed):
    """(n, 5) weights and threshold -> objective (n,), measures (n, 2)."""
    random = np.random.default_rng(seed)
    environment = gymnasium.make("CartPole-v1")
    objective, measures = np.zeros(len(solutions)), np.zeros((len(solutions), 2))
    for row, policy in enumerate(solutions):
        seen, _ = environment.reset(seed=int(random.integers(2**31)))
        way = []
        for _ in range(STEPS):
            noisy = seen + random.normal(0, 0.05, seen.shape)
            seen, _, fallen, _, _ = environment.step(int(noisy @ policy[:4] > policy[4]))
            way.append((seen[0], seen[2]))
            if fallen:
                break
        objective[row], measures[row] = len(way) / STEPS, np.mean(way, axis=0)
    return objective, measures


def main(quick=False):
    solutions = np.random.default_rng(1).normal(0, 1, (24 if quick else 400, 5)).astype(np.float32)
    solutions += np.array([0.2, 0.5, 2, 2, 0], np.float32)
    with ProcessPoolExecutor() as pool:
        pooled = aria.spread(evaluate, pool.map, chunk_size=16 if quick else 64)
        objective, measures = pooled(solutions, 1)
        archive = aria.Archive(solutions, objective, np.clip(measures, *np.array(RANGES).T), grid=(4, 4), ranges=RANGES)
        report = aria.correct(archive, pooled, reevaluations=8 if quick else 128, fitness_range=(0, 1))
        print(report)
        better = aria.improve(archive, pooled, sigma=0.1, pairs=4 if quick else 64, steps=1 if quick else 30,
                              mean_evaluations=4 if quick else 64, reevaluations=8 if quick else 128,
                              fitness_range=(0, 1), parallel_cells=16, details=True)
    print(f"\n{better}")


if __name__ == "__main__":
    main("--quick" in sys.argv)
