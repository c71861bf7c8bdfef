"""Names that need quoting, and documents in places that differ from the environment variables."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sitemap_plugins.git.history import HistoryReader
from tests.git.histories import Planned, day, git_says, import_histories, same_as_git, we_say

if TYPE_CHECKING:
    from tests.conftest import Repository

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
