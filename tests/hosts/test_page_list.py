"""The page of all pages in MkDocs and Sphinx: `html: true`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from tests.hosts.test_mkdocs_languages import i18n, write_documents

HOSTILE = '<b> {{ 7*7 }} "q" & {% x %}'
TEMPLATE = """\
{% for language in languages %}
<nav lang="{{ language.code }}" dir="{{ language.dir }}" title="{{ language.title }}">{{ language.counted }}: {{ language.number }}
{% for page in language.pages %}<a href="{{ page.url|e }}" title="{{ page.title }}">{{ page.title|e }}</a>{{ page.date }}{% endfor %}
{% for part in language.parts %}<p>{{ part.title }}{{ part.parts|length }}</p>{% endfor %}
</nav>
{% endfor %}
<i>{{ title }}</i>
"""


def is_mkdocs(site: Any) -> bool:
    return bool(site.host_url == "site_url")


def write_pages(site: Any) -> None:
    """A home page, a page with a hostile title, and a folder."""
    site.pages(f"index.{site.suffix}", f"guide/a.{site.suffix}", f"guide/b.{site.suffix}")
    title = HOSTILE.replace("<b>", "&lt;b&gt;") if is_mkdocs(site) else HOSTILE
    site.write(f"docs/odd.{site.suffix}", f"# {title}\n" if is_mkdocs(site) else f"{title}\n{'=' * len(title)}\n")


def page_of(built: Any, name: str = "sitemap") -> str:
    """The page, at the address that the host gives it."""
    path = f"{name}/index.html" if built.has(f"{name}/index.html") else f"{name}.html"
    return built.read(path).decode()  # type: ignore[no-any-return]


def links(page: str) -> dict[str, str]:
    """The titles of the list by their links."""
    (listing,) = html.fromstring(page).find_class("sitemap-pages")
    return {each.get("href"): each.text_content() for each in listing.iter("a")}


@pytest.fixture
def templates(any_site: Any) -> dict[str, Any]:
    """The setting that makes a host look for templates in ``docs/theme``."""
    if is_mkdocs(any_site):
        return {"theme": {"name": "mkdocs", "custom_dir": "docs/theme"}, "exclude_docs": "/theme/"}
    return {"templates_path": ["theme"], "exclude_patterns": ["theme"]}


def test_the_page_lists_what_the_sitemap_lists_in_the_theme_of_the_site(any_site: Any) -> None:
    write_pages(any_site)
    built = any_site.build_strictly({"html": True, "exclude": "guide/b*"})
    odd = {True: HOSTILE, False: HOSTILE.replace('"q"', "“q”")}[is_mkdocs(any_site)]
    base, end = ("../", "/") if is_mkdocs(any_site) else ("", ".html")
    assert links(page_of(built)) == {
        base or "index.html": "Title of index",
        f"{base}odd{end}": odd,
        f"{base}guide/a{end}": "Title of a",
    }
    page = html.fromstring(page_of(built))
    assert [each.getparent().tag for each in page.iter("style") if ".sitemap-pages" in each.text] == ["head"]
    assert [each.text for each in page.iter("h1")] == ["Sitemap"]
    assert [each.text for each in page.iter("summary")] == ["Pages: 1"]
    assert (page.findtext("head/title") or "").startswith("Sitemap")
    # Whether the sitemap has the page itself depends on the tool, as for all pages without a source.
    assert (f"sitemap{end}" in built.paths) is is_mkdocs(any_site)
    assert any_site.build({"html": True, "generated_pages": not is_mkdocs(any_site)}).paths.count(f"sitemap{end}") == (
        not is_mkdocs(any_site)
    )


def test_a_template_of_the_author_replaces_the_list(any_site: Any, templates: dict[str, Any]) -> None:
    write_pages(any_site)
    any_site.write("docs/theme/sitemap_page.html", TEMPLATE)
    built = any_site.build_strictly({"html": True}, **templates)
    page = page_of(built)
    assert "sitemap-pages" not in page
    (nav,) = [each for each in html.fromstring(page).iter("nav") if each.get("title") == "English"]
    assert (nav.get("lang"), nav.get("dir"), (nav.text or "").strip()) == ("en", "ltr", "Pages: 4")
    quoted = HOSTILE if is_mkdocs(any_site) else HOSTILE.replace('"q"', "“q”")
    assert [(each.get("title"), each.text) for each in nav.iter("a")][1] == (quoted, quoted)
    assert [each.text for each in nav.iter("p")] == ["Guide0"]
    assert "<i>Sitemap</i>" in page


def test_the_template_in_the_manual_lists_the_folders(any_site: Any, templates: dict[str, Any]) -> None:
    manual = Path(__file__).parents[2].joinpath("docs/page-list.md").read_text(encoding="utf-8")
    _, start, rest = manual.partition("{% for language in languages %}")
    write_pages(any_site)
    any_site.write("docs/theme/sitemap_page.html", start + rest.partition("```")[0])
    page = html.fromstring(page_of(any_site.build({"html": True}, strict=True, **templates)))
    assert [each.text for each in page.iter("h2")] == ["Guide (2)"]
    assert [each.text for each in page.xpath("//h2/following-sibling::ul[1]/li/a")] == ["Title of a", "Title of b"]


@pytest.mark.parametrize("name", ["sitemap", "Sitemap"])
def test_the_authors_own_page_wins(any_site: Any, name: str) -> None:
    write_pages(any_site)
    any_site.pages(f"{name}.{any_site.suffix}")
    built = any_site.build_strictly({"html": True})
    assert "Title of " in page_of(built, name)
    assert "sitemap-pages" not in page_of(built, name)
    own = f"docs/{name}.md" if is_mkdocs(any_site) else f"{name}.html"
    assert built.said(f"{own} is your own file, so it was left alone", "or set html", level="info")
    (listed,) = [path for path in built.paths if "sitemap" in path.lower()]
    assert listed.startswith(name)


def test_without_a_url_there_is_no_page(any_site: Any) -> None:
    write_pages(any_site)
    more = {"nav": [{"Home": "index.md"}, "sitemap.md"]} if is_mkdocs(any_site) else {}
    built = any_site.build({"html": True}, **{any_site.host_url: None if is_mkdocs(any_site) else ""}, **more)
    assert not built.warnings
    assert not built.has("sitemap.html")
    assert not built.has("sitemap/index.html")
    assert "sitemap/" not in built.read("index.html").decode()
    assert len(built.said("sitemap.md in nav: the entry is left out", level="info")) == is_mkdocs(any_site)


class TestMkDocs:
    @pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
    def test_the_navigation_has_the_page_like_any_other(self, mkdocs_site: Any, theme: str) -> None:
        mkdocs_site.pages("index.md", "a.md", "b.md")
        mkdocs_site.write("docs/a.md", "# A\n\n[all](sitemap.md)\n")
        nav = ["index.md", {"More": ["a.md", {"Tout & plus": "sitemap.md"}]}, "b.md"]
        built = mkdocs_site.build_strictly({"html": True}, plugins=["search"], nav=nav, theme={"name": theme})
        assert re.search(r'href="sitemap/"[^>]*>\s*(?:<[^>]*>\s*)*Tout & plus', built.read("index.html").decode())
        assert '<a href="../sitemap/">all</a>' in built.read("a/index.html").decode()
        page = page_of(built)
        assert "<h1>Tout &amp; plus</h1>" in page
        if theme == "readthedocs":
            assert re.search(r'href="\.\./a/"[^>]*title="A"', page)
            assert re.search(r'href="\.\./b/"[^>]*title="Title of b"', page)

    @pytest.mark.parametrize(
        "make",
        [
            pytest.param(
                """
    for file in files.documentation_pages():
        file.page = None
    config.nav.insert(1, {"All": "sitemap.md"})
    return get_navigation(files, config)""",
                id="anew, as awesome-nav does",
            ),
            pytest.param(
                """
    nav.items.insert(1, Link("All", "sitemap.md"))
    return nav""",
                id="with a link, as awesome-pages does",
            ),
        ],
    )
    def test_plugins_that_make_the_navigation_find_the_page(self, mkdocs_site: Any, make: str) -> None:
        mkdocs_site.pages("index.md", "a.md")
        hook = "from mkdocs.structure.nav import Link, get_navigation\ndef on_nav(nav, config, files):"
        mkdocs_site.write("making.py", hook + make)
        built = mkdocs_site.build_strictly({"html": True}, hooks=["making.py"], nav=["index.md", "a.md"])
        assert b'<a href="sitemap/" class="nav-link">All</a>' in built.read("index.html")
        page = page_of(built)
        assert "<h1>All</h1>" in page
        assert re.findall(r'<a rel="(?:prev|next)" href="([^"]*)"', page) == ["..", "../a/"]

    def test_the_entry_may_have_no_title(self, mkdocs_site: Any) -> None:
        mkdocs_site.pages("index.md")
        theme = {"name": "mkdocs", "locale": "fr"}
        built = mkdocs_site.build({"html": True}, strict=True, nav=["index.md", "./sitemap.md"], theme=theme)
        assert '<a href="sitemap/" class="nav-link">Plan du site</a>' in built.read("index.html").decode()
        assert "<h1>Plan du site</h1>" in page_of(built)

    def test_the_authors_own_sitemap_is_why_there_is_no_page(self, mkdocs_site: Any) -> None:
        mkdocs_site.pages("index.md")
        mkdocs_site.write("docs/sitemap.xml", "<mine/>")
        built = mkdocs_site.build({"html": True}, strict=True, nav=["index.md", "sitemap.md"])
        assert built.said("or set filename to another value; until then, html has no effect", level="info")
        assert built.said("sitemap.md in nav: the entry is left out", level="info")
        assert not built.has("sitemap/index.html")

    def test_an_excluded_document_of_that_name_does_not_count(self, mkdocs_site: Any) -> None:
        mkdocs_site.pages("index.md", "sitemap.md")
        mkdocs_site.write("docs/a.md", "# A\n\n[all](sitemap.md)\n")
        nav = ["index.md", "a.md", {"All": "sitemap.md"}]
        built = mkdocs_site.build_strictly({"html": True}, nav=nav, exclude_docs="sitemap.md")
        assert not built.said("excluded from the built site")
        assert links(page_of(built)) == {"../": "Title of index", "../a/": "A"}
        assert b'<a href="../sitemap/">all</a>' in built.read("a/index.html")

    def test_a_draft_of_that_name_is_only_in_previews(self, mkdocs_site: Any) -> None:
        mkdocs_site.pages("index.md", "sitemap.md")
        draft = {"nav": ["index.md", "sitemap.md"], "draft_docs": "sitemap.md"}
        preview = mkdocs_site.build({"html": True}, command="serve", **draft)
        assert "Title of sitemap" in page_of(preview)
        assert preview.said("docs/sitemap.md is your own file", level="info")
        assert links(page_of(mkdocs_site.build({"html": True}, strict=True, **draft))) == {"../": "Title of index"}

    @pytest.mark.parametrize("path", ["sitemap", "Sitemap/index.html"])
    def test_a_file_at_the_address_wins(self, mkdocs_site: Any, path: str) -> None:
        mkdocs_site.pages("index.md")
        mkdocs_site.write(f"docs/{path}", "mine")
        built = mkdocs_site.build({"html": True}, strict=True)
        assert built.read(path) == b"mine"
        assert built.said(f"docs/{path} is your own file", level="info")

    def test_the_search_finds_the_title_but_not_the_list(self, mkdocs_site: Any) -> None:
        mkdocs_site.pages("index.md", "a.md")
        built = mkdocs_site.build({"html": True}, plugins=["search"])
        index = json.loads(built.read("search/search_index.json"))["docs"]
        (found,) = [each for each in index if each["location"].startswith("sitemap/")]
        assert (found["title"], "Title of a" in found["text"]) == ("Sitemap", False)

    @pytest.mark.parametrize("structure", ["folder", "suffix"])
    def test_all_languages_are_on_one_page(self, mkdocs_site: Any, structure: str) -> None:
        write_documents(mkdocs_site, structure, {"index": ("en", "fr"), "a": ("en", "fr"), "b": ("en",)})
        nav = None if structure == "folder" else ["index.md", "a.md", "b.md", {"All": "sitemap.md"}]
        built = mkdocs_site.build_strictly({"html": True}, plugins=i18n("en", "fr", structure=structure), nav=nav)
        assert not built.has("fr/sitemap/index.html")
        tree = html.fromstring(page_of(built))
        parts = {part.get("lang"): [each.text for each in part.iter("h2", "a")] for part in tree.iter("section")}
        assert parts == {
            "en": ["English", "index (en)", "a (en)", "b (en)"],
            "fr": ["Français", "index (fr)", "a (fr)"],
        }
        if nav:
            assert '<a href="../../sitemap/" class="nav-link">All</a>' in built.read("fr/a/index.html").decode()

    def test_links_lead_to_the_page_from_a_language_on_another_host(self, mkdocs_site: Any) -> None:
        write_documents(mkdocs_site, documents={"index": ("en", "fr")})
        languages = ["en", {"locale": "fr", "site_url": "https://fr.example.org/"}]
        built = mkdocs_site.build({"html": True}, plugins=i18n(*languages), nav=["index.md", {"All": "sitemap.md"}])
        assert 'href="https://docs.example.org/sitemap/"' in built.read("fr/index.html").decode()
        assert "https://fr.example.org/fr/" in links(page_of(built))

    def test_the_preview_of_mkdocs_serve_has_the_page_in_every_rebuild(self, mkdocs_site: Any) -> None:
        mkdocs_site.pages("index.md", "a.md")
        first = mkdocs_site.build({"html": True}, command="serve", nav=["index.md", "a.md", "sitemap.md"])
        assert len(links(page_of(first))) == 2
        again = mkdocs_site.build({"html": True}, command="serve", nav=["index.md", "a.md", "sitemap.md"], again=True)
        assert page_of(again) == page_of(first)

    def test_pages_of_a_dirty_build_still_link_to_the_page(self, mkdocs_site: Any) -> None:
        mkdocs_site.pages("index.md", "a.md")
        nav = ["index.md", "sitemap.md", "a.md"]
        mkdocs_site.build({"html": True}, nav=nav)
        mkdocs_site.write("docs/b.md", "# B\n\n[all](sitemap.md)\n")
        built = mkdocs_site.build({"html": True}, nav=[*nav, "b.md"], dirty=True)
        assert built.read("b/index.html").count(b'href="../sitemap/"') == 2
        assert len(links(page_of(built))) == 2

    def test_a_page_of_the_theme_at_the_address_wins(self, mkdocs_site: Any) -> None:
        mkdocs_site.pages("index.md")
        about = {"theme": {"name": "readthedocs"}, "use_directory_urls": False}
        built = mkdocs_site.build({"html": "search"}, plugins=["search"], **about)
        assert built.read("search.html") == mkdocs_site.build({}, plugins=["search"], **about).read("search.html")
        assert built.said("search.html is a page of the theme, so", "or set html", level="info")

    @pytest.mark.parametrize("nothing", [False, True])
    def test_a_file_that_another_plugin_writes_at_the_address_stays(self, mkdocs_site: Any, *, nothing: bool) -> None:
        mkdocs_site.pages("index.md")
        write = "import pathlib\ndef on_post_build(config):\n    pathlib.Path(config.site_dir, 'sitemap/index.html').write_text('moved')\n"
        mkdocs_site.write("redirect.py", write)
        built = mkdocs_site.build({"html": True, "exclude": "**" if nothing else []}, hooks=["redirect.py"])
        assert built.read("sitemap/index.html") == b"moved"
        assert built.said("sitemap/index.html is a file that another plugin wrote or changed, so", level="info")

    def test_a_theme_that_drops_the_content_is_a_warning_and_no_empty_page_stays(self, mkdocs_site: Any) -> None:
        mkdocs_site.pages("index.md")
        mkdocs_site.write("theme/main.html", "<html><title>{{ page.title }}</title></html>")
        built = mkdocs_site.build({"html": True}, theme={"name": "mkdocs", "custom_dir": "theme"})
        assert built.said("sitemap/index.html cannot be filled with the list of pages: a theme or", level="warning")
        assert not built.has("sitemap/index.html")
        assert built.paths == ["", "sitemap/"]

    def test_without_a_sitemap_no_empty_page_stays(self, mkdocs_site: Any) -> None:
        mkdocs_site.pages("index.md")
        assert not mkdocs_site.build({"html": True, "exclude": "**"}).has("sitemap/index.html")


class TestSphinx:
    @pytest.fixture(autouse=True)
    def pages(self, sphinx_site: Any) -> None:
        write_pages(sphinx_site)

    @pytest.mark.parametrize(("builder", "path"), [("html", "sitemap.html"), ("dirhtml", "sitemap/index.html")])
    def test_a_build_without_changes_leaves_the_page_as_it_is(self, sphinx_site: Any, builder: str, path: str) -> None:
        built = sphinx_site.build_strictly({"html": True}, builder=builder, html_last_updated_fmt="%Y %H:%M:%S")
        before = built.read(path), (built.output / path).stat().st_mtime_ns
        built = sphinx_site.build({"html": True}, builder=builder, strict=True, html_last_updated_fmt="%Y %H:%M:%S")
        assert (built.read(path), (built.output / path).stat().st_mtime_ns) == before

    @pytest.mark.parametrize("suffix", [".htm", ".xhtml"])
    def test_the_page_has_the_suffix_of_all_pages(self, sphinx_site: Any, suffix: str) -> None:
        for option in (True, True, False):
            built = sphinx_site.build({"html": option}, html_file_suffix=suffix, strict=True)
            assert not built.said("is your own file")
            assert built.has(f"sitemap{suffix}") is option

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
    def test_the_page_follows_the_other_pages(self, sphinx_site: Any, encoding: str) -> None:
        sphinx_site.build({"html": True}, html_output_encoding=encoding)
        (sphinx_site.docs / "guide/b.rst").unlink()
        sphinx_site.pages("c.rst")
        built = sphinx_site.build({"html": True}, html_output_encoding=encoding)
        page = built.read("sitemap.html").decode(encoding)
        assert {"c.html"} == {*links(page)} - {"index.html", "odd.html", "guide/a.html"}

    def test_a_preview_leaves_all_other_files_as_they_are(
        self, sphinx_site: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        built = sphinx_site.build({"html": True, "text": True})
        before = built.read("sitemap.xml"), built.read("sitemap.txt"), built.read("robots.txt")
        sphinx_site.pages("c.rst")
        with monkeypatch.context() as patch:
            patch.setenv("NETLIFY", "true")
            patch.setenv("CONTEXT", "deploy-preview")
            built = sphinx_site.build({"html": True})
        assert "c.html" in links(page_of(built))
        assert (built.read("sitemap.xml"), built.read("sitemap.txt"), built.read("robots.txt")) == before
        # The next build still knows which files are its own.
        built = sphinx_site.build({})
        assert [built.has(name) for name in ("sitemap.txt", "sitemap.html")] == [False, False]

    def test_a_page_without_our_mark_stays(self, sphinx_site: Any) -> None:
        built = sphinx_site.build({"html": True})
        (built.output / "sitemap.html").write_text("mine")
        built = sphinx_site.build({"html": True})
        assert built.read("sitemap.html") == b"mine"
        assert built.said("sitemap.html is your own file", "or set html", level="info")
        assert sphinx_site.build({}).read("sitemap.html") == b"mine"

    @pytest.mark.parametrize(
        ("error", "why"),
        [
            ("KeyError('sitemap')", "An error happened in rendering the page sitemap. Reason: KeyError('sitemap')"),
            ("UnicodeError", "Sphinx wrote nothing"),
        ],
    )
    def test_without_the_page_the_sitemap_is_still_written(self, sphinx_site: Any, error: str, why: str) -> None:
        sphinx_site.write(
            "docs/templates/layout.html",
            "{% extends '!layout.html' %}{% block footer %}{{ check(pagename) }}{% endblock %}",
        )
        sphinx_site.code = f"""
