"""What the tests share: the program to compare with, small archives, a noisy function of three parameters."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import aria_qd as aria

ROOT = Path(__file__).resolve().parents[2]
GRID = (8, 8)
RANGES = [(0.0, 1.0), (0.0, 1.0)]


@pytest.fixture(scope="session")
def program():
    """Runs the command line."""
    path = os.environ.get("ARIA_PROGRAM", ROOT / "build" / "aria")
    if not Path(path).exists():
        pytest.skip("no build/aria to compare with")

    def call(*arguments):
        done = subprocess.run([str(path), *map(str, arguments)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


def noisy(solutions, seed):
    """Measures are the first two parameters, with noise; the objective asks for a small third one."""
    random = np.random.default_rng(seed)
    measures = solutions[:, :2] + random.normal(0, 0.02, (len(solutions), 2))
    return -np.abs(solutions[:, 2]) + random.normal(0, 0.02, len(solutions)), measures


def plain(solutions):
    """The same without noise."""
    return -np.abs(solutions[:, 2]), solutions[:, :2]


@pytest.fixture(scope="session")
def noisy_archive():
    """Forty solutions of `noisy`, as its first evaluations showed them."""
    solutions = np.random.default_rng(0).uniform(0, 1, (40, 3)).astype(np.float32)
    objective, measures = noisy(solutions, 1)
    return aria.Archive(solutions, objective, np.clip(measures, 0, 1), grid=GRID, ranges=RANGES)


@pytest.fixture(scope="session")
def arm_archive():
    """A MAP-Elites archive of the noisy arm in a grid of 8 x 8."""
    return aria.run(aria.tasks.Arm(grid=(8, 8)), "map-elites", budget=20_000, reevaluations=0).archive


#: settings that make ARIA quick on the archives above
QUICK = {"pairs": 8, "steps": 4, "mean_evaluations": 16, "reevaluations": 32}
