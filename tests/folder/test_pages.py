"""Properties of pages in a folder other than their URLs and sources."""

from __future__ import annotations

import pytest

from sitemap_plugins.folder.collecting import default_language, without_links_to_copies
from sitemap_plugins.folder.dating import without_build_dates
from sitemap_plugins.model import Markup, Page
from sitemap_plugins.published.languages import PageLanguage

BUILD = "2026-03-01T10:00:00Z"


def pages(*dates: str) -> list[Page]:
    return [
        Page(loc=f"https://x.org/{number}", name=str(number), markup=Markup(modified=(date,) if date else ()))
        for number, date in enumerate(dates)
    ]


@pytest.mark.parametrize("number", [6, 20])
def test_a_date_on_most_pages_is_the_date_of_the_build(number: int) -> None:
    given = pages(*[BUILD] * number, "2026-01-01", "")
    left, notes = without_build_dates([*given, Page(loc="https://x.org/unread", name="unread")])
    assert [page.markup.modified for page in left if page.markup] == [()] * number + [("2026-01-01",), ()]
    assert [note.kind for note in notes] == ["shown-date"]
    assert BUILD in notes[0].message


def test_the_times_at_which_a_build_rendered_pages_are_ignored() -> None:
    rendered = [f"2026-03-01T09:59:{second}.5Z" for second in range(50, 60)]
    rendered += [f"2026-03-01T11:00:0{second}+01:00" for second in range(10)]
    given = pages(*rendered, "2026-01-01", "never", "2026-03-01T10:30:00Z")
    left, notes = without_build_dates(given)
    assert [page.markup.modified for page in left if page.markup] == [
        *[()] * 20,
        ("2026-01-01",),
        ("never",),
        ("2026-03-01T10:30:00Z",),
    ]
    assert [note.message.partition(" as the ")[0] for note in notes] == [
        "most pages give 2026-03-01T09:59:50.5Z and moments close to it"
    ]


@pytest.mark.parametrize(
    "dates",
    [
        pytest.param([f"2026-03-01T{hour:02}:00:00Z" for hour in range(24)], id="one day"),
        pytest.param([BUILD] * 5, id="few pages"),
        pytest.param([BUILD] * 10 + [""] * 10, id="half of the pages"),
        pytest.param([f"2026-01-{day:02}" for day in range(1, 31)], id="different days"),
    ],
)
def test_other_dates_are_kept(dates: list[str]) -> None:
    assert without_build_dates(pages(*dates)) == (pages(*dates), [])


def test_links_to_copies_that_are_left_out_are_ignored() -> None:
    links = (("de", "/de/a/"), ("fr", "https://x.org/fr/a/index.html"), ("it", "https://["), ("es", "/es/a/"))
    pages = [
        Page(loc="https://x.org/a/", name="a", markup=Markup(hreflang=links)),
        Page(loc="https://x.org/fr/a/", name="fr/a", omit="untranslated"),
        Page(loc="https://x.org/es/a/", name="es/a", omit="error-page"),
    ]
    first, *others = without_links_to_copies(pages)
    assert first.markup == Markup(hreflang=(("de", "/de/a/"), ("es", "/es/a/")))
    assert others == pages[1:]
    assert without_links_to_copies([pages[0]]) == [pages[0]]


@pytest.mark.parametrize(
    ("page_languages", "expected"),
    [
        ([PageLanguage("de", "de", "a"), PageLanguage("en", "", "a")], "en"),
        ([PageLanguage("de", "de", "a"), PageLanguage("fr", "fr", "a"), PageLanguage("en")], None),
        ([PageLanguage("en")], None),
        ([PageLanguage("de", "de", "a", other="en"), PageLanguage("en", "", "b", other="fr")], None),
        ([PageLanguage("de", "", "a", "en"), PageLanguage("en", "", "a", "en"), PageLanguage("de", "", "b", "")], "en"),
        ([PageLanguage("de", "", "a", ""), PageLanguage("en", "", "a", "")], None),
    ],
)
def test_the_default_language_is_that_of_translated_pages_at_the_root(
    page_languages: list[PageLanguage], expected: str | None
) -> None:
    assert default_language({str(number): each for number, each in enumerate(page_languages)}) == expected
