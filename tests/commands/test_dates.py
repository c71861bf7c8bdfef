"""``sitemap-plugins dates``: the date of each file in git, and the reason for it."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from sitemap_plugins.commands.main import main
from tests.builders import interruptible, long_text
from tests.commands.test_progress import read_terminal

if TYPE_CHECKING:
    from tests.conftest import Repository

posix_only = pytest.mark.skipif(os.name == "nt", reason="names, signals and terminals of POSIX")

X = "https://x.org/"
ESCAPE = "\x1b[31m"


def run(*arguments: str | Path) -> Result:
    """Run the command with a terminal as output. An unhandled exception is raised here too."""
    command = ["dates", *(str(each) for each in arguments)]
    return CliRunner().invoke(main, command, catch_exceptions=False, color=True)


def records(*arguments: str | Path) -> dict[str, dict[str, str | None]]:
    result = run(*arguments, "--format", "json")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return json.loads(result.stdout)


def days(*arguments: str | Path) -> dict[str, str]:
    """The day of the month of each file's date."""
    return {name: (record["lastmod"] or "-")[8:10] for name, record in records(*arguments).items()}


def story(*arguments: str | Path) -> list[str]:
    result = run(*arguments, "--why")
    assert result.exit_code == 0, result.output
    # Only the record of a build can tell which page the file is the source of.
    assert ("add --record FILE" in result.stderr) != ("--record" in arguments)
    return result.stdout.splitlines()


def refusal(*arguments: str | Path, status: int = 1) -> str:
    """The last line on standard error of a command that fails and prints nothing else."""
    result = run(*arguments)
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    return result.stderr.splitlines()[-1]


def program(*arguments: str | Path | bytes) -> list[str | Path | bytes]:
    return [sys.executable, "-m", "sitemap_plugins", "dates", *arguments]


def nothing_obeyed(text: str) -> bool:
    """Whether a terminal would show all of the text and interpret none of it."""
    return all(char.isprintable() or char == "\n" for char in text)


def rebuild_author(repository: Repository, when: str, author: str) -> str:
    """Commit everything, with an author date different from the commit date."""
    repository.git("add", "--all")
    repository.git("commit", "--quiet", "--message", "a change", "--date", author, when=when)
    return repository.git("rev-parse", "HEAD")


@pytest.fixture
def history(with_history: Callable[..., Repository]) -> Repository:
    """Files that were changed, renamed, moved, reformatted and merged."""
    return with_history(write_history)


def write_history(repository: Repository) -> None:
    repository.write("docs/changed.md", "one\n")
    repository.write("docs/old name.md", long_text("old name.md"))
    repository.write("docs/formatted.md", "a\n")
    repository.write("elsewhere.md", long_text("elsewhere.md"))
    repository.commit("2026-01-01T10:00:00+01:00")
    repository.write("docs/changed.md", "two\n")
    repository.commit("2026-01-02T10:00:00-03:30")
    repository.git("mv", "docs/old name.md", "docs/new name.md")
    repository.git("mv", "elsewhere.md", "docs/moved in.md")
    repository.commit("2026-01-03T10:00:00Z")
    repository.git("switch", "--quiet", "--create", "branch", "HEAD~1")
    repository.write("docs/branch.md", "on a branch\n")
    repository.commit("2026-01-04T10:00:00Z")
    repository.git("switch", "--quiet", "main")
    repository.write("docs/main.md", "on main\n")
    repository.commit("2026-01-05T10:00:00Z")
    repository.git("merge", "--quiet", "--no-ff", "--message", "a merge", "branch", when="2026-01-06T10:00:00Z")
    repository.write("docs/formatted.md", "  a\n")
    formatted = repository.commit("2026-01-07T10:00:00Z")
    repository.write(".git-blame-ignore-revs", f"# spaces\n{formatted}\n")
    repository.commit("2026-01-08T10:00:00Z")


