"""The dates of all files of a site, wherever they are and whatever links lead to them; and clocks that were wrong."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sitemap_plugins.git.dates import Export, GitDates, dates_below, explain_date
from sitemap_plugins.git.history import PLAIN_DATES, DateRules, HistoryReader
from sitemap_plugins.git.repository import IGNORE_REVS, TREELESS, HistoryError
from sitemap_plugins.model import NO_FILE, NO_GIT, NOT_COMMITTED, SHALLOW, WRONG_CLOCK, FileDate
from tests.builders import long_text
from tests.conftest import Repository
from tests.git.histories import day, in_time

if TYPE_CHECKING:
    from tests.conftest import Repository

links = pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
UNTRACKED = FileDate(when=None, reason=NOT_COMMITTED, modified=True)


@pytest.fixture
def written(with_history: Callable[..., Repository]) -> Repository:
    """A repository in which the n-th of these files is of the n-th of February."""
    return with_history(write_files)


def write_links(repository: Repository) -> None:
    write_files(repository)
    links_of_days = (
        ("docs/link.md", "a.md"),
        ("docs/outside.md", "../README.md"),
        ("docs/twice.md", "link.md"),
        ("docs/broken.md", "nowhere.md"),
        ("docs/folder", "guide"),
        ("docs/code", "../src"),
        ("shortcut", "docs"),
    )
    for number, (name, target) in enumerate(links_of_days, start=6):
        (repository.path / name).symlink_to(target)
        repository.commit(day(number))


def write_files(repository: Repository) -> None:
    names = ["README.md", "docs/a.md", "docs/guide/a.md", "docs/code.py", "src/code.py"]
    for number, name in enumerate(names, start=1):
        repository.write(name, long_text(name))
        repository.commit(day(number))


@pytest.fixture
def of() -> Callable[..., dict[str, str]]:
    """The day of each file, by its name in a folder, or why it has none."""

    def ask(
        folder: Path, names: Iterable[str], *directories: Path, suffixes: tuple[str, ...] = (".md",)
    ) -> dict[str, str]:
        git = GitDates({str(each): suffixes for each in directories or [folder / "docs"]}, DateRules())
        dates = git.dates_of([str(folder / name) for name in names])
        assert len(git.histories) <= len(git._suffixes) + len(names)  # waits for all
        return {name: _day(dates[str(folder / name)]) for name in names}

    return ask


def _day(date: FileDate) -> str:
    return str(date.when.day if date.when else date.reason)


class TestPlaces:
    def test_files_in_the_folder_and_elsewhere(self, written: Repository, of: Any) -> None:
        names = ["README.md", "docs/a.md", "docs/guide/a.md", "docs/code.py", "src/code.py"]

        assert of(written.path, names) == {name: str(number) for number, name in enumerate(names, start=1)}

    def test_several_folders(self, written: Repository, of: Any) -> None:
        names = ["docs/a.md", "docs/guide/a.md", "src/code.py"]
        folders = [written.path / "docs", written.path / "docs" / "guide", written.path / "src"]

        assert of(written.path, names, *folders, suffixes=()) == dict(zip(names, "235", strict=True))

    def test_folders_of_several_repositories(self, written: Repository, new_repository: Any, of: Any) -> None:
        other = new_repository("other")
        other.write("docs/b.md", "one")
        other.commit(day(9))
        names = ["repository/docs/a.md", "other/docs/b.md"]

        folders = [written.path / "docs", other.path / "docs"]
        assert of(other.path.parent, names, *folders) == dict(zip(names, "29", strict=True))

    def test_a_folder_whose_name_starts_like_another(self, written: Repository, of: Any) -> None:
        written.write("docs2/a.md", "one")
        written.commit(day(9))

        assert of(written.path, ["docs/a.md", "docs2/a.md"]) == {"docs/a.md": "2", "docs2/a.md": "9"}

    @pytest.mark.parametrize("staged", [False, True])
    @pytest.mark.parametrize("name", ["docs/new.md", "src/new.py", "no/such/folder.md"])
    def test_a_file_that_was_never_committed(self, name: str, written: Repository, *, staged: bool) -> None:
        path = str(written.path / name if "such" in name else written.write(name, "new"))
        if staged:
            written.git("add", "--all")

        expected = FileDate(when=None, reason=NO_FILE) if "such" in name else UNTRACKED
        assert GitDates({str(written.path / "docs"): (".md",)}, DateRules()).dates_of([path]) == {path: expected}

    def test_a_file_that_is_missing_on_disk_has_its_date(self, written: Repository, of: Any) -> None:
        """A sparse checkout leaves out files."""
        for name in ("docs/a.md", "src/code.py"):
            (written.path / name).unlink()

        assert of(written.path, ["docs/a.md", "src/code.py"]) == {"docs/a.md": "2", "src/code.py": "5"}

    def test_a_file_in_no_repository(self, written: Repository, tmp_path: Path) -> None:
        path = tmp_path / "a.md"
        path.write_text("one", encoding="utf-8")
        git = GitDates({str(written.path / "docs"): (".md",)}, DateRules())

        assert git.dates_of([str(path)]) == {str(path): UNTRACKED}
        assert git.problem is None

    def test_names_that_need_quoting(self, repository: Repository, of: Any) -> None:
        names = ["docs/é ü.md", "docs/[a].md", "docs/guide/a b.md", "src/é [b].md"]
        names += ["docs/new\nline.md", 'docs/tab\t"\\.md', os.fsdecode(b"docs/\xff.md")] if os.name != "nt" else []
        for name in names:
            repository.write(name, "one")
        repository.commit(day(3))

        assert of(repository.path, names) == dict.fromkeys(names, "3")


class TestAsking:
    def test_expected_files_are_read_once(self, written: Repository) -> None:
        paths = [str(written.path / name) for name in ("docs/a.md", "README.md", "src/code.py")]
        git = GitDates({str(written.path / "docs"): (".md",)}, DateRules())
        git.expect(paths)
        git.expect(paths)

        assert [_day(date) for date in git.dates_of(paths).values()] == ["2", "1", "5"]
        assert [_day(date) for date in git.dates_of(paths).values()] == ["2", "1", "5"]
        assert [history.directory for history in git.histories] == [
            os.path.realpath(written.path / "docs"),
            os.path.realpath(written.path),
        ]

    def test_other_files_are_read_later(self, written: Repository) -> None:
        git = GitDates({str(written.path / "docs"): (".md",)}, DateRules())
        git.expect([str(written.path / "README.md")])
        path = str(written.path / "src" / "code.py")

        assert _day(git.dates_of([path])[path]) == "5"
        assert len(git.histories) == 3

    def test_now_is_the_date_of_the_last_commit(self, written: Repository) -> None:
        git = GitDates({str(written.path / "docs"): (".md",)}, DateRules())

        assert git.now is not None
        assert git.now.isoformat() == day(5)
        assert (git.has_commit, git.too_large) == (True, ())
        assert GitDates({}, DateRules()).now is None

    def test_stop(self, written: Repository) -> None:
        git = GitDates({str(written.path / "docs"): (".md",)}, DateRules())
        git.expect([str(written.path / "README.md")])

        in_time(git.stop)

        assert not [reader for reader in (*git._own.values(), *git._other_readers) if reader._thread.is_alive()]


class TestSubmodules:
    @pytest.fixture
    def site(self, repository: Repository, new_repository: Any) -> Repository:
        """A repository with a submodule in its documents and another one next to them."""
        for name, number in (("inner", 10), ("outer", 11)):
            module = new_repository(name)
            module.write("a.md", "one")
            module.write("guide/b.md", "one")
            module.commit(day(number))
            repository.git(
                "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(module.path),
                f"docs/{name}" if name == "inner" else name,
            )  # fmt: skip
        repository.write("docs/a.md", "one")
        repository.commit(day(12))
        return repository

    def test_their_files_have_their_own_dates(self, site: Repository, of: Any) -> None:
        names = ["docs/a.md", "docs/inner/a.md", "docs/inner/guide/b.md", "outer/a.md", "outer/guide/b.md"]

        assert of(site.path, names) == dict(zip(names, ["12", "10", "10", "11", "11"], strict=True))

    def test_files_that_were_never_committed_there(self, site: Repository, of: Any) -> None:
        site.write("docs/inner/new.md", "new")

        assert of(site.path, ["docs/inner/new.md"]) == {"docs/inner/new.md": NOT_COMMITTED}

    def test_a_repository_in_documents_outside_any_repository(
        self, tmp_path: Path, new_repository: Any, of: Any
    ) -> None:
        nested = new_repository("site/docs/nested")
        nested.write("a.md", "one")
        nested.write("a.txt", "one")
        nested.commit(day(20))

        names = ["docs/nested/a.txt", "docs/nested/a.md"]
        assert of(tmp_path / "site", names) == dict.fromkeys(names, "20")


@links
class TestLinks:
    """A page that is a link shows the content of its target, and changes if it gets another target."""

    @pytest.fixture
    def linked(self, with_history: Callable[..., Repository]) -> Repository:
        return with_history(write_links)

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("docs/link.md", "6"),
            ("docs/outside.md", "7"),
            ("docs/twice.md", "8"),
            ("docs/broken.md", NOT_COMMITTED),
            ("docs/folder/a.md", "10"),
            ("docs/folder/link.md", NO_FILE),
            ("docs/code/code.py", "11"),
            ("shortcut/a.md", "12"),
            ("shortcut/link.md", "12"),
            ("shortcut/folder/a.md", "12"),
        ],
    )
    def test_they_have_the_newest_date(self, name: str, expected: str, linked: Repository, of: Any) -> None:
        assert of(linked.path, [name]) == {name: expected}

    @pytest.mark.parametrize("name", ["docs/link.md", "docs/twice.md", "docs/folder/a.md", "shortcut/folder/a.md"])
    def test_a_newer_target(self, name: str, linked: Repository, of: Any) -> None:
        for target in ("docs/a.md", "docs/guide/a.md"):
            linked.write(target, "new")
        linked.commit(day(20))

        assert of(linked.path, [name]) == {name: "20"}

    def test_another_target(self, repository: Repository, of: Any) -> None:
        for name, number in (("v1/p.md", 1), ("v2/p.md", 2)):
            repository.write(name, name)
            repository.commit(day(number))
        (repository.path / "docs").mkdir()
        link = repository.path / "docs" / "page.md"
        link.symlink_to("../v1/p.md")
        repository.commit(day(3))
        assert of(repository.path, ["docs/page.md"]) == {"docs/page.md": "3"}
        link.unlink()
        link.symlink_to("../v2/p.md")
        assert of(repository.path, ["docs/page.md"]) == {"docs/page.md": "3"}
        repository.commit(day(9))

        assert of(repository.path, ["docs/page.md"]) == {"docs/page.md": "9"}
        path = str(link)
        date = GitDates({str(link.parent): (".md",)}, DateRules()).dates_of([path])[path]
        assert (date.path, date.link) == ("docs/page.md", path)
        assert date.commit == repository.git("log", "-1", "--format=%H", "--", "docs/page.md")

    def test_one_that_is_not_committed_has_the_date_of_its_target(self, linked: Repository, of: Any) -> None:
        (linked.path / "docs" / "new.md").symlink_to("a.md")

        assert of(linked.path, ["docs/new.md"]) == {"docs/new.md": "2"}

    def test_a_link_that_was_only_changed_on_disk(self, linked: Repository) -> None:
        path = linked.path / "docs" / "link.md"
        path.unlink()
        path.symlink_to("guide/a.md")
        git = GitDates({str(linked.path / "docs"): (".md",)}, DateRules())

        assert git.dates_of([str(path)])[str(path)].modified

    def test_a_link_older_than_a_shallow_clone(self, linked: Repository, clone: Any, of: Any) -> None:
        linked.write("docs/a.md", "new")
        linked.commit(day(20))

        assert of(clone("--depth=2"), ["docs/a.md", "docs/link.md"]) == {"docs/a.md": "20", "docs/link.md": SHALLOW}

    def test_a_circle_of_links(self, written: Repository, of: Any) -> None:
        for name, target in (("x.md", "y.md"), ("y.md", "x.md")):
            (written.path / "docs" / name).symlink_to(target)
        written.commit(day(20))

        assert of(written.path, ["docs/x.md"]) == {"docs/x.md": "20"}

    def test_expected_links_are_read_once(self, linked: Repository) -> None:
        git = GitDates({str(linked.path / "docs"): (".md",)}, DateRules())
        path = str(linked.path / "docs" / "folder" / "a.md")
        git.expect([path])
        readers = git._other_readers

        assert _day(git.dates_of([path])[path]) == "10"
        assert git._other_readers == readers != []

    def test_a_documents_folder_that_is_a_link(self, linked: Repository, of: Any) -> None:
        names = ["shortcut/a.md", "docs/guide/a.md"]

        assert of(linked.path, names, linked.path / "shortcut") == dict(zip(names, ["12", "3"], strict=True))

    def test_a_link_out_of_the_repository(self, linked: Repository, new_repository: Any, of: Any) -> None:
        other = new_repository("other")
        other.write("b.md", "one")
        other.commit(day(9))
        (linked.path / "docs" / "other.md").symlink_to(other.path / "b.md")
        (linked.path / "docs" / "others").symlink_to(other.path)

        names = ["docs/other.md", "docs/others/b.md"]
        assert of(linked.path, names) == dict.fromkeys(names, "9")


class TestWorkTreeElsewhere:
    """A folder without a ``.git``, whose repository is set by environment variables."""

    @pytest.fixture
    def bare(self, written: Repository, tmp_path: Path) -> Path:
        return (written.path / ".git").rename(tmp_path / "bare.git")

    @pytest.fixture(params=["absolute", "relative"])
    def told(
        self, request: pytest.FixtureRequest, bare: Path, written: Repository, monkeypatch: pytest.MonkeyPatch
    ) -> Repository:
        is_absolute = request.param == "absolute"
        monkeypatch.chdir(written.path)
        monkeypatch.setenv("GIT_DIR", str(bare) if is_absolute else os.path.relpath(bare, written.path))
        monkeypatch.setenv("GIT_WORK_TREE", str(written.path) if is_absolute else ".")
        return written

    def test_files_of_any_kind(self, told: Repository, of: Any) -> None:
        told.write("docs/new.md", "new")
        expected = {"README.md": "1", "docs/a.md": "2", "docs/guide/a.md": "3", "src/code.py": "5"}

        assert of(told.path, [*expected, "docs/new.md"]) == expected | {"docs/new.md": NOT_COMMITTED}

    @pytest.mark.usefixtures("told")
    def test_a_repository_within_has_its_own_dates(self, new_repository: Any, of: Any, monkeypatch: Any) -> None:
        with monkeypatch.context() as patch:
            patch.delenv("GIT_DIR")
            patch.delenv("GIT_WORK_TREE")
            nested = new_repository("repository/nested")
            nested.write("docs/a.md", "one")
            nested.commit(day(9))

        assert of(nested.path, ["docs/a.md"]) == {"docs/a.md": "9"}

    @pytest.mark.usefixtures("bare")
    def test_without_the_variables_there_is_no_repository(self, written: Repository, of: Any) -> None:
        assert of(written.path, ["docs/a.md", "README.md"]) == {"docs/a.md": NO_GIT, "README.md": NOT_COMMITTED}

    def test_a_work_tree_that_is_another_folder(
        self, bare: Path, written: Repository, tmp_path: Path, of: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GIT_DIR", str(bare))
        monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "another"))

        assert of(written.path, ["docs/a.md"]) == {"docs/a.md": NO_GIT}


class TestProblems:
    def test_of_the_pages(self, tmp_path: Path) -> None:
        (tmp_path / "docs").mkdir()
        path = str(tmp_path / "docs" / "a.md")
        git = GitDates({str(tmp_path / "docs"): (".md",)}, DateRules())

        assert git.problem == "the pages have no date from git: the documents are not in a git repository"
        assert git.dates_of([path]) == {path: FileDate(when=None, reason=NO_GIT)}
        assert (git.histories, git.now, git.ignore_file_problems) == ((), None, ())

    @pytest.mark.parametrize(("place", "expected"), [("repository/vendor", NO_GIT), ("other", NOT_COMMITTED)])
    def test_of_files_elsewhere(self, place: str, expected: str, written: Repository, new_repository: Any) -> None:
        """A file within the site's own repository would have a date, but it is unknown."""
        other = new_repository(place)
        path = other.write("a.txt", "one")
        other.commit(day(9))
        other.git("config", "remote.origin.partialCloneFilter", "tree:0")
        git = GitDates({str(written.path / "docs"): (".md",)}, DateRules())
        pages = [str(written.path / "docs" / "a.md"), str(path)]

        assert [_day(date) for date in git.dates_of(pages).values()] == ["2", expected]
        assert git.problem == f"some other sources of the pages have no date from git: {TREELESS}"
        assert len(git.histories) == 1

    def test_of_the_catalogues(self, written: Repository, tmp_path: Path) -> None:
        """Outside any repository they have no dates. In an unreadable repository their dates are unknown."""
        (tmp_path / "locales").mkdir()
        path = str(tmp_path / "locales" / "a.po")
        Path(path).write_text("one", encoding="utf-8")
        git = GitDates({str(written.path / "docs"): (".md",), str(tmp_path / "locales"): (".po",)}, DateRules())

        assert git.problem == "the catalogues have no date from git: the documents are not in a git repository"
        assert git.dates_of([path]) == {path: UNTRACKED}

    @pytest.mark.parametrize("is_treeless", [False, True])
    def test_of_the_catalogues_repository(self, written: Repository, new_repository: Any, *, is_treeless: bool) -> None:
        locales = new_repository("locales")
        path = str(locales.write("a.po", "one"))
        locales.commit(day(9))
        if is_treeless:
            locales.git("config", "remote.origin.partialCloneFilter", "tree:0")
        git = GitDates({str(written.path / "docs"): (".md",), str(locales.path): (".po",)}, DateRules())

        assert _day(git.dates_of([path])[path]) == (NO_GIT if is_treeless else "9")

    def test_problems_with_ignore_files_are_named_once(self, written: Repository) -> None:
        written.write(IGNORE_REVS, "nonsense")
        written.commit(day(9))
        folders = {str(written.path / name): (".md",) for name in ("docs", "docs/guide")}
        git = GitDates(folders, DateRules(ignore_revs=None))
        git.dates_of([str(written.path / "README.md")])

        assert git.ignore_file_problems == (
            f"line 1 of {IGNORE_REVS} is not a full commit id: 'nonsense'; it is ignored",
        )


