"""The record that a build writes: its form, its redirects, and the contents of its pages."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from sitemap_plugins.folder.building import build_site
from sitemap_plugins.folder.configuration import Configuration, read_settings_of
from sitemap_plugins.model import Note
from sitemap_plugins.session.lifecycle import LogLevel
from sitemap_plugins.session.publishing import Publication

BASE = "https://example.org/"
OPTIONS: dict[str, object] = {"base_url": BASE, "lastmod": [], "record": "e.json"}
PAGE = "<title>{0}</title><main><h1 id={0}>{0}</h1><p>Text.</p></main>"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name in ("index", "a", "draft"):
        (tmp_path / f"{name}.html").write_text(PAGE.format(name), encoding="ascii")
    (tmp_path / "draft.html").write_text('<meta name="robots" content="noindex"><main>secret</main>', encoding="ascii")
    return tmp_path


def build(site: Path, notes: list[Note] | None = None, **options: object) -> Publication:
    def report(_: LogLevel, note: Note) -> None:
        if notes is not None:
            notes.append(note)

    configuration = Configuration(root=str(site), options=OPTIONS | options)
    return build_site(str(site), configuration, read_settings_of(configuration), report).publication


def read(file: Path) -> Any:
    return json.loads(file.read_bytes())


def test_dates_have_the_form_of_the_sitemap(site: Path) -> None:
    pages = [{"match": "**", "lastmod": "2026-01-02T03:04:05Z"}]
    build(site, lastmod=["front_matter"], lastmod_format="date", pages=pages)
    assert {page["lastmod"] for page in read(site / "e.json")["pages"]} == {"2026-01-02"}


def test_the_contents_are_those_of_listed_pages_and_belong_to_the_record(site: Path) -> None:
    build(site, record_content=True, files="*.pdf")
    content = (site / "e-content.json").read_bytes()
    assert b"secret" not in content
    contents = json.loads(content)
    assert contents["record"] == sha256((site / "e.json").read_bytes()).hexdigest()
    pages = [(page["path"], page["headings"]) for page in contents["pages"]]
    assert pages == [("", ["index"]), ("a.html", ["a"])]
    build(site, record_content=True)
    assert (site / "e-content.json").read_bytes() == content


def test_it_comes_before_robots_txt_in_the_order_of_files_and_notes(site: Path) -> None:
    (site / "old.json").write_text("{", encoding="ascii")
    (site / "robots.txt").write_bytes(b"\xff")
    messages: list[Note] = []
    build(site, messages, gzip=True, previous_record="old.json")
    about_record, about_robots = (note.kind for note in messages if note.kind in {"previous-record", "robots-encoding"})
    assert (about_record, about_robots) == ("previous-record", "robots-encoding")
    (site / "robots.txt").unlink()
    publication = build(site, gzip=True)
    assert publication.written == ("sitemap.xml", "sitemap.xml.gz", "e.json")
    assert publication.changed == ("robots.txt",)


def test_there_is_none_without_a_sitemap(site: Path) -> None:
    build(site, messages := [], exclude="**", previous_record="missing.json")
    assert not (site / "e.json").exists()
    assert "previous-record" not in {note.kind for note in messages}


@pytest.mark.parametrize("changed", [{"record_content": False}, {"record_content": False, "record": None}])
def test_both_files_go_with_their_options(site: Path, changed: dict[str, object]) -> None:
    build(site, record_content=True)
    build(site, **changed)
    assert not (site / "e-content.json").exists()
    assert (site / "e.json").exists() is ("record" not in changed)


def test_only_pages_below_the_base_redirect(site: Path) -> None:
    for name, target in {
        "old": "a.html#x y",
        "self": "/self.html",
        "home": BASE,
        "away": "https://other.example/ä",
    }.items():
        stub = f'<meta http-equiv="refresh" content="0; url={target}">'
        (site / f"{name}.html").write_text(stub, encoding="utf-8")
    (site / "_redirects").write_text(
        "/gone  /a.html 410\n/old.html /b.html\n/in /a.html 302!\n/all/* /a.html\n/deep/x/ https://other.example/ 301\n",
        encoding="ascii",
    )
    build(site)
    assert read(site / "e.json")["redirects"] == [
        {"from": "away.html", "to": "https://other.example/%C3%A4"},
        {"from": "deep/x/", "to": "https://other.example/"},
        {"from": "home.html", "to": ""},
        {"from": "in", "to": "a.html"},
        {"from": "old.html", "to": "a.html#x%20y"},
    ]
    build(site, base_url=f"{BASE}docs/")
    assert "in" not in [row["from"] for row in read(site / "e.json")["redirects"]]
