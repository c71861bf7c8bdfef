"""HL-12: pages are copies if they have the text of the original, in a language whose other pages are translated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from sitemap_plugins.model import Markup, Page
from sitemap_plugins.published.languages import without_links
from sitemap_plugins.translations.copies import find_copies
from sitemap_plugins.values.urls import page_key

X = "https://x.org/"
SIZE = 100  # words on a page
COPY, TRANSLATION = 1.0, 0.0


def words(language: str, number: int) -> str:
    return "".join(f"<p>{language}word</p>" for _ in range(number))


def translation(path: str, code: str, *, head: str = "", cluster: str = "", is_known: bool = False) -> Page:
    """A page whose head names this page as ``x-default``."""
    markup = Markup(hreflang=(("x-default", X + head),) if head else ())
    return Page(
        loc=X + path,
        name=path,
        output=path,
        language=code,
        markup=markup,
        translation=cluster or path.rpartition("/")[2],
        generated=not is_known,
    )


class Site:
    """A site whose pages in other languages share this part of their text with the original in English."""

    def __init__(self, shares: Mapping[str, Sequence[float]], size: int = SIZE, original: str = "en") -> None:
        self.html: dict[str, str] = {}
        self.pages: list[Page] = []
        for number in range(max(map(len, shares.values()))):
            self.html[f"{number}"] = f"<main>{words('en', size)}</main>"
            self.pages.append(translation(f"{number}", original))
            for code, several in shares.items():
                path = f"{code}/{number}"
                same = round(several[number] * size)
                self.html[path] = f"<main>{words('en', same)}{words('xx', size - same)}</main>"
                self.pages.append(translation(path, code))

    def find(self, default: str | None = "en", *, compare_all: bool = False) -> tuple[dict[str, str], dict[str, str]]:
        """The original of each copy, and what is said of pages that may be copies."""
        copies, notes = find_copies(self.pages, self.html.get, default, compare_all=compare_all)
        assert {page.omit for page in copies.values()} <= {"untranslated"}
        assert {note.kind for note in notes} <= {"untranslated"}
        originals = {path: page.omit_detail.removeprefix("it has the text of ") for path, page in copies.items()}
        return originals, {note.page or "": note.message for note in notes}


NOTHING: tuple[dict[str, str], dict[str, str]] = ({}, {})


@pytest.mark.parametrize(
    ("share", "is_copy"), [(1.0, True), (0.91, True), (0.9, True), (0.89, False), (0.6, False), (0.0, False)]
)
def test_a_copy_shares_nine_tenths_of_its_text(share: float, *, is_copy: bool) -> None:
    assert Site({"fr": [share, TRANSLATION]}).find() == ({"fr/0": "0"} if is_copy else {}, {})


@pytest.mark.parametrize(
    ("shares", "is_decided"),
    [
        pytest.param([COPY] * 9 + [TRANSLATION], True, id="a tenth is translated"),
        pytest.param([COPY] * 9 + [0.49], True, id="a tenth shares less than half"),
        pytest.param([COPY] * 9 + [0.5], False, id="a tenth shares half"),
        pytest.param([COPY] * 10 + [TRANSLATION], False, id="less than a tenth"),
        pytest.param([COPY] * 40 + [TRANSLATION] * 3, True, id="three pages"),
        pytest.param([COPY] * 40 + [TRANSLATION] * 2, False, id="two of many pages"),
        pytest.param([COPY], False, id="a single page"),
    ],
)
def test_a_language_is_decided_if_three_pages_or_a_tenth_are_translated(
    shares: list[float], *, is_decided: bool
) -> None:
    originals, unclear = Site({"fr": shares}).find()
    number = shares.count(COPY)
    assert len(originals) == (number if is_decided else 0)
    assert [*unclear] == ([] if is_decided else ["fr/0"])
    if not is_decided:
        more = f" (and {number - 1} more page{'s' if number > 2 else ''})" if number > 1 else ""
        assert unclear["fr/0"].startswith(f"it has the same text as 0{more}; hardly any page in fr differs from")


def test_each_language_is_decided_for_itself() -> None:
    originals, unclear = Site({"fr": [COPY, TRANSLATION], "de": [COPY, COPY], "it": [TRANSLATION, 0.7]}).find()
    assert (originals, [*unclear]) == ({"fr/0": "0"}, ["de/0"])


def test_short_pages_are_neither_copies_nor_translations() -> None:
    assert Site({"fr": [COPY, TRANSLATION]}, size=29).find() == NOTHING
    assert Site({"fr": [COPY, TRANSLATION]}, size=30).find() == ({"fr/0": "0"}, {})


@pytest.mark.parametrize(("one", "other"), [("en-GB", "en-US"), ("en", "en-GB"), ("zh-CN", "zh-TW"), ("nb", "no")])
def test_pages_in_one_language_may_have_the_same_text(one: str, other: str) -> None:
    site = Site({other: [COPY, TRANSLATION]}, original=one)
    assert site.find(one) == site.find(None, compare_all=True) == NOTHING


class TestOriginals:
    """Which page the others are compared with."""

    def test_the_page_in_the_default_language_whatever_its_country(self) -> None:
        assert Site({"fr": [COPY, TRANSLATION]}, original="en-GB").find("en") == ({"fr/0": "0"}, {})

    def test_the_page_that_a_head_names_as_x_default(self) -> None:
        site = Site({"fr": [COPY, TRANSLATION], "de": [TRANSLATION, COPY]})
        site.pages = [
            translation(page.name, page.language, head=page.translation, cluster=page.translation)
            for page in site.pages
        ]
        assert site.find("de") == site.find(None) == ({"fr/0": "0", "de/1": "1"}, {})

    def test_also_if_that_is_no_translation_such_as_a_page_in_another_cluster(self) -> None:
        site = Site({"fr": [COPY, TRANSLATION]})
        site.pages = [
            translation(page.name, page.language, head=page.translation, cluster=page.name) for page in site.pages
        ]
        assert site.find(None) == ({"fr/0": "0"}, {})

    def test_without_a_default_language_only_all_are_compared(self) -> None:
        site = Site({"fr": [COPY, TRANSLATION, TRANSLATION], "de": [TRANSLATION, COPY, 0.7]})
        assert site.find(None) == site.find("it") == NOTHING
        assert site.find(None, compare_all=True)[0] == {"fr/0": "0", "de/1": "1"}

    def test_what_is_known_to_be_no_copy_is_not_read(self) -> None:
        site = Site({"fr": [COPY, TRANSLATION]})
        site.pages = [translation(page.name, page.language, is_known=True) for page in site.pages]
        site.html.clear()
        assert find_copies(site.pages, site.html.__getitem__, "en", compare_all=True) == ({}, [])


def test_pages_are_read_once_and_those_that_cannot_be_read_are_no_copies() -> None:
    site = Site({"fr": [COPY, COPY, TRANSLATION], "de": [COPY, TRANSLATION, TRANSLATION]})
    del site.html["fr/1"]
    read: list[str] = []

    def read_page(path: str) -> str | None:
        read.append(path)
        return site.html.get(path)

    copies, _ = find_copies(site.pages, read_page, "en")
    assert [*copies] == ["fr/0", "de/0"]
    assert sorted(read) == sorted({*site.html, "fr/1"})


def test_links_to_copies_are_removed_from_a_head() -> None:
    markup = Markup(hreflang=(("de", "/de/a/"), ("fr", "https://x.org/fr/a/index.html"), ("it", "https://[")))
    assert without_links(markup, f"{X}a/", {page_key(f"{X}fr/a/")}) == Markup(hreflang=(("de", "/de/a/"),))
    assert without_links(markup, f"{X}a/", ()) == markup