def test_rules_are_the_same_everywhere(written: Repository) -> None:
    paths = [written.path / "docs" / "moved.md", written.path / "moved.py"]
    written.git("mv", "docs/a.md", "docs/moved.md")
    written.git("mv", "src/code.py", "moved.py")
    written.commit(day(9))
    for rules, expected in ((DateRules(), ["2", "5"]), (DateRules(follow_renames=False), ["9", "9"])):
        dates = GitDates({str(written.path / "docs"): (".md",)}, rules).dates_of(map(str, paths))

        assert [_day(date) for date in dates.values()] == expected


class TestExport:
    """A commit whose files are in another folder, as written by git archive."""

    @pytest.fixture
    def exported(self, written: Repository, tmp_path: Path) -> Export:
        """The commit of the third of February. Since then one file was changed, another file and a folder removed."""
        commit = written.git("rev-parse", "HEAD~2")
        written.write("docs/a.md", "changed")
        written.git("rm", "-q", "-r", "README.md", "docs/guide")
        written.commit(day(9))
        folder = tmp_path / "export"
        folder.mkdir()
        archive = tmp_path / "export.tar"
        written.git("archive", f"--output={archive}", commit)
        subprocess.run(["tar", "-xf", archive], cwd=folder, check=True)
        return Export(str(folder), str(written.path.resolve()), commit)

    def test_files_have_the_dates_of_its_commit(self, exported: Export) -> None:
        git = GitDates({f"{exported.folder}/docs": (".md",)}, DateRules(), export=exported)
        names = ["docs/a.md", "docs/guide/a.md", "README.md", "docs/made.md"]
        Path(exported.folder, "docs", "made.md").write_text("made by a tool")
        dates = git.dates_of([f"{exported.folder}/{name}" for name in names])
        assert [*map(_day, dates.values())] == ["2", "3", "1", NOT_COMMITTED]
        assert {history.head for history in git.histories} == {exported.commit}
        assert git.now == dates[f"{exported.folder}/docs/guide/a.md"].when

    def test_a_folder_that_is_missing_in_the_checkout(self, exported: Export) -> None:
        folders = {f"{exported.folder}/docs": (".md",), f"{exported.folder}/docs/guide": (".txt", ".md")}
        git = GitDates(folders, DateRules(), export=exported)
        path = f"{exported.folder}/docs/guide/a.md"
        assert (_day(git.dates_of([path])[path]), git.problem) == ("3", None)

    def test_a_later_list_of_commits_to_ignore_is_no_problem(self, exported: Export, written: Repository) -> None:
        written.write(IGNORE_REVS, f"{exported.commit}\n")
        written.commit(day(10))
        git = GitDates({f"{exported.folder}/docs": (".md",)}, DateRules(), export=exported)
        assert git.ignore_file_problems == ()

    def test_other_repositories_are_read_as_usual(self, exported: Export, new_repository: Any) -> None:
        other = new_repository("other")
        path = str(other.write("a.txt", "one"))
        other.commit(day(8))
        git = GitDates({f"{exported.folder}/docs": (".md",)}, DateRules(), export=exported)
        assert _day(git.dates_of([path])[path]) == "8"


