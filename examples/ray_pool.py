"""Evaluations over a Ray cluster. Needs ray."""

import numpy as np
import ray

import aria_qd as aria


def evaluate(solutions, seed):
    random = np.random.default_rng(seed)
    return -np.abs(solutions[:, 2]), solutions[:, :2] + random.normal(0, 0.02, (len(solutions), 2))


def over_the_cluster(function, *lists):
    remote = ray.remote(function)
    return ray.get([remote.remote(*arguments) for arguments in zip(*lists)])


def main():
    ray.init()
    solutions = np.random.default_rng(0).uniform(0, 1, (100, 3)).astype(np.float32)
    print(aria.correct(solutions, aria.spread(evaluate, over_the_cluster, chunk_size=512), grid=(10, 10),
                       ranges=[(0, 1), (0, 1)]))


if __name__ == "__main__":
    main()
