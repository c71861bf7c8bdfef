"""Ignored commits, listed in a file or by the author."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sitemap_plugins.git.history import DateRules, HistoryReader
from sitemap_plugins.git.repository import IGNORE_REVS
from sitemap_plugins.git.walk import SkippedCommit
from sitemap_plugins.reading import IGNORED_COMMITS
from tests.builders import long_text
from tests.git.histories import day, days

if TYPE_CHECKING:
    from tests.conftest import Repository


@pytest.fixture
def formatted(repository: Repository) -> Repository:
    """Two pages of the 1st and the 2nd. On the 3rd both are formatted, and a third one is added."""
    for number, name in ((1, "docs/a.md"), (2, "docs/b.md")):
        repository.write(name, long_text(name))
        repository.commit(day(number))
    for name in ("docs/a.md", "docs/b.md", "docs/new.md"):
        repository.write(name, long_text(f"{name}, formatted"))
    repository.commit(day(3))
    return repository


IGNORED = {"a.md": "1", "b.md": "2", "new.md": "3"}
COUNTED = {"a.md": "3", "b.md": "3", "new.md": "3"}


class TestTheFileInTheRepository:
    @pytest.mark.parametrize("folder", ["docs", "."])
    def test_it_is_found(self, folder: str, formatted: Repository) -> None:
        formatted.write(IGNORE_REVS, f"# all formatted\n\n{formatted.git('rev-parse', 'HEAD')}  # at last\n")
        formatted.commit(day(4))

        found = days(formatted.path / folder)
        assert {
            name.removeprefix("docs/"): each for name, each in found.items() if "docs" in name or folder == "docs"
        } == IGNORED

    def test_it_can_be_turned_off(self, formatted: Repository) -> None:
        formatted.write(IGNORE_REVS, formatted.git("rev-parse", "HEAD"))
        formatted.commit(day(4))

        assert days(formatted.path / "docs", ignore_revs=()) == COUNTED

    def test_it_is_read_from_the_commit(self, formatted: Repository) -> None:
        """Two builds of one commit have the same dates, whatever is on disk."""
        sha = formatted.git("rev-parse", "HEAD")
        formatted.write(IGNORE_REVS, sha)
        assert days(formatted.path / "docs") == COUNTED

        formatted.commit(day(4))
        (formatted.path / IGNORE_REVS).unlink()
        assert days(formatted.path / "docs") == IGNORED
        before = HistoryReader(formatted.path / "docs", rules=DateRules(), revision=sha).history().files
        assert {name.decode(): str(date.when and date.when.day) for name, date in before.items()} == COUNTED

    @pytest.mark.parametrize("place", ["docs", "docs/guide", ".git"])
    def test_only_in_the_top_folder(self, place: str, formatted: Repository) -> None:
        formatted.write(f"{place}/{IGNORE_REVS}", formatted.git("rev-parse", "HEAD"))
        formatted.commit(day(4))

        assert days(formatted.path / "docs", (".md",)) == COUNTED

    def test_a_folder_of_that_name(self, formatted: Repository) -> None:
        formatted.write(f"{IGNORE_REVS}/file", formatted.git("rev-parse", "HEAD"))
        formatted.commit(day(4))

        assert days(formatted.path / "docs") == COUNTED

    def test_it_is_found_in_a_worktree(self, formatted: Repository, tmp_path: Path) -> None:
        worktree = tmp_path / "worktree"
        formatted.git("worktree", "add", "--quiet", "--detach", str(worktree))
        (worktree / IGNORE_REVS).write_text(formatted.git("rev-parse", "HEAD"), encoding="ascii")
        formatted.git("-C", str(worktree), "add", IGNORE_REVS)
        formatted.git("-C", str(worktree), "commit", "--quiet", "--message=ids", when=day(4))

        assert days(worktree / "docs") == IGNORED
        assert days(formatted.path / "docs") == COUNTED

    def test_one_that_is_too_large(self, formatted: Repository) -> None:
        formatted.write(IGNORE_REVS, b"#" * (IGNORED_COMMITS.size + 1))
        formatted.commit(day(4))
        assert HistoryReader(formatted.path, rules=DateRules()).history().ignore_file_problems == (
            f"{IGNORE_REVS} is not read: it is larger than 8 MiB, the limit for a file with commits to ignore",
        )

    def test_git_blame_accepts_the_same_file(self, formatted: Repository) -> None:
        formatted.write(IGNORE_REVS, f"# one\n{formatted.git('rev-parse', 'HEAD')} # two\n")
        formatted.commit(day(4))
        options = ("--ignore-revs-file", IGNORE_REVS, "--porcelain")

        for name, number in (("a.md", 3), ("b.md", 2), ("new.md", 1)):
            line = formatted.git("blame", *options, "--", f"docs/{name}").split()[0]
            date = HistoryReader(formatted.path / "docs", rules=DateRules()).history().files[name.encode()]
            assert date.commit == line == formatted.git("rev-parse", f"HEAD~{number}")


class TestFilesOfTheAuthor:
    def test_they_replace_the_default_file(self, formatted: Repository, tmp_path: Path) -> None:
        formatted.write(IGNORE_REVS, "nonsense, and nobody looks")
        formatted.commit(day(4))
        file = tmp_path / "revs"
        file.write_text(formatted.git("rev-parse", "HEAD~1"), encoding="ascii")

        assert days(formatted.path / "docs", ignore_revs=(str(file),)) == IGNORED
        rules = DateRules(ignore_revs=(str(file),))
        assert HistoryReader(formatted.path / "docs", rules=rules).history().ignore_file_problems == ()

    def test_several(self, formatted: Repository, tmp_path: Path) -> None:
        formatted.write("docs/a.md", "formatted again")
        formatted.commit(day(4))
        files = []
        for number in (0, 1):
            file = tmp_path / f"revs {number}"
            file.write_text(formatted.git("rev-parse", f"HEAD~{number}"), encoding="ascii")
            files.append(str(file))

        assert days(formatted.path / "docs", ignore_revs=tuple(files)) == IGNORED
        assert days(formatted.path / "docs", ignore_revs=(files[0],)) == COUNTED

    def test_a_missing_one(self, formatted: Repository, tmp_path: Path) -> None:
        files = [str(tmp_path / "no such file"), str(tmp_path)]
        history = HistoryReader(formatted.path / "docs", rules=DateRules(ignore_revs=tuple(files))).history()

        first, second = history.ignore_file_problems
        assert first == f"{files[0]} cannot be read: {os.strerror(2)}"
        assert second.startswith(f"{files[1]} cannot be read: ")
        assert len(history.files) == 3


class TestWhatCounts:
    def test_an_ignored_commit_that_adds_a_file(self, formatted: Repository, revs: Any) -> None:
        shas = formatted.git("rev-list", "HEAD").split()

        assert days(formatted.path / "docs", ignore_revs=revs(*shas)) == IGNORED

    @pytest.mark.parametrize("old", ["docs/a.md", "src/c.md"])
    def test_a_rename_with_edits_by_an_ignored_commit(self, old: str, formatted: Repository, revs: Any) -> None:
        formatted.write("src/c.md", long_text("src/c.md"))
        formatted.commit(day(4))
        formatted.git("mv", old, "docs/z.md")
        text = (formatted.path / "docs/z.md").read_text(encoding="utf-8")
        formatted.write("docs/z.md", f"{text}\nmore")
        formatted.write("docs/new too.md", "nothing that was there before")
        sha = formatted.commit(day(5))
        reported: dict[bytes, SkippedCommit] = {}

        found = days(formatted.path / "docs", ignore_revs=revs(sha))

        assert (found["z.md"], found["new too.md"]) == ("3" if old == "docs/a.md" else "4", "5")
        HistoryReader(
            formatted.path / "docs", rules=DateRules(ignore_revs=revs(sha)), on_skip=reported.__setitem__
        ).history()
        (skipped,) = reported.values()
        assert (skipped.why, skipped.old_path.decode()) == ("renamed and edited", old)
        for rules in ({"follow_renames": False}, {"ignore_revs": ()}):
            assert days(formatted.path / "docs", **{"ignore_revs": revs(sha), **rules})["z.md"] == "5"

    def test_a_rename_with_edits_never_takes_the_old_name_of_another_file(
        self, formatted: Repository, revs: Any
    ) -> None:
        """Git alone would find another pair with the same content, so it has no other name left for the last file."""
        for name in ("docs/one/x.md", "docs/two/x.md"):
            formatted.write(name, "the same short text")
        formatted.commit(day(4))
        formatted.git("rm", "--quiet", "-r", "docs/one", "docs/two")
        formatted.write("docs/n/two/x.md", "the same short text")
        formatted.write("docs/y.md", "the same short text")
        sha = formatted.commit(day(5))

        found = days(formatted.path / "docs", ignore_revs=revs(sha))

        assert (found["n/two/x.md"], found["y.md"]) == ("4", "5")

    def test_a_rename_with_edits_in_a_clone_without_contents(
        self, formatted: Repository, clone: Any, revs: Any, tmp_path: Path
    ) -> None:
        """Git cannot compare them, so the file is new. All other dates are right."""
        formatted.git("mv", "docs/a.md", "docs/z.md")
        text = (formatted.path / "docs/z.md").read_text(encoding="utf-8")
        formatted.write("docs/z.md", f"{text}\nmore")
        sha = formatted.commit(day(5))
        target = clone("--filter=blob:none", "--no-checkout")
        formatted.path.rename(tmp_path / "out of reach")

        assert days(target, ignore_revs=revs(sha)) == {"docs/b.md": "3", "docs/new.md": "3", "docs/z.md": "5"}

    def test_skipped_commits_are_reported(self, formatted: Repository, revs: Any) -> None:
        sha = formatted.git("rev-parse", "HEAD")
        passed: dict[bytes, SkippedCommit] = {}

        HistoryReader(
            formatted.path / "docs", rules=DateRules(ignore_revs=revs(sha)), on_skip=passed.__setitem__
        ).history()

        assert {name: (skipped.why, skipped.commit.sha.decode()) for name, skipped in passed.items()} == {
            b"docs/a.md": ("ignored", sha),
            b"docs/b.md": ("ignored", sha),
        }
        assert {skipped.parent.decode() for skipped in passed.values()} == {formatted.git("rev-parse", "HEAD~1")}