wait = HistoryReader.history


@pytest.fixture
def rogue_docs(repository: Repository) -> Path:
    """A page, a page whose commit has a wrong clock, and a link to a page elsewhere."""
    repository.write("docs/page.md", "one")
    repository.write("README.md", "one")
    (repository.path / "docs/link.md").symlink_to("../README.md")
    repository.commit("2026-02-01T10:00:00Z")
    repository.write("docs/rogue.md", "one")
    repository.commit(FUTURE)
    repository.write("README.md", "two")
    repository.commit("2026-02-03T10:00:00Z")
    return repository.path / "docs"


def test_the_dates_of_a_folder_are_those_of_a_build(rogue_docs: Path) -> None:
    files = {path.name: str(path) for path in rogue_docs.iterdir()}
    built = GitDates({str(rogue_docs): (".md",)}, DateRules()).dates_of(files.values())
    found = dates_below(str(rogue_docs), DateRules(), None, wait)
    assert found == {name: built[file] for name, file in files.items()}
    assert {name: date.when.day if date.when else date.reason for name, date in found.items()} == {
        "link.md": 3,
        "page.md": 1,
        "rogue.md": WRONG_CLOCK,
    }


def test_plain_dates_are_those_of_git_log(rogue_docs: Path) -> None:
    found = dates_below(str(rogue_docs), PLAIN_DATES, None, wait)
    assert {name: date.when.year for name, date in found.items() if date.when} == {
        "link.md": 2026,
        "page.md": 2026,
        "rogue.md": 2255,
    }


