"""A page is listed under its canonical URL if that is only another spelling of its own URL (CAN-02)."""

import pytest
from msgspec import structs

from sitemap_plugins.model import Entry, Markup, Page, Site
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.pages.canonical import choose_locs, spelling_notes
from sitemap_plugins.pages.entries import enrich
from sitemap_plugins.pages.selection import select
from tests.builders import options

BASE = "https://example.org/docs/"
SITE = Site(base_url=BASE)
FOLLOWING = Settings(follow_canonical=True)


def page(path: str, canonical: str | None = None, *, output: str | None = None) -> Page:
    """A page that the host has at ``path``, with a canonical link relative to the host."""
    markup = Markup(canonicals=() if canonical is None else (canonical,))
    return Page(loc=BASE + path, name=path, markup=markup, output=output or path)


def chosen(*pages: Page, settings: Settings = FOLLOWING, site: Site = SITE) -> tuple[list[str], list[tuple[str, str]]]:
    """The paths below the base that are listed, and the notes."""
    locs = choose_locs(site, [(each, each.loc) for each in pages], settings)
    notes = spelling_notes(zip(pages, locs, strict=True), settings)
    return [loc.removeprefix(BASE) for loc in locs], [(note.kind, note.message) for note in notes]


class TestAFolder:
    """Every server answers the URL of a folder with its index.html."""

    INDEX = page("a/index.html", f"{BASE}a/")

    def test_is_listed_under_its_canonical_url(self) -> None:
        assert chosen(self.INDEX, settings=Settings()) == (["a/"], [])

    def test_is_not_if_a_script_of_the_theme_looks_up_links(self) -> None:
        site = structs.replace(SITE, theme_reads_sitemap=True)
        locs, notes = chosen(self.INDEX, settings=Settings(), site=site)
        assert locs == ["a/index.html"]
        assert [kind for kind, _ in notes] == ["canonical-spelling"]
        assert chosen(self.INDEX, site=site) == (["a/"], [])

    def test_is_not_if_its_file_has_another_name(self) -> None:
        other = structs.replace(self.INDEX, output="a.html")
        assert chosen(other, settings=Settings())[0] == ["a/index.html"]


@pytest.mark.parametrize(
    ("path", "canonical"),
    [
        ("a.html", "a/"),
        ("a/", "a.html"),
        ("a/", "a/index.html"),
        ("index.html", ""),
        ("caf%C3%A9.html", "café/"),
        ("a.html?b=1", "a?b=1"),
    ],
)
class TestAnotherSpelling:
    def test_is_followed_if_the_option_says_that_the_server_answers_it(self, path: str, canonical: str) -> None:
        expected = canonical.replace("é", "%C3%A9")
        assert chosen(page(path, BASE + canonical, output="a.html")) == ([expected], [])

    def test_is_not_followed_by_default_and_one_note_says_so(self, path: str, canonical: str) -> None:
        pages = [page(path, BASE + canonical, output="a.html"), page("b.html", f"{BASE}b", output="b.html")]
        locs, notes = chosen(*pages, settings=Settings())
        assert locs == [path, "b.html"]
        ((kind, message),) = notes
        assert kind == "canonical-spelling"
        assert f"{path} (and 1 more page)" in message
        assert "follow_canonical: true" in message


def test_another_scheme_is_a_warning() -> None:
    locs, ((kind, message),) = chosen(page("a.html", "http://example.org/docs/a.html"), page("b.html", f"{BASE}b.html"))
    assert locs == ["a.html", "b.html"]
    assert kind == "base-url"
    assert "a.html is http://example.org/docs/a.html, but the sitemap lists https://example.org/docs/a.html" in message


def test_a_page_that_is_left_out_is_not_noted() -> None:
    settings = options(exclude=["b.html"])
    pages = [page("a.html", f"{BASE}a"), page("b.html", f"{BASE}b"), page("index.html")]
    candidates, _, notes = enrich(SITE, pages, settings, {})
    _, _, about_selection = select(SITE, candidates, settings)
    (note,) = [*notes, *about_selection]
    assert note.kind == "canonical-spelling"
    assert "and so" not in note.message


class TestAURLOfAnotherPage:
    @pytest.mark.parametrize(
        "others",
        [
            pytest.param([page("a/")], id="the URL of its host"),
            pytest.param([page("a/index.html")], id="the URL of its host in another form"),
            pytest.param([page("a.htm", f"{BASE}a/")], id="canonical of both"),
        ],
    )
    def test_is_never_taken(self, others: list[Page]) -> None:
        pages = [page("a.html", f"{BASE}a/", output="a.html"), *others]
        locs, notes = chosen(*pages)
        assert locs == [each.loc.removeprefix(BASE) for each in pages]
        assert {kind for kind, _ in notes} == {"canonical-spelling"}

    def test_is_the_canonical_of_a_copy_that_is_left_out(self) -> None:
        pages = [page("a.html", f"{BASE}a/", output="a.html"), page("a/", f"{BASE}a/", output="a/index.html")]
        candidates, _, _ = enrich(SITE, pages, FOLLOWING, {})
        listed, omitted, _ = select(SITE, candidates, FOLLOWING)
        assert [each.entry.loc for each in listed] == [f"{BASE}a/"]
        assert [(each.page.name, each.reason) for each in omitted] == [("a.html", "canonical elsewhere")]


@pytest.mark.parametrize("canonical", ["https://example.org/a", "https://www.example.org/docs/a", "https://["])
def test_a_url_elsewhere_is_never_taken(canonical: str) -> None:
    assert chosen(page("a.html", canonical)) == (["a.html"], [])


def test_globs_match_the_path_that_the_host_uses() -> None:
    settings = options(follow_canonical=True, exclude="a.html", pages=[{"match": "b.html", "priority": 0.7}])
    pages = [page(f"{name}.html", f"{BASE}{name}/", output=f"{name}.html") for name in "ab"]
    candidates, _, _ = enrich(SITE, pages, settings, {})
    listed, omitted, _ = select(SITE, candidates, settings)
    assert [each.entry for each in listed] == [Entry(loc=f"{BASE}b/", priority=0.7)]
    assert [each.page.name for each in omitted] == ["a.html"]
