"""The last-modified date: the first source that knows it, and never a guess."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from sitemap_plugins.enrich.git_history import NOT_COMMITTED, SHALLOW, UNREADABLE
from sitemap_plugins.enrich.lastmod import DateOf, lastmod_of, undated_notes
from sitemap_plugins.model import Candidate, Entry, FileDate, LastMod, Page

AS_OF = datetime(2026, 3, 1, 12, tzinfo=UTC)
OLD = datetime(2026, 1, 1, tzinfo=UTC)
NEW = datetime(2026, 2, 1, tzinfo=UTC)
FUTURE = datetime(2026, 4, 1, tzinfo=UTC)
WRITTEN = date(2026, 1, 15)
NEXT_WEEK = date(2026, 3, 9)

PAGE = Page(loc="https://example.org/", name="a.md", sources=("/a.md", "/b.py"))


def known(**dates: FileDate | datetime | None) -> dict[str, DateOf]:
    """The dates of the files a.md and b.py as git knows them."""
    files = {f"/{name.replace('_', '.')}": date for name, date in dates.items()}

    def date_of(path: str) -> FileDate:
        found = files.get(path)
        return found if isinstance(found, FileDate) else FileDate(when=found)

    return {"git": date_of}


@pytest.mark.parametrize(
    ("sources", "written", "dates", "lastmod"),
    [
        pytest.param(["front_matter", "git"], WRITTEN, known(a_md=OLD), WRITTEN, id="front matter first"),
        pytest.param(["git", "front_matter"], WRITTEN, known(a_md=OLD), OLD, id="git first"),
        pytest.param(["git", "front_matter"], WRITTEN, known(), WRITTEN, id="git knows none"),
        pytest.param(["front_matter", "git"], None, known(a_md=OLD), OLD, id="front matter has none"),
        pytest.param(["front_matter"], None, known(a_md=OLD), None, id="git is not asked"),
        pytest.param(["git"], WRITTEN, known(), None, id="front matter is not asked"),
        pytest.param([], WRITTEN, known(a_md=OLD), None, id="nobody is asked"),
        pytest.param(["git"], None, known(a_md=OLD, b_py=NEW), NEW, id="the newest of the files"),
        pytest.param(["git"], None, known(a_md=NEW, b_py=OLD), NEW, id="the newest of the files, its own"),
        pytest.param(["git"], None, known(b_py=OLD), OLD, id="only a dependency is dated"),
        pytest.param(["git"], None, known(a_md=OLD, b_py=FUTURE), None, id="a commit of the future"),
        pytest.param(["git", "mtime"], None, {}, None, id="no source can be read"),
        pytest.param(
            ["git", "mtime"], None, known() | {"mtime": known(a_md=OLD)["git"]}, OLD, id="the next source is asked"
        ),
        pytest.param(
            ["git", "mtime"], None, known(a_md=OLD) | {"mtime": known(a_md=NEW)["git"]}, OLD, id="the first that knows"
        ),
    ],
)
def test_the_first_source_that_knows_the_date_gives_it(
    sources: list[str], written: LastMod | None, dates: Mapping[str, DateOf], lastmod: LastMod | None
) -> None:
    assert lastmod_of(PAGE, written, sources, dates, AS_OF) == (lastmod, [], None)


def test_a_date_from_git_is_in_utc() -> None:
    east = NEW.astimezone(timezone(timedelta(hours=9)))
    lastmod, _, _ = lastmod_of(PAGE, None, ["git"], known(a_md=east), AS_OF)
    assert lastmod == NEW
    assert isinstance(lastmod, datetime)
    assert lastmod.tzinfo is UTC


def test_a_page_without_files_has_no_date_from_git() -> None:
    page = Page(loc="https://example.org/search.html", name="search")
    assert lastmod_of(page, None, ["git"], known(a_md=OLD), AS_OF) == (None, [], None)


def test_without_a_present_nothing_is_in_the_future() -> None:
    assert lastmod_of(PAGE, NEXT_WEEK, ["front_matter"], {}, None) == (NEXT_WEEK, [], None)
    assert lastmod_of(PAGE, None, ["git"], known(a_md=FUTURE), None) == (FUTURE, [], None)


@pytest.mark.parametrize(
    ("dates", "kind"),
    [
        pytest.param({}, "future-date", id="no git"),
        pytest.param(known(), "future-date", id="git knows no date"),
        pytest.param(known(a_md=OLD), "future-date", id="committed"),
        pytest.param(known(a_md=FileDate(when=OLD, modified=True)), "uncommitted-date", id="modified since"),
        pytest.param(known(b_py=FileDate(when=OLD, modified=True)), "uncommitted-date", id="dependency modified since"),
        pytest.param(
            known(a_md=FileDate(when=None, reason=NOT_COMMITTED, modified=True)), "uncommitted-date", id="not committed"
        ),
    ],
)
def test_a_written_date_that_has_not_come_is_noted_and_not_used(dates: Mapping[str, DateOf], kind: str) -> None:
    lastmod, notes, _ = lastmod_of(PAGE, NEXT_WEEK, ["front_matter"], dates, AS_OF)
    assert lastmod is None
    assert [(note.kind, note.page) for note in notes] == [(kind, "a.md")]
    assert "2026-03-09" in notes[0].message


def test_the_next_source_stands_in_for_a_date_that_has_not_come() -> None:
    lastmod, notes, reason = lastmod_of(PAGE, NEXT_WEEK, ["front_matter", "git"], known(a_md=OLD), AS_OF)
    assert lastmod == OLD
    assert [note.kind for note in notes] == ["future-date"]
    assert reason is None


NO_FILE = {"mtime": lambda _path: FileDate(when=None, reason="no such file")}


@pytest.mark.parametrize(
    ("sources", "dates"),
    [
        pytest.param(["front_matter", "git"], {}, id="git is the last"),
        pytest.param(["git", "front_matter"], {}, id="git is the first"),
        pytest.param(["git", "mtime"], {}, id="the next source cannot be read"),
        pytest.param(["git", "mtime"], NO_FILE, id="the next source knows none either"),
        pytest.param(["mtime", "git"], NO_FILE, id="the source before knew none either"),
    ],
)
def test_gits_reason_is_told_where_it_knew_no_date(sources: list[str], dates: Mapping[str, DateOf]) -> None:
    shallow = known(a_md=FileDate(when=None, reason=SHALLOW), b_py=FileDate(when=None, reason=NOT_COMMITTED))
    assert lastmod_of(PAGE, None, sources, shallow | dates, AS_OF) == (None, [], SHALLOW)


def undated(reason: str | None, lastmod: LastMod | None = None) -> Candidate:
    return Candidate(page=PAGE, path="a/", entry=Entry(loc=PAGE.loc, lastmod=lastmod), undated=reason)


@pytest.mark.parametrize(
    ("reasons", "notes"),
    [
        ([], []),
        ([NOT_COMMITTED, NOT_COMMITTED], [("no-git", "2 pages have no date")]),
        ([SHALLOW], [("shallow", "1 page has no date")]),
        ([None, SHALLOW, SHALLOW], [("shallow", "2 pages have no date")]),
        ([UNREADABLE], [("no-git", "1 page has no date")]),
        ([UNREADABLE, SHALLOW, UNREADABLE], [("shallow", "1 page has no date"), ("no-git", "2 pages have no date")]),
    ],
)
def test_one_note_counts_all_pages_that_stay_without_a_date(
    reasons: list[str | None], notes: list[tuple[str, str]]
) -> None:
    found = undated_notes(undated(reason) for reason in reasons)
    assert [(note.kind, note.message.partition(",")[0]) for note in found] == notes
    assert all(note.page is None for note in found)


def test_a_page_that_is_not_committed_among_others_is_nothing_to_speak_of() -> None:
    assert undated_notes([undated(NOT_COMMITTED), undated(None, date(2026, 1, 1))]) == []


def test_the_note_on_a_shallow_clone_names_the_cure() -> None:
    (note,) = undated_notes([undated(SHALLOW)])
    assert "git fetch --unshallow" in note.message


def test_a_page_that_a_hook_has_dated_is_not_counted() -> None:
    assert undated_notes([undated(SHALLOW, OLD)]) == []


def test_the_time_on_disk_is_taken_as_it_is_since_it_is_later_than_every_commit() -> None:
    dates = {
        "git": lambda _: FileDate(when=None, reason=NOT_COMMITTED),
        "mtime": lambda _: FileDate(when=AS_OF + timedelta(days=9)),
    }
    assert lastmod_of(PAGE, None, ["git", "mtime"], dates, AS_OF)[0] == AS_OF + timedelta(days=9)


@pytest.mark.parametrize(
    ("page", "by_rule", "modified", "kind"),
    [
        (PAGE, False, False, "future-date"),
        (PAGE, False, True, "uncommitted-date"),
        (PAGE, True, False, "uncommitted-date"),
        (replace(PAGE, sources=()), False, False, "uncommitted-date"),
    ],
)
def test_only_a_committed_page_that_says_it_itself_is_wrong_about_its_date(
    page: Page, kind: str, *, by_rule: bool, modified: bool
) -> None:
    dates = {"git": lambda _: FileDate(when=AS_OF, modified=modified)}
    later = AS_OF.date() + timedelta(days=9)
    _, (note,), _ = lastmod_of(page, later, ["front_matter"], dates, AS_OF, by_rule=by_rule)
    assert note.kind == kind
