"""Improve a pyribs archive on a noisy function of your own.

pyribs fills a GridArchive; `correct` shows how much of it is luck, and `improve` makes it hold. Needs ribs; matplotlib
for the picture.
"""

import sys

import numpy as np
from ribs.archives import GridArchive
from ribs.emitters import GaussianEmitter
from ribs.schedulers import Scheduler

import aria_qd as aria


def evaluate(solutions, seed=None):
    """Noisy Rastrigin: what is measured are the first two parameters, with noise, as the objective has."""
    random = np.random.default_rng(seed)
    objective = -np.mean(solutions**2 - np.cos(2 * np.pi * solutions) + 1, axis=1)
    measures = solutions[:, :2] + random.normal(0, 0.1, (len(solutions), 2))
    return objective + random.normal(0, 0.1, len(solutions)), measures


def fill(generations):
    """pyribs' own loop."""
    archive = GridArchive(solution_dim=6, dims=[16, 16], ranges=[(-2, 2), (-2, 2)], seed=1)
    scheduler = Scheduler(archive, [GaussianEmitter(archive, sigma=0.3, x0=np.zeros(6), batch_size=100, seed=1)])
    for generation in range(generations):
        scheduler.tell(*evaluate(scheduler.ask(), seed=generation))
    return archive


def main(quick=False):
    archive = fill(50 if quick else 500)

    report = aria.correct(archive, evaluate, reevaluations=64 if quick else 1024)
    print(report)

    better = aria.improve(archive, evaluate, sigma=0.1, pairs=8 if quick else 128, steps=10 if quick else 100,
                          mean_evaluations=64, reevaluations=64 if quick else 1024)
    stays = better.data("cell_probability")
    print(f"\n{type(better).__name__} with {better.stats.num_elites} elites; of {report.p_score:.1f} expected to stay "
          f"in their cell there are now {stays.sum():.1f}")

    try:
        axes = aria.plot.compare(archive, report, better)
    except ImportError:
        return
    axes[0].figure.savefig("pyribs_noisy_function.png", dpi=110)


if __name__ == "__main__":
    main("--quick" in sys.argv)
