"""Improve a QDax repertoire, whose genotypes are the parameters of small networks.

Needs qdax (with JAX). Genotypes go in as pytrees and come back as pytrees; `aria.adapters.flatten_tree` is the order in
which `evaluate` sees their numbers.
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np
from qdax.core.containers.mapelites_repertoire import MapElitesRepertoire, compute_euclidean_centroids

import aria_qd as aria

LAYERS = {"bias": (2,), "kernel": (3, 2)}  # as JAX sorts them
INPUTS = np.eye(3, dtype=np.float32)


def evaluate(solutions, seed=1):
    """A network answers three questions; its first two answers are measured with noise, small weights are liked."""
    random = np.random.default_rng(seed)
    bias, kernel = solutions[:, :2], solutions[:, 2:].reshape(-1, 3, 2)
    answers = np.tanh(INPUTS @ kernel + bias[:, None])
    measures = answers.mean(axis=1) + random.normal(0, 0.03, (len(solutions), 2))
    return -np.square(solutions).mean(axis=1) + random.normal(0, 0.01, len(solutions)), measures


def main(quick=False):
    centroids = compute_euclidean_centroids(grid_shape=(10, 10), minval=-1.0, maxval=1.0)
    flat = 2 * np.asarray(jax.random.normal(jax.random.PRNGKey(0), (400, 8)))
    fitness, descriptors = evaluate(flat)
    genotypes = {"kernel": jnp.asarray(flat[:, 2:].reshape(-1, 3, 2)), "bias": jnp.asarray(flat[:, :2])}
    repertoire = MapElitesRepertoire.init(genotypes, jnp.asarray(fitness)[:, None], jnp.asarray(descriptors), centroids)

    print(aria.correct(repertoire, evaluate, reevaluations=64))
    better = aria.improve(repertoire, evaluate, sigma=0.05, pairs=8 if quick else 128, steps=5 if quick else 100,
                          mean_evaluations=64, reevaluations=64)
    occupied = int(np.isfinite(np.asarray(better.fitnesses)).sum())
    print(f"\n{type(better).__name__} with {occupied} of {len(centroids)} cells, genotypes "
          f"{jax.tree.map(jnp.shape, better.genotypes)}")


if __name__ == "__main__":
    main("--quick" in sys.argv)