@pytest.mark.parametrize(("name", "reason"), [("page.md", None), ("rogue.md", WRONG_CLOCK)])
def test_one_file(rogue_docs: Path, name: str, reason: str | None) -> None:
    assert [date.reason for date in dates_below(str(rogue_docs / name), DateRules(), None, wait).values()] == [reason]


def test_a_wrong_clock_is_explained(rogue_docs: Path) -> None:
    found = explain_date(str(rogue_docs / "rogue.md"), DateRules(), None, wait)
    assert (found.date.when, found.date.reason) == (None, WRONG_CLOCK)
    assert found.when is not None
    assert found.when.year == 2255
    as_of = datetime(2300, 1, 1, tzinfo=UTC)
    assert explain_date(str(rogue_docs / "rogue.md"), DateRules(), as_of, wait).date.when == found.when


def test_the_way_through_links_is_explained(rogue_docs: Path) -> None:
    found = explain_date(str(rogue_docs / "link.md"), DateRules(), None, wait)
    assert (found.date.path, found.ways) == ("README.md", (str(Path("docs/link.md")), "README.md"))


@pytest.mark.parametrize("ask", [dates_below, explain_date])
@pytest.mark.parametrize(
    ("name", "reason"),
    [("new.md", "not committed yet"), (".tox/docs/[new]*.md", "ignored by git"), ("-.o", "ignored by git")],
)
def test_a_file_that_is_not_committed_has_no_date(rogue_docs: Path, ask: object, name: str, reason: str) -> None:
    (rogue_docs / ".gitignore").write_text(".tox/\n*.o\n")
    (rogue_docs / name).parent.mkdir(parents=True, exist_ok=True)
    (rogue_docs / name).write_text("")
    with pytest.raises(HistoryError, match=rf"{re.escape(name)} is {reason}"):
        ask(str(rogue_docs / name), DateRules(), None, wait)  # type: ignore[operator]


