"""Prints what commands report, safely for terminals and CI logs, shows progress, and turns errors into messages."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager, suppress
from io import StringIO
from threading import Event, Thread
from typing import Any, Final, NoReturn, Self, TextIO, TypeVar

import click

from sitemap_plugins.values.tasks import ExplainedError
from sitemap_plugins.values.text import printable

FAILED: Final = 2
"""The exit status of commands that find something, if they cannot do their work."""

_ERRORS: Final = (ExplainedError, OSError, RecursionError)

INTERRUPTED: Final = 130
"""The exit status after Ctrl-C, as shells have it: 128 and the number of the signal. Click's 1 would be a finding."""

_COLOURS: Final = {
    **dict.fromkeys(("Error", "error", "problem", "danger", "removed", "redirects", "form"), "red"),
    **dict.fromkeys(("warning", "anchors"), "yellow"),
    **dict.fromkeys(("info", "note"), "cyan"),
    **dict.fromkeys(("fix", "added"), "green"),
}
"""The colours of what lines start with, before a colon or blanks: levels, and what is lost or new for ``diff``."""

_PATH: Final = r"(?:[\w.@+~-]*/[\w.@+~/-]*|[\w@+~-][\w.@+~-]*\.(?:gz|html|json|md|rst|toml|txt|xml|ya?ml))(?::\d+)*"
_COLOURED: Final = re.compile(rf"^ *(?P<level>{'|'.join(_COLOURS)})(?=:|  )|(?<![^\s(]){_PATH}(?=[\s:,;)]|$)")

_PATIENCE: Final = 1.0  # seconds until the bar is shown
_TICK: Final = 0.1

T = TypeVar("T")


def say(*lines: str, err: bool = False, is_markup: bool = False) -> None:
    """Print lines in one write, each `printable`; characters that the output cannot encode are escaped.

    Levels and paths are coloured where a person reads them, unless the lines are a markup.
    """
    shown = [*map(printable, lines)]
    if not is_markup and _has_colours(sys.stderr if err else sys.stdout):
        shown = [_COLOURED.sub(_colour, line) for line in shown]
    if lines:
        _write("\n".join(shown), err=err)


def _has_colours(stream: TextIO | None) -> bool:
    """Whether this stream shows colours: https://no-color.org/ wins over https://force-color.org/."""
    if os.environ.get("NO_COLOR") or stream is None:
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")


def _colour(found: re.Match[str]) -> str:
    return click.style(found[0], fg=_COLOURS.get(found["level"], "magenta"))


def screen_width() -> int | None:
    """The columns of the terminal on standard output; None if it is not a terminal, where lines may have any length."""
    return shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else None


@contextmanager
def explained_errors(*, temporary: int = FAILED) -> Iterator[None]:
    """Print an `ExplainedError` or an error of the disk, and exit with status 2, or that for a temporary error."""
    try:
        yield
    except _ERRORS as error:
        _exit(error, temporary if isinstance(error, ExplainedError) and error.is_temporary else FAILED)


def describe_changes(paths: Sequence[str], *, dry_run: bool, most: int | None = None) -> str:
    """A line on the changed files, of which only the ``most`` first ones are listed."""
    if not paths:
        return "nothing to change"
    shown = paths[:most]
    more = f" and {len(paths) - len(shown):,} more" if len(shown) < len(paths) else ""
    return f"{'would change' if dry_run else 'changed'}: {', '.join(shown)}{more}"


def say_json(value: object) -> None:
    """Print JSON in ASCII. A command for CI services (``##``) becomes a JSON escape, so no string changes."""
    _write(json.dumps(_decodable(value), indent=1).replace("##", "#\\u0023"))


def say_commands(lines: Iterable[str]) -> None:
    """Print lines that GitHub Actions obeys, which must be free of everything else that it would obey."""
    if text := "\n".join(lines):
        _write(text)


def _decodable(value: Any) -> Any:
    """The value with the bytes of names that are not UTF-8 as escapes, because they cannot be in a JSON string."""
    if isinstance(value, str):
        try:
            content = value.encode(errors="surrogateescape")
        except UnicodeEncodeError:  # half a character, which only JSON can contain
            content = value.encode(errors="backslashreplace")
        return content.decode(errors="backslashreplace")
    if isinstance(value, Mapping):
        return {_decodable(name): _decodable(each) for name, each in value.items()}
    return [*map(_decodable, value)] if isinstance(value, list | tuple) else value


def _write(text: str, *, err: bool = False) -> None:
    encoding = getattr(sys.stderr if err else sys.stdout, "encoding", None) or "ascii"
    try:
        # Click need not remove colours: all that is in the text is meant to be.
        click.echo(text.encode(encoding, "backslashreplace").decode(encoding), err=err, color=True)
    except OSError as error:
        error.filename = "standard error" if err else "standard output"
        raise


@contextmanager
def readable_errors() -> Iterator[None]:
    """Make messages of click printable, and turn errors as in `explained_errors` into messages, with status 1."""
    try:
        yield
    except KeyboardInterrupt as why:
        say("Interrupted", err=True)
        raise SystemExit(*why.args or (INTERRUPTED,)) from None
    except getattr(click.exceptions, "NoArgsIsHelpError", ()):  # the help, since click 8.2: its lines are ours
        raise
    except click.ClickException as error:
        error.message = printable(error.message)  # type: ignore[misc]  # click declares it Final
        error.show(text := StringIO())
        say(*text.getvalue().splitlines(), err=True)
        raise SystemExit(error.exit_code) from None
    except _ERRORS as error:
        _discard_unwritten()
        if isinstance(error, OSError) and error.errno == errno.EPIPE:  # the reader closed the pipe; click exits quietly
            raise
        _exit(error, FAILED if getattr(error, "option", "") else 1)


def _exit(error: ExplainedError | OSError | RecursionError, status: int) -> NoReturn:
    say(*(f"Error: {line}" for line in _explain(error).split("\n")), err=True)
    raise SystemExit(status) from None


def _explain(error: ExplainedError | OSError | RecursionError) -> str:
    if isinstance(error, RecursionError):  # Python 3.11 lists nested folders recursively
        return "the folders are nested too deeply to be read"
    if isinstance(error, ExplainedError):
        return f"Invalid value for {error.option}: {error}" if error.option else str(error)
    what = error.strerror or str(error)
    if isinstance(error.filename, str | bytes | os.PathLike):
        return f"{os.fsdecode(error.filename)}: {what}"
    try:
        os.getcwd()
    except OSError:
        return "the current folder no longer exists; change to another one"
    return what


def _discard_unwritten() -> None:
    """Discard buffered output that cannot be written; otherwise Python tries again on exit and prints its own error."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:
            with suppress(OSError), open(os.devnull, "wb") as nothing:
                os.dup2(nothing.fileno(), stream.fileno())


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
        from rich.progress import BarColumn, Progress, TextColumn

        console = Console(stderr=True)
        if not console.is_interactive:  # TERM=dumb: nothing can be removed there
            return
        progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
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
