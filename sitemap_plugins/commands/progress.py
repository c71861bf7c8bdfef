"""The progress bar of a command that takes long, on standard error and only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sized
from contextlib import suppress
from threading import Event, Thread
from typing import Final, Self, TypeVar

from sitemap_plugins.values.text import printable

_PATIENCE: Final = 1.0  # seconds until the bar is shown
_TICK: Final = 0.1

T = TypeVar("T")


class ProgressBar:
    """A bar that a thread shows after a second, however the command spends it, and removes at the end.

    ``what`` says what is done until the first loop or count. Nothing may be printed while the bar is shown: `stop` it
    before, or leave the context. A ``quiet`` one is never shown.
    """

    def __init__(self, what: str, *, quiet: bool = False) -> None:
        self._progress: tuple[str, int, int | None] = (what, 0, None)
        self._has_ended = Event()
        self._is_wanted = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._thread: Thread | None = None

    def __enter__(self) -> Self:
        if self._is_wanted:
            self._thread = Thread(target=self._show, name="progress", daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def track(self, items: Iterable[T], what: str, total: int | None = None, /) -> Iterator[T]:
        """Pass the items on and count them, see `sitemap_plugins.values.tasks.Track`."""
        total = len(items) if isinstance(items, Sized) else total
        self._progress = (what, 0, total)
        for number, item in enumerate(items, 1):
            yield item
            self._progress = (what, number, total)
        self._progress = (what, 0, None)

    def count(self, what: str, number: int, total: int | None) -> None:
        """Show that so many items are done, of a total if it is known."""
        self._progress = (what, number, total)

    def stop(self) -> None:
        """Remove the bar; it does not come back."""
        self._has_ended.set()
        if self._thread:
            self._thread.join()

    def _show(self) -> None:
        if self._has_ended.wait(_PATIENCE):
            return
        # These take 35 ms, and most runs show no progress.
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        console = Console(stderr=True)
        if not console.is_interactive:  # TERM=dumb: nothing can be removed there
            return
        progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TimeElapsedColumn(),
            console=console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        progress.add_task(_describe(*self._progress), total=None)
        (task,) = progress.tasks
        with suppress(OSError), progress:
            while True:
                what, task.completed, task.total = self._progress
                task.description = _describe(what, int(task.completed), task.total)
                progress.refresh()
                if self._has_ended.wait(_TICK):
                    return


def _describe(what: str, number: int, total: float | None) -> str:
    of = f" of {total:,}" if total else ""
    return printable(f"{what}: {number:,}{of}" if number or total else what)