FUTURE = "@9006804000 +0000"  # in June 2255; git reads no year after 2099


@pytest.fixture
def rogue(repository: Repository) -> Repository:
    """Three pages of 2026, one of which was changed in 2255, before the last commit."""
    return change_second_page(repository, FUTURE)


def change_second_page(repository: Repository, when: str) -> Repository:
    """Commit three pages on 1 February 2026, a change to the second one, and one to the third on 3 February."""
    for name in "abc":
        repository.write(f"docs/{name}.md", "one")
    repository.commit("2026-02-01T10:00:00Z")
    repository.write("docs/b.md", "two")
    repository.commit(when)
    repository.write("docs/c.md", "two")
    repository.commit("2026-02-03T10:00:00Z")
    return repository


def days_of(
    repository: Repository, as_of: datetime | None = None, suffix: str = ".md"
) -> tuple[dict[str, str], GitDates]:
    git = GitDates({str(repository.path / "docs"): (suffix,)}, DateRules(), as_of)
    files = sorted(map(str, (repository.path / "docs").iterdir()))
    dates = git.dates_of(files)
    return {
        os.path.basename(file): str(date.when.date() if date.when else date.reason) for file, date in dates.items()
    }, git


def test_a_commit_of_another_century_dates_nothing(rogue: Repository) -> None:
    found, git = days_of(rogue)

    assert found == {"a.md": "2026-02-01", "b.md": WRONG_CLOCK, "c.md": "2026-02-03"}
    assert git.now == datetime(2026, 2, 3, 10, tzinfo=UTC)
    sha = rogue.git("rev-parse", "HEAD~1")[:10]
    assert git.wrong_clock == (
        f"commit {sha} is dated 2255-06-01, which is later than the last commit by more than a day: a clock was wrong, "
        "so 1 file has no date"
    )


