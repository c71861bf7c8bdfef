"""The record for all dates: it is read back unchanged, and anything else is refused with an explanation."""

import json
import os
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from functools import partial
from typing import Any, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import structs

from sitemap_plugins.git.history import DateRules, History
from sitemap_plugins.model import Candidate, Dated, Entry, FileDate, LastMod, Page
from sitemap_plugins.record.site_record import (
    GoneRecord,
    PageRecord,
    RecordError,
    RedirectRecord,
    RepositoryRecord,
    parse_record,
    render_record,
)
from sitemap_plugins.values.dates import DateStyle

BASE = "https://example.org/"
rendered = partial(render_record, base=BASE)
HEAD, COMMIT = ("a" * 40, "c" * 64)
WHEN = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
FILE = FileDate(when=WHEN, commit=COMMIT, path="docs/a.md", repository="/home/me/site")
HISTORY = History(toplevel="/home/me/site", head=HEAD, head_date=WHEN)
GIT = Dated(lastmod=WHEN, source="git", file=FILE)

WRITTEN = {
    "lastmod": "2026-03-01T09:30:00Z",
    "source": "git",
    "path": "docs/a.md",
    "commit": COMMIT,
    "made_of": ["docs/a.md"],
}


def listed(dated: Dated, lastmod: LastMod | None = None, *, loc: str = BASE, name: str = "a.md") -> Candidate:
    return Candidate(
        page=Page(loc=loc, name=name), path="", entry=Entry(loc=loc, lastmod=lastmod or dated.lastmod), dated=dated
    )


def written(candidate: Candidate, *histories: History) -> dict[str, Any]:
    """The record that is written for a page."""
    page = json.loads(rendered([candidate], DateRules(), histories or (HISTORY,), "datetime"))["pages"][0]
    assert page.pop("loc") == candidate.entry.loc
    return page  # type: ignore[no-any-return]


def test_the_layout_of_record_is_readable_for_people() -> None:
    rules = DateRules(date="landed", follow_renames=False)
    other = structs.replace(FILE, path="docs/b.md")
    pages = [listed(Dated(own=other), loc=f"{BASE}b/", name="b.md"), listed(structs.replace(GIT, own=FILE))]
    assert rendered(pages, rules, [HISTORY], "datetime").decode() == (
        "{\n"
        '  "by": "written by sitemap-plugins",\n'
        '  "version": 1,\n'
        '  "date": "landed",\n'
        '  "follow_renames": false,\n'
        '  "base": "https://example.org/",\n'
        '  "preview": false,\n'
        f'  "repositories": {{".": {{"head": "{HEAD}", "date": "2026-03-01T09:30:00Z"}}}},\n'
        '  "pages": [\n'
        '{"loc":"https://example.org/","document":"docs/a.md","lastmod":"2026-03-01T09:30:00Z","source":"git",'
        f'"path":"docs/a.md","commit":"{COMMIT}"}},\n'
        '{"loc":"https://example.org/b/","document":"docs/b.md"}\n'
        "  ],\n"
        '  "redirects": [\n'
        "  ]\n"
        "}\n"
    )


def test_redirects_and_what_is_gone_have_a_row_each_in_order() -> None:
    redirects = [RedirectRecord("b/", "https://other.example/"), RedirectRecord("a/", "#x")]
    gone = [GoneRecord("e/", target=""), GoneRecord("d/"), GoneRecord("c/", "docs/c.md", head="a" * 40)]
    content = rendered([listed(GIT)], DateRules(), [HISTORY], "datetime", redirects=redirects, gone=gone)
    assert content.decode().endswith(
        "  ],\n"
        '  "redirects": [\n'
        '{"from":"a/","to":"#x"},\n'
        '{"from":"b/","to":"https://other.example/"}\n'
        "  ],\n"
        '  "gone": [\n'
        '{"path":"c/","document":"docs/c.md","head":"' + "a" * 40 + '"},\n'
        '{"path":"d/"},\n'
        '{"path":"e/","to":""}\n'
        "  ]\n"
        "}\n"
    )
    record = parse_record(content)
    assert (record.redirects, record.gone) == (tuple(sorted(redirects)), tuple(reversed(gone)))
    before = json.loads(content)
    del before["redirects"], before["gone"]
    record = parse_record(json.dumps(before).encode())
    assert (record.redirects, record.gone) == ((), ())