class TestTable:
    """One line for each file."""

    def test_each_tracked_file_below_a_folder_is_shown_with_date_and_commit(self, history: Repository) -> None:
        result = run(history.path / "docs")
        commit = {day: history.git("log", "--all", "-1", "--format=%H", f"--until=2026-01-{day}T23:59:59Z")[:10] for day in ("01", "02", "04", "05")}  # fmt: skip
        assert result.stdout.splitlines() == [
            f"2026-01-04T10:00:00+00:00  {commit['04']}  branch.md",
            f"2026-01-02T10:00:00-03:30  {commit['02']}  changed.md",
            f"2026-01-01T10:00:00+01:00  {commit['01']}  formatted.md",
            f"2026-01-05T10:00:00+00:00  {commit['05']}  main.md",
            f"2026-01-01T10:00:00+01:00  {commit['01']}  moved in.md",
            f"2026-01-01T10:00:00+01:00  {commit['01']}  new name.md",
        ]
        assert result.stderr == "6 files, 6 with a date\n"
        assert result.exit_code == 0

    def test_the_default_path_is_the_current_folder(self, history: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(history.path / "docs")
        assert run().stdout == run(history.path / "docs").stdout

    def test_one_file(self, history: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(history.path)
        result = run("docs/changed.md")
        commit = history.git("log", "-1", "--format=%H", "--", "docs/changed.md")
        assert result.stdout == f"2026-01-02T10:00:00-03:30  {commit[:10]}  changed.md\n"
        assert result.stderr == "1 file, 1 with a date\n"

    def test_files_that_are_not_tracked_are_not_shown(self, history: Repository) -> None:
        history.write("docs/new.md", "new")
        history.write("ignored/new.md", "new")
        assert "new.md" not in run(history.path).stdout
        assert run(history.path / "ignored").stderr == "0 files, 0 with a date\nno file here is in the last commit\n"

    def test_files_that_are_changed_on_disk_are_marked(self, history: Repository) -> None:
        history.write("docs/changed.md", "three\n")
        history.write("docs/main.md", "staged\n")
        history.git("add", "docs/main.md")
        marked = [
            line.split()[2] for line in run(history.path / "docs").stdout.splitlines() if "(changed since)" in line
        ]
        assert marked == ["changed.md", "main.md"]

    @posix_only
    def test_a_link_in_the_repository_has_the_newer_date_of_itself_and_its_target(self, repository: Repository) -> None:
        for name, number in (("v1/p.md", 1), ("v2/p.md", 2)):
            repository.write(name, name)
            repository.commit(f"2026-01-0{number}T00:00:00Z")
        (repository.path / "docs").mkdir()
        for target, number in (("v1", 3), ("v2", 4)):
            for name, to in (("docs/page.md", f"../{target}/p.md"), ("docs/latest", f"../{target}")):
                (repository.path / name).unlink(missing_ok=True)
                (repository.path / name).symlink_to(to)
            repository.commit(f"2026-01-0{number}T00:00:00Z")
        page, folder = repository.path / "docs/page.md", repository.path / "docs/latest"
        assert days(page) == days(folder / "p.md") == {"p.md": "04"}
        assert days(folder) == {"p.md": "02"}
        assert days(repository.path / "docs") == {"page.md": "04", "latest": "04"}
        sha = repository.git("log", "-1", "--format=%H", "--", "docs/page.md")
        assert story(page) == [
            "docs/page.md",
            "  docs/page.md leads to v2/p.md by a symbolic link; the newest of them dates it: docs/page.md",
            f"  2026-01-04T00:00:00+00:00  {sha[:10]}  this changed it last: its date",
            "    a change",
        ]

        repository.write("v2/p.md", "new")
        newest = repository.commit("2026-01-05T00:00:00Z")
        assert records(page, "--plain")["page.md"]["commit"] == sha
        assert (story(page)[0], newest[:10] in story(page)[2]) == ("v2/p.md", True)
        assert sha[:10] in story(page, "--plain")[1]

    def test_a_shallow_clone_reports_missing_dates(
        self, history: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        history.write("docs/main.md", "again\n")
        history.commit("2026-01-09T10:00:00Z")
        history.git("clone", "--quiet", "--depth=2", f"file://{history.path}", str(tmp_path / "clone"))
        monkeypatch.chdir(tmp_path / "clone")
        result = run("docs", "--plain")
        assert result.exit_code == 0
        shown = {line.split()[2]: line for line in result.stdout.splitlines()}
        assert shown["main.md"].startswith("2026-01-09T10:00:00+00:00  ")
        assert shown["changed.md"] == f"{'-':25}  {'-':10}  changed.md  (older than the shallow clone)"
        assert result.stderr == (
            "6 files, 1 with a date; 5 older than the shallow clone\n"
            "to get the whole history, run git fetch --unshallow --filter=blob:none\n"
        )


def test_a_commit_with_a_wrong_clock_gives_no_date(repository: Repository) -> None:
    for name in "ab":
        repository.write(f"{name}.md", "one")
    repository.commit("2026-01-01T00:00:00Z")
    repository.write("b.md", "two")
    repository.commit("@9006804000 +0000")
    repository.write("c.md", "one")
    repository.commit("2026-01-02T00:00:00Z")
    assert records(repository.path)["b.md"] == records(repository.path / "b.md")["b.md"]
    assert records(repository.path)["b.md"]["reason"] == "committed with a wrong clock"
    assert days(repository.path, "--plain")["b.md"] == "01"
    assert story(repository.path / "b.md")[1].startswith("  2255-06-01T10:00:00+00:00  ")
    assert story(repository.path / "b.md")[1].endswith(
        "  no date: committed with a wrong clock, because this is more than a day later than the last commit"
    )


class TestJSON:
    """One object that maps each path to its record."""

    def test_of_a_folder(self, history: Repository) -> None:
        sha = history.git("log", "-1", "--format=%H", "--", "docs/changed.md")
        found = records(history.path)
        assert found["docs/changed.md"] == {"lastmod": "2026-01-02T10:00:00-03:30", "commit": sha, "reason": None}
        assert list(found) == sorted(found)
        assert set(found) == {name for name in history.git("ls-files", "-z").split("\0") if name}

    def test_of_an_empty_folder(self, history: Repository) -> None:
        (history.path / "empty").mkdir()
        assert records(history.path / "empty") == {}

    def test_why_there_is_no_date(self, history: Repository, tmp_path: Path) -> None:
        history.git("clone", "--quiet", "--depth=1", f"file://{history.path}", str(tmp_path / "clone"))
        assert records(tmp_path / "clone/docs/main.md") == {
            "main.md": {"lastmod": None, "commit": None, "reason": "older than the shallow clone"}
        }

    @pytest.mark.skipif(sys.platform != "linux", reason="the date of GNU, as on the runner of the workflow")
    def test_the_manual_lists_old_pages_from_it(self, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
        for name, when in (
            ("first.md", "2024-06-02T01:00:00+02:00"),
            ("later.md", "2024-06-01T23:30:00Z"),
            ("new.md", "2099-01-01T00:00:00Z"),
            ("wrong.md", "2099-12-01T00:00:00Z"),
        ):
            repository.write(f"docs/{name}", name)
            repository.commit(when)
        repository.write("other.md", "other")
        repository.commit("2099-01-01T00:00:00Z")
        monkeypatch.chdir(repository.path)
        Path("dates.txt").write_text(run("docs").stdout)
        manual = (Path(__file__).parents[2] / "docs/ci.md").read_text("utf-8")
        (rest,) = re.findall(r"^sitemap-plugins dates docs/ (.*)$", manual, re.MULTILINE)
        subprocess.run(["bash", "-c", f"cat dates.txt {rest}"], check=True)
        listed = [re.sub(" +[0-9a-f]{10} +", " ", line) for line in Path("old.md").read_text().splitlines()]
        assert listed == ["* 2024-06-01T23:30:00+00:00 later.md", "* 2024-06-02T01:00:00+02:00 first.md"]

    @posix_only
    def test_names_that_are_not_valid_text(self, repository: Repository) -> None:
        names = ["a\n\t.md", f"{ESCAPE}.md", "été.md", os.fsdecode(b"\xff.md"), 'q"\\.md', "\u202egnp.md"]
        for name in names:
            repository.write(name, "one")
        repository.commit("2026-01-01T00:00:00Z")
        result = run(repository.path, "--format", "json")
        assert set(json.loads(result.stdout)) == set(names) - {os.fsdecode(b"\xff.md")} | {r"\xff.md"}
        assert nothing_obeyed(result.stdout)
        json.dumps(json.loads(result.stdout), ensure_ascii=False).encode()


class TestRules:
    """Which commits count as a change, and whose date is used."""

    def test_plain_is_the_same_as_git_log(self, history: Repository) -> None:
        for name, record in records(history.path, "--plain").items():
            sha, when = history.git("log", "-1", "--format=%H %cI", "--", name).split()
            assert record["commit"] == sha
            assert datetime.fromisoformat(str(record["lastmod"])) == datetime.fromisoformat(when)
            assert str(record["lastmod"]).replace("+00:00", "Z") == when.replace("+00:00", "Z")

    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            (["--no-follow-renames"], "04 02 01 05 03 03"),
            (["--date", "landed"], "06 02 07 05 01 01"),
            (["--created"], "04 01 01 05 01 01"),
            (["--created", "--no-follow-renames"], "04 01 01 05 03 03"),
        ],
    )
    def test_options_choose_the_rules(self, history: Repository, options: list[str], expected: str) -> None:
        """They are those of tests/git."""
        assert " ".join(days(history.path / "docs", *options).values()) == expected

    def test_other_files_name_the_ignored_commits(self, history: Repository, tmp_path: Path) -> None:
        second = history.git("log", "-1", "--format=%H", "--", "docs/changed.md")
        (tmp_path / "one").write_text(second)
        (tmp_path / "two").write_text("# nothing\n")
        found = days(history.path / "docs", "--ignore-revs", tmp_path / "one", "--ignore-revs", tmp_path / "two")
        assert found["changed.md"] == "01"
        assert found["formatted.md"] == "07"

    def test_invalid_ids_are_reported(self, history: Repository) -> None:
        history.write(".git-blame-ignore-revs", f"{'0' * 40}\n{ESCAPE}\n")
        history.commit("2026-01-09T10:00:00Z")
        result = run(history.path / "docs")
        assert result.exit_code == 0
        note = r"note: line 2 of .git-blame-ignore-revs is not a full commit id: '\x1b[31m'; it is ignored"
        assert result.stderr.splitlines()[:-1] == [note]


class TestRefusals:
    """Options that exclude each other and impossible requests are explained in one sentence."""

    @pytest.mark.parametrize(
        "options",
        [
            *(("--date", kind) for kind in ("author", "landed", "committer")),
            *(("--no-follow-renames",), ("--created",), ("--ignore-revs", "{}")),
        ],
    )
    def test_plain_excludes_other_rules(self, history: Repository, options: tuple[str, ...]) -> None:
        file = history.path / "docs/main.md"
        message = refusal(history.path, "--plain", *(each.format(file) for each in options), status=2)
        assert message == "Error: --plain is exactly git log -1, so it cannot be combined with other rules"

    def test_landed_excludes_ignored_commits(self, history: Repository) -> None:
        message = refusal(history.path, "--date", "landed", "--ignore-revs", history.path / "docs/main.md", status=2)
        assert message == (
            "Error: --ignore-revs cannot be combined with --date landed: on the first-parent line, a merge hides the commits that it merged"
        )

    def test_record_needs_why(self, history: Repository) -> None:
        message = refusal(history.path, "--record", history.path / "docs/main.md", status=2)
        assert message == "Error: --record works only with --why"

    def test_why_needs_a_file(self, history: Repository) -> None:
        message = refusal(history.path / "docs", "--why", status=2)
        assert message == f"Error: --why explains a single file, and {history.path / 'docs'} is not a file"

    def test_why_excludes_what_is_for_several_files(self, history: Repository) -> None:
        message = refusal(history.path / "docs/main.md", "--why", "--format", "json", status=2)
        assert message == "Error: --why cannot be combined with --format json"

    @pytest.mark.parametrize("options", [(), ("--why",), ("--format", "json")])
    def test_a_file_that_is_not_tracked(self, history: Repository, options: tuple[str, ...]) -> None:
        path = history.write("docs/new.md", "new")
        assert refusal(path, *options).startswith(f"Error: {path} is not committed yet")

    def test_no_git(self, history: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "bin").mkdir()
        monkeypatch.setenv("PATH", str(tmp_path / "bin"))
        file = history.path / "docs/main.md"
        assert refusal(history.path) == f"Error: {history.path}: git is not installed"
        assert refusal(file, "--why") == f"Error: {file}: git is not installed"


class TestWhy:
    """The history of one file, as explained by ``--why``."""

    def test_of_a_file_that_was_changed(self, history: Repository) -> None:
        sha = history.git("log", "-1", "--format=%H", "--", "docs/changed.md")
        assert story(history.path / "docs/changed.md") == [
            "docs/changed.md",
            f"  2026-01-02T13:30:00+00:00  {sha[:10]}  this changed it last: its date",
            "    a change",
        ]

    def test_the_subject_of_the_commit_is_shown(self, repository: Repository) -> None:
        repository.write("a.md", "one")
        repository.commit("2026-01-01T00:00:00Z", f"Été {ESCAPE}\nand more\n\nA body")
        assert story(repository.path / "a.md")[2:] == [r"    Été \x1b[31m and more"]

    def test_a_commit_without_a_subject_has_none(self, repository: Repository) -> None:
        repository.write("a.md", "one")
        repository.git("add", "--all")
        repository.git("commit", "--quiet", "--allow-empty-message", "--message", "", when="2026-01-01T00:00:00Z")
        assert len(story(repository.path / "a.md")) == 2

    def test_of_a_catalogue(self, repository: Repository) -> None:
        repository.write("a.po", 'msgid "a"\nmsgstr "b"\n')
        repository.commit("2026-01-01T00:00:00Z")
        repository.write("a.po", '#: x\nmsgid "a"\nmsgstr "b"\n')
        repository.commit("2026-01-02T00:00:00Z")
        told = story(repository.path / "a.po")
        assert told[1].startswith("  2026-01-01T00:00:00+00:00  ")
        assert told[-1] == "  commits that changed no visible translation are ignored, and not listed here"
        assert len(story(repository.path / "a.po", "--plain")) == 3

    def test_of_a_file_that_was_renamed(self, history: Repository) -> None:
        renamed = history.git("log", "-1", "--format=%H", "--", "docs/moved in.md")
        why = "renamed from elsewhere.md with the same content, which does not count as a change: ignored"
        told = story(history.path / "docs/moved in.md")
        assert told[1] == f"  2026-01-03T10:00:00+00:00  {renamed[:10]}  {why}"
        assert told[2].startswith("  2026-01-01T09:00:00+00:00  ")

    def test_of_a_file_that_an_ignored_commit_changed(self, history: Repository) -> None:
        ignored = history.git("log", "-1", "--format=%H", "--", "docs/formatted.md")
        title, passed, verdict, _ = story(history.path / "docs/formatted.md")
        assert title == "docs/formatted.md"
        assert passed == (f"  2026-01-07T10:00:00+00:00  {ignored[:10]}  listed as a commit to ignore: ignored")
        assert verdict.startswith("  2026-01-01T09:00:00+00:00  ")

    def test_of_a_file_that_was_moved_with_edits_and_changed_its_mode(self, repository: Repository) -> None:
        """The message of its commit is shown whatever encoding is configured for the output of git."""
        repository.write("old.md", long_text("old.md"))
        first = repository.commit("2026-01-01T00:00:00Z", "Größe")
        repository.git("mv", "old.md", "new.md")
        repository.write("new.md", f"{long_text('old.md')}\nmore")
        moved = repository.commit("2026-01-02T00:00:00Z")
        repository.git("update-index", "--chmod=+x", "new.md")
        repository.git("commit", "--quiet", "--message=mode", when="2026-01-03T00:00:00Z")
        mode = repository.git("rev-parse", "HEAD")
        repository.write(".git-blame-ignore-revs", moved)
        repository.git("add", ".git-blame-ignore-revs")
        repository.git("commit", "--quiet", "--message=ignored", when="2026-01-04T00:00:00Z")
        repository.git("config", "i18n.logOutputEncoding", "ISO-8859-1")
        why = "renamed from old.md with edits, and listed as a commit to ignore: ignored"
        assert story(repository.path / "new.md")[1:5] == [
            f"  2026-01-03T00:00:00+00:00  {mode[:10]}  only the file mode changed: ignored",
            f"  2026-01-02T00:00:00+00:00  {moved[:10]}  {why}",
            f"  2026-01-01T00:00:00+00:00  {first[:10]}  this added it: its date",
            "    Größe",
        ]

    @pytest.mark.parametrize(
        ("content", "new", "copies", "is_told"),
        [
            ("x" * 149, "docs/new.md", (), True),
            ("x" * 300, "docs/new.md", ("copy.md",), True),
            ("x" * 149, "other/docs/old.md", (), False),
            ("x" * 300, "docs/new.md", (), False),
        ],
        ids=["short", "not the only one", "in another folder", "long"],
    )
    def test_of_a_file_whose_new_name_counts_as_a_change(
        self, repository: Repository, content: str, new: str, copies: tuple[str, ...], is_told: bool
    ) -> None:
        for name in ("docs/old.md", *copies):
            repository.write(name, content)
        repository.commit("2026-01-01T00:00:00Z")
        (repository.path / new).parent.mkdir(parents=True, exist_ok=True)
        repository.git("mv", "docs/old.md", new)
        moved = repository.commit("2026-01-02T00:00:00Z", "Rename")
        told = story(repository.path / new)
        rule = (
            "  the same commit removed docs/old.md, which had the same content: a new name counts as a change if the "
            "content has fewer than 256 bytes, or is also that of another file"
        )
        dated = [f"  2026-01-02T00:00:00+00:00  {moved[:10]}  this added it: its date", "    Rename", rule]
        assert (told[1:] == dated) == is_told
        assert (rule in told) == is_told

    def test_of_a_file_that_is_changed_on_disk(self, history: Repository) -> None:
        history.write("docs/main.md", "changed")
        told = story(history.path / "docs/main.md")
        assert told[-1] == "  the file on disk differs from the last commit; that change has no date yet"

    def test_of_a_file_older_than_the_clone(
        self, history: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        history.git("clone", "--quiet", "--depth=1", f"file://{history.path}", str(tmp_path / "clone"))
        told = story(tmp_path / "clone/docs/main.md")
        assert told == [
            "docs/main.md",
            f"  {'-':25}  {'-':10}  no date: older than the shallow clone",
            "  to get the whole history, run git -C clone fetch --unshallow",  # renames in ignored commits need contents
        ]

    def test_with_rules(self, history: Repository) -> None:
        assert len(story(history.path / "docs/new name.md", "--no-follow-renames")) == 3
        assert len(story(history.path / "docs/formatted.md", "--plain")) == 3
        landed = story(history.path / "docs/branch.md", "--date", "landed")[1]
        assert landed.startswith("  2026-01-06T10:00:00+00:00  ")
        assert landed.endswith("  this added it, or brought it to the first-parent line: its date")
        assert story(history.path / "docs/changed.md", "--created")[1].endswith("  this created it: its date")

    def test_the_author_s_dates(self, repository: Repository) -> None:
        repository.write("a.md", long_text("a.md"))
        rebuild_author(repository, "2026-01-05T00:00:00Z", "2026-01-01T00:00:00Z")
        repository.git("mv", "a.md", "b.md")
        rebuild_author(repository, "2026-01-06T00:00:00Z", "2026-01-02T00:00:00Z")
        told = story(repository.path / "b.md", "--date", "author")
        assert [line[2:12] for line in told[1:-1]] == ["2026-01-02", "2026-01-01"]


def record_of(repository: Repository, *pages: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The record that a build writes for these pages."""
    return {
        "by": "written by sitemap-plugins",
        "version": 1,
        "date": "committer",
        "follow_renames": True,
        "base": X,
        "repositories": {".": {"head": repository.git("rev-parse", "HEAD")}},
        "pages": list(pages),
    } | changes


def page_of(repository: Repository, path: str, name: str = "", /, **changes: Any) -> dict[str, Any]:
    """The record for the page of a file; values that are None are left out."""
    seconds = repository.git("log", "-1", "--format=%ct", "--", path)
    name = name or path.removeprefix("docs/")
    page = {
        "loc": f"{X}{name.removesuffix('.md')}/",
        "document": f"docs/{name}",
        "lastmod": datetime.fromtimestamp(int(seconds), UTC).isoformat().replace("+00:00", "Z"),
        "source": "git",
        "path": path,
    } | changes
    return {name: value for name, value in page.items() if value is not None}


@pytest.fixture
def write_record(tmp_path: Path) -> Callable[[object], Path]:
    """Write record: a value as JSON, or bytes unchanged."""

    def write(content: object) -> Path:
        path = tmp_path / "record.json"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    return write


class TestWhyWithRecord:
    """What the record of a build adds to the history of a file."""

    @pytest.fixture
    def told(self, history: Repository, write_record: Callable[[object], Path]) -> Callable[..., list[str]]:
        def tell(path: str, *pages: dict[str, Any]) -> list[str]:
            file = write_record(record_of(history, *pages))
            return story(history.path / path, "--record", file)[3:]

        return tell

    def test_a_page_with_the_date_of_the_file(self, history: Repository, told: Callable[..., list[str]]) -> None:
        page = page_of(history, "docs/main.md")
        other = page_of(history, "docs/changed.md")
        assert told("docs/main.md", page, other) == [f"  {X}main/ has the date 2026-01-05T10:00:00Z of this file"]

    def test_a_page_with_the_date_of_a_newer_file(self, history: Repository, told: Callable[..., list[str]]) -> None:
        page = page_of(history, "docs/main.md", "changed.md")
        assert told("docs/changed.md", page) == [
            f"  {X}changed/ has the date 2026-01-05T10:00:00Z of docs/main.md, which the page includes"
        ]
        assert told("docs/main.md", page) == [f"  {X}changed/ has the date 2026-01-05T10:00:00Z of this file"]

    def test_a_date_from_a_rule(self, told: Callable[..., list[str]]) -> None:
        page = {"loc": f"{X}main/", "document": "docs/main.md", "lastmod": "2026-01-20", "source": "rule"}
        assert told("docs/main.md", page) == [f"  {X}main/ has the date 2026-01-20 (rule)"]

    def test_a_page_without_a_date(self, told: Callable[..., list[str]]) -> None:
        page = {"loc": f"{X}main/", "document": "docs/main.md"}
        assert told("docs/main.md", page) == [f"  {X}main/ has no date"]

    def test_invalid_record(self, history: Repository, write_record: Callable[[object], Path]) -> None:
        file = write_record(b"nothing")
        assert refusal(history.path / "docs/main.md", "--why", "--record", file) == f"Error: {file}: it is not JSON"


@posix_only
class TestNames:
    """File names that a terminal would interpret or cannot show."""

    NAMES = (b"a\nb.md", b"a\tb.md", b"\x1b]0;title\x07.md", b"\xff.md", "\u202egnp.md".encode(), "\x9b31m.md".encode())

    @pytest.fixture
    def hostile(self, repository: Repository) -> Repository:
        for name in self.NAMES:
            repository.write(os.fsdecode(name), long_text(ascii(name)))
        repository.commit("2026-01-01T00:00:00Z")
        return repository

    def test_each_hostile_name_has_one_line(self, hostile: Repository) -> None:
        assert [line[39:] for line in run(hostile.path).stdout.splitlines()] == [
            r"\x1b]0;title\x07.md", r"a\tb.md", r"a\nb.md", r"\x9b31m.md", r"\u202egnp.md", r"\udcff.md",
        ]  # fmt: skip

    @pytest.mark.parametrize("name", NAMES)
    def test_hostile_names_with_why(self, hostile: Repository, name: bytes) -> None:
        new = b"new" + name
        (hostile.path / os.fsdecode(name)).rename(hostile.path / os.fsdecode(new))
        hostile.commit("2026-01-02T00:00:00Z")
        told = story(f"{hostile.path}/{os.fsdecode(new)}")
        assert len(told) == 4
        assert nothing_obeyed("".join(told))

    @pytest.mark.parametrize("options", [("--why",), ()])
    def test_a_name_on_the_command_line_that_is_not_valid_text(
        self, hostile: Repository, options: tuple[str, ...]
    ) -> None:
        command = program(os.fsencode(hostile.path) + b"/\xff.md", *options)
        done = subprocess.run(command, check=True, capture_output=True, timeout=600)
        assert rb"\udcff.md" in done.stdout


class TestProgress:
    """Progress is shown only on a terminal, and only if the command takes a while."""

    @posix_only
    def test_on_a_real_terminal(self, history: Repository, waiting_git: Callable[[], Path]) -> None:
        import pty

        expected = run(history.path / "docs").stdout
        folder = waiting_git()
        terminal, stderr = pty.openpty()
        with subprocess.Popen(
            program(history.path / "docs"),
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=os.environ | {"TERM": "xterm", "COLUMNS": "80"},
        ) as process:
            os.close(stderr)
            shown = b""
            for chunk in read_terminal(terminal):
                shown += chunk
                if b"dating files" in shown or b"reading the history" in shown:
                    (folder / "go").touch()
            printed = process.communicate(timeout=600)[0]
        os.close(terminal)
        assert shown.endswith(b"6 files, 6 with a date\r\n")
        assert printed.decode() == expected


@pytest.fixture
def waiting_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Path]:
    """Replace git by one that shows a history when the returned folder has a file named "go".

    The file "started" there has the ids of its processes.
    """
    real = shutil.which("git")

    def replace() -> Path:
        folder = tmp_path / "bin"
        folder.mkdir()
        script = folder / "git"
        script.write_text(
            f'#!/bin/sh\ncase " $* " in\n*" log "*)\necho $$ >> "{folder}/started"\n'
            f'while [ ! -e "{folder}/go" ]; do sleep 0.05; done;;\nesac\nexec {real} "$@"\n'
        )
        script.chmod(0o755)
        monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
        return folder

    return replace


def is_running(process: int) -> bool:
    """Whether the process runs; a zombie does not."""
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], check=False, capture_output=True, text=True)
    return bool(done.stdout.strip()) and not done.stdout.startswith("Z")


@posix_only
@pytest.mark.skipif(shutil.which("ps") is None, reason="needs ps")
@pytest.mark.parametrize("mode", ["table", "why"])
def test_an_interrupt_leaves_no_git_behind(mode: str, history: Repository, waiting_git: Callable[[], Path]) -> None:
    """The signal goes to the program alone, as from an editor or a task runner; a terminal also sends it to git."""
    arguments = {"table": (history.path,), "why": (history.path / "docs/main.md", "--why")}
    started = waiting_git() / "started"
    with interruptible():
        process = subprocess.Popen(
            program(*arguments[mode]), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
    with process:
        limit = time.monotonic() + 600
        while not (started.exists() and started.read_text().endswith("\n")):
            assert time.monotonic() < limit
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        try:
            printed, said = process.communicate(timeout=600)
        finally:
            git = [int(line) for line in started.read_text().split()]
            left = [each for each in git if is_running(each)]
            for each in left:
                os.kill(each, signal.SIGKILL)
    assert left == []
    assert process.returncode == 130
    assert printed == ""
    assert "Traceback" not in said
