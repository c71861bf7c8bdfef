"""What a record and its file of contents say about a site, read back unchanged or refused."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec import convert

from sitemap_plugins.html.main_part import Anchor
from sitemap_plugins.published.snapshot import Redirect, Snapshot, SnapshotPage
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.record.site_record import (
    ContentRecord,
    GoneRecord,
    RecordError,
    RedirectRecord,
    gone_rows_of,
    read_contents,
    read_record_snapshot,
    render_contents,
    rows_of,
    with_record,
)

BASE = "https://example.org/docs/"
HEAD = "a" * 40
GOOD = {
    "version": 1,
    "date": "committer",
    "follow_renames": True,
    "base": BASE,
    "repositories": {".": {"head": HEAD}},
    "pages": [
        {"loc": BASE, "document": "docs/index.md", "made_of": ["a.txt"]},
        {"loc": f"{BASE}caf%C3%A9/", "document": "docs/café.md"},
        {"loc": "https://elsewhere.example/docs/"},
        {"loc": f"{BASE}genindex.html"},
    ],
    "redirects": [{"from": "old%20page", "to": "caf%C3%A9/#a%20b"}, {"from": "out", "to": "https://other.example/"}],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(GOOD), encoding="utf-8")
    return file


def write_contents(file: Path, record: bytes) -> None:
    page = ContentRecord(path="caf%C3%A9/", digest="0" * 16, headings=("top",), objects=("m.f",), labels=("x",))
    file.with_name("record-content.json").write_bytes(render_contents([page], record))


def test_the_pages_and_redirects_of_record(file: Path) -> None:
    snapshot = read_record_snapshot(file, "the last build")
    assert (snapshot.name, snapshot.base_url, snapshot.commit) == ("the last build", BASE, HEAD)
    assert snapshot.pages == {
        "": SnapshotPage(path="", document="docs/index.md", made_of=("a.txt",)),
        "café/": SnapshotPage(path="café/", document="docs/café.md"),
    }
    assert snapshot.redirects == {
        "old page": Redirect(path="old page", target="café/#a b"),
        "out": Redirect(path="out", target="https://other.example/"),
    }
    assert snapshot.unknown == {"unlisted", "texts", "anchors"}
    assert snapshot.read_content("café/") is None


def test_what_was_gone_before_is_there_on_demand(file: Path) -> None:
    gone = [
        {"path": "caf%C3%A9/", "document": "docs/other.md"},
        {"path": "beta/", "document": "docs/beta.md", "head": HEAD},
        {"path": "out", "to": "https://first.example/%C3%A4"},
        {"path": "home", "to": ""},
    ]
    file.write_text(json.dumps(GOOD | {"gone": gone}), encoding="utf-8")
    snapshot = read_record_snapshot(file, "")
    assert {*snapshot.pages} | {*snapshot.redirects} == {"", "café/", "old page", "out"}
    assert [*gone_rows_of(snapshot.gone.values())] == convert(gone, list[GoneRecord])
    published = snapshot.with_gone()
    assert {path: page.document for path, page in published.pages.items()} == {
        "": "docs/index.md",
        "café/": "docs/café.md",
        "beta/": "docs/beta.md",
    }
    assert {path: redirect.target for path, redirect in published.redirects.items()} == {
        "old page": "café/#a b",
        "out": "https://first.example/ä",  # what worked counts, not what replaced it and does not
        "home": "",
    }


def test_names_that_are_not_utf_8_come_back(file: Path) -> None:
    file.write_text(json.dumps(GOOD | {"redirects": [{"from": "%FF", "to": ""}]}), encoding="utf-8")
    assert [*read_record_snapshot(file, "").redirects] == ["\udcff"]


def test_the_contents_beside_it(file: Path) -> None:
    write_contents(file, file.read_bytes())
    snapshot = read_record_snapshot(file, "the last build")
    assert snapshot.unknown == {"unlisted"}
    content = snapshot.read_content("café/")
    assert content
    assert (content.digest, content.words) == ("0" * 16, None)
    assert content.anchors == (Anchor("top", "heading"), Anchor("x", "label"), Anchor("m.f", "object"))
    assert snapshot.read_content("") is None


@pytest.mark.parametrize("record", [b"", b"other"])
def test_contents_of_another_build_are_unknown(file: Path, record: bytes) -> None:
    write_contents(file, record)
    snapshot = read_record_snapshot(file, "the last build")
    assert {"texts", "anchors"} <= snapshot.unknown
    assert snapshot.read_content("café/") is None


def test_what_record_without_documents_does_not_know(file: Path) -> None:
    file.write_text(json.dumps(GOOD | {"pages": [{"loc": BASE}], "repositories": {}}), encoding="utf-8")
    snapshot = read_record_snapshot(file, "")
    assert snapshot.unknown == {"unlisted", "documents", "texts", "anchors"}
    assert snapshot.commit is None


def test_redirects_as_rows() -> None:
    redirects = [
        Redirect(path="old page\udcff", target="café/#a b"),
        Redirect(path="question", target="what?/"),
        Redirect(path="out", target="https://other.example/ä b?c=%20"),
        Redirect(path="ftp", target="ftp://other.example/"),
        Redirect(path="long", target="a" * 3000),
        Redirect(path="ä" * 400, target="short"),
        Redirect(path="script", target="javascript:alert('1')"),
    ]
    rows = [*rows_of(redirects)]
    assert rows == [
        RedirectRecord("old%20page%FF", "caf%C3%A9/#a%20b"),
        RedirectRecord("question", "what%3F/"),
        RedirectRecord("out", "https://other.example/%C3%A4%20b?c=%20"),
        RedirectRecord("script", "javascript:alert('1')"),
    ]


def test_a_folder_has_what_its_record_says(tmp_path: Path) -> None:
    pages = {
        "": SnapshotPage(path="", document="docs/own.md", file="index.html"),
        "café/": SnapshotPage(path="café/", file="café/index.html"),
        "latest/café/": SnapshotPage(path="latest/café/", file="café/index.html"),  # behind a link
        "new/": SnapshotPage(path="new/", file="new/index.html"),
    }
    folder = Snapshot(name="site", base_url=BASE, pages=pages, commit="2" * 40, unknown=frozenset({"documents"}))
    assert with_record(folder, Tree(tmp_path), BASE) == folder
    (tmp_path / "site-record.json").write_text(json.dumps(GOOD), encoding="utf-8")
    found = with_record(folder, Tree(tmp_path), BASE)
    assert {path: (page.document, page.made_of) for path, page in found.pages.items()} == {
        "": ("docs/own.md", ("a.txt",)),
        "café/": ("docs/café.md", ()),
        "latest/café/": ("docs/café.md", ()),
        "new/": (None, ()),
    }
    assert (found.commit, found.unknown) == (HEAD, frozenset())


def test_a_record_in_a_folder_that_cannot_be_used_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "site-record.json").write_text("{}", encoding="ascii")
    found = with_record(Snapshot(name="", base_url=None, pages={}, problems=("other",)), Tree(tmp_path), None)
    why = "it is not a record of version 1 (it has no version)"
    assert found.problems == (f"site-record.json was not read: {why}", "other")


RECORD = b"{}"
PAGES = (
    ContentRecord(path="b/", digest="0123456789abcdef", headings=("top", "é"), labels=("x",), objects=("m.f",)),
    ContentRecord(path=""),
)
CONTENTS = {"by": "written by sitemap-plugins", "version": 1, "record": sha256(RECORD).hexdigest(), "pages": []}


def test_the_layout_is_readable_for_people() -> None:
    assert render_contents(PAGES, RECORD).decode() == (
        "{\n"
        '  "by": "written by sitemap-plugins",\n'
        '  "version": 1,\n'
        f'  "record": "{sha256(RECORD).hexdigest()}",\n'
        '  "pages": [\n'
        '{"path":""},\n'
        '{"path":"b/","digest":"0123456789abcdef","headings":["top","\\u00e9"],"labels":["x"],"objects":["m.f"]}\n'
        "  ]\n"
        "}\n"
    )


def test_it_is_read_back() -> None:
    assert read_contents(render_contents(PAGES, RECORD), RECORD) == {page.path: page for page in PAGES}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"version": 2}, "it has no contents of version 1 (its version: 2)"),
        ({"version": None}, "it has no contents of version 1 (it has no version)"),
        ({"record": "a" * 64}, "it belongs to the record of another build"),
        ({"record": "a"}, "$.record"),
        ({"pages": [{"path": "a b"}]}, "$.pages[0].path"),
        ({"pages": [{"path": "a" * 2049}]}, "$.pages[0].path"),
        ({"pages": [{"path": "a", "digest": "x"}]}, "$.pages[0].digest"),
        ({"pages": [{"path": "a", "headings": [""]}]}, "$.pages[0].headings[0]"),
        ({"pages": [{"path": "a", "objects": ["a" * 2049]}]}, "$.pages[0].objects[0]"),
    ],
    ids=str,
)
def test_anything_else_is_refused(changed: Mapping[str, object], words: str) -> None:
    with pytest.raises(RecordError) as refusal:
        read_contents(json.dumps(CONTENTS | changed).encode(), RECORD)
    assert words in str(refusal.value)