CHRISTMAS = date(2025, 12, 24)
NO_DATE = FileDate(when=None, reason="no git")
BY_AUTHOR = {"lastmod": "2025-12-24", "source": "front_matter"}


@pytest.mark.parametrize(
    ("dated", "page"),
    [
        (GIT, WRITTEN),
        (Dated(lastmod=CHRISTMAS, source="front_matter", file=FILE), BY_AUTHOR | {"path": "docs/a.md"}),
        (Dated(lastmod=CHRISTMAS, source="front_matter", file=NO_DATE), BY_AUTHOR),
        (Dated(lastmod=CHRISTMAS, source="rule"), {"lastmod": "2025-12-24", "source": "rule"}),
        (
            Dated(lastmod=WHEN, source="mtime", file=FileDate(when=WHEN)),
            {"lastmod": "2026-03-01T09:30:00Z", "source": "mtime"},
        ),
        (Dated(), {}),
        (Dated(file=NO_DATE), {}),
    ],
)
def test_every_date_has_its_source(dated: Dated, page: Mapping[str, str]) -> None:
    assert written(listed(dated)) == page


@pytest.mark.parametrize("dated", [GIT, Dated()])
def test_a_date_that_a_hook_has_changed_has_the_source_adjust(dated: Dated) -> None:
    assert written(listed(dated, date(2026, 1, 1))) == {"lastmod": "2026-01-01", "source": "adjust"}


def test_a_date_that_a_hook_has_removed_is_left_out() -> None:
    candidate = Candidate(page=Page(loc=BASE, name="a.md"), path="", entry=Entry(loc=BASE), dated=GIT)
    assert written(candidate) == {}


@pytest.mark.parametrize(("form", "lastmod"), [("datetime", "2026-03-01T09:30:00Z"), ("date", "2026-03-01")])
def test_dates_have_the_form_of_the_sitemap(form: str, lastmod: str) -> None:
    content = rendered([listed(GIT)], DateRules(), [HISTORY], form)  # type: ignore[arg-type]  # one of the two
    assert parse_record(content).pages[0].lastmod == lastmod


HISTORIES = [
    HISTORY,
    History(toplevel="/home/me/other", head="d" * 40),
    History(toplevel="/home/me/site/theme", head="9" * 64),
    HISTORY,
]


def page_from(toplevel: str) -> Candidate:
    """A page that is dated by a file in this repository."""
    return listed(Dated(lastmod=WHEN, source="git", file=structs.replace(FILE, repository=toplevel)))


def test_repositories_are_named_by_their_paths_relative_to_that_of_the_pages() -> None:
    pages = [page_from(history.toplevel) for history in HISTORIES]
    content = rendered(pages, DateRules(), HISTORIES, "date")
    record = parse_record(content)
    assert record.repositories == {
        ".": RepositoryRecord(head=HEAD, date=WHEN),
        "../other": RepositoryRecord(head="d" * 40),
        "theme": RepositoryRecord(head="9" * 64),
    }
    assert {page.path for page in record.pages} == {"docs/a.md", "../other/docs/a.md", "theme/docs/a.md"}
    assert list(json.loads(content)["repositories"]) == [".", "../other", "theme"]
    assert rendered(pages, DateRules(), HISTORIES[:1] + HISTORIES[2:0:-1], "date") == content


@pytest.mark.parametrize("toplevel", [history.toplevel for history in HISTORIES[1:3]])
def test_other_repositories_are_listed_only_if_a_page_uses_them(toplevel: str) -> None:
    content = rendered([page_from(toplevel)], DateRules(), HISTORIES, "date")
    assert list(parse_record(content).repositories) == [".", os.path.relpath(toplevel, "/home/me/site")]
    assert list(parse_record(rendered([], DateRules(), HISTORIES, "date")).repositories) == ["."]


