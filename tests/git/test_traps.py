"""What has misled readers of git's history to a wrong date, one test each, and names and places git treats apart."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sitemap_plugins.git.history import HistoryReader
from tests.conftest import Repository
from tests.git.histories import Planned, add_commit, day, git_says, import_histories, same_as_git, we_say

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


posix_only = pytest.mark.skipif(os.name == "nt", reason="names that Windows does not allow")
NAMES = (
    b"new\nline.md",
    b"tab\t.md",
    b'"quoted".md',
    b"back\\slash.md",
    b"\xff\xfe latin.md",
    "é ü 日本.md".encode(),
    b"-leading.md",
    b"--all",
    b":100644 100644 a b M",
    b":(glob)*.md",
    b":!a.md",
    b"commit 1234.md",
    b"[a]*.md",
    b"?.md",
    b"a.md",
    b"HEAD",
    b" ",
    b"deep/\n/[b]/c.md",
)


class TestNames:
    def test_files(self, repository: Repository) -> None:
        """The n-th file was last changed by the n-th commit."""
        tree: dict[bytes, tuple[str, bytes]] = {b"docs/" + name: ("100644", b"") for name in NAMES}
        commits = []
        for number, name in enumerate(NAMES):
            tree = tree | {b"docs/" + name: ("100644", b"one")}
            commits.append(Planned(tree, (number - 1,) if number else (), when=f"{1_700_000_000 + number} +0000"))
        import_histories(repository, [commits])
        docs = repository.path / "docs"
        docs.mkdir()

        ours = we_say(docs)

        assert ours == git_says(docs)
        assert sorted(ours, key=lambda name: ours[name][1]) == list(NAMES)

    @posix_only
    @pytest.mark.parametrize("folder", ["[d]ocs", "-docs", "d ocs", "dö\tcs", "docs\\", '"docs"', ":docs", "do\ncs"])
    def test_folder(self, folder: str, repository: Repository) -> None:
        repository.write(f"{folder}/a.md", "one")
        repository.write("docs/a.md", "one")
        repository.commit(day(1))
        repository.write(f"{folder}/b.md", "one")
        repository.write("d/b.md", "one")
        repository.commit(day(2))

        assert same_as_git(repository.path / folder) == {"a.md": "1", "b.md": "2"}

    def test_requested_files(self, repository: Repository) -> None:
        tree = {b"docs/" + name: ("100644", b"one") for name in NAMES}
        import_histories(repository, [[Planned(tree), Planned(tree | {b"b": ("100644", b"")}, (0,))]])

        for name in NAMES:
            files = HistoryReader(repository.path, files=[b"docs/" + name]).history().files

            assert {each: date.commit for each, date in files.items()} == {
                b"docs/" + name: repository.git("rev-parse", "h0~1")
            }


class TestPlaces:
    """Where the documents are, and where the environment variables say they are."""

    @pytest.fixture
    def written(self, repository: Repository) -> Repository:
        for number, name in enumerate(["a.md", "docs/a.md", "docs/guide/a.md", "docs2/a.md"], start=1):
            repository.write(name, "one")
            repository.commit(day(number))
        return repository

    def test_relative_folder(self, written: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(written.path)
        history = HistoryReader("docs").history()

        assert set(history.files) == {b"a.md", b"guide/a.md"}
        assert history.directory == os.path.realpath(written.path / "docs")

    def test_folder_that_is_not_committed(self, written: Repository) -> None:
        new = written.write("new/a.md", "one")
        history = HistoryReader(new.parent).history()

        assert not history.files
        assert history.problem is None
        assert history.newest is not None

    def test_worktree(self, written: Repository, tmp_path: Path) -> None:
        written.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "worktree"), "HEAD~1")

        assert same_as_git(tmp_path / "worktree") == {"a.md": "1", "docs/a.md": "2", "docs/guide/a.md": "3"}

    @pytest.fixture
    def site(self, written: Repository, new_repository: Any) -> Repository:
        """A repository with the written one as its submodule ``content``."""
        site = new_repository("site")
        site.write("index.md", "one")
        site.commit(day(10))
        site.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(written.path), "content")
        site.commit(day(11))
        return site

    def test_submodule(self, site: Repository) -> None:
        assert same_as_git(site.path / "content" / "docs") == {"a.md": "2", "guide/a.md": "3"}
        assert same_as_git(site.path) == {"index.md": "10", ".gitmodules": "11"}

    def test_submodule_with_the_setting_ignore(self, site: Repository) -> None:
        site.git("config", "--file=.gitmodules", "submodule.content.ignore", "all")
        site.commit(day(12))

        assert same_as_git(site.path) == {"index.md": "10", ".gitmodules": "12"}
        assert same_as_git(site.path / "content" / "docs") == {"a.md": "2", "guide/a.md": "3"}

    def test_submodule_that_is_broken(self, site: Repository) -> None:
        site.write("index.md", "another length")
        (site.path / ".git" / "modules" / "content" / "HEAD").write_text("broken", encoding="ascii")

        assert HistoryReader(site.path).history().files[b"index.md"].modified

    def test_variables_of_a_hook_of_another_repository(
        self, written: Repository, new_repository: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        other = new_repository("other")
        other.write("docs/a.md", "one")
        other.commit(day(20))
        expected = git_says(written.path / "docs")
        monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
        monkeypatch.setenv("GIT_WORK_TREE", str(other.path))
        monkeypatch.setenv("GIT_INDEX_FILE", str(other.path / ".git" / "index"))
        monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other.path / ".git" / "objects"))
        monkeypatch.setenv("GIT_PREFIX", "docs/")
        monkeypatch.setenv("GIT_GLOB_PATHSPECS", "1")

        assert we_say(written.path / "docs") == expected
        assert [date for date in HistoryReader(written.path / "docs").history().files.values() if date.modified] == []
