"""Evaluations over a Dask cluster. Needs dask[distributed]."""

import sys

import numpy as np
from dask.distributed import Client

import aria_qd as aria


def evaluate(solutions, seed):
    random = np.random.default_rng(seed)
    return -np.abs(solutions[:, 2]), solutions[:, :2] + random.normal(0, 0.02, (len(solutions), 2))


def main(quick=False):
    solutions = np.random.default_rng(0).uniform(0, 1, (100, 3)).astype(np.float32)
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None, processes=not quick) as client:
        def over_the_cluster(function, *lists):
            return client.gather(client.map(function, *lists, pure=False))

        report = aria.correct(solutions, aria.spread(evaluate, over_the_cluster, chunk_size=512), grid=(10, 10),
                              ranges=[(0, 1), (0, 1)], reevaluations=32 if quick else 1024)
    alone = aria.correct(solutions, aria.spread(evaluate, map, chunk_size=512), grid=(10, 10),
                         ranges=[(0, 1), (0, 1)], reevaluations=32 if quick else 1024)
    print(report)
    print("the same as on this machine alone:", np.array_equal(report.cell_probability, alone.cell_probability))


if __name__ == "__main__":
    main("--quick" in sys.argv)
