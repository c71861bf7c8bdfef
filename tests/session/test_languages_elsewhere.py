"""The steps of every host for a site in several languages, with real files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from sitemap_plugins.formats.sitemap_xml import SitemapWriter
from sitemap_plugins.model import Entry, Language
from sitemap_plugins.options.settings import Settings, read_settings
from sitemap_plugins.session.built_elsewhere import read_languages

EN, FR = "https://example.org/en/", "https://example.org/fr/"


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
        assert found == [Language(code="pt-BR", base_url="https://example.org/pt/"), Language(code="en", base_url=EN)]
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
        french = Language(code="fr", base_url=FR, pages=frozenset(), is_unread=content is None)
        assert found == [Language(code="en", base_url=EN), french]
        assert (note.kind, note.page) == ("language-pages", None)
        assert note.message.startswith(f"languages.fr.pages: {name} {why}")
        assert note.message.endswith(", so no page is linked to its translation in fr")

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
