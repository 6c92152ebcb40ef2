"""ARIA: quality-diversity archives that hold under noise, on the archive and the simulator you have.

    import aria_qd as aria

    report = aria.correct(archive, evaluate)        # what is really in my archive?
    print(report)
    better = aria.improve(archive, evaluate, sigma=0.02, pairs=128)   # same type back
    aria.plot.compare(archive, report, better)

`archive` is a pyribs GridArchive, a QDax MapElitesRepertoire, NumPy arrays, a pandas DataFrame, a file or an
`aria.Archive`. `evaluate(solutions) -> (objective, measures)` is your function, or a task of ours: `aria.tasks.Arm()`.

What there is: `correct`, `improve`, `run`, `study`, `report`, `Aria` (ask and tell), `Archive`, `tasks`, `metrics`,
`plot`, `spread` (evaluations over a pool), `Symmetry` (of a task of yours), `algorithms`, `set_threads`.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from . import metrics, tasks
from ._core import VERSION as __version__
from .adapters import flatten_tree, unflatten_tree
from .archive import Archive
from .ask_tell import Aria, AskTell
from .pool import spread
from .results import Report, Result, Scores, StudyResult
from .runs import algorithms, correct, improve, report, run, set_threads, study
from .symmetry import Symmetry

if _TYPE_CHECKING:
    from . import plot

__all__ = [
    "Archive",
    "Aria",
    "AskTell",
    "Report",
    "Result",
    "Scores",
    "StudyResult",
    "Symmetry",
    "__version__",
    "algorithms",
    "correct",
    "flatten_tree",
    "improve",
    "metrics",
    "plot",
    "report",
    "run",
    "set_threads",
    "spread",
    "study",
    "tasks",
    "unflatten_tree",
]


def __getattr__(name: str) -> _Any:
    # matplotlib is slow to import, and not everybody has it
    if name == "plot":
        return _import_module(".plot", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
