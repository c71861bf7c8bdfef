"""Output of commands: nothing in it is interpreted as a control or workflow command, and no run ends in a traceback."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.commands.main import main
from sitemap_plugins.commands.terminal import say, say_json

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
    def test_no_name_is_a_command_for_a_ci_service(self, repository: Repository) -> None:
        for name in (f"{HOSTILE}.md", "a\n::error::b.md"):
            repository.write(name, "one")
        repository.commit("2026-01-01T00:00:00Z", HOSTILE)
        file = repository.path / f"{HOSTILE}.md"
        for arguments in (
            (repository.path,),
            (file, "--why"),
            (repository.path, "--format", "json"),
            (file, "--plain"),
        ):
            result = CliRunner().invoke(main, ["dates", *map(str, arguments)])
            assert result.exit_code == 0, result.output
            assert "error file=a" in result.output
            assert "##" not in result.output
            assert [line for line in result.output.splitlines() if line.lstrip().startswith("::")] == []

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
    def test_no_link_in_the_sitemap_of_another_tool_is_a_command(self, tmp_path: Path) -> None:
        """Nor the name of a language or folder, nor a word at which a long line could be wrapped."""
        hostile = f"{'y' * 12_000} {HOSTILE}&#10;::error::"
        for code in ("en", "fr"):
            (tmp_path / code).mkdir()
            (tmp_path / code / "index.html").write_text(f'<html lang="{code}"><head></head></html>', encoding="utf-8")
            links = (
                f'<xhtml:link rel="alternate" hreflang="{lang}" href="{X}{code}/{hostile}"/>'
                for lang in ("en", "fr", "::error::##[group]")
            )
            (tmp_path / code / "sitemap.xml").write_text(
                '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
                f"<url><loc>{X}{code}/</loc>{''.join(links)}</url></urlset>",
                encoding="utf-8",
            )
        (tmp_path / f"{HOSTILE}.xml").write_text("none", encoding="utf-8")
        result = CliRunner().invoke(main, ["merge", str(tmp_path), "--pattern", "*.xml"])
        assert "error" in result.output
        assert "##" not in result.output
        assert [line for line in result.output.splitlines() if line.lstrip().startswith("::")] == []


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


def test_a_similar_command_is_suggested() -> None:
    assert "unknown command 'biuld'; did you mean 'build'?" in CliRunner().invoke(main, ["biuld"]).output
    names = "build, check, dates, debug, diff, merge, retire, rule, schema, submit and why"
    assert f"valid names are {names}" in CliRunner().invoke(main, ["x"]).output


def test_help_is_shown_without_a_command() -> None:
    result = CliRunner().invoke(main, [])
    assert "\n  dates  " in result.output
