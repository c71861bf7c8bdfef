"""The progress bar: on a terminal, after a while, and gone before anything else is printed."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sitemap_plugins.commands import terminal as terminal_module
from sitemap_plugins.commands.terminal import ProgressBar
from tests.builders import interruptible

posix_only = pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
LONG = 600  # seconds, for a thread or process on a busy machine
CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True

    def wait_for(self, text: str) -> None:
        """Wait until the bar has shown a text."""
        end = time.monotonic() + LONG
        while text not in CONTROLS.sub("", self.getvalue()):
            assert time.monotonic() < end, self.getvalue()
            time.sleep(0.01)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal on which a bar is shown at once."""
    monkeypatch.setattr(terminal_module, "_PATIENCE", 0.0)
    monkeypatch.setattr(terminal_module, "_TICK", 0.01)
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    return Terminal()


@pytest.fixture
def bar_on(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ProgressBar]:
    """Make a bar on this standard error. Pytest replaces it after fixtures, so this is a function."""

    def make(stream: io.StringIO | None, what: str, *, quiet: bool = False) -> ProgressBar:
        monkeypatch.setattr(sys, "stderr", stream)
        return ProgressBar(what, quiet=quiet)

    return make


def test_every_step_is_shown_and_removed_at_the_end(terminal: Terminal, bar_on: Callable[..., ProgressBar]) -> None:
    with bar_on(terminal, "reading gh-pages") as bar:
        terminal.wait_for("reading gh-pages")
        passed = []
        for item in bar.track(["a", "b", "c"], "reading pages"):
            terminal.wait_for(f"reading pages: {len(passed)} of 3")
            passed.append(item)
        for number in bar.track(iter(range(2_000)), "looking for [files]"):
            if number == 1_999:
                terminal.wait_for("looking for [files]: 1,999 ")
        for number in bar.track(iter(range(2)), "changing pages", 2):
            terminal.wait_for(f"changing pages: {number} of 2")
        bar.count("dating files", 3, 4)
        terminal.wait_for("dating files: 3 of 4")
    assert passed == ["a", "b", "c"]
    assert "0:00" not in terminal.getvalue()  # the time since the start says nothing about the rest
    assert terminal.getvalue().endswith("\x1b[?25h\r\x1b[1A\x1b[2K")  # the cursor is back, the line is empty
    assert bar._thread is not None
    assert not bar._thread.is_alive()


def test_after_a_loop_the_bar_moves_without_a_number(terminal: Terminal, bar_on: Callable[..., ProgressBar]) -> None:
    with bar_on(terminal, "") as bar:
        assert [*bar.track("ab", "reading pages")] == ["a", "b"]
        terminal.truncate(0)
        terminal.wait_for("reading pages ")


@pytest.mark.parametrize("why", ["quiet", "dumb", "pipe", "closed", "quick"])
def test_nothing_is_shown(
    why: str, terminal: Terminal, bar_on: Callable[..., ProgressBar], monkeypatch: pytest.MonkeyPatch
) -> None:
    if why == "dumb":
        monkeypatch.setenv("TERM", "dumb")
    elif why == "pipe":
        monkeypatch.setattr(terminal, "isatty", lambda: False)
    elif why == "quick":
        monkeypatch.setattr(terminal_module, "_PATIENCE", float(LONG))
    with bar_on(None if why == "closed" else terminal, "working", quiet=why == "quiet") as bar:
        assert [*bar.track("ab", "reading")] == ["a", "b"]
        assert (bar._thread is not None) == (why in {"dumb", "quick"})
        if why == "dumb" and bar._thread:
            bar._thread.join(LONG)
            assert not bar._thread.is_alive()
    assert terminal.getvalue() == ""