def test_one_message_counts_all_such_commits(rogue: Repository) -> None:
    rogue.write("docs/d.md", "one")
    rogue.write("docs/e.md", "one")
    sha = rogue.commit("@8962185600 +0000")[:10]
    for name in "cfghi":
        rogue.write(f"docs/{name}.md", "three")
    rogue.commit("2026-02-04T10:00:00Z")

    said = days_of(rogue)[1].wrong_clock

    assert said is not None
    assert said.startswith(f"commit {sha} is dated 2254-01-01")
    assert ", like 1 more commit: " in said
    assert said.endswith("so 3 files have no date")


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("2026-02-04T10:00:00Z", "2026-02-04"),
        ("2026-02-04T10:00:01Z", WRONG_CLOCK),
        ("2026-02-05T00:00:00+14:00", "2026-02-05"),
    ],
)
def test_a_commit_may_be_a_day_later_than_the_last_one(when: str, expected: str, repository: Repository) -> None:
    assert days_of(change_second_page(repository, when))[0]["b.md"] == expected


def test_the_clock_of_the_build_can_be_later_than_the_last_commit(rogue: Repository) -> None:
    found, git = days_of(rogue, datetime(2255, 6, 1, tzinfo=UTC))

    assert found["b.md"] == "2255-06-01"
    assert git.wrong_clock is None


