"""The languages and hreflang links of rendered pages, compared with those of the sitemap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.model import Alternate, Candidate, Entry, Markup, Note
from sitemap_plugins.translations.hreflang import compare_with_pages, disagreement, read_links
from tests.builders import candidate

BASE = "https://example.org/"
LINKS = (
    Alternate(hreflang="en", href=BASE),
    Alternate(hreflang="pt-BR", href=f"{BASE}pt/"),
    Alternate(hreflang="x-default", href=BASE),
)
HEAD = (("en", BASE), ("pt-BR", f"{BASE}pt/"), ("x-default", BASE))


def compared(
    markup: Markup | None, alternates: tuple[Alternate, ...] = LINKS, loc: str = BASE, name: str = "index.md"
) -> Candidate:
    return candidate(loc, name=name, markup=markup, entry=Entry(loc=loc, alternates=alternates))


@pytest.mark.parametrize(
    ("markup", "loc"),
    [
        pytest.param(Markup(), BASE, id="the page has none"),
        pytest.param(Markup(language="en-GB"), BASE, id="the language in more detail"),
        pytest.param(Markup(language="pt"), f"{BASE}pt/", id="the language in less detail"),
        pytest.param(Markup(language="pt_BR"), f"{BASE}pt/", id="the language in another form"),
        pytest.param(Markup(hreflang=HEAD[::-1]), BASE, id="in another order"),
        pytest.param(Markup(hreflang=HEAD[:2]), BASE, id="without x-default"),
        pytest.param(Markup(hreflang=(("EN", "./"), ("pt_br", "/pt/"))), BASE, id="codes and URLs in another form"),
        pytest.param(Markup(hreflang=(("en", "index.html"), ("pt-BR", "pt"))), BASE, id="the same pages"),
        pytest.param(Markup(hreflang=(("en", "#top"), ("pt-BR", "pt/index.html#a"))), BASE, id="fragments"),
        pytest.param(Markup(hreflang=(*HEAD, ("en", f"{BASE}other/"))), BASE, id="the first of two counts"),
        pytest.param(Markup(hreflang=(*HEAD, ("no language", "/a/"))), BASE, id="an invalid language"),
        pytest.param(Markup(hreflang=(*HEAD, ("fr", "//["))), BASE, id="an invalid URL"),
        pytest.param(Markup(language="fr"), f"{BASE}choose/", id="a selector page can be in any language"),
    ],
)
def test_pages_that_agree(markup: Markup, loc: str) -> None:
    assert disagreement(markup, loc, LINKS) == ""
    assert [*compare_with_pages([compared(markup, loc=loc)])] == []


@pytest.mark.parametrize(
    ("markup", "said"),
    [
        (Markup(language="fr"), 'its html element has lang="fr", but the sitemap has en'),
        (Markup(language="klingon"), 'its html element has lang="klingon", but the sitemap has en'),
        (Markup(hreflang=HEAD[:1]), f"for pt-BR its head names nothing, but the sitemap names {BASE}pt/"),
        (
            Markup(hreflang=(*HEAD, ("fr", "/fr/"))),
            f"for fr its head names {BASE}fr/, but the sitemap names nothing, because no listed page is known as that translation",
        ),
        (
            Markup(hreflang=(("en", BASE), ("pt-BR", "/br/"))),
            f"for pt-BR its head names {BASE}br/, but the sitemap names {BASE}pt/",
        ),
        (
            Markup(hreflang=(("en", BASE), ("pt", "/pt/"))),
            f"for pt its head names {BASE}pt/, but the sitemap names nothing, because no listed page is known as that translation",
        ),
        (
            Markup(hreflang=(*HEAD[:2], ("x-default", "/pt/"))),
            f"for x-default its head names {BASE}pt/, but the sitemap names {BASE}",
        ),
        (
            Markup(hreflang=(("en", "http://example.org/"), ("pt-BR", "/pt/"))),
            f"for en its head names http://example.org/, but the sitemap names {BASE}",
        ),
    ],
)
def test_the_first_difference_names_both(markup: Markup, said: str) -> None:
    """HL-13."""
    assert disagreement(markup, BASE, LINKS) == said
    assert [*compare_with_pages([compared(markup)])] == [Note(kind="language-mismatch", page="index.md", message=said)]


def test_an_x_default_that_the_sitemap_lacks_is_a_difference() -> None:
    said = disagreement(Markup(hreflang=HEAD), BASE, LINKS[:2])
    missing = "nothing, because no x_default is set for these pages"
    assert said == f"for x-default its head names {BASE}, but the sitemap names {missing}"


def test_many_pages_with_a_difference_are_one_note() -> None:
    wrong = Markup(language="fr")
    pages = [compared(Markup(language="en"), name="a.md"), *(compared(wrong, name=f"{each}.md") for each in "bcd")]
    (note,) = compare_with_pages(pages)
    assert note.page == "b.md"
    assert note.message == 'its html element has lang="fr", but the sitemap has en (and 2 more pages)'


@pytest.mark.parametrize("page", [compared(None), compared(Markup(language="fr", hreflang=HEAD), alternates=())])
def test_pages_that_were_not_read_or_have_no_alternates_are_not_compared(page: Candidate) -> None:
    assert [*compare_with_pages([page])] == []


@pytest.mark.parametrize(
    ("links", "found"),
    [
        ([], {}),
        ([("en", "a/"), ("fr", "/fr/a/")], {"en": f"{BASE}x/a/", "fr": f"{BASE}fr/a/"}),
        ([("EN_gb", "")], {"en-GB": f"{BASE}x/"}),
        ([("x-DEFAULT", "/")], {"x-default": BASE}),
        ([("en", "/1"), ("EN", "/2")], {"en": f"{BASE}1"}),
        ([("", "/1"), ("?", "/1"), ("en", "http://[")], {}),
    ],
)
def test_links_are_read_as_absolute_urls_by_valid_codes(links: list[tuple[str, str]], found: dict[str, str]) -> None:
    assert read_links(links, f"{BASE}x/") == found


texts = st.text() | st.sampled_from(
    ["en", "pt-BR", "x-default", BASE, "//[", "http://[x", "pt/", "https://exa\uff0fmple.org/"]
)


@given(texts, st.lists(st.tuples(texts, texts)))
def test_any_page_is_compared_without_an_exception(language: str, hreflang: list[tuple[str, str]]) -> None:
    markup = Markup(language=language, hreflang=tuple(hreflang))
    assert isinstance(disagreement(markup, BASE, LINKS), str)
