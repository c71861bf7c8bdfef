"""Languages of other builds, in both hosts: declared by a URL, or by a file that lists their pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sitemap_plugins.formats.sitemap_xml import NAMESPACE

HERE = "https://docs.example.org/"
THERE = "https://de.example.org/handbuch/"
PAGES = ["", "a/", "guide/b/"]


def write_pages(site: Any) -> None:
    site.pages(f"index.{site.suffix}", f"a.{site.suffix}", f"guide/b.{site.suffix}")


def build(site: Any, languages: object, *, strict: bool = True, **options: object) -> Any:
    """Build the site with URLs that end in a slash, with either host."""
    config: dict[str, Any] = {} if site.host_url == "site_url" else {"builder": "dirhtml", "language": "en"}
    extra = options.pop("config", {})
    how = site.build_strictly if strict else site.build
    return how({"languages": languages} | options, **config | extra)


def links(path: str, **more: str) -> dict[str, str]:
    return {"de": THERE + path, "en": path} | more


def test_every_page_is_linked_in_a_declared_language(any_site: Any) -> None:
    write_pages(any_site)
    built = build(any_site, {"en": HERE, "de": THERE})
    assert built.alternates() == {path: links(path) for path in PAGES}
    summary = "3 with translations (3 links to pages outside this build)"
    assert len(built.said("sitemap.xml: 3 URLs", summary, level="info")) == 1
    # Nothing that belongs to another site is listed.
    assert built.paths == PAGES


def path_to(site: Any, path: Any) -> str:
    """A path as an author writes it: relative to the folder of the configuration."""
    folder = site.root if site.host_url == "site_url" else site.docs
    return str(path.relative_to(folder)) if path.is_relative_to(folder) else f"../{path.relative_to(site.root)}"


@pytest.mark.parametrize("title", ["Start", "-"])
@pytest.mark.parametrize("builder", ["dirhtml", "html"])
def test_only_pages_in_the_inventory_of_a_sphinx_build_are_linked(
    any_site: Any, sphinx_site: Any, builder: str, title: str
) -> None:
    write_pages(any_site)
    german = sphinx_site.at(any_site.root.with_name("german"))
    german.pages(
        index=f"{title}\n{'=' * len(title)}\n\n.. toctree::\n\n   a\n   mehr\n",
        a="Seite A\n=======\n\n.. _marke:\n\nTeil\n----\n\n.. option:: --lang\n",
        mehr="Mehr\n====\n",
    )
    inventory = german.build(builder=builder, language="de", html_baseurl=THERE).output / "objects.inv"
    pages = path_to(any_site, any_site.write("german.inv", inventory.read_bytes()))
    config: dict[str, Any] = {}
    if builder == "html":
        config = {"use_directory_urls": False} if any_site.host_url == "site_url" else {"builder": "html"}
    built = build(any_site, {"en": HERE, "de": {"url": THERE, "pages": pages}}, config=config)
    paths = ("", "a/") if builder == "dirhtml" else ("a.html", "index.html")
    assert built.alternates() == {path: links(path) for path in paths}


def test_an_unusable_list_of_pages_is_one_warning(any_site: Any) -> None:
    write_pages(any_site)
    path = any_site.root / "docs" / "german"
    french = "https://fr.example.org/"
    languages = {"en": HERE, "de": {"url": THERE, "pages": path_to(any_site, path)}, "fr": french}
    built = build(any_site, languages, strict=False)
    (warning,) = built.our_warnings
    assert "languages.de.pages: " in warning
    assert built.alternates() == {path: {"en": path, "fr": french + path} for path in PAGES}
    assert any_site.build({"languages": languages}, strict=True).failed


MANUAL = (Path(__file__).parents[2] / "docs/read-the-docs.md").read_text(encoding="utf-8")
[BLOCK] = [
    each for each in re.findall(r"^```python\n(.*?)^```$", MANUAL, re.DOTALL | re.MULTILINE) if "x_default" in each
]


@pytest.mark.parametrize("has_other", [False, True])
@pytest.mark.parametrize(("language", "other"), [("de", "en"), ("en", "de")])
def test_the_manual_s_configuration_for_read_the_docs_builds_either_language_first(
    sphinx_site: Any, language: str, other: str, monkeypatch: pytest.MonkeyPatch, *, has_other: bool
) -> None:
    bases = {code: f"{HERE}{code}/latest/" for code in (language, other)}
    monkeypatch.setenv("READTHEDOCS_LANGUAGE", language)
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", bases[language])
    sphinx_site.pages("index.rst", "a.rst")
    if has_other:
        sphinx_site.write(
            f"docs/{other}.xml", f"<urlset xmlns='{NAMESPACE}'><url><loc>{bases[other]}a.html</loc></url></urlset>"
        )
    sphinx_site.code = BLOCK  # after the other values, so it replaces them
    built = sphinx_site.build_strictly(language=language)
    links = {code: f"{code}/latest/a.html" for code in bases} | {"x-default": "en/latest/a.html"}
    assert built.alternates() == ({f"{language}/latest/a.html": links} if has_other else {})
    assert bool(built.said(f"languages.{other}.pages: {other}.xml cannot be read", level="info")) is not has_other


def head_block(page: bytes) -> list[str]:
    block = re.search(r"<!-- links: sitemap-plugins -->(.*?)<!-- end of links -->", page.decode(), re.DOTALL)
    return [line.strip() for line in block[1].strip().splitlines()] if block else []


def test_links_in_page_heads_are_written_once_and_removed_again(any_site: Any) -> None:
    write_pages(any_site)
    languages = {"en": HERE, "de": THERE}
    built = build(any_site, languages, head_links=True)
    for path in PAGES:
        block = [
            f'<link rel="alternate" hreflang="{code}" href="{href}">'
            for code, href in (("de", THERE + path), ("en", HERE + path))
        ]
        assert head_block(built.read(f"{path}index.html")) == block
    first = {path: without_date(built.read(f"{path}index.html")) for path in PAGES}
    for _ in range(2):  # the second time Sphinx rewrites none of the pages
        built = build(any_site, languages, head_links=True)
        assert {path: without_date(built.read(f"{path}index.html")) for path in PAGES} == first
    assert not built.said("hreflang links already")
    built = build(any_site, {"en": HERE, "nl": THERE}, head_links=True)
    assert 'hreflang="nl"' in head_block(built.read("index.html"))[-1]
    assert not built.said("its head names")  # the links of the last build
    built = build(any_site, {}, head_links=True)
    assert [head_block(built.read(f"{path}index.html")) for path in PAGES] == [[], [], []]
    fresh = any_site.at(any_site.root.with_name("fresh"))
    write_pages(fresh)
    without = build(fresh, {})
    for path in PAGES:
        name = f"{path}index.html"
        assert without_date(built.read(name)) == without_date(without.read(name))


def without_date(page: bytes) -> bytes:
    """A page without the build time, which MkDocs writes into the home page."""
    return re.sub(rb"Build Date UTC : .*", b"", page)


def test_a_preview_of_mkdocs_at_its_own_address_links_no_other_language(mkdocs_site: Any) -> None:
    write_pages(mkdocs_site)
    built = mkdocs_site.build({"languages": {"en": HERE, "de": THERE}}, command="serve")
    assert built.locs[0] == "http://127.0.0.1:8000/"
    assert built.alternates() == {}


ALTERNATE = [{"name": "English", "link": "/", "lang": "en"}, {"name": "Deutsch", "link": "/de/", "lang": "de"}]


def test_extra_alternate_alone_adds_no_links(mkdocs_site: Any) -> None:
    write_pages(mkdocs_site)
    built = mkdocs_site.build_strictly(extra={"alternate": ALTERNATE})
    assert built.alternates() == {}
    (note,) = built.said("extra.alternate names de, which this build does not contain", level="info")
    assert "sitemap-plugins merge" in note
    built = mkdocs_site.build({"notes": {"languages-elsewhere": "ignore"}}, extra={"alternate": ALTERNATE}, strict=True)
    assert not built.said("extra.alternate")


def test_extra_alternate_gives_the_base_urls_for_links_in_front_matter(mkdocs_site: Any) -> None:
    write_pages(mkdocs_site)
    mkdocs_site.write("docs/a.md", "---\nsitemap:\n  alternates: {de: anfang/}\n---\n# A\n")
    built = mkdocs_site.build_strictly(extra={"alternate": ALTERNATE})
    assert built.alternates() == {"a/": {"de": "de/anfang/", "en": "a/"}}


@pytest.mark.parametrize(
    "choices",
    [None, "de", [], ["de"], [{}], [{"lang": "de"}], [{"link": "/de/"}], [{"lang": 1, "link": 2}], {"de": "/de/"},
     [{"lang": "x", "link": "/x/"}], [{"lang": "de", "link": "https://[/"}], [{"lang": "de", "link": "./"}]],
)  # fmt: skip
def test_invalid_values_of_extra_alternate_are_harmless(mkdocs_site: Any, choices: object) -> None:
    write_pages(mkdocs_site)
    built = mkdocs_site.build_strictly(extra={"alternate": choices})
    assert built.paths == PAGES
    assert built.alternates() == {}
