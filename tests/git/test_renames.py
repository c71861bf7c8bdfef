"""Pure renames are not changes: a file keeps the date of its content, wherever it comes from."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from sitemap_plugins.git import renames as git_renames
from sitemap_plugins.git.dates import GitDates
from sitemap_plugins.git.history import DateRules, HistoryReader
from sitemap_plugins.git.renames import old_names
from sitemap_plugins.git.walk import SkippedCommit
from sitemap_plugins.model import SHALLOW
from sitemap_plugins.reading import GIT_CHANGES
from tests.builders import long_text
from tests.git.histories import day, days, in_time

if TYPE_CHECKING:
    from tests.conftest import Repository

posix_only = pytest.mark.skipif(os.name == "nt", reason="names that Windows does not allow")


def move(repository: Repository, old: str, new: str, number: int) -> str:
    (repository.path / new).parent.mkdir(parents=True, exist_ok=True)
    repository.git("mv", old, new)
    return repository.commit(day(number))


def write_files(repository: Repository) -> None:
    for number, name in enumerate(["docs/a.md", "docs/b.md", "src/c.md"], start=1):
        repository.write(name, long_text(name))
        repository.commit(day(number))


class TestOneFile:
    @pytest.fixture
    def written(self, with_history: Callable[..., Repository]) -> Repository:
        """A page of the 1st, another one of the 2nd, and one elsewhere of the 3rd."""
        return with_history(write_files)

    @pytest.mark.parametrize(
        "names",
        [
            ["docs/z.md"],
            ["docs/deep/er/a.md"],
            ["docs/x.md", "docs/y.md", "docs/a.md"],
            ["elsewhere/a.md", "docs/a.md"],
            ["elsewhere/a.md", "docs/x.md", "a.md", "docs/a.md"],
        ],
        ids=" ".join,
    )
    def test_within_the_folder_or_out_and_back(self, names: list[str], written: Repository) -> None:
        for number, (old, new) in enumerate(zip(["docs/a.md", *names], names, strict=False), start=4):
            move(written, old, new, number)
        name = names[-1].removeprefix("docs/")

        assert days(written.path / "docs") == {name: "1", "b.md": "2"}
        assert days(written.path) == {f"docs/{name}": "1", "docs/b.md": "2", "src/c.md": "3"}

    @pytest.mark.parametrize("old", ["z.md", "docs/z.md", "src/z.md", "deep/z.md"])
    @pytest.mark.parametrize("new", ["docs/z.md", "docs/deep/z.md"])
    def test_a_file_that_is_read_separately_from_a_folder(self, old: str, new: str, written: Repository) -> None:
        """Its name relative to the folder may be its old name relative to the top."""
        written.write(old, long_text("z.md"))
        written.commit(day(4))
        if old == new:
            written.write(new, "other content of z.md")
            written.commit(day(5))
        else:
            move(written, old, new, 5)
        expected = days(written.path)[new]
        name = new.removeprefix("docs/")

        found = HistoryReader(written.path / "docs", files={name.encode()}, rules=DateRules()).history().files

        assert {each: str(date.when and date.when.day) for each, date in found.items()} == {name.encode(): expected}

    @pytest.mark.parametrize(
        "names",
        [
            ["docs/c.md"],
            ["docs/deep/z.md"],
            ["old/c.md", "older/c.md", "docs/c.md"],
            ["src/d.md", "src/c.md", "docs/c.md", "docs/d.md"],
        ],
        ids=" ".join,
    )
    def test_from_outside_the_folder(self, names: list[str], written: Repository) -> None:
        for number, (old, new) in enumerate(zip(["src/c.md", *names], names, strict=False), start=4):
            move(written, old, new, number)

        name = names[-1].removeprefix("docs/")
        assert days(written.path / "docs") == {"a.md": "1", "b.md": "2", name: "3"}
        assert days(written.path / "docs", follow_renames=False)[name] == str(3 + len(names))

    def test_the_whole_folder(self, written: Repository) -> None:
        for number, (old, new) in enumerate([("docs", "website"), ("website", "documentation/pages")], start=4):
            move(written, old, new, number)

        assert days(written.path / "documentation" / "pages") == {"a.md": "1", "b.md": "2"}
        assert days(written.path / "documentation") == {"pages/a.md": "1", "pages/b.md": "2"}

    @posix_only
    @pytest.mark.parametrize("name", ["{}/c.md", "{}"])
    def test_from_a_folder_with_a_name_that_needs_quoting(self, name: str, written: Repository) -> None:
        hard = ["new\nline", "end\n", "return\r", "tab\t", '"quoted"', "back\\slash", ":(top)", "[a]*", "-x", "é", " "]
        for each in hard:
            written.write(name.format(each), long_text(each))
        written.commit(day(4))
        for number, each in enumerate(hard):
            (written.path / name.format(each)).rename(written.path / "docs" / str(number))
        written.commit(day(5))

        moved = {str(number): "4" for number in range(len(hard))}
        assert days(written.path / "docs") == {"a.md": "1", "b.md": "2"} | moved

    @pytest.mark.parametrize("old", ["docs/a.md", "src/c.md"])
    def test_changed_by_the_same_commit(self, old: str, written: Repository) -> None:
        written.git("mv", old, "docs/z.md")
        written.write("docs/z.md", long_text("docs/a.md") + "nearly")
        written.commit(day(4))

        assert days(written.path / "docs")["z.md"] == "4"

    @pytest.mark.parametrize(("old", "expected"), [("docs/a.md", "1"), ("src/c.md", "3")])
    def test_together_with_a_mode(self, old: str, expected: str, written: Repository) -> None:
        written.git("mv", old, "docs/z.md")
        written.git("update-index", "--chmod=+x", "docs/z.md")
        written.git("commit", "--quiet", "--message=a change", when=day(4))

        assert days(written.path / "docs")["z.md"] == expected

    @pytest.mark.parametrize("old", ["docs/a.md", "src/c.md"])
    def test_a_copy_is_new(self, old: str, written: Repository) -> None:
        written.write("docs/z.md", long_text(old))
        written.commit(day(4))

        assert days(written.path / "docs") == {"a.md": "1", "b.md": "2", "z.md": "4"}

    def test_two_files_that_were_swapped_are_changed(self, written: Repository) -> None:
        for old, new in (("docs/a.md", "c"), ("docs/b.md", "docs/a.md"), ("c", "docs/b.md")):
            written.git("mv", old, new)
        written.commit(day(4))

        assert days(written.path / "docs") == {"a.md": "4", "b.md": "4"}

    def test_all_fields_of_a_renamed_file(self, written: Repository) -> None:
        root = written.git("rev-parse", "HEAD~2")
        move(written, "docs/a.md", "docs/z.md", 4)

        date = HistoryReader(written.path / "docs", rules=DateRules()).history().files[b"z.md"]

        assert (date.commit, date.path, date.added) == (root, "docs/z.md", True)

    def test_skipped_renames_are_reported(self, written: Repository) -> None:
        before = written.git("rev-parse", "HEAD")
        moved = move(written, "src/c.md", "docs/c.md", 4)
        passed: list[tuple[bytes, SkippedCommit]] = []

        HistoryReader(
            written.path / "docs", rules=DateRules(), on_skip=lambda name, skipped: passed.append((name, skipped))
        ).history()

        ((name, skipped),) = passed
        assert name == b"docs/c.md"
        assert (skipped.why, skipped.commit.sha.decode(), skipped.parent.decode()) == ("renamed", moved, before)
        assert (skipped.path, skipped.old_path) == (b"docs/c.md", b"src/c.md")

    @pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
    def test_a_link_is_another_file(self, written: Repository) -> None:
        written.git("rm", "--quiet", "src/c.md")
        (written.path / "docs" / "c.md").symlink_to("content of src/c.md")
        written.commit(day(4))

        assert days(written.path / "docs")["c.md"] == "4"


def write_same_files(repository: Repository) -> None:
    for number, name in enumerate(["docs/m.md", "docs/old/a.md", "docs/z/a.md", "src/a.md", "src/b.md"], start=1):
        repository.write(name, long_text("them all"))
        repository.commit(day(number))


class TestSeveralFiles:
    @pytest.fixture
    def same(self, with_history: Callable[..., Repository]) -> Repository:
        """Files with the same content. The n-th was added on the n-th."""
        return with_history(write_same_files)

    @pytest.mark.parametrize(
        ("removed", "added", "expected"),
        [
            (["docs/m.md", "docs/old/a.md", "docs/z/a.md"], "docs/a.md", "2"),
            (["docs/old/a.md", "docs/z/a.md"], "docs/x.md", "9"),
            (["src/a.md", "src/b.md"], "docs/b.md", "5"),
            (["docs/z/a.md", "src/a.md"], "docs/a.md", "3"),
            (["docs/m.md"], "docs/x.md", "9"),
        ],
    )
    def test_the_first_of_the_same_name_counts_for_every_folder(
        self, removed: list[str], added: str, expected: str, same: Repository
    ) -> None:
        """It does not matter which of them were in it, or if the file is read separately. Other names do not count."""
        same.git("rm", "--quiet", *removed)
        same.write(added, long_text("them all"))
        same.commit(day(9))

        assert days(same.path / "docs")[added[5:]] == expected
        assert days(same.path)[added] == expected
        name = added.encode()
        alone = HistoryReader(same.path, files={name}, rules=DateRules()).history().files[name]
        assert str(alone.when and alone.when.day) == expected

    @pytest.mark.parametrize("old", ["docs/m.md", "src/b.md"])
    def test_one_file_becomes_one_other(self, old: str, same: Repository) -> None:
        """The others are copies. It is the same one if only one of them is dated."""
        same.git("rm", "--quiet", old)
        name = os.path.basename(old)
        for folder in ("one", "two"):
            same.write(f"docs/{folder}/{name}", long_text("them all"))
        same.commit(day(9))
        move(same, f"docs/two/{name}", f"docs/three/{name}", 10)

        found = days(same.path / "docs")
        assert (found[f"one/{name}"], found[f"three/{name}"]) == ("1" if old == "docs/m.md" else "5", "9")
        for folder, expected in found.items():
            alone = HistoryReader(same.path / "docs", files={folder.encode()}, rules=DateRules()).history()
            assert {str(date.when and date.when.day) for date in alone.files.values()} == {expected}

    def test_a_date_does_not_depend_on_other_requested_files(self, repository: Repository) -> None:
        """Both removed files could have been the page. The rules must always choose the same one."""
        for number, name in ((1, "far/b.md"), (2, "near/c.md"), (3, "near/n.md")):
            repository.write(name, "another" if "n.md" in name else long_text("them all"))
            repository.commit(day(number))
        repository.git("rm", "--quiet", "far/b.md", "near/c.md")
        repository.write("src/a.md", long_text("them all"))
        repository.commit(day(4))
        (repository.path / "docs").mkdir()
        repository.git("mv", "near/n.md", "src/a.md", "docs")
        repository.commit(day(5))
        page, other = (str(repository.path / "docs" / name) for name in ("a.md", "n.md"))

        dates = [
            HistoryReader(repository.path, files=files, rules=DateRules()).history().files[b"docs/a.md"].commit
            for files in ({b"docs/a.md"}, {b"docs/a.md", b"docs/n.md"})
        ]
        assert dates[0] == dates[1]
        git = GitDates({}, DateRules())
        assert git.dates_of([page])[page] == GitDates({}, DateRules()).dates_of([page, other])[page]


class TestCoincidence:
    """A short page can have the same content as a removed page by chance, and is then not its continuation."""

    @pytest.mark.parametrize(("length", "expected"), [(0, "2"), (255, "2"), (256, "1")])
    @pytest.mark.parametrize("old", ["docs/a.md", "elsewhere/b.md"])
    def test_minimum_length(self, old: str, length: int, expected: str, repository: Repository) -> None:
        repository.write(old, b"x" * length)
        repository.commit(day(1))
        (repository.path / "docs").mkdir(exist_ok=True)
        move(repository, old, "docs/z.md", 2)

        assert days(repository.path / "docs") == {"z.md": expected}
        assert days(repository.path / "docs", created=True) == {"z.md": expected}

    @pytest.mark.parametrize("length", [0, 1])
    def test_a_file_that_keeps_its_name_can_be_short(self, length: int, repository: Repository) -> None:
        repository.write("old/a.md", b"x" * length)
        repository.write("other/b.md", b"x" * length)
        repository.commit(day(1))
        move(repository, "old/a.md", "docs/deep/a.md", 2)

        assert days(repository.path / "docs") == {"deep/a.md": "1"}

    @pytest.mark.parametrize("other", ["docs/b.md", "very/deep/in/another/folder"])
    @pytest.mark.parametrize("when", ["before", "after", "always"])
    def test_another_file_has_the_same_content(self, other: str, when: str, repository: Repository) -> None:
        """If the other file is older, the page could be a copy of it. If both are new, either could be the old page."""
        repository.write("docs/a.md", long_text("them"))
        repository.write("docs/same.md", "one")
        repository.write(other, "another" if when == "after" else long_text("them"))
        repository.commit(day(1))
        repository.git("mv", "docs/a.md", "docs/z.md")
        repository.write(other, "another" if when == "before" else long_text("them"))
        repository.commit(day(2))

        assert days(repository.path / "docs")["z.md"] == "2"

    def test_a_copied_folder(self, repository: Repository) -> None:
        """Git stores it once."""
        for version in ("v1", "v2"):
            repository.write(f"{version}/docs/a.md", long_text("a.md"))
        repository.commit(day(1))
        move(repository, "v1/docs/a.md", "v1/docs/z.md", 2)

        assert days(repository.path / "v1") == {"docs/z.md": "2"}

    def test_folders_with_more_paths_than_can_be_counted(self, repository: Repository) -> None:
        """Git stores a folder once, however often it is in other folders. The file is still the only one of its kind."""
        blob = repository.git("hash-object", "-w", "--stdin", input=long_text("others").encode())
        tree = repository.git("mktree", input=f"100644 blob {blob}\ta.md\n".encode())
        for _ in range(30):
            tree = repository.git("mktree", input="".join(f"040000 tree {tree}\t{n}\n" for n in range(10)).encode())
        page = repository.git("hash-object", "-w", "--stdin", input=long_text("the page").encode())
        head = ""
        for number, name in ((1, "old.md"), (2, "new.md")):
            docs = repository.git("mktree", input=f"100644 blob {page}\t{name}\n".encode())
            top = repository.git("mktree", input=f"040000 tree {tree}\tbig\n040000 tree {docs}\tdocs\n".encode())
            parents = ["-p", head] if head else []
            head = repository.git("commit-tree", "-m", "a change", *parents, top, when=day(number))
        repository.git("update-ref", "HEAD", head)
        (repository.path / "docs").mkdir()
        found: list[dict[str, str]] = []

        in_time(lambda: found.append(days(repository.path / "docs")))

        assert found == [{"new.md": "1"}]

    def test_files_of_a_submodule_do_not_count(self, repository: Repository, new_repository: Any) -> None:
        module = new_repository("module")
        module.write("a.md", long_text("a.md"))
        module.commit(day(1))
        repository.write("docs/a.md", long_text("a.md"))
        repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(module.path), "module")
        repository.commit(day(2))
        move(repository, "docs/a.md", "docs/z.md", 3)

        assert days(repository.path / "docs") == {"z.md": "2"}

    def test_long_object_ids(self, new_repository: Any, tmp_path: Path) -> None:
        new_repository("first").git("init", "--quiet", "--object-format=sha256", str(tmp_path / "long"))
        repository = new_repository("long")
        repository.write("docs/deep/a.md", long_text("a.md"))
        repository.commit(day(1))
        move(repository, "docs/deep/a.md", "docs/z.md", 2)

        assert len(repository.git("rev-parse", "HEAD")) == 64
        assert days(repository.path / "docs") == {"z.md": "1"}


class TestMatching:
    """Which removed file is the old name of which added file, if all of them have the same content."""

    @pytest.mark.parametrize(
        ("removed", "added", "expected"),
        [
            ("a/x.md", "b/x.md", "a/x.md>b/x.md"),
            ("a/x.md", "b/y.md", "a/x.md?b/y.md"),
            ("a/x.md c/x.md", "b/y.md", ""),
            ("a/x.md", "b/y.md c/y.md", ""),
            ("a/x.md c/z.md", "b/x.md", "a/x.md>b/x.md"),
            ("c/x.md a/x.md", "b/x.md", "a/x.md>b/x.md"),
            ("a/x.md", "c/x.md b/x.md", "a/x.md>b/x.md"),
            ("a/x.md b/x.md", "n/b/x.md n/a/x.md", "a/x.md>n/a/x.md b/x.md>n/b/x.md"),
            ("a/x.md b/x.md", "n/b/x.md", "b/x.md>n/b/x.md"),
            ("1/a/x.md 2/a/x.md a/x.md", "n/2/a/x.md n/a/x.md", "1/a/x.md>n/a/x.md 2/a/x.md>n/2/a/x.md"),
            ("a/b/c/d/e/f/g/h/x b/b/c/d/e/f/g/h/x", "n/b/b/c/d/e/f/g/h/x", "a/b/c/d/e/f/g/h/x>n/b/b/c/d/e/f/g/h/x"),
            *(
                case
                for name in ("index.md", "README", "Readme.de.rst", "_index.md", "__init__.py")
                for case in (
                    (f"old/{name}", f"new/{name}", f"old/{name}?new/{name}"),
                    (f"a/{name}", f"new/a/{name}", f"a/{name}>new/a/{name}"),
                    (name, f"docs/{name}", f"{name}?docs/{name}"),
                    (f"a/{name} b/{name}", f"x/{name}", ""),
                )
            ),
            ("a/indexes.md", "b/indexes.md", "a/indexes.md>b/indexes.md"),
        ],
    )
    @pytest.mark.parametrize("turned", [1, -1])
    def test_the_longest_common_end(self, removed: str, added: str, expected: str, turned: int) -> None:
        """``>`` if the name is certain, ``?`` if the content must be unique."""
        mode, other_mode = b"100644", b"100755"
        names = old_names(
            [(path.encode(), mode + b"1") for path in removed.split()[::turned]],
            [(path.encode(), other_mode + b"1") for path in added.split()[::turned]],
        )

        found = [f"{old.decode()}{'>' if sure else '?'}{new.decode()}" for new, (old, sure) in names.items()]
        assert sorted(found) == expected.split()

    @pytest.mark.parametrize("content", [b"1006442", b"1200001", b"1600001"])
    def test_other_contents_and_kinds_of_files_differ(self, content: bytes) -> None:
        assert old_names([(b"a/x.md", content)], [(b"b/x.md", b"1006441")]) == {}

    def test_files_with_a_name_that_many_folders_have(self, repository: Repository) -> None:
        """The length of their content and other files with the same content decide, as for a new base name."""
        long = {"docs/moved/index.md": long_text("moved"), "docs/a/index.md": long_text("a and b")}
        short = {"docs/old/index.md": "# Coming soon", "docs/c/index.md": "c"}
        for name, text in (long | short | {"docs/b/index.md": long_text("a and b")}).items():
            repository.write(name, text)
        repository.commit("2018-01-01T10:00:00Z")
        for old, new in (("moved", "new"), ("old", "brand-new"), ("a", "x/a"), ("b", "x/b"), ("c", "x/c")):
            move(repository, f"docs/{old}/index.md", f"docs/{new}/index.md", 2)

        followed = dict.fromkeys(("new", "x/a", "x/b", "x/c"), "1")
        expected = {f"{folder}/index.md": number for folder, number in (followed | {"brand-new": "2"}).items()}
        assert days(repository.path / "docs") == expected

    def test_a_commit_that_moves_too_many_files(self, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
        """Its renames count as changes; those of other commits do not."""
        for number, name in ((1, "a.md"), (2, "b.md")):
            repository.write(f"docs/{name}", long_text(name))
            repository.commit(day(number))
        move(repository, "docs/a.md", "docs/x.md", 3)
        repository.write("more/b.md", "one")
        repository.write("more/c.md", "one")
        sha = move(repository, "docs/b.md", "docs/y.md", 4)
        monkeypatch.setattr(git_renames, "GIT_CHANGES", replace(GIT_CHANGES, size=300))

        assert days(repository.path / "docs") == {"x.md": "1", "y.md": "4"}
        (sentence,) = HistoryReader(repository.path / "docs", rules=DateRules()).history().too_large
        assert sentence == (
            f"commit {sha[:10]} adds and removes so many files that their list is larger than 0 KiB, so the files that "
            "it renames count as changed"
        )


def fork(repository: Repository) -> None:
    write_files(repository)
    repository.git("branch", "side")
    repository.git("branch", "third")
    repository.write("README.md", "one")
    repository.commit(day(4))
    repository.git("checkout", "--quiet", "side")


class TestMerges:
    @pytest.fixture
    def forked(self, with_history: Callable[..., Repository]) -> Repository:
        """Pages of the 1st and the 2nd and a file elsewhere of the 3rd. ``side`` and ``main`` then diverge."""
        return with_history(fork)

    @pytest.mark.parametrize(("old", "expected"), [("docs/a.md", "1"), ("src/c.md", "3")])
    def test_a_rename_by_the_merge_itself(self, old: str, expected: str, forked: Repository) -> None:
        forked.write("docs/side.md", "one")
        forked.commit(day(5))
        forked.git("checkout", "--quiet", "main")
        _merge(forked, 6, "--no-commit", "side")
        move(forked, old, "docs/z.md", 6)

        assert len(forked.git("rev-parse", "HEAD^@").split()) == 2
        assert days(forked.path / "docs")["z.md"] == expected

    def test_renamed_on_one_side_and_changed_on_the_other(self, forked: Repository) -> None:
        """The merge has the other side's content under this side's name, so it continues with the other side."""
        move(forked, "docs/a.md", "docs/z.md", 5)
        forked.git("checkout", "--quiet", "main")
        forked.write("docs/a.md", long_text("docs/a.md, changed"))
        forked.commit(day(6))
        _merge(forked, 7, "side")

        assert days(forked.path / "docs") == {"b.md": "2", "z.md": "6"}
        assert days(forked.path / "docs", follow_renames=False) == {"b.md": "2", "z.md": "7"}

    def test_subtree_merge(self, repository: Repository, new_repository: Any) -> None:
        """The top of another repository becomes a folder here: the same content under another name."""
        other = new_repository("other")
        other.write("a.md", "one")
        other.commit(day(2))
        repository.write("setup.cfg", "two")
        repository.commit(day(3))
        repository.git("fetch", "--quiet", str(other.path), "main")
        _merge(repository, 4, "--strategy=ours", "--no-commit", "--allow-unrelated-histories", "FETCH_HEAD")
        repository.git("read-tree", "--prefix=docs/", "-u", "FETCH_HEAD")
        repository.commit(day(4))

        assert days(repository.path / "docs") == {"a.md": "2"}
        assert days(repository.path / "docs", follow_renames=False) == {"a.md": "4"}


class TestClones:
    @pytest.fixture
    def moved(self, repository: Repository) -> Repository:
        """Three commits: a page is added elsewhere on the 1st, another on the 2nd, and moved on the 3rd."""
        for number, name in enumerate(["src/a.md", "docs/b.md"], start=1):
            repository.write(name, long_text(name))
            repository.commit(day(number))
        move(repository, "src/a.md", "docs/a.md", 3)
        return repository

    @pytest.mark.parametrize(
        ("depth", "expected"),
        [
            (1, {"a.md": SHALLOW, "b.md": SHALLOW}),
            (2, {"a.md": SHALLOW, "b.md": SHALLOW}),
            (3, {"a.md": SHALLOW, "b.md": "2"}),
            (4, {"a.md": "1", "b.md": "2"}),
        ],
    )
    def test_shallow(self, depth: int, expected: dict[str, str], moved: Repository, clone: Any) -> None:
        assert "src/a.md" not in moved.git("ls-files")
        assert days(clone(f"--depth={depth}") / "docs") == expected


def _merge(repository: Repository, number: int, *arguments: str) -> None:
    repository.git("merge", "--quiet", "--no-ff", "--message", "a merge", *arguments, when=day(number))