def test_an_earlier_clock_of_the_build_changes_nothing(rogue: Repository) -> None:
    assert days_of(rogue, datetime(2020, 1, 1, tzinfo=UTC))[0]["c.md"] == "2026-02-03"


def test_the_clock_of_the_last_commit_was_wrong_if_most_commits_are_later(repository: Repository) -> None:
    for number, name in enumerate("abc", start=1):
        repository.write(f"docs/{name}.md", "one")
        repository.write(f"src/{name}.py", "one")
        repository.commit(f"2026-02-0{number}T10:00:00Z")
    repository.write("docs/a.md", "two")
    head = repository.commit("1980-01-01T00:00:00Z")

    found, git = days_of(repository)

    assert found == {"a.md": "1980-01-01", "b.md": "2026-02-02", "c.md": "2026-02-03"}
    assert git.now == datetime(2026, 2, 3, 10, tzinfo=UTC)
    assert git.wrong_clock == (
        f"the last commit, {head[:10]}, is dated 1980-01-01, but most pages were changed later: its clock was wrong, "
        "and the newest commit counts as now, 2026-02-03"
    )
    other = str(repository.path / "src" / "c.py")
    assert git.dates_of([other])[other].when == datetime(2026, 2, 3, 10, tzinfo=UTC)


class TestShallow:
    """Most files of a shallow clone may have older dates that are not known, so those that are known are no majority."""

    @pytest.fixture
    def deep(self, repository: Repository) -> Repository:
        """Ten pages, four of which were changed in the last commit but one; the first page in the last one."""

        def change(names: str, when: str) -> None:
            for name in names.split():
                repository.write(f"docs/{name}.md", when)
            repository.commit(when)

        change("p1 p2 p3 p4 p5 p6 w1 w2 w3 w4", "2026-01-01T10:00:00Z")
        repository.write("other", "one")
        repository.commit("2026-01-02T10:00:00Z")
        change("w1 w2 w3 w4", "2036-02-01T10:00:00Z")
        change("p1", "2026-03-01T10:00:00Z")
        return repository

    def dates(self, docs: Path, deployed: datetime | None = None) -> tuple[dict[str, str], GitDates]:
        git = GitDates({str(docs): (".md",)}, DateRules(), deployed=lambda: deployed)
        dates = git.dates_of([*map(str, docs.iterdir())])
        return {os.path.basename(file)[:2]: str(date.when or date.reason)[:10] for file, date in dates.items()}, git

    def test_only_the_last_commit_judges(self, deep: Repository, clone: Any) -> None:
        cut, wrong = SHALLOW[:10], WRONG_CLOCK[:10]
        found, git = self.dates(clone("--depth=3") / "docs")
        assert (found["p1"], found["p2"], found["w1"], found["w4"]) == ("2026-03-01", cut, wrong, wrong)
        assert git.wrong_clock is not None
        head = deep.git("rev-parse", "HEAD")[:10]
        assert git.wrong_clock.endswith(
            f"so 4 files have no date; most known dates are later than {head}, the last commit, so its clock may be wrong instead"
        )

    @pytest.mark.usefixtures("deep")
    @pytest.mark.parametrize(
        ("deployed", "expected"), [("2026-02-01", WRONG_CLOCK), ("2036-02-01", "2036-02-01"), (None, WRONG_CLOCK)]
    )
    def test_the_last_deployment_judges_too(self, deployed: str | None, expected: str, clone: Any) -> None:
        when = datetime.fromisoformat(f"{deployed}T10:00:00Z") if deployed else None
        assert self.dates(clone("--depth=3") / "docs", when)[0]["w1"] == expected[:10]

    def test_the_last_deployment_is_not_asked_without_need(self, deep: Repository) -> None:
        later = datetime(2040, 1, 1, tzinfo=UTC)
        assert self.dates(deep.path / "docs", later)[0]["w1"] == WRONG_CLOCK[:10]

    def test_where_no_date_is_cut_off_most_dates_judge(self, deep: Repository, clone: Any) -> None:
        for name in ("p2", "p3", "p4", "p5", "p6"):
            deep.write(f"docs/{name}.md", "two")
        deep.commit("2026-03-02T10:00:00Z")
        deep.write("docs/p1.md", "three")
        deep.commit("1980-03-02T10:00:00Z")
        found, git = self.dates(clone("--depth=5") / "docs")
        assert (found["p2"], found["w1"]) == ("2026-03-02", "2036-02-01")
        assert "its clock was wrong, and the newest commit counts as now" in (git.wrong_clock or "")


def test_another_repository_has_its_own_last_commit(rogue: Repository, new_repository: object) -> None:
    other = new_repository("other")  # type: ignore[operator]
    for number, name in ((8, "a.py"), (9, "b.py")):
        other.write(name, "one")
        other.commit(f"2026-03-0{number}T10:00:00Z")
    git = GitDates({str(rogue.path / "docs"): (".md",)}, DateRules())
    path = str(other.path / "b.py")

    assert git.dates_of([path])[path].when == datetime(2026, 3, 9, 10, tzinfo=UTC)