@pytest.mark.parametrize(
    "dated",
    [
        Dated(own=FILE),
        Dated(lastmod=WHEN, source="git", file=structs.replace(FILE, path="src/b.py"), own=FILE),
    ],
    ids=["no date", "dated by another file"],
)
def test_the_document_of_a_page_is_given_for_every_source_of_its_date(dated: Dated) -> None:
    assert written(listed(dated))["document"] == "docs/a.md"
    assert written(listed(dated, date(2026, 1, 1)))["document"] == "docs/a.md"


@pytest.mark.parametrize("repository", ["/elsewhere", ""])
def test_a_document_in_a_repository_elsewhere_is_left_out(repository: str) -> None:
    page = written(listed(Dated(own=structs.replace(FILE, repository=repository))), *HISTORIES)
    assert page == {}


def test_a_document_in_a_nested_repository_has_its_path_from_the_top() -> None:
    page = written(listed(Dated(own=structs.replace(FILE, repository="/home/me/site/theme"))), *HISTORIES)
    assert page == {"document": "theme/docs/a.md"}


def test_a_document_that_is_a_link_has_the_path_of_the_link() -> None:
    own = structs.replace(FILE, path="v1/p.md", link="/home/me/site/docs/latest/p.md")
    assert written(listed(Dated(own=own)))["document"] == "docs/latest/p.md"


def test_the_file_that_dates_a_page_may_be_the_target_of_a_link() -> None:
    file = structs.replace(FILE, path="v1/p.md", link="/home/me/site/docs/latest/p.md")
    page = written(listed(Dated(lastmod=WHEN, source="git", own=file, file=file)))
    assert (page["document"], page["path"], "made_of" in page) == ("docs/latest/p.md", "v1/p.md", False)


def test_without_a_repository_record_is_still_written() -> None:
    record = parse_record(rendered([listed(Dated())], DateRules(), [], "date"))
    assert record.repositories == {}
    assert record.pages == (PageRecord(loc=BASE),)


def test_it_contains_no_absolute_paths() -> None:
    elsewhere = FileDate(when=WHEN, commit=COMMIT, path="x.md", repository="/home/me/unknown")
    pages = [listed(GIT), listed(Dated(lastmod=WHEN, source="git", file=elsewhere))]
    content = rendered(pages, DateRules(), [HISTORY, History(toplevel="/opt/x")], "date")
    assert b'"/' not in content
    assert b"/home" not in content


ids = st.sampled_from([HEAD, COMMIT, "0123456789" * 4])
any_text = st.text(st.characters(exclude_categories=()))  # with half surrogate pairs, as in file names
parts = (
    st.binary(min_size=1)
    .map(lambda part: part.translate(None, b"/\0"))
    .filter(lambda part: part not in {b"", b".", b".."})
)
paths = st.lists(parts, min_size=1, max_size=3).map(lambda each: os.fsdecode(b"/".join(each)))  # as in git
zones = st.sampled_from([UTC, timezone(timedelta(hours=5.75))])
moments = st.datetimes(datetime(2, 1, 1), timezones=zones) | st.dates(date(2, 1, 1))  # noqa: DTZ001  # its type
file_dates = st.builds(
    FileDate,
    when=st.just(WHEN),
    commit=ids,
    path=paths,
    repository=st.sampled_from(["/home/me/site", "/home/me/site/theme", "/elsewhere", ""]),
    reason=st.none() | st.just("no git"),
)
dated_pages = st.builds(
    Dated,
    lastmod=st.none() | moments,
    source=st.sampled_from(["front_matter", "rule", "git", "mtime"]),
    file=st.none() | file_dates,
    own=st.none() | file_dates,
)
candidates = st.builds(listed, dated_pages, st.none() | moments, loc=any_text, name=any_text)
date_rules = st.builds(
    DateRules,
    date=st.sampled_from(["committer", "author", "landed"]),
    follow_renames=st.booleans(),
)


