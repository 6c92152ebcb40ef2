"""Go on after a crash: the simulator raises, the run is kept, the same call finishes it as if nothing had happened."""

import sys
import tempfile
from pathlib import Path

import numpy as np

import aria_qd as aria


class Simulator:
    """Falls over once."""

    def __init__(self, crash_at=None):
        self.calls, self.crash_at = 0, crash_at

    def __call__(self, solutions, seed):
        self.calls += 1
        if self.calls == self.crash_at:
            raise ConnectionError("the simulator is gone")
        random = np.random.default_rng(seed)
        return -np.abs(solutions[:, 2]), solutions[:, :2] + random.normal(0, 0.02, (len(solutions), 2))


def main(quick=False):
    solutions = np.random.default_rng(0).uniform(0, 1, (100, 3))
    settings = {"grid": (10, 10), "ranges": [(0, 1), (0, 1)], "pairs": 8 if quick else 64, "steps": 10 if quick else 50,
                "mean_evaluations": 64, "reevaluations": 64}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        try:
            aria.improve(solutions, Simulator(crash_at=20), out=out, **settings)
        except ConnectionError as error:
            print("stopped:", error, *getattr(error, "__notes__", []), sep="\n  ")
        resumed = aria.improve(solutions, Simulator(), out=out, **settings)
    uninterrupted = aria.improve(solutions, Simulator(), **settings)
    print("the same as without a crash:", np.array_equal(resumed, uninterrupted))
    return resumed, uninterrupted


if __name__ == "__main__":
    main("--quick" in sys.argv)