@posix_only
class TestCommands:
    """Each command on a real terminal, with a step that goes on until it is shown, however busy the machine is."""

    SLOW = """
import os, sys, threading, time
from sitemap_plugins.commands import terminal
from sitemap_plugins.commands.main import main

def describe(*state, real=terminal._describe):
    drawn.append(state)
    return real(*state)

def read(*arguments, real={real}, **options):
    # The next state to be drawn may be an older one, and the one after it is on the terminal when a third follows.
    wanted, end = len(drawn) + 3, time.monotonic() + {seconds}
    is_quiet = "--quiet" in sys.argv
    assert not is_quiet or all(thread.name != "progress" for thread in threading.enumerate())
    while time.monotonic() < end and not is_quiet and (len(drawn) < wanted or "INTERRUPTED" in os.environ):
        time.sleep(0.01)
    return real(*arguments, **options)

drawn = []
{real} = read
terminal._PATIENCE, terminal._TICK, terminal._describe = 0.0, 0.01, describe
main(sys.argv[1:], prog_name="sitemap-plugins")
"""
    READERS = {  # noqa: RUF012  # nothing changes it
        "build": ("sitemap_plugins.folder.building.default_language", "finding sources and dates"),
        "merge": ("sitemap_plugins.merge.folder.would_change", "reading the pages in fr/sitemap.xml"),
        "retire": ("sitemap_plugins.retire.retiring.refuse_failures", "reading pages"),
    }

    @pytest.fixture
    def roots(self, tmp_path: Path) -> Path:
        head = '<head><link rel="canonical" href="https://x.org/{}"></head>'
        for path in ("versions/1.0/", "versions/2.0/", "languages/", "languages/fr/", "site/"):
            (tmp_path / path).mkdir(parents=True)
            url = path.partition("/")[2]
            (tmp_path / path / "index.html").write_text(f'<html lang="{url[:2] or "en"}">' + head.format(url))
            (tmp_path / path / "sitemap.xml").write_text(
                '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
                f"<url><loc>https://x.org/{url}</loc></url></urlset>"
            )
        (tmp_path / "site/sitemap.xml").unlink()
        (tmp_path / "versions/versions.json").write_text('[{"version": "2.0"}, {"version": "1.0"}]')
        return tmp_path

    def shown(self, roots: Path, command: str, *options: str, interrupt: str = "") -> tuple[str, int]:
        """What the command shows on a terminal, and its exit status; it is interrupted when it shows that text."""
        import pty

        folder = {"build": "site", "merge": "languages", "retire": "versions"}[command]
        module, _, name = self.READERS[command][0].rpartition(".")
        code = f"import {module}\n" + self.SLOW.format(real=f"{module}.{name}", seconds=LONG)
        terminal, stderr = pty.openpty()
        with interruptible():
            process = subprocess.Popen(
                [sys.executable, "-c", code, command, folder, "--dry-run", *options],
                stdout=stderr,
                stderr=stderr,
                cwd=roots,
                env=os.environ | {"TERM": "xterm", "COLUMNS": "100"} | ({"INTERRUPTED": ""} if interrupt else {}),
            )
        with process:
            os.close(stderr)
            shown = ""
            for chunk in read_terminal(terminal):
                shown += chunk.decode()
                if interrupt and interrupt in shown:
                    process.send_signal(signal.SIGINT)
                    interrupt = ""
            status = process.wait(LONG)
        os.close(terminal)
        return shown, status

    @pytest.mark.parametrize("command", READERS)
    def test_a_slow_command_shows_what_it_does_until_it_prints(self, roots: Path, command: str) -> None:
        shown, status = self.shown(roots, command)
        assert self.READERS[command][1] in shown
        assert status == 0, shown
        result = shown.rpartition("\x1b[2K")[2]
        assert "would change" in result
        assert "\x1b[?" not in result

    def test_a_quiet_command_shows_no_bar(self, roots: Path) -> None:
        shown, _ = self.shown(roots, "retire", "--quiet")
        assert shown == "would change: 1 page\r\n"

    def test_an_interrupt_removes_the_bar_first(self, roots: Path) -> None:
        shown, status = self.shown(roots, "retire", interrupt="reading pages")
        assert shown.rpartition("\x1b[2K")[2].strip() == "Interrupted"
        assert status == 130


def read_terminal(terminal: int) -> Iterator[bytes]:
    """Everything written to the terminal until its other end is closed."""
    while True:
        try:
            chunk = os.read(terminal, 4096)
        except OSError:
            return
        if not chunk:
            return
        yield chunk
