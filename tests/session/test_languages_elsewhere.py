"""The steps of every host for a site in several languages, with real files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from sitemap_plugins.formats.sitemap_xml import SitemapWriter
from sitemap_plugins.model import Alternate, Entry, FeedLink, Language
from sitemap_plugins.options import Settings, read_settings
from sitemap_plugins.output import pages as localizing
from sitemap_plugins.output.pages import write_head_links
from sitemap_plugins.session.languages_elsewhere import read_languages

EN, FR = "https://example.org/en/", "https://example.org/fr/"
LINKS = (Alternate(hreflang="en", href=EN), Alternate(hreflang="fr", href=FR))
PAGE = b"<html><head><title>a</title></head><body>"


def languages(**written: object) -> Settings:
    settings, mistakes = read_settings({"languages": written})
    assert not mistakes
    return settings


def sitemap(*locs: str) -> bytes:
    return b"".join(SitemapWriter().render([Entry(loc=loc) for loc in locs]))


class TestLanguages:
    def test_without_the_option_there_are_no_languages(self, tmp_path: Path) -> None:
        assert read_languages(Settings(), tmp_path, {}) == ([], [])

    def test_languages_of_the_option_keep_its_order_and_codes(self, tmp_path: Path) -> None:
        found, notes = read_languages(languages(pt_br="https://example.org/pt", en=EN), tmp_path, {})
        assert found == [
            Language(code="pt-BR", base_url="https://example.org/pt/"),
            Language(code="en", base_url=EN),
        ]
        assert notes == []

    @pytest.mark.parametrize("directory", [str, Path])
    def test_the_pages_of_a_language_are_in_a_file_beside_the_configuration(
        self, tmp_path: Path, directory: type
    ) -> None:
        (tmp_path / "lists").mkdir()
        (tmp_path / "lists" / "fr.xml").write_bytes(sitemap(FR, f"{FR}a/", EN))
        settings = languages(en=EN, fr={"url": FR, "pages": "lists/fr.xml"})
        found, notes = read_languages(settings, directory(tmp_path), {})
        assert found[1] == Language(code="fr", base_url=FR, pages=frozenset({FR, f"{FR}a/"}))
        assert notes == []

    def test_the_file_can_be_anywhere(self, tmp_path: Path) -> None:
        path = tmp_path / "fr.xml"
        path.write_bytes(sitemap(FR))
        found, _ = read_languages(languages(fr={"url": FR, "pages": str(path)}), tmp_path / "elsewhere", {})
        assert found[0].pages == frozenset({FR})

    @pytest.mark.parametrize(
        ("name", "content", "why"),
        [
            ("fr.inv", None, "cannot be read (No such file or directory)"),
            (".", None, "cannot be read ("),
            ("a\x00b", None, "cannot be read ("),
            ("fr.inv", b"", "is neither an objects.inv nor a sitemap (is empty)"),
            ("fr.inv", b"# Sphinx inventory version 1\n", "is not an object inventory of version 2"),
            ("fr.xml", sitemap(EN), f"lists no page below {FR}, only pages such as {EN}"),
        ],
    )
    def test_with_an_unusable_file_no_page_is_known_to_exist(
        self, tmp_path: Path, name: str, content: bytes | None, why: str
    ) -> None:
        if content is not None:
            (tmp_path / name).write_bytes(content)
        settings = languages(en=EN, fr={"url": FR, "pages": name})
        found, (note,) = read_languages(settings, tmp_path, {})
        assert found == [Language(code="en", base_url=EN), Language(code="fr", base_url=FR, pages=frozenset())]
        assert (note.kind, note.page) == ("language-pages", None)
        assert note.message.startswith(f"languages.fr.pages: {name} {why}")
        assert note.message.endswith(", so no alternate is in fr")

    def test_the_list_for_the_site_s_own_language_is_not_read(self, tmp_path: Path) -> None:
        settings = languages(en={"url": EN, "pages": "gone.xml"})
        assert read_languages(settings, tmp_path, {}, own_base_url=EN) == ([Language(code="en", base_url=EN)], [])

    def test_languages_from_the_host_do_not_imply_pages(self, tmp_path: Path) -> None:
        found, notes = read_languages(Settings(), tmp_path, {"en": EN, "pt_BR": "https://example.org/pt"})
        assert found == [
            Language(code="en", base_url=EN, same_paths=False),
            Language(code="pt-BR", base_url="https://example.org/pt/", same_paths=False),
        ]
        assert notes == []

    @pytest.mark.parametrize(
        "known",
        [
            pytest.param({"en": "https://example.org/other/"}, id="the same code"),
            pytest.param({"EN": "https://example.org/other/"}, id="the same code, spelled differently"),
            pytest.param({"en-US": EN}, id="the same URL"),
            pytest.param({"en-US": "https://EXAMPLE.org/en"}, id="the same URL, spelled differently"),
            pytest.param({"klingon": FR}, id="not a code"),
            pytest.param({"x-default": FR}, id="not a language"),
            pytest.param({"fr": "/fr/"}, id="not a URL"),
            pytest.param({"fr": "http://[x"}, id="an invalid URL"),
            pytest.param({"fr": "http://localhost/fr/"}, id="a local URL"),
        ],
    )
    def test_the_option_takes_precedence_over_the_host_and_unusable_values_are_ignored(
        self, tmp_path: Path, known: Mapping[str, str]
    ) -> None:
        assert read_languages(languages(en=EN), tmp_path, known) == ([Language(code="en", base_url=EN)], [])


def read(directory: Path) -> dict[str, bytes]:
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*.html")}


class TestHeadLinks:
    @pytest.fixture(autouse=True)
    def pages(self, tmp_path: Path) -> None:
        (tmp_path / "fr").mkdir()
        for name in ("index.html", "fr/index.html", "alone.html"):
            (tmp_path / name).write_bytes(PAGE)

    def test_links_are_written_into_the_heads_of_the_pages(self, tmp_path: Path) -> None:
        alternates = {"index.html": LINKS, "fr/index.html": LINKS, "alone.html": ()}
        assert write_head_links(alternates, tmp_path, dry_run=True) == (["fr/index.html", "index.html"], [])
        assert {*read(tmp_path).values()} == {PAGE}
        assert write_head_links(alternates, tmp_path) == (["fr/index.html", "index.html"], [])
        pages = read(tmp_path)
        assert pages["alone.html"] == PAGE
        assert pages["index.html"] == pages["fr/index.html"]
        assert pages["index.html"].count(b'<link rel="alternate" hreflang="') == 2

    def test_writing_them_again_changes_no_file(self, tmp_path: Path) -> None:
        alternates = {"index.html": LINKS, "fr/index.html": LINKS, "alone.html": ()}
        write_head_links(alternates, tmp_path)
        before = {name: (tmp_path / name).stat().st_ino for name in alternates}
        assert write_head_links(alternates, tmp_path) == ([], [])
        assert {name: (tmp_path / name).stat().st_ino for name in alternates} == before

    def test_links_of_a_page_without_translations_are_removed(self, tmp_path: Path) -> None:
        write_head_links({"index.html": LINKS}, tmp_path)
        write_head_links({"index.html": ()}, tmp_path)
        assert read(tmp_path)["index.html"] == PAGE

    def test_without_pages_nothing_happens(self, tmp_path: Path) -> None:
        assert write_head_links({}, tmp_path) == ([], [])

    @pytest.mark.parametrize("number", [49, 50, 51, 120])
    def test_many_pages_are_all_written(self, tmp_path: Path, number: int) -> None:
        names = [f"{each}.html" for each in range(number)]
        for name in names:
            (tmp_path / name).write_bytes(PAGE)
        assert write_head_links(dict.fromkeys(names, LINKS), tmp_path) == (sorted(names), [])
        pages = read(tmp_path)
        assert all(b"hreflang" in pages[name] for name in names)

    @pytest.mark.parametrize(
        ("names", "words"),
        [
            (["b.html"], "b.html has hreflang links already"),
            (["b.html", "c.html", "d.html"], "b.html and 2 more pages have hreflang links already"),
        ],
    )
    def test_pages_with_their_own_links_are_named_once(self, tmp_path: Path, names: list[str], words: str) -> None:
        own = PAGE.replace(b"</head>", b'<link rel="alternate" hreflang="en" href="/"></head>')
        for name in names:
            (tmp_path / name).write_bytes(own)
        _, (note,) = write_head_links(dict.fromkeys([*reversed(names), "index.html"], LINKS), tmp_path)
        assert (note.kind, note.page) == ("head-links", None)
        assert note.message == f"head_links: {words}, so none were added there"
        pages = read(tmp_path)
        assert all(pages[name] == own for name in names)
        assert b"hreflang" in pages["index.html"]

    def test_links_to_feeds_are_in_every_page_with_or_without_translations(self, tmp_path: Path) -> None:
        own = PAGE.replace(b"</head>", b'<link rel="alternate" hreflang="en" href="/"></head>')
        (tmp_path / "own.html").write_bytes(own)
        (tmp_path / "plan.pdf").write_bytes(PAGE)
        feed = FeedLink(media_type="application/atom+xml", title="News", href="https://example.org/a.atom")
        alternates = {"index.html": LINKS, "own.html": LINKS, "alone.html": (), "plan.pdf": ()}
        _, (note,) = write_head_links(alternates, tmp_path, [feed])
        assert note.kind == "head-links"
        pages = read(tmp_path)
        assert {name: (page.count(b"hreflang="), page.count(b"a.atom")) for name, page in pages.items()} == {
            "index.html": (2, 1),
            "own.html": (1, 1),
            "alone.html": (0, 1),
            "fr/index.html": (0, 0),
        }
        assert (tmp_path / "plan.pdf").read_bytes() == PAGE
        write_head_links(dict.fromkeys(alternates, ()), tmp_path)
        assert read(tmp_path) == {**dict.fromkeys(("index.html", "fr/index.html", "alone.html"), PAGE), "own.html": own}

    def test_a_missing_page_is_named_and_the_others_are_written(self, tmp_path: Path) -> None:
        _, (note,) = write_head_links({"gone.html": LINKS, "index.html": LINKS}, tmp_path)
        assert note.kind == "unwritable"
        assert note.message == "gone.html could not be read: No such file or directory"
        assert b"hreflang" in read(tmp_path)["index.html"]
        assert not (tmp_path / "gone.html").exists()

    def test_an_unwritable_page_is_named_and_the_other_batches_are_written(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(localizing, "_BATCH", 1)
        replace = os.replace

        def refuse(source: str, target: str) -> None:
            if target.endswith("alone.html"):
                raise PermissionError(13, "Permission denied")
            replace(source, target)

        monkeypatch.setattr(os, "replace", refuse)
        _, (note,) = write_head_links({"alone.html": LINKS, "index.html": LINKS}, tmp_path)
        assert note.kind == "unwritable"
        assert note.message == "alone.html could not be written: Permission denied"
        assert read(tmp_path)["alone.html"] == PAGE
        assert b"hreflang" in read(tmp_path)["index.html"]

    def test_a_page_outside_the_output_is_not_touched(self, tmp_path: Path) -> None:
        (tmp_path / "site").mkdir()
        _, (note,) = write_head_links({"../index.html": LINKS}, tmp_path / "site")
        assert note.kind == "unwritable"
        assert read(tmp_path)["index.html"] == PAGE
