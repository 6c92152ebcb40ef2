#!/usr/bin/env python3
"""What the Python package costs beside the work: prints one line per figure, measured side by side in this one run.

    build/python-env/bin/python benchmarks/python_overhead.py [--program build/aria]

- `improve` on a function, per batch: from the end of one call of the function to the next, so the algorithm's own work
  is in it too.
- `improve` on the arm in C++, against the command line: seconds of the algorithm, each the best of several, in turns.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import aria_qd as aria

BATCH = 4096


def per_batch(parameters, steps):
    """Seconds from one call of the function to the next, and of a copy of the batch: the best of each."""
    batch = np.random.default_rng(0).uniform(0, 1, (BATCH, parameters)).astype(np.float32)
    objective, measures = np.zeros(BATCH, np.float32), np.full((BATCH, 2), 0.5, np.float32)
    archive = aria.Archive(batch[:1], [0.0], [[0.5, 0.5]], grid=(1, 1), ranges=[(0, 1), (0, 1)])
    between, copies, left = [], [], None

    def evaluate(solutions):
        nonlocal left
        if left is not None:
            between.append(time.perf_counter() - left)
        # in turns, so that both see the same machine
        begin = time.perf_counter()
        batch.copy()
        copies.append(time.perf_counter() - begin)
        left = time.perf_counter()
        return objective[:len(solutions)], measures[:len(solutions)]

    aria.improve(archive, evaluate, pairs=BATCH // 2, steps=steps, mean_evaluations=1, reevaluations=0)
    return min(between), min(copies)


def against_the_command_line(program, repetitions):
    """Best seconds of the algorithm by the program and by the package."""
    best = {"program": np.inf, "package": np.inf}
    with tempfile.TemporaryDirectory() as folder:
        start = Path(folder) / "start.npz"
        aria.run("arm", "map-elites", budget=400_000, reevaluations=0).archive.save(start)
        for i in range(repetitions):
            out = Path(folder) / f"program-{i}"
            subprocess.run([program, "improve", start, "--task", "arm", "--set", "pairs=512", "--reevaluations", "0",
                            "--out", out, "--quiet"], check=True)
            seconds = json.loads((out / "summary.json").read_text(encoding="utf-8"))["seconds"]
            best["program"] = min(best["program"], seconds)
            result = aria.improve(start, aria.tasks.Arm(), pairs=512, reevaluations=0, details=True)
            best["package"] = min(best["package"], result.summary["seconds"])
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/aria")
    parser.add_argument("--repetitions", type=int, default=5)
    arguments = parser.parse_args()

    small, _ = per_batch(8, steps=300)
    print(f"improve on a function, 4096 x 8: {1e3 * small:.3f} ms from call to call")
    large, copy = per_batch(10_000, steps=30)
    print(f"improve on a function, 4096 x 10000: {1e3 * large:.1f} ms from call to call, "
          f"{large / copy:.2f} times a copy of the batch ({1e3 * copy:.1f} ms)")
    if not Path(arguments.program).exists():
        sys.exit(f"no program {arguments.program} to compare with")
    best = against_the_command_line(arguments.program, arguments.repetitions)
    print(f"improve on the arm: {best['package']:.3f} s by the package, {best['program']:.3f} s by the program, ratio "
          f"{best['package'] / best['program']:.3f}")


if __name__ == "__main__":
    main()
