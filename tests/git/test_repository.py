"""What is read from a repository before its history, and how a commit is related to HEAD."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sitemap_plugins.git.repository import (
    TREELESS,
    HistoryError,
    find_merge_base,
    is_in_history,
    may_lack_contents,
    open_repository,
    read_ignored,
    read_modified,
    read_tracked,
)
from sitemap_plugins.values.text import short_repr
from tests.conftest import Repository

if TYPE_CHECKING:
    from tests.conftest import Repository

posix_only = pytest.mark.skipif(os.name == "nt", reason="names that Windows does not allow")


@pytest.fixture
def written(repository: Repository) -> Repository:
    repository.write("README.md", "one")
    repository.write("docs/guide/a.md", "one")
    repository.commit("2026-01-01T00:00:00Z")
    return repository


class TestOpen:
    @pytest.mark.parametrize("folder", ["", "docs", "docs/guide"])
    def test_a_folder(self, folder: str, written: Repository) -> None:
        directory = os.path.realpath(written.path / folder)
        found = open_repository(directory)

        assert found.head.decode() == written.git("rev-parse", "HEAD")
        assert found.prefix == (folder + "/" if folder else "").encode()
        assert found.toplevel == os.path.realpath(written.path)
        assert (found.boundary, found.filters) == (frozenset(), ())

    def test_a_full_id_of_a_commit_or_of_a_tag(self, written: Repository) -> None:
        first = written.git("rev-parse", "HEAD")
        written.git("tag", "--annotate", "--message=a tag", "v1")
        written.commit("2026-01-02T00:00:00Z")

        for revision in (first, first.upper(), written.git("rev-parse", "v1")):
            assert open_repository(str(written.path), revision).head.decode() == first

    def test_other_names_of_a_commit_are_refused(self, written: Repository) -> None:
        """They could mean another commit tomorrow, or an option."""
        sha = written.git("rev-parse", "HEAD")
        written.git("tag", "v1")
        written.commit("2026-01-02T00:00:00Z")
        names = ["v1", "main", "HEAD~1", "HEAD:docs", "head", "@", "", "--all", "-", "a b", "\ud800", "v1\0"]

        for revision in (*names, sha[:10], sha + "0", f" {sha}", f"{sha}\n", f"{sha}^", f"{sha}^{{tree}}", f"^{sha}"):
            with pytest.raises(HistoryError) as error:
                open_repository(str(written.path), revision)
            assert str(error.value) == f"{short_repr(revision)} is not a full commit id"

    @pytest.mark.parametrize("what", ["0" * 40, "0" * 64, "HEAD^{tree}", "HEAD:README.md"])
    def test_an_id_of_something_else_than_a_commit(self, what: str, written: Repository) -> None:
        revision = what if what.startswith("0") else written.git("rev-parse", what)

        with pytest.raises(HistoryError, match=f"does not have the commit {revision}"):
            open_repository(str(written.path), revision)

    def test_boundary(self, written: Repository, clone: Any) -> None:
        written.commit("2026-01-02T00:00:00Z")
        boundary = {written.git("rev-parse", "HEAD").encode()}
        target = clone("--depth=1")

        assert open_repository(str(target)).boundary == boundary
        assert open_repository(str(target / "docs")).boundary == boundary
        assert open_repository(str(clone(name="whole"))).boundary == frozenset()

    @posix_only
    def test_boundary_of_a_clone_with_a_line_end_in_its_path(self, written: Repository, clone: Any) -> None:
        written.write("new\nline\n/a.md", "one")
        written.commit("2026-01-02T00:00:00Z")

        found = open_repository(str(clone("--depth=1", name="new\nline\n") / "new\nline\n"))

        assert found.boundary == {found.head}
        assert found.prefix == b"new\nline\n/"

    @posix_only
    def test_a_worktree_of_a_repository_with_a_line_end_in_its_path(self, new_repository: Any, tmp_path: Path) -> None:
        odd = new_repository("new\nline")
        odd.write("docs/a.md", "one")
        sha = odd.commit("2026-01-01T00:00:00Z")
        odd.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "worktree"))

        assert open_repository(str(tmp_path / "worktree" / "docs")).head.decode() == sha

    @pytest.mark.parametrize(
        ("setting", "expected"),
        [
            ("core.bare", False),
            ("remote.origin.promisor", True),
            ("remote.a.b.promisor", True),
            ("remote.origin.partialCloneFilter", True),
            ("extensions.partialClone", True),
            ("my.remote.promisor", False),
        ],
    )
    def test_clones_with_a_filter(self, setting: str, written: Repository, *, expected: bool) -> None:
        written.git("config", setting, "blob:none" if setting.endswith("Filter") else "true")

        assert may_lack_contents(str(written.path)) is expected

    @pytest.mark.parametrize("value", ["tree:0", "tree:1", "combine:blob:none+tree:0"])
    def test_treeless_clones(self, value: str, written: Repository) -> None:
        written.git("config", "remote.origin.partialCloneFilter", value)

        with pytest.raises(HistoryError) as error:
            open_repository(str(written.path))
        assert str(error.value) == TREELESS
        assert "--filter=blob:none" in TREELESS

    @pytest.mark.parametrize("value", ["blob:none", "blob:limit=1m", "sparse:oid=HEAD:tree"])
    def test_other_filters(self, value: str, written: Repository) -> None:
        written.git("config", "remote.origin.partialCloneFilter", value)

        assert open_repository(str(written.path)).head

    def test_filters(self, written: Repository) -> None:
        for name in ("lfs.clean", "lfs.process", "lfs.smudge", "A.b.clean", "other.process", "third.smudge"):
            written.git("config", f"filter.{name}", "true")

        assert open_repository(str(written.path)).filters == ("lfs", "A.b", "other")


class TestTracked:
    def test_files_by_their_path_from_the_top(self, written: Repository) -> None:
        repository = open_repository(str(written.path / "docs"))

        assert read_tracked(repository.query_tracked(["."]), repository.directory) == [b"docs/guide/a.md"]

    def test_links_are_files_but_submodules_are_not(self, written: Repository) -> None:
        written.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
        written.git("update-index", "--add", "--cacheinfo", f"120000,{written.git('rev-parse', 'HEAD:README.md')},link")
        written.git("commit", "--quiet", "--message", "more")
        repository = open_repository(str(written.path))

        files = read_tracked(repository.query_tracked(["sub", "link", "docs"]), repository.directory)

        assert files == [b"docs/guide/a.md", b"link"]

    def test_a_missing_tree(self, written: Repository) -> None:
        sha = written.git("rev-parse", "HEAD^{tree}")
        repository = open_repository(str(written.path))
        (written.path / ".git" / "objects" / sha[:2] / sha[2:]).unlink()

        with pytest.raises(HistoryError, match="git said"):
            read_tracked(repository.query_tracked(["."]), repository.directory)


class TestModified:
    def test_staged_and_on_disk(self, written: Repository) -> None:
        written.write("docs/b.md", "new")
        written.git("add", "docs/b.md")
        written.write("docs/guide/a.md", "another length")
        written.write("README.md", "not below the folder")
        repository = open_repository(str(written.path / "docs"))

        assert read_modified(repository.query_modified(["."])) - {b""} == {b"docs/b.md", b"docs/guide/a.md"}
        assert read_modified(repository.query_modified(["guide"])) - {b""} == {b"docs/guide/a.md"}
        assert read_modified(repository.query_modified(["b.md", "no"])) - {b""} == {b"docs/b.md"}


class TestIgnored:
    def test_full_ids_comments_and_empty_lines(self) -> None:
        lines = ["# a comment", "", "a" * 40, f"  {'B' * 40}\t# formatted", "c" * 64, "   ", "#" + "d" * 40]

        assert read_ignored("\r\n".join(lines).encode(), "revs") == (frozenset({b"a" * 40, b"b" * 40, b"c" * 64}), "")
        assert read_ignored(b"", "revs") == (frozenset(), "")

    @pytest.mark.parametrize(
        ("line", "shown"),
        [
            (b"abc1234", "'abc1234'"),
            (b"a" * 41, repr("a" * 41)),
            (b"g" * 40, repr("g" * 40)),
            (b"HEAD  # a name", "'HEAD'"),
            (b"a" * 40 + b" " + b"b" * 40, repr("a" * 40 + " " + "b" * 9)),
            (b"\xff", "'\N{REPLACEMENT CHARACTER}'"),
            (b"\x1b[31m" * 99, repr("\x1b[31m" * 10)),
        ],
    )
    def test_invalid_lines(self, line: bytes, shown: str) -> None:
        ids, problem = read_ignored(b"# one\n" + line + b"\n" + b"a" * 40, "revs")

        assert ids == {b"a" * 40}
        assert problem == f"line 2 of revs is not a full commit id: {shown}; it is ignored"

    @pytest.mark.parametrize(("count", "more"), [(1, ""), (2, " (and 1 more line)"), (9, " (and 8 more lines)")])
    def test_many_invalid_lines_are_one_problem(self, count: int, more: str) -> None:
        _, problem = read_ignored(b"x\n" * count, "revs")

        assert problem == f"line 1 of revs is not a full commit id: 'x'{more}; it is ignored"


def test_head_its_ancestors_and_others(repository: Repository) -> None:
    first = repository.commit("2026-01-01T10:00:00Z")
    second = repository.commit("2026-01-02T10:00:00Z")
    repository.git("checkout", "--quiet", "-b", "other", first)
    other = repository.commit("2026-01-03T10:00:00Z", "on a branch")
    folder = str(repository.path)
    assert [is_in_history(folder, each) for each in (first, second, other, "a" * 40)] == [True, False, True, False]
    assert [find_merge_base(folder, each) for each in (first, second, other, "a" * 40)] == [first, first, other, None]


def test_a_clone_of_one_commit_knows_its_parents(repository: Repository) -> None:
    first = repository.commit("2026-01-01T10:00:00Z", "a\n\nparent of nothing")
    second = repository.commit("2026-01-02T10:00:00Z", f"b\n\nparent {'b' * 40}")
    third = repository.commit("2026-01-03T10:00:00Z", f"c\n\nparent {'c' * 40}")
    (repository.path / ".git" / "shallow").write_text(f"{third}\n", encoding="ascii")
    folder = str(repository.path)
    candidates = (first, second, third, "b" * 40, "c" * 40)
    assert [is_in_history(folder, each) for each in candidates] == [False, True, True, False, False]
    assert find_merge_base(folder, second) is None


def test_without_a_repository_or_a_commit(repository: Repository) -> None:
    assert not is_in_history(str(repository.path), "a" * 40)
    assert not is_in_history(str(repository.path.parent), "a" * 40)