def check(name):
    if name == "sitemap":
        raise {error}
    return ""
html_context = {{"check": check}}
"""
        built = sphinx_site.build({"html": True}, templates_path=["templates"])
        assert built.said(f"sitemap.html cannot be rendered in the theme: {why}", level="warning")
        assert len(built.paths) == 4
        assert not built.has("sitemap.html")

    def test_the_page_is_in_no_index_of_sphinx(self, sphinx_site: Any) -> None:
        built = sphinx_site.build({"html": True})
        without = sphinx_site.build({}, force=True)
        assert b'"sitemap"' not in built.read("searchindex.js")
        assert built.read("objects.inv") == without.read("objects.inv")

    def test_a_single_page_has_no_list(self, sphinx_site: Any) -> None:
        built = sphinx_site.build({"html": True}, builder="singlehtml", strict=True)
        assert built.said("html: it has no effect with the builder singlehtml, which makes a single page")
        assert not built.has("sitemap.html")

    def test_the_title_is_in_the_language_of_the_site(self, sphinx_site: Any) -> None:
        built = sphinx_site.build({"html": True}, language="fr", html_output_encoding="iso-8859-1")
        tree = html.fromstring(built.read("sitemap.html").decode("iso-8859-1"))
        assert [each.text for each in tree.iter("h1")] == ["Plan du site"]
        assert [each.get("lang") for each in tree.iter("section")] == ["fr"]
