"""pyribs' MAP-Elites on the noisy arm, and what ARIA makes of its archive.

pyribs proposes solutions, `aria.tasks.Arm` evaluates them in C++, and the archive that comes out is given to `correct`
and `improve`. In the end its P-Score is compared with that of ARIA-ME, which makes its own archive first. Needs ribs.
"""

import sys

import numpy as np
from ribs.archives import GridArchive
from ribs.emitters import IsoLineEmitter
from ribs.schedulers import Scheduler

import aria_qd as aria


def fill(arm, generations):
    """MAP-Elites as pyribs does it: one evaluation per solution, iso+line variation, the luckiest stays."""
    archive = GridArchive(solution_dim=arm.solution_dim, dims=arm.grid, ranges=arm.ranges, seed=1)
    emitter = IsoLineEmitter(archive, iso_sigma=0.01, line_sigma=0.2, x0=np.full(arm.solution_dim, 0.5),
                             bounds=[(0, 1)] * arm.solution_dim, batch_size=4096, seed=2)
    scheduler = Scheduler(archive, [emitter])
    for generation in range(generations):
        scheduler.tell(*arm.evaluate(scheduler.ask(), seed=generation))
    return archive


def main(quick=False):
    arm = aria.tasks.Arm(grid=(8, 8)) if quick else aria.tasks.Arm()
    preset = "lite" if quick else "paper"
    settings = {"pairs": 32, "steps": 30} if quick else {}
    archive = fill(arm, 5 if quick else 500)

    report = aria.correct(archive, arm)
    print(report)

    better = aria.improve(archive, arm, preset=preset, details=True, **settings)
    print(f"\n{better}")

    started_by_us = aria.run(arm, "aria-me", preset=preset, **settings)
    print(f"\nP-Score from pyribs' archive: {better.p_score:.1f}; from ARIA-ME's own: {started_by_us.p_score:.1f}")
    return report, better, started_by_us


if __name__ == "__main__":
    main("--quick" in sys.argv)
