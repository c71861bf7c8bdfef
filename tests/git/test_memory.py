"""Dates that only an earlier build knew: those of the whole history, or none."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import structs

from sitemap_plugins.git import Basis, DateRules, GitDates, History, HistoryReader, Memory, Row, digest_of
from sitemap_plugins.git.memory import End, Recalled, recall
from sitemap_plugins.git.walk import Commit
from sitemap_plugins.model import SHALLOW, UNREMEMBERED

if TYPE_CHECKING:
    from tests.conftest import Repository

LONG = "a page that is long enough to be told from all others\n" * 8
CATALOGUE = 'msgid ""\nmsgstr "POT-Creation-Date: {}\\n"\n\nmsgid "a"\nmsgstr "{}"\n'
OLD, LAST, NEW, LATER = (f"2026-02-0{day}T10:00:00Z" for day in (1, 2, 3, 4))


def dates_of(history: History) -> dict[str, str]:
    """The day of the month of each file, or why it has no date."""
    return {os.fsdecode(name): str(date.when.day if date.when else date.reason) for name, date in history.files.items()}


def memory_of(history: History) -> Memory:
    """What a build with this history, and the usual rules, remembers."""
    return Memory(head=history.head.encode(), basis=structs.replace(BASIS, ignored=frozenset()), rows=history.rows)


def amended(repository: Repository) -> str:
    repository.write("docs/a.md", "two")
    head = repository.commit(LAST)
    repository.git("commit", "--quiet", "--amend", "--message=again", when=NEW)
    return head


def squashed(repository: Repository) -> str:
    repository.git("checkout", "--quiet", "-b", "topic")
    repository.write("docs/a.md", "two")
    head = repository.commit(LAST)
    repository.git("checkout", "--quiet", "main")
    repository.write("docs/a.md", "two")
    repository.commit(NEW)
    return head


def moved_in(repository: Repository) -> str:
    repository.write("src/c.md", LONG)
    head = repository.commit(LAST)
    repository.git("mv", "src/c.md", "docs/c.md")
    repository.commit(NEW)
    return head


def listed_first(repository: Repository) -> str:
    """A folder of documents becomes part of the site."""
    repository.write("docs/c.md", "one")
    head = repository.commit(LAST)
    repository.write("docs/b.md", "two")
    repository.commit(NEW)
    return head


def copied(repository: Repository) -> str:
    repository.write("docs/c.md", LONG)
    head = repository.commit(OLD)
    repository.write("docs/d.md", LONG)
    repository.commit(NEW)
    repository.git("rm", "--quiet", "docs/c.md")
    repository.commit(LATER)
    return head


def renamed(repository: Repository) -> str:
    """The page is too short to be recognized under another name, so the rename is a change."""
    head = repository.git("rev-parse", "HEAD")
    repository.git("mv", "docs/b.md", "docs/c.md")
    repository.commit(NEW)
    return head


def retranslated(repository: Repository) -> str:
    repository.write("docs/c.po", CATALOGUE.format(1, "eins"))
    head = repository.commit(LAST)
    repository.write("docs/c.po", CATALOGUE.format(2, "eins"))
    repository.commit(NEW)
    return head


def undone(repository: Repository) -> str:
    head = repository.git("rev-parse", "HEAD")
    repository.write("docs/a.md", "two")
    repository.commit(NEW)
    repository.write("docs/a.md", "one")
    repository.commit(LATER)
    return head


def second_parent(repository: Repository) -> str:
    """The branch that was merged into main becomes main, so that the deployed commit is a second parent."""
    repository.git("checkout", "--quiet", "-b", "topic")
    repository.write("docs/a.md", "two")
    repository.commit(NEW)
    repository.git("checkout", "--quiet", "main")
    repository.write("docs/b.md", "two")
    head = repository.commit(LAST)
    repository.git("checkout", "--quiet", "topic")
    repository.git("merge", "--quiet", "--no-ff", "--message=merge", "main", when=LATER)
    return head


def changed(repository: Repository) -> str:
    head = repository.git("rev-parse", "HEAD")
    repository.write("docs/a.md", "two")
    repository.commit(NEW)
    return head


CUT, LOST = SHALLOW, UNREMEMBERED


@pytest.mark.parametrize(
    ("make", "whole", "depths"),
    [
        (amended, {"a.md": "3", "b.md": "1"}, [{"a.md": CUT, "b.md": CUT}, {"a.md": "3", "b.md": CUT}]),
        (squashed, {"a.md": "3", "b.md": "1"}, [{"a.md": CUT, "b.md": CUT}, {"a.md": "3", "b.md": CUT}]),
        (moved_in, {"a.md": "1", "b.md": "1", "c.md": "2"}, [{"a.md": "1", "b.md": "1", "c.md": LOST}] * 2),
        (listed_first, {"a.md": "1", "b.md": "3", "c.md": "2"}, [{"a.md": "1", "b.md": "3", "c.md": "2"}] * 2),
        (
            copied,
            {"a.md": "1", "b.md": "1", "d.md": "3"},
            [
                {"a.md": CUT, "b.md": CUT, "d.md": CUT},
                {"a.md": "1", "b.md": "1", "d.md": LOST},
                {"a.md": "1", "b.md": "1", "d.md": "3"},
            ],
        ),
        (renamed, {"a.md": "1", "c.md": "3"}, [{"a.md": "1", "c.md": LOST}, {"a.md": "1", "c.md": "3"}]),
        (
            retranslated,
            {"a.md": "1", "b.md": "1", "c.po": "2"},
            [{"a.md": "1", "b.md": "1", "c.po": LOST}, {"a.md": "1", "b.md": "1", "c.po": "2"}],
        ),
        (
            undone,
            {"a.md": "4", "b.md": "1"},
            [{"a.md": CUT, "b.md": CUT}, {"a.md": "4", "b.md": "1"}],
        ),
        (
            second_parent,
            {"a.md": "3", "b.md": "2"},
            [{"a.md": CUT, "b.md": CUT}, {"a.md": CUT, "b.md": "2"}],
        ),
        (changed, {"a.md": "3", "b.md": "1"}, [{"a.md": "3", "b.md": "1"}] * 2),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_what_an_earlier_build_knew(
    make: Callable[[Repository], str],
    whole: Mapping[str, str],
    depths: list[Mapping[str, str]],
    repository: Repository,
    read_parents: Any,
    cut: Any,
) -> None:
    """In all of these histories but the last, the same content does not mean the same date."""
    repository.write("docs/a.md", "one")
    repository.write("docs/b.md", "one")
    repository.commit(OLD)
    head = make(repository)
    rules = DateRules()
    read = HistoryReader(repository.path / "docs", rules=rules, revision=head, keeps_rows=True)
    memory = memory_of(read.history())
    assert dates_of(HistoryReader(repository.path / "docs", rules=rules).history()) == whole

    parents, now = read_parents(repository), repository.git("rev-parse", "HEAD")
    for depth, dates in enumerate([*depths, whole], 1):
        cut(repository, parents, now, depth if dates is not whole else 50)
        found = HistoryReader(repository.path / "docs", rules=rules, previous=lambda _: memory)
        assert dates_of(found.history()) == dates, f"depth {depth}"
        (repository.path / ".git" / "shallow").unlink(missing_ok=True)


def end(**values: Any) -> End:
    """The end of a walk at a commit that changed a file after the earlier build."""
    known = {"path": "a.md", "mode": "100644", "blob": "2" * 40, "parents": (b"c" * 40,)}
    return End(commit=Commit(b"d" * 40, b"committer A <a> 1767225600 +0100"), **(known | values))


ROW = Row(mode="100644", blob="1" * 40, commit="b" * 40, when=datetime(2025, 1, 1, tzinfo=UTC))
BASIS = Basis(
    date="committer",
    follow_renames=True,
    fuzzy=False,
    catalogues=True,
    contents=True,
    ignored=frozenset((b"e" * 40,)),
)
MEMORY = Memory(
    head=b"c" * 40, basis=BASIS, rows={"a.md": ROW, "new.md": Row(mode="100644", blob="1" * 40), "a.po": ROW}
)
THIS = datetime(2026, 1, 1, tzinfo=UTC)
MORE = BASIS.ignored | {b"d" * 40}


@pytest.mark.parametrize(
    ("ended", "now", "when"),
    [
        pytest.param(end(), {}, THIS, id="the commit changed the file"),
        pytest.param(end(path="new.md"), {}, THIS, id="and the earlier build did not know its date"),
        pytest.param(end(blob=ROW.blob), {}, ROW.when, id="the same file"),
        pytest.param(end(blob=ROW.blob, path="new.md"), {}, None, id="the same file without a date"),
        pytest.param(end(path="b.md"), {}, None, id="a new file, or one with another name"),
        pytest.param(end(blob=ROW.blob, mode="100755"), {}, ROW.when, id="another mode"),
        pytest.param(end(blob=ROW.blob, mode="120000"), {}, THIS, id="a link instead of a file"),
        pytest.param(end(), {"ignored": MORE}, ROW.when, id="an ignored commit"),
        pytest.param(end(path="a.po"), {}, None, id="a catalogue"),
        pytest.param(end(path="a.po"), {"ignored": MORE}, None, id="a catalogue in an ignored commit"),
        pytest.param(end(path="a.po"), {"catalogues": False}, THIS, id="a catalogue that is a file like others"),
        pytest.param(end(parents=(b"c" * 40, b"f" * 40)), {}, None, id="a merge"),
        pytest.param(
            end(parents=(b"c" * 40, b"f" * 40), blob=ROW.blob), {}, ROW.when, id="a merge that did not change it"
        ),
        pytest.param(end(parents=(b"c" * 40, b"f" * 40)), {"date": "landed"}, THIS, id="a merge that landed it"),
        pytest.param(end(parents=(b"f" * 40, b"c" * 40), blob=ROW.blob), {}, "cut", id="the second parent"),
        pytest.param(end(parents=()), {}, "cut", id="a commit that cannot be read"),
        pytest.param(end(parents=(), passed="a.md"), {}, ROW.when, id="the walk came by"),
        pytest.param(end(parents=(), passed="b.md"), {}, None, id="the walk came by a file without a row"),
        pytest.param(end(passed="a.md"), {"ignored": MORE | {b"b" * 40}}, None, id="its commit is ignored now"),
        pytest.param(
            structs.replace(end(), commit=Commit(b"d" * 40, b"committer A <a> no date")), {}, None, id="no date"
        ),
    ],
)
def test_recall(ended: End, now: Mapping[str, Any], when: datetime | str | None) -> None:
    basis = structs.replace(BASIS, **now)
    found = recall(ended, structs.replace(MEMORY, basis=structs.replace(basis, ignored=BASIS.ignored)), basis)
    assert (found.when if found else "cut") == when
    assert found is None or found == {
        THIS: Recalled(commit="d" * 40, when=THIS),
        ROW.when: Recalled(commit=ROW.commit, when=ROW.when, since="c" * 40),
    }.get(found.when, Recalled())


@pytest.mark.parametrize(
    ("before", "objection"),
    [
        ({}, ""),
        ({"ignored": frozenset()}, ""),
        ({"date": "author"}, "git.date was author, but is committer now"),
        ({"follow_renames": False}, "git.follow_renames was false, but is true now"),
        ({"fuzzy": True}, "fuzzy translations was true, but is false now"),
        *(
            (
                {name: False},
                "this clone or that of the earlier build has no old contents (--filter), which tell what was renamed or translated",
            )
            for name in ("contents", "catalogues")
        ),
        (
            {"ignored": BASIS.ignored | {b"1" * 40}},
            "it ignored 1 commit that this build does not ignore",
        ),
        ({"ignored": frozenset((b"1" * 40, b"2" * 40))}, "it ignored 2 commits that this build does not ignore"),
    ],
)
def test_objections(before: Mapping[str, Any], objection: str) -> None:
    assert structs.replace(MEMORY, basis=structs.replace(BASIS, **before)).objection(BASIS) == objection


def test_without_renames_a_clone_needs_no_old_contents() -> None:
    basis = structs.replace(BASIS, follow_renames=False, contents=False)
    assert structs.replace(MEMORY, basis=basis).objection(basis) == ""


def test_files_that_were_not_published_are_found_by_the_digests_of_their_paths() -> None:
    memory = structs.replace(MEMORY, rows={}, hidden={digest_of("docs/a\udcff.md"): ROW})
    assert memory.row("docs/a\udcff.md") == ROW
    assert memory.row("docs/a.md") is None


def test_a_whole_clone_does_not_ask(repository: Repository) -> None:
    repository.write("docs/a.md", "one")
    repository.commit(OLD)
    read = HistoryReader(repository.path / "docs", rules=DateRules(), previous=lambda _: pytest.fail("it asks"))
    assert dates_of(read.history()) == {"a.md": "1"}


@pytest.mark.parametrize("rules", [DateRules(created=True), DateRules(modes=True)])
def test_other_dates_are_not_remembered(rules: DateRules, repository: Repository, read_parents: Any, cut: Any) -> None:
    repository.write("docs/a.md", "one")
    repository.commit(OLD)
    head = repository.commit(NEW)
    history = HistoryReader(repository.path / "docs", rules=DateRules(), keeps_rows=True).history()
    cut(repository, read_parents(repository), head, 1)
    found = HistoryReader(repository.path / "docs", rules=rules, previous=lambda _: memory_of(history)).history()
    assert dates_of(found) == {"a.md": SHALLOW}
    assert found.objection == "it has neither the dates of creation nor those of git log -1"


def test_all_files_of_a_folder_have_rows_and_only_those_that_are_wanted_have_dates(repository: Repository) -> None:
    repository.write("docs/a.md", "one")
    repository.write("docs/a.svg", "one")
    repository.write("docs/a.po", "one")
    repository.write("other.md", "one")
    repository.commit(OLD)
    read = HistoryReader(repository.path / "docs", [".md"], rules=DateRules(), keeps_rows=True)
    assert set(read.history().rows) == {"docs/a.md", "docs/a.svg"}
    assert dates_of(read.history()) == {"a.md": "1"}
    read = HistoryReader(repository.path / "docs", [".po"], rules=DateRules(), keeps_rows=True)
    assert set(read.history().rows) == {"docs/a.md", "docs/a.svg", "docs/a.po"}
    assert HistoryReader(repository.path / "docs", rules=DateRules()).history().rows == {}


def test_dates_of_another_site_are_forgotten(repository: Repository, read_parents: Any, cut: Any) -> None:
    page = repository.write("docs/a.md", "one")
    head = repository.commit(OLD)
    memory = memory_of(HistoryReader(repository.path / "docs", rules=DateRules(), keeps_rows=True).history())
    repository.write("docs/b.md", "one")
    head = repository.commit(NEW)
    cut(repository, read_parents(repository), head, 1)
    folders = {str(repository.path / "docs"): (".md",)}
    git = GitDates(folders, DateRules(), previous=lambda _: memory, keeps_rows=True)
    (date,) = git.dates_of([str(page)]).values()
    assert (date.when, date.since) == (datetime(2026, 2, 1, 10, tzinfo=UTC), memory.head.decode())
    assert not date.added, "the oldest commit of a clone seems to add all files"
    git.forget()
    assert [date.reason for date in git.dates_of([str(page)]).values()] == [SHALLOW]
    assert {row.when for row in git.histories[0].rows.values()} == {None}


def test_a_merge_that_is_ignored_later_leads_the_same_way(repository: Repository, read_parents: Any, cut: Any) -> None:
    """The merge changed the file, but compared with its second parent only the mode."""
    repository.write("docs/a.md", "one")
    repository.commit(OLD)
    repository.git("checkout", "--quiet", "-b", "topic")
    repository.write("docs/a.md", "two")
    repository.commit(NEW)
    repository.git("checkout", "--quiet", "main")
    repository.write("docs/b.md", "one")
    repository.commit(LAST)
    repository.git("merge", "--quiet", "--no-commit", "--no-ff", "topic")
    repository.git("update-index", "--chmod=+x", "docs/a.md")
    repository.git("commit", "--quiet", "--message=merge", when=LATER)
    merge = repository.git("rev-parse", "HEAD")
    folder = repository.path / "docs"
    memory = memory_of(HistoryReader(folder, rules=DateRules(), keeps_rows=True).history())
    later = repository.git("commit-tree", "-m", "later", "-p", merge, f"{merge}^{{tree}}")
    repository.git("update-ref", "HEAD", later)
    rules = (DateRules(), DateRules(ignored=frozenset((merge.encode(),))))
    for is_cut in (False, True):
        if is_cut:
            cut(repository, read_parents(repository), later, 1)
        for each in rules:
            found = HistoryReader(folder, rules=each, previous=lambda _: memory).history()
            assert dates_of(found) == {"a.md": "3", "b.md": "2"}


def test_a_chain_of_deployments_has_the_rows_of_the_whole_history(
    repository: Repository, read_parents: Any, cut: Any
) -> None:
    """However often a date is handed on, a later build has to know the same as from the whole history."""
    folder = repository.path / "docs"
    repository.write("docs/a.md", "one")
    memory = None
    for number in range(1, 9):
        repository.write("docs/a.po", CATALOGUE.format(number, "eins"))
        head = repository.commit(f"2026-02-0{number}T10:00:00Z")
        whole = HistoryReader(folder, rules=DateRules(), keeps_rows=True).history()
        cut(repository, read_parents(repository), head, 3)
        found = HistoryReader(folder, rules=DateRules(), previous=lambda _, each=memory: each, keeps_rows=True)
        assert found.history().rows == whole.rows
        memory = memory_of(found.history())
        (repository.path / ".git" / "shallow").unlink(missing_ok=True)
    assert dates_of(whole) == {"a.md": "1", "a.po": "1"}
