"""The names of languages, the direction of their scripts, and the words on the page of all pages."""

from __future__ import annotations

import unicodedata

import pytest

from sitemap_plugins.values.language_names import _NAMES, _WORDS, direction_of, own_name, words_in
from sitemap_plugins.values.languages import LANGUAGES, THREE_LETTER_LANGUAGES, parse_language


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("fr", "Français"),
        ("pt-BR", "Português"),
        ("xx", "xx"),
        ("", ""),
    ],
)
def test_a_language_has_its_own_name(code: str, name: str) -> None:
    assert own_name(code) == name


def test_every_name_is_that_of_a_known_language() -> None:
    assert {*_NAMES} <= LANGUAGES | THREE_LETTER_LANGUAGES
    assert [name for name in _NAMES.values() if name != name.strip() or name[0] != name[0].upper()] == []


@pytest.mark.parametrize(
    ("code", "direction"),
    [
        ("ar", "rtl"),
        ("he-IL", "rtl"),
        ("az-Arab", "rtl"),
        ("ar-Latn", "ltr"),
    ],
)
def test_the_script_of_a_language_decides_its_direction(code: str, direction: str) -> None:
    assert direction_of(code) == direction


@pytest.mark.parametrize("code", _NAMES)
def test_the_direction_is_that_of_the_letters_in_the_name(code: str) -> None:
    is_rtl = any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in own_name(code))
    assert direction_of(code) == ("rtl" if is_rtl else "ltr")


@pytest.mark.parametrize(
    ("code", "title"),
    [
        ("fr-CA", "Plan du site"),
        ("zh-Hant", "網站地圖"),
        ("zh-TW", "網站地圖"),
        ("mi", "Sitemap"),
        ("", "Sitemap"),
        ("en!", "Sitemap"),
    ],
)
def test_the_words_are_in_the_language_or_in_english(code: str, title: str) -> None:
    assert words_in(code).title == title


@pytest.mark.parametrize("code", _WORDS)
def test_words_are_kept_under_the_codes_of_hreflang(code: str) -> None:
    assert parse_language(code) == code
    assert all(_WORDS[code])
