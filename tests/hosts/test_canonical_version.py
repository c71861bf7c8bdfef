"""Builds of an old version: the canonical links lead to the version that search engines should show."""

from __future__ import annotations

import re
from typing import Any

import pytest

BASE = "https://docs.example.org/"
STABLE = f"{BASE}stable/"
OPTION = {"url": STABLE, "pages": "stable.xml"}
PATHS = ["", "guide/", "only-here/"]
MATERIAL = {"theme": {"name": "material", "font": False}}


def sitemap(*paths: str) -> str:
    urls = "".join(f"<url><loc>{STABLE}{path}</loc></url>" for path in paths)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'


def folder(site: Any) -> str:
    """The folder where relative paths in the options start: that of the configuration."""
    return "" if site.host_url == "site_url" else "docs/"


def write(site: Any, *there: str) -> None:
    """Write three pages, and the sitemap of a version with the pages ``there``."""
    site.pages(f"index.{site.suffix}", f"guide.{site.suffix}", f"only-here.{site.suffix}")
    site.write(f"{folder(site)}stable.xml", sitemap(*there))


def build(site: Any, base: str = f"{BASE}8.0/", option: object = OPTION, **config: Any) -> Any:
    options = {"canonical_version_url": option} if option else {}
    if site.host_url == "html_baseurl":
        config = {"builder": "dirhtml"} | config
    return site.build(options, **{site.host_url: base}, **config)


def canonicals(built: Any) -> dict[str, list[str]]:
    """The canonical links of each page; before Sphinx 8.1, its own links with dirhtml are those of html."""
    link = re.compile(r'<link rel="canonical" href="([^"]*)"')
    found = {path: link.findall(built.read(f"{path}index.html").decode()) for path in PATHS}
    return {path: [re.sub(r"(?:/index)?\.html$", "/", url) for url in urls] for path, urls in found.items()}


LEADING = {"": [STABLE], "guide/": [f"{STABLE}guide/"], "only-here/": [f"{BASE}8.0/only-here/"]}
OWN = {path: [f"{BASE}8.0/{path}"] for path in PATHS}


def test_a_page_links_its_counterpart_or_itself_if_it_has_none(any_site: Any) -> None:
    """VER-03."""
    write(any_site, "", "guide/", "new/")
    built = build(any_site, strict=True)
    assert not built.failed, built.warnings
    assert canonicals(built) == LEADING
    assert built.locs == [f"{BASE}8.0/only-here/"]
    assert built.said("left out: 2 canonical elsewhere")
    assert built.said(f"the canonical links of this version lead to {STABLE}: its own sitemap is not announced")
    assert not built.said("the home page")


def test_a_build_at_the_root_of_a_host_does_not_announce_its_sitemap_either(any_site: Any) -> None:
    write(any_site, "", "guide/")
    built = build(any_site, "https://v8.example.org/")
    assert built.locs == ["https://v8.example.org/only-here/"]
    assert not built.has("robots.txt")


@pytest.mark.parametrize(
    "base",
    [STABLE[:-1], BASE],
    ids=["itself, without a slash", "above all versions"],
)
def test_the_canonical_version_itself_is_unchanged(any_site: Any, base: str) -> None:
    write(any_site, "", "guide/")
    with_it, without = build(any_site, base), None
    read = {path.relative_to(with_it.output): path.read_bytes() for path in with_it.output.rglob("*.html")}
    sitemap = with_it.read()
    without = build(any_site, base, option=None)
    assert canonicals(without)["guide/"] == [f"{base.rstrip('/')}/guide/"]
    assert sitemap == without.read()
    assert {name: _dated(html) for name, html in read.items()} == {
        name: _dated((without.output / name).read_bytes()) for name in read
    }


def _dated(html: bytes) -> bytes:
    """A page without the build time, which MkDocs writes into the home page."""
    return re.sub(rb"Build Date UTC : [^\n]*", b"", html)


def test_without_the_list_of_its_pages_nothing_is_changed(any_site: Any) -> None:
    write(any_site)
    (any_site.root / folder(any_site) / "stable.xml").unlink()
    built = build(any_site)
    (warning,) = built.warnings
    assert "canonical_version_url.pages: " in warning
    assert "stable.xml cannot be read (No such file or directory)" in warning
    assert "so no canonical link is changed" in warning
    assert canonicals(built) == OWN
    assert len(built.locs) == len(PATHS)


def test_material_finds_all_pages_in_the_sitemap(mkdocs_site: Any) -> None:
    """Its version selector uses the sitemap to find the same page in another version."""
    write(mkdocs_site, "", "guide/")
    built = build(mkdocs_site, strict=True, **MATERIAL)
    assert not built.failed, built.warnings
    assert canonicals(built) == LEADING
    assert built.locs == [f"{BASE}8.0/{path}" for path in PATHS]
    assert built.said("its own sitemap is not announced")


SEEN = """\
def on_post_page(output, page, config):
    return output + f"<!-- own {page.canonical_url} -->"
"""


def test_other_plugins_see_the_page_s_own_url(mkdocs_site: Any) -> None:
    write(mkdocs_site, "", "guide/")
    mkdocs_site.write("seen.py", SEEN)
    built = build(mkdocs_site, hooks=["seen.py"])
    assert f"<!-- own {BASE}8.0/guide/ -->" in built.read("guide/index.html").decode()
    assert canonicals(built) == LEADING


def test_a_theme_that_writes_no_canonical_link_is_named(mkdocs_site: Any) -> None:
    write(mkdocs_site, "", "guide/")
    mkdocs_site.write("theme/main.html", "<html><head><title>None</title></head>{{ page.content }}</html>")
    built = build(mkdocs_site, theme={"name": None, "custom_dir": str(mkdocs_site.root / "theme")})
    (warning,) = built.warnings
    assert f"index.md (and 1 more page) has no canonical link to {STABLE}, because the theme writes" in warning


def test_a_local_preview_is_not_a_version(mkdocs_site: Any) -> None:
    write(mkdocs_site, "", "guide/")
    built = build(mkdocs_site, command="serve")
    assert canonicals(built)["guide/"] == ["http://127.0.0.1:8000/guide/"]


def test_with_mike_s_canonical_version_the_option_has_no_effect_and_a_note_says_so(
    mkdocs_site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(mkdocs_site, "", "guide/")
    monkeypatch.setenv("MIKE_DOCS_VERSION", "8.0")
    built = build(mkdocs_site, BASE, plugins=[{"mike": {"canonical_version": "stable"}}])
    assert canonicals(built) == {path: [f"{STABLE}{path}"] for path in PATHS}
    assert built.said("canonical_version_url: it has no effect with mike's canonical_version", level="info")


def test_sphinx_rewrites_pages_whose_links_change(sphinx_site: Any) -> None:
    write(sphinx_site, "", "guide/")
    sphinx_site.pages(*(f"more{number}.rst" for number in range(8)))
    assert canonicals(build(sphinx_site, parallel=4)) == LEADING
    sphinx_site.write("docs/stable.xml", sitemap("guide/", "only-here/"))
    moved = {"": OWN[""], "guide/": LEADING["guide/"], "only-here/": [f"{STABLE}only-here/"]}
    assert canonicals(build(sphinx_site, parallel=4)) == moved
    assert canonicals(build(sphinx_site, parallel=4, option=None)) == OWN


def test_sphinx_without_html_baseurl_has_links_on_read_the_docs(
    sphinx_site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("READTHEDOCS", "True")
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", f"{BASE}8.0/")
    write(sphinx_site, "", "guide/")
    assert canonicals(build(sphinx_site, "")) == LEADING | {"only-here/": []}