@given(st.lists(candidates, max_size=4), date_rules, st.sampled_from(get_args(DateStyle)))
@example(
    [listed(Dated(lastmod=WHEN, source="git", file=FileDate(when=WHEN, path="docs/\udcff\n.md")))], DateRules(), "date"
)
def test_output_is_read_back_unchanged(pages: list[Candidate], rules: DateRules, form: Any) -> None:
    content = rendered(pages, rules, HISTORIES, form)
    assert content == rendered(pages, rules, HISTORIES, form)
    assert content.isascii()
    assert len(content.splitlines()) == 13 + rules.fuzzy + len(pages)
    record = parse_record(content)
    assert (record.date, record.follow_renames) == (rules.date, rules.follow_renames)
    assert set(record.repositories) <= {".", "theme"}
    in_order = sorted(pages, key=lambda each: each.entry.loc)
    assert [page.loc for page in record.pages] == [each.entry.loc for each in in_order]
    for page, each in zip(record.pages, in_order, strict=True):
        assert (page.lastmod is None) is (each.entry.lastmod is None)
        file = each.dated.file
        if page.source == "git" and file and file.repository == HISTORY.toplevel:
            assert page.is_dated_by(file.path)


@pytest.mark.skipif(os.name == "nt", reason="Windows does not allow these names")
@pytest.mark.parametrize(
    "path", ["c:x.md", "c:/x.md", r"\\server\share\x.md", "docs/c:x.md", r"..\x.md", "-x", "...", "a\nb"]
)
def test_any_path_in_git_is_read_back(path: str) -> None:
    content = rendered(
        [listed(structs.replace(GIT, file=structs.replace(FILE, path=path)))], DateRules(), [HISTORY], "date"
    )
    assert parse_record(content).pages[0].path == path


GOOD: dict[str, Any] = {
    "version": 1,
    "date": "committer",
    "follow_renames": True,
    "base": BASE,
    "preview": False,
    "repositories": {".": {"head": HEAD}, "theme": {"head": COMMIT, "date": "2026-03-01T09:30:00Z"}},
    "pages": [
        {"loc": BASE, "document": "docs/a.md"} | WRITTEN,
        {"loc": f"{BASE}c", "document": "docs/c.md", "source": "git", "path": "../b.md"},
        {"loc": f"{BASE}d"},
    ],
}


def test_which_pages_a_file_is_behind() -> None:
    record = parse_record(json.dumps(GOOD).encode())
    for path, pages in (("docs/a.md", [BASE]), ("docs/c.md", [f"{BASE}c"]), ("b.md", []), ("../b.md", [])):
        assert [page.loc for page in record.pages_of(path)] == pages


def page_with(**values: object) -> dict[str, object]:
    return {"pages": [GOOD["pages"][0] | values]}


def of_repository(**values: object) -> dict[str, object]:
    return {"repositories": {".": {"head": HEAD} | values}}


GOOD_BYTES = json.dumps(GOOD).encode()
ID = r"Expected `str` matching regex '^(?:[0-9a-f]{40}|[0-9a-f]{64})\\Z'"
NO_JSON = "it is not JSON"
OTHER = "it is not a record of version 1 (%s)"


AT_DATE, AT_PAGE = "- at `$.repositories[...].date`", "- at `$.pages[0]`"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (GOOD_BYTES[:-30], NO_JSON),
        (b"\xff\xfe\x00", NO_JSON),
        pytest.param(b"[" * 100_000, NO_JSON, id="deep"),
        pytest.param(b"," * 3_000_001, "it has more than 3,000,000 values", id="many"),
        (b"[]", OTHER % "it has no version"),
        ({"version": None}, OTHER % "it has no version"),
        ({"version": "2"}, OTHER % "its version: '2'"),
        ({"base": None}, "Expected `str`, got `null` - at `$.base`"),
        ({"head": "x"}, "Object contains unknown field `head`"),
        (GOOD_BYTES.replace(b'"version": 1', b'"version": 1, "version": 2'), "it has the key 'version' twice"),
        ({"pages": "\ud800"}, "it has text that is not valid Unicode"),
        (of_repository(head="--upload-pack=x"), f"{ID} - at `$.repositories[...].head`"),
        (of_repository(date="2026-02-30T10:00:00Z"), f"Invalid RFC3339 encoded datetime {AT_DATE}"),
        (of_repository(date="2026-01-02T10:00:00"), f"Expected `datetime` with a timezone component {AT_DATE}"),
        (page_with(document="../x"), f"document: '../x' is not a path in a repository {AT_PAGE}"),
        (page_with(document="docs/../../x"), f"document: 'docs/../../x' is not a path in a repository {AT_PAGE}"),
        (page_with(made_of=["/etc/passwd"]), f"made_of: '/etc/passwd' is not a relative path {AT_PAGE}"),
        pytest.param(page_with(path="a" * 4097), f"path: '{'a' * 199}… is not a relative path {AT_PAGE}", id="long"),
        (page_with(turns=[]), f"Object contains unknown field `turns` {AT_PAGE}"),
    ],
)
def test_record_that_is_refused_says_why(changed: bytes | Mapping[str, object], message: str) -> None:
    content = changed if isinstance(changed, bytes) else json.dumps(GOOD | changed).encode()
    with pytest.raises(RecordError) as refusal:
        parse_record(content)
    assert str(refusal.value) == message


