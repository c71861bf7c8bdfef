"""The lastmod of a page: the first source that has it, never a guess."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from sitemap_plugins.model import (
    IGNORED,
    NO_FILE,
    NO_GIT,
    NOT_COMMITTED,
    SHALLOW,
    UNREADABLE,
    Candidate,
    Dated,
    Entry,
    FileDate,
    LastMod,
    Markup,
    Page,
)
from sitemap_plugins.options.settings import LastModSource
from sitemap_plugins.pages.lastmod import bulk_notes, lastmod_of, newest_of, undated_notes, unresolved_notes

AS_OF = datetime(2026, 3, 1, 12, tzinfo=UTC)
OLD = datetime(2026, 1, 1, tzinfo=UTC)
NEW = datetime(2026, 2, 1, tzinfo=UTC)
FUTURE = datetime(2026, 4, 1, tzinfo=UTC)
WRITTEN = date(2026, 1, 15)
NEXT_WEEK = date(2026, 3, 9)
SWEEP = "5e" * 20

PAGE = Page(loc="https://example.org/", name="a.md", source="/a.md", sources=("/a.md", "/b.py"))
CURE = "run git fetch --unshallow"

Known = Mapping[str, Mapping[str, FileDate]]


def known(**dates: FileDate | datetime | None) -> dict[str, Mapping[str, FileDate]]:
    """The dates of the files a.md and b.py according to git."""
    files = {f"/{name.replace('_', '.')}": date for name, date in dates.items()}
    return {
        "git": {path: found if isinstance(found, FileDate) else FileDate(when=found) for path, found in files.items()}
    }


def unknown(reason: str) -> FileDate:
    return FileDate(when=None, reason=reason)


@pytest.mark.parametrize(
    ("sources", "written", "dates", "lastmod", "source"),
    [
        pytest.param(
            ["front_matter", "git"], WRITTEN, known(a_md=OLD), WRITTEN, "front_matter", id="front matter first"
        ),
        pytest.param(["git", "front_matter"], WRITTEN, known(a_md=OLD), OLD, "git", id="git first"),
        pytest.param(["git", "front_matter"], WRITTEN, known(), WRITTEN, "front_matter", id="git has none"),
        pytest.param(["front_matter", "git"], None, known(a_md=OLD), OLD, "git", id="front matter has none"),
        pytest.param(["front_matter"], None, known(a_md=OLD), None, None, id="git is not used"),
        pytest.param([], WRITTEN, known(a_md=OLD), None, None, id="no source is used"),
        pytest.param(["git"], None, known(a_md=OLD, b_py=NEW), NEW, "git", id="the newest of the files"),
        pytest.param(
            ["git"], None, known(a_md=OLD, b_py=unknown(NOT_COMMITTED)), OLD, "git", id="a file that is not committed"
        ),
        pytest.param(["git"], None, known(a_md=OLD, b_py=unknown(SHALLOW)), None, None, id="a file that may be newer"),
        pytest.param(["git"], None, known(a_md=unknown(SHALLOW), b_py=NEW), None, None, id="its own file may be newer"),
        pytest.param(
            ["git"], None, known(a_md=OLD, b_py=unknown(NO_FILE)), OLD, "git", id="a file that does not exist"
        ),
        pytest.param(
            ["git", "mtime"],
            None,
            known() | {"mtime": known(a_md=OLD)["git"]},
            OLD,
            "mtime",
            id="the next source is used",
        ),
        pytest.param(
            ["git", "mtime"],
            None,
            known(a_md=OLD, b_py=unknown(SHALLOW)) | {"mtime": known(a_md=NEW)["git"]},
            NEW,
            "mtime",
            id="the next source is used if git is not certain",
        ),
    ],
)
def test_the_first_source_that_has_a_date_gives_it(
    sources: list[str], written: LastMod | None, dates: Known, lastmod: LastMod | None, source: str | None
) -> None:
    dated, notes = lastmod_of(PAGE, written, sources, dates, AS_OF)
    assert (dated.lastmod, dated.source, notes) == (lastmod, source, [])


@pytest.mark.parametrize(
    ("sources", "dates", "modified", "lastmod", "source"),
    [
        pytest.param(["git", "page"], known(a_md=OLD), ["2026-02-01"], OLD, "git", id="git first"),
        pytest.param(["page", "git"], known(a_md=OLD), ["2026-01-15"], WRITTEN, "page", id="the page first"),
        pytest.param(["page", "git"], known(a_md=OLD), [], OLD, "git", id="a page without a date"),
        pytest.param(["git", "page"], known(), [" 2026-01-15\n"], WRITTEN, "page", id="git has no such file"),
        pytest.param(
            ["git", "page"], known(a_md=unknown(NOT_COMMITTED)), ["2026-01-15"], WRITTEN, "page", id="not committed"
        ),
        pytest.param(["git", "page"], known(a_md=unknown(SHALLOW)), ["2026-01-15"], None, None, id="a shallow clone"),
        pytest.param(
            ["git", "page"], {}, ["soon", "2026-03-09", "2026-01-15"], WRITTEN, "page", id="a date in the past"
        ),
        pytest.param(["git", "page"], {}, ["soon", ""], None, None, id="no dates"),
    ],
)
def test_the_date_that_the_html_of_a_page_gives(
    sources: list[str], dates: Known, modified: list[str], lastmod: LastMod | None, source: str | None
) -> None:
    page = structs.replace(PAGE, markup=Markup(modified=tuple(modified)))
    dated, notes = lastmod_of(page, None, sources, dates, AS_OF)
    assert (dated.lastmod, dated.source, notes) == (lastmod, source, [])
    assert lastmod_of(PAGE, None, ["page"], dates, AS_OF)[0].lastmod is None


@pytest.mark.parametrize(
    ("sources", "written", "file"),
    [
        (["git"], None, FileDate(when=NEW, path="b.py")),
        # The author's date of a page is in the page itself.
        (["front_matter"], WRITTEN, FileDate(when=OLD, path="a.md")),
        (["mtime"], None, FileDate(when=AS_OF)),
    ],
)
def test_the_file_that_dates_a_page_is_kept(sources: list[str], written: LastMod | None, file: FileDate) -> None:
    dates = known(a_md=FileDate(when=OLD, path="a.md"), b_py=FileDate(when=NEW, path="b.py"))
    dates["mtime"] = {"/a.md": FileDate(when=AS_OF)}
    dated, _ = lastmod_of(PAGE, written, sources, dates, AS_OF)
    assert dated.file == file
    assert dated.own == FileDate(when=OLD, path="a.md")


def test_a_date_from_a_rule_has_the_source_rule() -> None:
    dated, notes = lastmod_of(PAGE, WRITTEN, ["git", "front_matter"], {}, AS_OF, by_rule=True)
    assert (dated.lastmod, dated.source, notes) == (WRITTEN, "rule", [])


def test_a_date_from_git_is_in_utc() -> None:
    east = NEW.astimezone(timezone(timedelta(hours=9)))
    dated, _ = lastmod_of(PAGE, None, ["git"], known(a_md=east), AS_OF)
    assert dated.lastmod == NEW
    assert isinstance(dated.lastmod, datetime)
    assert dated.lastmod.tzinfo is UTC


def test_a_page_without_files_has_no_date_from_git() -> None:
    """SM-MOD-02."""
    page = Page(loc="https://example.org/search.html", name="search")
    assert lastmod_of(page, None, ["git"], known(a_md=OLD), AS_OF) == (Dated(), [])


def test_without_a_current_time_no_date_is_in_the_future() -> None:
    dated, notes = lastmod_of(PAGE, NEXT_WEEK, ["front_matter"], {}, None)
    assert (dated.lastmod, notes) == (NEXT_WEEK, [])


files = st.builds(
    FileDate,
    when=st.none() | st.sampled_from([OLD, NEW, FUTURE]),
    reason=st.sampled_from([None, NO_FILE, NO_GIT, NOT_COMMITTED, SHALLOW, UNREADABLE]),
    path=st.sampled_from("abc"),
)


@given(st.lists(files.filter(lambda file: (file.when is None) == (file.reason is not None)), max_size=5))
def test_the_date_of_several_files_is_certainly_the_newest(several: list[FileDate]) -> None:
    newest = newest_of(several)
    if newest is None or newest.when is None:
        assert (newest in several) is bool(several)
        return
    for file in several:
        assert file.reason in {NO_FILE, NOT_COMMITTED} or (file.when and file.when <= newest.when)


@pytest.mark.parametrize("reason", [NO_GIT, SHALLOW, UNREADABLE])
def test_a_file_that_may_be_newer_takes_the_date_away(reason: str) -> None:
    doubtful = unknown(reason)
    for several in permutations([FileDate(when=OLD), FileDate(when=NEW), doubtful]):
        assert newest_of(several) == doubtful


@pytest.mark.parametrize("reason", [NO_FILE, NOT_COMMITTED])
def test_a_file_that_git_does_not_have_takes_no_date_away(reason: str) -> None:
    for several in permutations([FileDate(when=OLD), FileDate(when=NEW), unknown(reason)]):
        assert newest_of(several) == FileDate(when=NEW)


def test_dates_of_other_files_are_not_its_own() -> None:
    page = structs.replace(PAGE, source=None, sources=("/b.py",))
    dated, _ = lastmod_of(page, None, ["git"], known(a_md=NEW, b_py=OLD), AS_OF)
    assert (dated.lastmod, dated.own) == (OLD, None)


def test_its_own_file_can_be_at_any_position() -> None:
    page = structs.replace(PAGE, sources=("/b.py", "/a.md"))
    dated, _ = lastmod_of(page, None, ["git"], known(a_md=OLD, b_py=NEW), AS_OF)
    assert (dated.lastmod, dated.own) == (NEW, FileDate(when=OLD))
    dated, _ = lastmod_of(page, WRITTEN, ["front_matter"], known(a_md=OLD, b_py=NEW), AS_OF)
    assert dated.file == dated.own == FileDate(when=OLD)


@pytest.mark.parametrize(
    ("own", "part", "lastmod", "reason"),
    [
        pytest.param(OLD, NEW, NEW, None, id="both committed"),
        pytest.param(NEW, unknown(NOT_COMMITTED), None, NOT_COMMITTED, id="includes a new file"),
        pytest.param(NEW, unknown(IGNORED), None, IGNORED, id="includes an ignored file"),
        pytest.param(NEW, unknown(NO_FILE), NEW, None, id="includes a missing file"),
        pytest.param(unknown(NOT_COMMITTED), OLD, None, NOT_COMMITTED, id="a new document"),
        pytest.param(unknown(IGNORED), OLD, OLD, None, id="a generated document"),
    ],
)
def test_text_that_git_does_not_track_has_no_date(
    own: FileDate | datetime, part: FileDate | datetime, lastmod: datetime | None, reason: str | None
) -> None:
    """The included text can be as new as the build, and a new document is newer than what it includes."""
    page = structs.replace(PAGE, included=("/b.py",))
    dated, _ = lastmod_of(page, None, ["git"], known(a_md=own, b_py=part), AS_OF)
    assert (dated.lastmod, dated.file.reason if dated.file and not dated.lastmod else None) == (lastmod, reason)


@pytest.mark.parametrize("source", ["git", "mtime"])
def test_a_page_with_something_unresolved_has_only_written_dates(source: LastModSource) -> None:
    page = structs.replace(PAGE, unresolved="it includes x.md, which was not found")
    dates = {source: {"/a.md": FileDate(when=NEW)}}
    assert lastmod_of(page, None, ["front_matter", source], dates, AS_OF)[0].lastmod is None
    assert lastmod_of(page, WRITTEN, ["front_matter", source], dates, AS_OF)[0].lastmod == WRITTEN


def test_pages_with_something_unresolved_are_named_in_one_note() -> None:
    listed = [
        Candidate(
            page=structs.replace(PAGE, name=f"{number}.md", unresolved=f"it includes x{number}" if number else ""),
            entry=Entry(loc=PAGE.loc, lastmod=WRITTEN if number == 1 else None),
            path=f"{number}/",
        )
        for number in range(6)
    ]
    (note,) = unresolved_notes(listed)
    assert note.message.startswith(
        "4 pages have no date, such as 2.md (it includes x2), 3.md (it includes x3) and 4.md (it includes x4); "
    )
    assert note.kind == "dependencies"
    assert not [*unresolved_notes(listed[:2])]


def test_a_new_document_made_of_other_files_than_included_ones_has_their_date() -> None:
    """Stubs that tools write for modules may not be ignored."""
    page = structs.replace(PAGE, sources=("/a.md", "/b.py", "/c.txt"), included=("/c.txt",))
    dated, _ = lastmod_of(page, None, ["git"], known(a_md=unknown(NOT_COMMITTED), b_py=OLD, c_txt=NEW), AS_OF)
    assert dated.lastmod == NEW


def test_if_no_file_has_a_date_the_reason_is_the_one_that_can_be_fixed() -> None:
    new, cut = unknown(NOT_COMMITTED), unknown(SHALLOW)
    assert newest_of([new, cut]) == newest_of([cut, new]) == cut
    assert newest_of([new]) == new
    assert newest_of([]) is None


@pytest.mark.parametrize(
    ("dates", "kind"),
    [
        pytest.param({}, "future-date", id="no git"),
        pytest.param(known(), "future-date", id="git has no date"),
        pytest.param(known(a_md=OLD), "future-date", id="committed"),
        pytest.param(known(a_md=FileDate(when=OLD, modified=True)), "uncommitted-date", id="modified since"),
        pytest.param(known(b_py=FileDate(when=OLD, modified=True)), "uncommitted-date", id="dependency modified since"),
        pytest.param(
            known(a_md=FileDate(when=None, reason=NOT_COMMITTED, modified=True)), "uncommitted-date", id="not committed"
        ),
    ],
)
def test_a_written_date_in_the_future_is_noted_and_not_used(dates: Known, kind: str) -> None:
    """SM-MOD-03."""
    dated, notes = lastmod_of(PAGE, NEXT_WEEK, ["front_matter"], dates, AS_OF)
    assert (dated.lastmod, dated.source, dated.file) == (None, None, None)
    assert [(note.kind, note.page) for note in notes] == [(kind, "a.md")]
    assert "2026-03-09" in notes[0].message


@pytest.mark.parametrize("by_rule", [False, True])
def test_without_a_commit_the_message_names_the_variable(*, by_rule: bool) -> None:
    """Nix and Debian build without git, with a fixed date that may be older than the release."""
    dates = known(a_md=unknown(NO_GIT))
    dated, notes = lastmod_of(PAGE, NEXT_WEEK, ["front_matter", "git"], dates, AS_OF, by_rule=by_rule, has_commit=False)
    assert dated.lastmod is None
    assert [note.kind for note in notes] == ["uncommitted-date"]
    assert notes[0].message == (
        "lastmod: 2026-03-09 is later than SOURCE_DATE_EPOCH, which counts as now because no commit is known; it is ignored"
    )


def test_the_next_source_replaces_a_date_in_the_future() -> None:
    dated, notes = lastmod_of(PAGE, NEXT_WEEK, ["front_matter", "git"], known(a_md=OLD), AS_OF)
    assert (dated.lastmod, dated.source, dated.file) == (OLD, "git", FileDate(when=OLD))
    assert [note.kind for note in notes] == ["future-date"]


NOT_THERE = {"mtime": dict.fromkeys(PAGE.sources, unknown(NO_FILE))}


@pytest.mark.parametrize(
    ("sources", "dates"),
    [
        pytest.param(["front_matter", "git"], {}, id="git is the last"),
        pytest.param(["git", "front_matter"], {}, id="git is the first"),
        pytest.param(["git", "mtime"], {}, id="the next source cannot be read"),
        pytest.param(["git", "mtime"], NOT_THERE, id="the next source has none either"),
        pytest.param(["mtime", "git"], NOT_THERE, id="the source before had none either"),
    ],
)
def test_gits_reason_is_kept_if_it_has_no_date(sources: list[str], dates: Known) -> None:
    cut = unknown(SHALLOW)
    shallow = known(a_md=cut, b_py=unknown(NOT_COMMITTED))
    assert lastmod_of(PAGE, None, sources, shallow | dates, AS_OF) == (Dated(file=cut, own=cut), [])


def undated(reason: str | None, lastmod: LastMod | None = None) -> Candidate:
    dated = Dated(file=unknown(reason) if reason else None)
    return Candidate(page=PAGE, path="a/", entry=Entry(loc=PAGE.loc, lastmod=lastmod), dated=dated)


@pytest.mark.parametrize(
    ("reasons", "notes"),
    [
        ([], []),
        ([NO_GIT], []),
        ([NOT_COMMITTED, NOT_COMMITTED], [("no-git", "2 pages have no date")]),
        ([SHALLOW], [("shallow", "1 page has no date")]),
        ([None, SHALLOW, SHALLOW], [("shallow", "2 pages have no date")]),
        ([UNREADABLE], [("no-git", "1 page has no date")]),
        ([UNREADABLE, SHALLOW, UNREADABLE], [("shallow", "1 page has no date"), ("no-git", "2 pages have no date")]),
    ],
)
def test_one_note_counts_all_pages_without_a_date(reasons: list[str | None], notes: list[tuple[str, str]]) -> None:
    found = [*undated_notes([undated(reason) for reason in reasons], CURE)]
    assert [(note.kind, note.message.partition(",")[0]) for note in found] == notes
    assert [note for note in found if note.page is not None] == []


def test_a_page_that_is_not_committed_is_not_noted_next_to_dated_pages() -> None:
    assert not [*undated_notes([undated(NOT_COMMITTED), undated(None, date(2026, 1, 1))], CURE)]


def test_files_that_git_ignores_are_named_if_most_pages_have_no_date_for_them() -> None:
    file = structs.replace(unknown(IGNORED), path=".tox/docs/a.md")
    ignored = [structs.replace(undated(IGNORED), dated=Dated(file=file))] * 2
    pages = [*ignored, undated(NOT_COMMITTED), undated(None, date(2026, 1, 1))]
    (note,) = undated_notes(pages[:3], CURE)
    assert note.message == (
        "2 pages have no date, because git ignores their sources, such as .tox/docs/a.md: build what git tracks"
    )
    assert not [*undated_notes(pages, CURE)]
    (note,) = undated_notes([*ignored, *[undated(NOT_COMMITTED)] * 2], CURE)
    assert note.message.startswith("4 pages have no date, because git tracks none of the sources")


def including(name: str, reason: str, own: FileDate) -> Candidate:
    file = structs.replace(unknown(reason), link=f"/docs/{name}.inc")
    page = structs.replace(PAGE, name=f"{name}.md", included=(file.link,))
    return Candidate(page=page, path="a/", entry=Entry(loc=PAGE.loc), dated=Dated(file=file, own=own))


def test_one_note_names_committed_documents_that_include_untracked_files() -> None:
    committed = FileDate(when=OLD)
    lacking = [including(name, NOT_COMMITTED, committed) for name in "abcd"]
    (note,) = undated_notes([*lacking, including("e", IGNORED, committed)], CURE)
    assert (note.kind, note.page) == ("no-git", None)
    assert note.message == (
        "5 pages have no date although git tracks the documents, mostly because an included file is not committed yet, "
        "as in a.md (a.inc), b.md (b.inc) and c.md (c.inc): commit such files, or name what counts with depends_on"
    )
    (note,) = undated_notes([including("e", IGNORED, committed), including("f", IGNORED, unknown(IGNORED))], CURE)
    assert note.message.startswith(
        "1 page has no date although git tracks the document, because an included file is ignored by git, "
        "as in e.md (e.inc): "
    )


def test_a_new_document_with_an_untracked_file_needs_no_note() -> None:
    assert not [*undated_notes([including("a", NOT_COMMITTED, unknown(NOT_COMMITTED))], CURE)]


def test_the_note_on_a_shallow_clone_has_the_fix_for_the_ci_service() -> None:
    (note,) = undated_notes([undated(SHALLOW)], "set the variable GIT_DEPTH")
    assert note.message.endswith("; to get the whole history, set the variable GIT_DEPTH")


def test_the_day_of_a_commit_is_in_utc_as_in_the_sitemap() -> None:
    evening = datetime(2026, 1, 1, 20, tzinfo=timezone(timedelta(hours=-8)))
    dated = Dated(lastmod=evening, source="git", file=FileDate(when=evening, commit=SWEEP))
    page = Candidate(page=PAGE, path="a/", entry=Entry(loc=PAGE.loc, lastmod=evening), dated=dated)
    (note,) = bulk_notes([page] * 6, 0.5)
    assert note.message.startswith("commit 5e5e5e5e5e of 2026-01-02 dates 6 of 6 pages; ")


def test_a_page_that_a_hook_has_dated_is_not_counted() -> None:
    assert not [*undated_notes([undated(SHALLOW, OLD)], CURE)]


def from_commit(commit: str, *, added: bool = False, source: str = "git") -> Candidate:
    file = FileDate(when=OLD, commit=commit, added=added)
    dated = Dated(lastmod=OLD, source=source, file=file)
    return Candidate(page=PAGE, path="a/", entry=Entry(loc=PAGE.loc, lastmod=OLD), dated=dated)


@pytest.mark.parametrize(
    ("sweep", "others", "share", "is_noted"),
    [
        pytest.param(6, 0, 0.5, True, id="all pages"),
        pytest.param(6, 5, 0.5, True, id="more than half"),
        pytest.param(6, 6, 0.5, False, id="just half"),
        pytest.param(5, 0, 0.5, False, id="a few pages"),
        pytest.param(6, 100, 0.05, True, id="more than a lower share"),
        pytest.param(6, 6, 0.0, True, id="any share"),
        pytest.param(9, 0, 1.0, False, id="no share"),
    ],
)
def test_a_commit_that_dates_a_large_share_of_all_pages_is_noted(
    sweep: int, others: int, share: float, *, is_noted: bool
) -> None:
    listed = [from_commit(f"{number:040x}") for number in range(others)] + [from_commit(SWEEP)] * sweep
    notes = [*bulk_notes(listed, share)]
    assert [note.kind for note in notes] == ["bulk-commit"] * is_noted
    for note in notes:
        assert note.message.startswith(f"commit 5e5e5e5e5e of 2026-01-01 dates {sweep} of {sweep + others} pages; ")
        assert note.page is None


@pytest.mark.parametrize(
    "candidate",
    [
        pytest.param(from_commit(SWEEP, added=True), id="it added them"),
        pytest.param(from_commit(SWEEP, source="front_matter"), id="their authors dated them"),
        pytest.param(from_commit(SWEEP, source="mtime"), id="they have the modification times of their files"),
        pytest.param(undated(SHALLOW), id="they have no date"),
    ],
)
def test_a_commit_that_changed_no_pages_is_not_noted(candidate: Candidate) -> None:
    assert not [*bulk_notes([candidate] * 9, 0.5)]


def test_the_time_on_disk_can_be_later_than_every_commit() -> None:
    later = AS_OF + timedelta(days=9)
    dates = known(a_md=unknown(NOT_COMMITTED)) | {"mtime": {"/a.md": FileDate(when=later)}}
    assert lastmod_of(PAGE, None, ["git", "mtime"], dates, AS_OF)[0].lastmod == later


@pytest.mark.parametrize(("page", "by_rule"), [(PAGE, True), (structs.replace(PAGE, source=None, sources=()), False)])
def test_only_the_own_date_of_a_committed_page_is_a_future_date(page: Page, *, by_rule: bool) -> None:
    _, (note,) = lastmod_of(page, NEXT_WEEK, ["front_matter"], known(a_md=FileDate(when=AS_OF)), AS_OF, by_rule=by_rule)
    assert note.kind == "uncommitted-date"
