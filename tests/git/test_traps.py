"""Everything known to have misled readers of git's history to a wrong date, one test each."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.git.histories import add_commit, day, git_says, same_as_git, we_say

if TYPE_CHECKING:
    from tests.conftest import Repository


class TestHistories:
    """The expected value of each file is the day of February on which it changed according to git."""

    def test_subtree_merge(self, repository: Repository, new_repository: Any) -> None:
        other = new_repository("other")
        other.write("a.md", "one")
        other.write("guide/b.md", "one")
        other.commit(day(2))
        repository.write("setup.cfg", "one")
        repository.commit(day(3))
        repository.git("fetch", "--quiet", str(other.path), "main")
        _merge(repository, 4, "--strategy=ours", "--no-commit", "--allow-unrelated-histories", "FETCH_HEAD")
        repository.git("read-tree", "--prefix=docs/", "-u", "FETCH_HEAD")
        repository.commit(day(4))
        other.write("a.md", "two")
        other.commit(day(5))
        repository.git("fetch", "--quiet", str(other.path), "main")
        _merge(repository, 6, "--strategy-option=subtree=docs", "FETCH_HEAD")

        assert same_as_git(repository.path / "docs") == {"a.md": "6", "guide/b.md": "4"}

    def test_octopus_merge(self, repository: Repository) -> None:
        for name in "abcd":
            repository.write(f"docs/{name}.md", "one")
        repository.commit(day(1))
        for number, name in enumerate("abc", start=2):
            _branch(repository, name, start="main")
            repository.write(f"docs/{name}.md", "two")
            repository.commit(day(number))
        repository.git("checkout", "--quiet", "main")
        _merge(repository, 5, "--no-ff", "a", "b", "c")

        assert len(repository.git("rev-parse", "HEAD^@").split()) == 4
        assert same_as_git(repository.path / "docs") == {"a.md": "2", "b.md": "3", "c.md": "4", "d.md": "1"}

    def test_deleted_and_added_again(self, repository: Repository) -> None:
        for number, content in ((1, "one"), (2, None), (3, "one")):
            if content:
                repository.write("docs/a.md", content)
            else:
                (repository.path / "docs" / "a.md").unlink()
            repository.write("docs/b.md", "one")
            repository.commit(day(number))

        assert same_as_git(repository.path / "docs") == {"a.md": "3", "b.md": "1"}

    def test_folder_that_becomes_a_file_and_a_file_that_becomes_a_folder(self, repository: Repository) -> None:
        repository.write("docs/a", "one")
        repository.write("docs/b/c.md", "one")
        repository.commit(day(1))
        repository.git("rm", "--quiet", "-r", "docs")
        repository.write("docs/a/c.md", "one")
        repository.write("docs/b", "one")
        repository.commit(day(2))

        assert same_as_git(repository.path / "docs") == {"a/c.md": "2", "b": "2"}

    @pytest.mark.parametrize("new_name", ["docs/A.md", "docs/another.md"])
    def test_rename(self, new_name: str, repository: Repository) -> None:
        repository.write("docs/a.md", "one")
        repository.commit(day(1))
        repository.git("mv", "docs/a.md", new_name)
        repository.commit(day(2))

        assert same_as_git(repository.path / "docs") == {new_name[5:]: "2"}

    def test_clocks_that_ran_backwards(self, repository: Repository) -> None:
        repository.write("docs/a.md", "one")
        repository.commit(day(9))
        _branch(repository, "side", start="main")
        repository.write("docs/a.md", "two")
        repository.commit(day(2))
        repository.git("checkout", "--quiet", "main")
        repository.write("docs/b.md", "one")
        repository.commit(day(8))
        _merge(repository, 1, "side")

        assert same_as_git(repository.path / "docs") == {"a.md": "2", "b.md": "8"}


class TestCommits:
    """Commits that look odd in git's output."""

    MESSAGES = (
        "",
        "commit 1234",
        "commit 1111111111111111111111111111111111111111 2222222222222222222222222222222222222222",
        ":100644 100644 1111111 2222222 M",
        "a\n\ncommitter A <a@b> 1 +0000\n\n:000000 100644 0000000 2222222 A\tdocs/a.md",
        "a\n\n\n:100644 100644 1111111 2222222 M\n",
        " (from 1111111)\x1b[31m \u2028 \r \x0b",
    )

    @pytest.mark.parametrize("message", MESSAGES)
    def test_message(self, message: str, repository: Repository) -> None:
        repository.write("docs/a.md", "one")
        repository.commit(day(1))
        for number, name in ((2, "docs/b.md"), (3, "README.md")):
            repository.write(name, "one")
            repository.git("add", "--all")
            command = ("commit", "--quiet", "--cleanup=verbatim", "--allow-empty-message", "--file=-")
            repository.git(*command, when=day(number), input=message.encode())

        assert repository.git("log", "-1", "--format=%B").strip() == message.strip()
        assert same_as_git(repository.path / "docs") == {"a.md": "1", "b.md": "2"}

    @pytest.mark.parametrize(
        "who",
        ["A > B <a@b>", "A <<a@b>>", "<a@b> <c@d>", " <>", "1 +0000 <1 +0000>", "Ünï <é@ß>", "committer <a@b\\n>"],
    )
    @pytest.mark.parametrize("zone", ["+0100", "-0330", "+1400"])
    def test_committer(self, who: str, zone: str, repository: Repository) -> None:
        add_commit(repository, f"author {who} 1 {zone}", f"committer {who} 1700000000 {zone}")

        assert git_says(repository.path / "docs")[b"a.md"][1].startswith("2023-11-1")
        assert we_say(repository.path / "docs") == git_says(repository.path / "docs")

    @pytest.mark.parametrize(
        "committer",
        [
            "A <a@b> 1771146000 -0000",
            "A <a@b>   1771146000 +0100",
            "A <a@b>1771146000 +0100",
            "<a@b> 1771146000 +0100",
            "A <a@b> 1771146000 +01",
            "A <a@b> 1771146000 +1",
            "A <a@b>",
            "A <a@b> yesterday",
            "A <a@b> -1771146000 +0000",
            "A <a@b> 1771146000x +0000",
            "A <a@b> 0x10 +0000",
            "A",
        ],
    )
    def test_a_date_that_git_cannot_read_is_missing(self, committer: str, repository: Repository) -> None:
        person = "author A <a@b> 1 +0000"
        add_commit(repository, person, f"committer {committer}", message="1600000000 things\n")
        seconds = repository.git("log", "-1", "--format=%ct", "--", "docs/a.md")

        ((_, when),) = we_say(repository.path / "docs").values()

        assert (when and str(int(datetime.fromisoformat(when).timestamp()))) == (seconds or None)

    @pytest.mark.parametrize("message", ["", "\n", "no empty line before it", "\n\0\n"])
    @pytest.mark.parametrize("header", [":odd", ":100644 100644 a b M", "commit 1234", "gpgsig a\n :b"])
    def test_a_commit_that_ends_with_its_headers(self, header: str, message: str, repository: Repository) -> None:
        for number, name in ((1, "docs/b.md"), (2, "docs/c.md")):
            repository.write(name, "one")
            repository.commit(day(number))
        person = "A <a@b> 1771146000 +0100"
        for name in ("README.md", "docs/a.md"):
            add_commit(
                repository, f"author {person}", f"committer {person}", header, name=name, message=message, is_raw=True
            )

        assert same_as_git(repository.path / "docs") == {"a.md": "15", "b.md": "1", "c.md": "2"}

    @pytest.mark.parametrize(
        "headers",
        [
            "gpgsig -----BEGIN PGP SIGNATURE-----\n \n committer A <a@b> 1 +0000\n -----END PGP SIGNATURE-----",
            "mergetag object 1111111111111111111111111111111111111111\n type commit\n tag v1\n tagger A <a@b> 1 +0000\n \n commit 1234\n :100644 100644 1 2 M\n -----BEGIN PGP SIGNATURE-----\n =",
            "encoding ISO-8859-1",
            "encoding no-such-encoding",
            "committers A <a@b> 1 +0000",
            ":odd header",
        ],
    )
    def test_further_headers(self, headers: str, repository: Repository) -> None:
        person = "A <a@b> 1771146000 +0100"
        add_commit(repository, f"author {person}", f"committer {person}", headers)

        assert same_as_git(repository.path / "docs") == {"a.md": "15"}

    def test_long_hashes(self, repository: Repository, tmp_path: Path, new_repository: Any) -> None:
        repository.git("init", "--quiet", "--object-format=sha256", "--initial-branch=main", str(tmp_path / "long"))
        long = new_repository("long")
        for number, name in ((1, "docs/a.md"), (2, "docs/b.md")):
            long.write(name, "one")
            long.commit(day(number))

        assert len(long.git("rev-parse", "HEAD")) == 64
        assert same_as_git(long.path / "docs") == {"a.md": "1", "b.md": "2"}


def _branch(repository: Repository, name: str, *, start: str) -> None:
    repository.git("checkout", "--quiet", "-b", name, start)


def _merge(repository: Repository, number: int, *arguments: str) -> None:
    repository.git("merge", "--quiet", "--message", "a merge", *arguments, when=day(number))