HALF = () if os.name == "nt" else ("\ud800",)  # half a surrogate pair is a valid name there
DRIVES = ("c:/x", r"\\host\share\x")  # ordinary names on other systems
NO_PATHS = ("", "/", "/etc/passwd", "//host/x", "a\0b", "\0", *HALF)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"date": "yesterday"}, "$.date"),
        ({"redirects": [{"from": "a b", "to": ""}]}, "$.redirects[0].from"),
        ({"redirects": [{"from": "a", "to": "b" * 2049}]}, "$.redirects[0].to"),
        ({"redirects": [{"from": "a", "to": "file:///etc"}]}, "to: 'file:///etc' is neither a path nor a URL"),
        ({"redirects": [{"from": "a", "to": "b", "status": 301}]}, "status"),
        ({"gone": [{"path": "a\n"}]}, "$.gone[0].path"),
        ({"gone": [{"path": "a", "document": ""}]}, "$.gone[0].document"),
        ({"gone": [{"path": "a", "to": "b c"}]}, "$.gone[0].to"),
        ({"gone": [{"path": "a", "head": "--all"}]}, "$.gone[0].head"),
        ({"gone": [{"path": "a", "to": "file:///etc"}]}, "to: 'file:///etc' is neither a path nor a URL"),
        (page_with(source="hearsay"), "$.pages[0].source"),
        *((page_with(path=path), f"path: {path!r} is not a relative path") for path in NO_PATHS),
        *(
            ({"repositories": {name: {"head": HEAD}}}, f"repositories: {name!r} is not a relative path")
            for name in ("", "/", "/etc", "//host/share", "a\0b", *HALF, *(DRIVES if os.name == "nt" else ()))
        ),
    ],
    ids=lambda value: ascii(value)[:60],
)
def test_invalid_record_is_refused(changed: Mapping[str, object], words: str) -> None:
    with pytest.raises(RecordError) as refusal:
        parse_record(json.dumps(GOOD | changed).encode())
    assert words in str(refusal.value)


NO_IDS = [
    *("--output=x", "-", "", "HEAD", "a" * 39, "a" * 41, "A" * 40, "g" * 40, "a" * 63, f"{HEAD}^{{tree}}", f" {HEAD}"),
    *(f"{HEAD}\n", f"{HEAD}\n--output=x", f"{HEAD}..{COMMIT}", "\0" * 40, "\ud800" * 40, "\uff11" * 40, 5, [HEAD]),
]


@pytest.mark.parametrize("value", NO_IDS, ids=ascii)
def test_anything_but_a_full_id_is_refused(value: object) -> None:
    for changed in (
        {"repositories": {".": {"head": value}}},
        page_with(commit=value),
    ):
        with pytest.raises(RecordError):
            parse_record(json.dumps(GOOD | changed).encode())


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b'"version"', b"\xef\xbb\xbf{}", b'{"version":NaN}', b'{"version":1}'),
        pytest.param(b'{"version":' * 100_000, id="deep mappings"),
        *(pytest.param(b'{"version":' + b"[" * n + b"]" * n + b"}", id=f"{n} lists") for n in (800, 950, 990)),
        pytest.param(b'{"version":' + b"9" * 5000 + b"}", id="huge number"),
    ],
)
def test_other_files_are_refused(content: bytes) -> None:
    with pytest.raises(RecordError) as refusal:
        parse_record(content)
    assert len(str(refusal.value)) < 400
