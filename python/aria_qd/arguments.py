"""Arguments as users give them, turned into what the library takes. Errors name the argument, the rule and the value."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
MAX_SEED = 2**53  # as on the command line
MAX_BATCH_SEED = 2**63 - 1  # of those that functions are given


def must(ok: bool, name: str, rule: str, got: object) -> None:
    """Raises a ValueError that says what an argument must be and what it is."""
    if not ok:
        raise ValueError(f"{name} must be {rule}, got {got}")


def must_be(ok: bool, name: str, rule: str, got: object) -> None:
    """The same for something of the wrong type: a TypeError."""
    if not ok:
        raise TypeError(f"{name} must be {rule}, got {type(got).__name__}")


def present(value: T | None, name: str, rule: str) -> T:
    """What must be there: a ValueError where it is None."""
    if value is None:
        raise ValueError(f"{name} must be {rule}, got None")
    return value


def count(name: str, value: object, least: int = 1, most: int | None = None) -> int:
    """A whole number."""
    whole = isinstance(value, numbers.Integral) or (isinstance(value, float) and value.is_integer())
    must_be(whole and not isinstance(value, bool), name, "a whole number", value)
    number = int(value)  # type: ignore[call-overload]
    rule = f">= {least}" if most is None else f"from {least} to {most}"
    must(number >= least and (most is None or number <= most), name, rule, number)
    return number


def seed(value: object) -> int:
    """A seed: every draw follows from it."""
    return count("seed", value, 0, MAX_SEED)


def batch_seed(value: object) -> int:
    """A seed of a batch: also one that a function was given, or that an algorithm names."""
    return count("seed", value, 0, MAX_BATCH_SEED)


def one_of(name: str, value: object, choices: Iterable[str]) -> str:
    """A word out of a few."""
    choices = list(choices)
    must_be(isinstance(value, str), name, f"one of {', '.join(choices)}", value)
    must(value in choices, name, f"one of {', '.join(choices)}", repr(value))
    return str(value)


def pair(name: str, value: object) -> tuple[float, float]:
    """Two finite numbers, the lower first."""
    try:
        lower, upper = (float(number) for number in value)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be two numbers (lower, upper), got {value!r}") from None
    must(bool(np.isfinite(lower) and np.isfinite(upper) and lower < upper), name,
         "two finite numbers, the lower first", (lower, upper))
    return lower, upper


def floats(name: str, value: object, shape: tuple[int | None, ...], kind: Any = np.float32) -> np.ndarray:
    """A contiguous array of a shape, float32 unless said; None in the shape stands for any length."""
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "fiu":
            array = array.astype(kind) if array.dtype.kind == "O" else array
        must_be(array.dtype.kind in "fiu", name, "an array of numbers", value)
        with np.errstate(over="ignore"):
            result = np.ascontiguousarray(array, dtype=kind)
    except (TypeError, ValueError) as error:
        if isinstance(error, TypeError) and str(error).startswith(name):
            raise
        raise TypeError(f"{name} must be an array of numbers, got {type(value).__name__} ({error})") from None
    fits = result.ndim == len(shape) and all(want in (None, have) for want, have in zip(shape, result.shape))
    text = ", ".join("n" if want is None else str(want) for want in shape)
    must(fits, name, f"of shape ({text}{',' if len(shape) == 1 else ''})", result.shape)
    return result


def grid(dims: object, ranges: object) -> dict[str, Any]:
    """Cells along each measure and the range of each, as the library takes them."""
    try:
        cells = [count("grid", number) for number in dims]  # type: ignore[attr-defined]
    except TypeError as error:
        if "whole number" in str(error):
            raise
        raise TypeError(f"grid must be a list of cells along each measure, got {type(dims).__name__}") from None
    must_be(isinstance(ranges, Iterable), "ranges", "a list of (lower, upper), one per measure", ranges)
    pairs = [pair("ranges", entry) for entry in ranges]  # type: ignore[attr-defined]
    must(len(pairs) == len(cells), "ranges", f"given for each of {len(cells)} measures", f"{len(pairs)} pairs")
    return {"dims": cells, "ranges": pairs}


def text_of_setting(name: str, value: object) -> str:
    """A setting as text, the way the command line's --set takes it."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    must_be(isinstance(value, Iterable), name, "a number, a list of whole numbers or a text", value)
    return "[" + ", ".join(str(count(name, entry, 0)) for entry in value) + "]"  # type: ignore[attr-defined]


def settings(values: Mapping[str, object]) -> list[tuple[str, str]]:
    """Settings by name, as texts; None stands for the default."""
    return [(name, text_of_setting(name, value)) for name, value in values.items() if value is not None]
