"""How far work is: a bar of tqdm's where that is installed, else a line that is drawn again."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from .arguments import must_be

Show = Callable[[str, int, int, int], None]


class Progress:
    """Shows (phase, done, planned, cells). None of it costs anything where nobody looks."""

    def __init__(self, wish: bool | Show | None) -> None:
        must_be(wish is None or isinstance(wish, bool) or callable(wish), "progress",
                "True, False, None (where somebody looks) or a function of (phase, done, planned, cells)", wish)
        self._bar: Any = None
        self._line = False
        self._next = 0.0
        self.show: Show | None = None
        if callable(wish):
            self.show = wish
        elif wish or (wish is None and (sys.stderr.isatty() or _in_notebook())):
            self.show = self._draw

    def _draw(self, phase: str, done: int, planned: int, cells: int) -> None:
        if self._bar is None and not self._line:
            self._bar = _tqdm_bar()
            self._line = self._bar is None
        if self._bar is not None:
            self._bar.total = max(planned, done)
            self._bar.n = done
            self._bar.set_description(phase, refresh=False)
            self._bar.set_postfix(cells=cells, refresh=False)
            self._bar.refresh()
            return
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.1
            share = f"{100 * done / planned:3.0f} %" if planned else f"{done}"
            sys.stderr.write(f"\r{phase}: {share} of {planned} evaluations, {cells} cells   ")
            sys.stderr.flush()

    def close(self) -> None:
        """Leaves the screen in order."""
        if self._bar is not None:
            self._bar.close()
        elif self._line:
            sys.stderr.write("\n")


def _tqdm_bar() -> Any:
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        return None
    return tqdm(total=0, unit="evaluations", unit_scale=True, mininterval=0.1, leave=False)


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    return shell is not None and getattr(shell.get_ipython(), "kernel", None) is not None
