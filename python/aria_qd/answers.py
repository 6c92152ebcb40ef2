"""What a user's function has answered, kept where the work ends before its time: evaluations may be dear."""

from __future__ import annotations

import os

import numpy as np

FILE = "answers.npz"


class Answers:
    """Objectives and measures by the seed of their batch and its size. Those in a folder's file are known from the start,
    unless they belong to something else than `purpose` says."""

    def __init__(self, folder: str, purpose: int) -> None:
        self._path = os.path.join(folder, FILE)
        self._purpose = purpose
        self._known: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = {}
        if os.path.exists(self._path):
            with np.load(self._path) as file:
                if int(file["purpose"]) == purpose:
                    self._load(file["seed"], file["size"], file["objective"], file["measures"])

    def _load(self, seeds: np.ndarray, sizes: np.ndarray, objective: np.ndarray, measures: np.ndarray) -> None:
        ends = np.cumsum(sizes)
        for seed, size, end in zip(seeds.tolist(), sizes.tolist(), ends.tolist()):
            self._known[seed, size] = objective[end - size:end], measures[end - size:end]

    def __len__(self) -> int:
        return sum(size for _, size in self._known)

    def find(self, seed: int, size: int) -> tuple[np.ndarray, np.ndarray] | None:
        """What is known already of a batch."""
        return self._known.get((seed, size))

    def keep(self, seed: int, answer: tuple[np.ndarray, np.ndarray]) -> None:
        """Remembers an answer."""
        # a copy: a function may use its arrays again
        self._known[seed, len(answer[0])] = answer[0].copy(), answer[1].copy()

    def write(self) -> None:
        """Writes the file, as a whole or not at all; nothing where every evaluation failed, which may be mended."""
        if not any(np.isfinite(objective).any() for objective, _ in self._known.values()):
            return
        os.makedirs(os.path.dirname(self._path), exist_ok=True)
        seeds, sizes = zip(*self._known)
        objective, measures = zip(*self._known.values())
        with open(self._path + ".new", "wb") as file:
            np.savez(file, purpose=np.int64(self._purpose), seed=np.array(seeds, np.int64), size=np.array(sizes, np.int64),
                     objective=np.concatenate(objective), measures=np.concatenate(measures))
        os.replace(self._path + ".new", self._path)

    def remove(self) -> None:
        """Nobody needs them any more."""
        if os.path.exists(self._path):
            os.remove(self._path)
