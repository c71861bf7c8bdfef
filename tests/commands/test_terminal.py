"""Output of commands: nothing in it is interpreted as a control or workflow command, and no run ends in a traceback."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.commands.main import main
from sitemap_plugins.commands.terminal import say, say_json
from tests.commands.test_progress import read_terminal

if TYPE_CHECKING:
    from tests.conftest import Repository

posix_only = pytest.mark.skipif(os.name == "nt", reason="names, files and shells of POSIX")
X = "https://x.org/"
HOSTILE = "::error file=a::b ##vso[task.complete]c"


def program(prepare: str, *arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the program in a prepared process. Python buffers its output, as by default."""
    start = "os.execv(sys.executable, [sys.executable, '-m', 'sitemap_plugins', *sys.argv[1:]])"
    command = [sys.executable, "-c", f"import os, sys; {prepare}; {start}", *map(str, arguments)]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=cwd, timeout=600, env=env)


class TestColours:
    """Levels and paths, on each stream that is a terminal or asked to show them."""

    RED, YELLOW, CYAN, GREEN, PATH = (f"\x1b[{number}m" for number in (31, 33, 36, 32, 35))
    END = "\x1b[0m"

    @pytest.fixture(autouse=True)
    def _forced(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")

    @pytest.mark.parametrize(
        ("line", "shown"),
        [
            ("error: bad-link: It is bad", "[RED]error[END]: bad-link: It is bad"),
            ("error    bad-link  It is bad", "[RED]error[END]    bad-link  It is bad"),
            ("warning: docs/a b.md: no", "[YELLOW]warning[END]: [PATH]docs/a[END] [PATH]b.md[END]: no"),
            ("  sitemap.xml:9: https://x.org/a/", "  [PATH]sitemap.xml:9[END]: https://x.org/a/"),
            ("changed: a.xml, b/é.xml", "changed: [PATH]a.xml[END], [PATH]b/é.xml[END]"),
            ("note: 3.13 of 2.0, e.g. x.", "[CYAN]note[END]: 3.13 of 2.0, e.g. x."),
            ("removed  /faq/  now /help/", "[RED]removed[END]  [PATH]/faq/[END]  now [PATH]/help/[END]"),
            ("added  /  Home", "[GREEN]added[END]  [PATH]/[END]  Home"),
            ("errors: 1", "errors: 1"),
            ("note\x1b[31m.md: a", "note\\x1b[31m.md: a"),
        ],
    )
    def test_what_is_coloured(self, line: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
        say(line)
        expected = re.sub(r"\[([A-Z]+)\]", lambda found: str(getattr(self, found[1])), shown)
        assert capsys.readouterr().out == f"{expected}\n"

    @pytest.mark.parametrize("err", [False, True])
    @pytest.mark.parametrize(
        ("variables", "is_terminal", "is_coloured"),
        [
            ({}, True, True),
            ({}, False, False),
            ({"NO_COLOR": ""}, True, True),
            ({"NO_COLOR": "1"}, True, False),
            ({"FORCE_COLOR": "1"}, False, True),
            ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
            ({"TERM": "dumb"}, True, False),
        ],
    )
    def test_each_stream_decides_for_itself(
        self,
        variables: dict[str, str],
        monkeypatch: pytest.MonkeyPatch,
        *,
        is_terminal: bool,
        is_coloured: bool,
        err: bool,
    ) -> None:
        for name in ("FORCE_COLOR", "NO_COLOR"):
            monkeypatch.delenv(name, raising=False)
        for name, value in ({"TERM": "xterm"} | variables).items():
            monkeypatch.setenv(name, value)
        streams = {name: io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for name in ("stdout", "stderr")}
        monkeypatch.setattr(streams["stderr" if err else "stdout"], "isatty", lambda: is_terminal)
        for name, stream in streams.items():
            monkeypatch.setattr(sys, name, stream)
        say("a.md", err=err)
        say("a.md", err=not err)
        shown, other = (
            streams[name].buffer.getvalue().decode() for name in (("stderr", "stdout") if err else ("stdout", "stderr"))
        )  # type: ignore[attr-defined]
        assert shown == ("\x1b[35ma.md\x1b[0m\n" if is_coloured else "a.md\n")
        assert other == (shown if "FORCE_COLOR" in variables else "a.md\n")

    @pytest.mark.parametrize("output", ["json", "sarif", "github"])
    def test_what_programs_read_has_no_colours(self, tmp_path: Path, output: str) -> None:
        (tmp_path / "index.html").write_text("<meta name=robots content=noindex>")
        (tmp_path / "sitemap.xml").write_text(
            f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{X}</loc></url></urlset>'
        )
        arguments = ["check", str(tmp_path), "--base-url", X]
        assert "\x1b" not in CliRunner().invoke(main, [*arguments, "--format", output]).stdout
        assert "\x1b[31merror\x1b[0m: listed-noindex" in CliRunner().invoke(main, arguments, color=True).stdout
        markdown = ["diff", str(tmp_path), str(tmp_path), "--format", "markdown"]
        assert "\x1b" not in CliRunner().invoke(main, markdown, color=True).stdout

    def test_errors_of_options_are_coloured_too(self) -> None:
        assert "\x1b[31mError\x1b[0m: No such option" in CliRunner().invoke(main, ["check", "--x"], color=True).stderr


@posix_only
class TestWidth:
    """Tables on a terminal that is too narrow for them."""

    @pytest.mark.parametrize(
        ("columns", "lines"),
        [
            ("120", ["version  folder  stage    known by       canonical"]),
            ("60", ["version: 2.0", "  folder: 2.0", "  stage: release"]),
        ],
    )
    def test_a_table_that_is_too_wide_is_a_block_for_each_row(
        self, tmp_path: Path, columns: str, lines: list[str]
    ) -> None:
        import pty

        for name in ("1.0", "2.0"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "index.html").write_text(f'<head><link rel="canonical" href="{X}{name}/"></head>')
        (tmp_path / "versions.json").write_text('[{"version": "2.0"}, {"version": "1.0"}]')
        command = [sys.executable, "-m", "sitemap_plugins", "retire", str(tmp_path), "--dry-run"]
        terminal, stdout = pty.openpty()
        environment = os.environ | {"COLUMNS": columns, "NO_COLOR": "1"}
        subprocess.run(command, check=True, stdout=stdout, stderr=stdout, env=environment, timeout=600)
        os.close(stdout)
        shown = b"".join(read_terminal(terminal)).decode().splitlines()
        os.close(terminal)
        assert shown[: len(lines)] == lines
        piped = subprocess.run(command, check=True, capture_output=True, text=True, env=environment, timeout=600)
        assert piped.stdout.splitlines()[0].startswith("version  folder")


class TestSaying:
    @pytest.mark.parametrize(
        ("encoding", "text", "shown"),
        [
            ("utf-8", "docs/a b.md: é 文", "docs/a b.md: é 文"),
            ("ascii", "docs/é.md", r"docs/\xe9.md"),
            ("latin-1", "é 文", r"é \u6587"),
            ("utf-8", "a\nb", r"a\nb"),
        ],
    )
    @pytest.mark.parametrize("err", [False, True])
    def test_characters_that_the_output_cannot_show_are_escaped(
        self, monkeypatch: pytest.MonkeyPatch, encoding: str, text: str, shown: str, *, err: bool
    ) -> None:
        written = io.BytesIO()
        monkeypatch.setattr(sys, "stderr" if err else "stdout", io.TextIOWrapper(written, encoding=encoding))
        say(text, err=err)
        assert written.getvalue().decode(encoding) == f"{shown}\n"

    def test_an_unknown_encoding_is_treated_as_ascii(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdout", written := io.StringIO())
        say("é")
        assert written.getvalue() == "\\xe9\n"

    @given(st.text(st.sampled_from('#[]:\\"vso\x7f\x1b\n\u202eé')))
    def test_json_keeps_every_character_and_contains_no_commands(self, text: str) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stdout", written := io.StringIO())
            say_json({text: text})
        shown = written.getvalue()
        assert json.loads(shown) == {text: text}
        assert "##" not in shown
        assert [line for line in shown.split("\n") if not (line.isprintable() and not line.startswith("::"))] == []


class TestNames:
    """Files in a repository can have any name."""

    @posix_only
    @pytest.mark.parametrize(
        "arguments",
        [
            ("dates", "docs/\n{}"),
            ("dates", "--##vso[a.b]"),
            ("x\n{}",),
            ("merge", "."),
            ("dates", ".", "--format", "{}"),
        ],
    )
    def test_no_argument_is_a_command_for_a_ci_service(self, tmp_path: Path, arguments: tuple[str, ...]) -> None:
        """Arguments may come from a list of changed files. A folder given here exists, so that the error names it."""
        (folder := tmp_path / HOSTILE).mkdir()
        filled = [folder if each == "." else each.format(HOSTILE) for each in arguments]
        result = CliRunner().invoke(main, list(map(str, filled)))
        assert result.exit_code != 0
        assert "vso[" in result.stderr
        assert "##" not in result.stderr
        assert [line for line in result.stderr.splitlines() if line.lstrip().startswith("::")] == []


@posix_only
class TestEnds:
    """The output cannot be written, its reader is gone, or the folder is gone."""

    @pytest.fixture
    def docs(self, repository: Repository) -> Path:
        repository.write("docs/a.md", "one")
        repository.commit("2026-01-01T00:00:00Z")
        return repository.path / "docs"

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full")
    @pytest.mark.parametrize("options", [(), ("--format", "json"), ("--help",)])
    def test_a_full_output_is_an_error_message(self, docs: Path, options: tuple[str, ...]) -> None:
        done = program("os.dup2(os.open('/dev/full', os.O_WRONLY), 1)", "dates", docs, *options)
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1].endswith("No space left on device")
        assert "Traceback" not in done.stderr
        assert "ignored" not in done.stderr

    def test_the_error_names_the_output(self, docs: Path) -> None:
        done = program("os.dup2(os.open(os.devnull, os.O_RDONLY), 1)", "dates", docs)
        assert (done.returncode, done.stderr) == (1, "Error: standard output: Bad file descriptor\n")

    @pytest.mark.parametrize("closed", ["os.close(1)", "os.close(2)", "os.closerange(1, 3)"])
    def test_a_closed_output_was_closed_on_purpose(self, docs: Path, closed: str) -> None:
        done = program(closed, "dates", docs)
        assert done.returncode == 0
        assert "Traceback" not in done.stderr

    def test_a_closed_pipe_gets_no_message(self, docs: Path) -> None:
        done = program("ends = os.pipe(); os.dup2(ends[1], 1); os.close(ends[0])", "dates", docs)
        assert (done.returncode, done.stderr) == (1, "")

    def test_a_deleted_current_folder_is_an_error_message(self, tmp_path: Path) -> None:
        done = program("os.rmdir(os.getcwd())", "dates", cwd=tmp_path)
        assert done.returncode == 1
        assert done.stderr == "Error: the current folder no longer exists; change to another one\n"


@pytest.mark.parametrize("module", ["click", "sitemap_plugins.commands.terminal", "selectolax"])
def test_an_interrupt_while_modules_are_imported_is_a_message(module: str) -> None:
    """The last one is only imported for a command."""
    code = (
        "import sys, runpy; from importlib.abc import MetaPathFinder\n"
        "class Interrupting(MetaPathFinder):\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {module!r}: raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupting()); runpy.run_module('sitemap_plugins', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", code, "check", "."], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Interrupted\n")


@posix_only
@pytest.mark.parametrize("place", ["", "def function(entry, page): "])
@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_signal_is_no_failure_of_an_author_s_function(name: str, status: int, place: str, tmp_path: Path) -> None:
    """In the function itself, and while its module is imported."""
    (tmp_path / "module.py").write_text(f"import os, signal\n{place}os.kill(os.getpid(), signal.{name})\n")
    (tmp_path / "sitemap.toml").write_text(f'base_url = "{X}"\nadjust = "module:function"\n')
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<title>A</title>")
    heard = "import signal; signal.signal(signal.SIGINT, signal.SIG_DFL)"  # shells ignore it for jobs in the background
    done = program(heard, "build", "site", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (status, "", "Interrupted\n")
    assert [each.name for each in (tmp_path / "site").iterdir()] == ["index.html"]


@pytest.mark.parametrize("name", main.list_commands(click.Context(main)))
def test_the_help_of_each_command_ends_with_examples(name: str) -> None:
    shown = CliRunner().invoke(main, [name, "--help"]).stdout
    *_, examples = shown.split("\n\n")
    first, *calls = examples.splitlines()
    assert first.strip() == "Examples:"
    assert any(call.startswith(f"    sitemap-plugins {name}") for call in calls), calls


def test_a_similar_command_is_suggested() -> None:
    assert "unknown command 'biuld'; did you mean 'build'?" in CliRunner().invoke(main, ["biuld"]).output
    names = "build, check, dates, debug, diff, merge, retire, rule, schema, submit and why"
    assert f"valid names are {names}" in CliRunner().invoke(main, ["x"]).output


def test_help_is_shown_without_a_command() -> None:
    result = CliRunner().invoke(main, [])
    assert "\n  dates  " in result.output
