"""Sphinx projects migrating from sphinx-sitemap: its names in conf.py work, and differences are reported once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from sitemap_plugins.sphinx.sphinx_sitemap import SphinxSitemapConfig

BASE = "https://docs.example.org/"
OTHER = "https://other.example/"
PAGES = ["a.html", "guide/b.html", "index.html"]
FOLDER_ON_PATH = "import sys\nsys.path.insert(0, {folder!r})\n"


@pytest.fixture
def site(sphinx_site: Any) -> Any:
    """A site with three pages."""
    sphinx_site.pages("index.rst", "a.rst", "guide/b.rst")
    return sphinx_site


def told(built: Any) -> list[str]:
    """The messages of this extension except the summary, the search page and lines about missing dates."""
    lines = [text.removeprefix("WARNING: ") for text in built.said("sitemap: ")]
    usual = (
        "sitemap: left out ",
        "sitemap: no date ",
        "sitemap: the pages have no date from git",
        "sitemap: a robots.txt below",
    )
    return [
        line for line in lines if line.startswith("sitemap: ") and not line.startswith(usual) and " URLs, " not in line
    ]


# Which configuration gives which URLs; the default is all pages without a version, in English.
URLS = {
    "site_url alone": ({"site_url": OTHER, "html_baseurl": ""}, [OTHER + page for page in PAGES]),
    "site_url and html_baseurl": ({"site_url": BASE}, [BASE + page for page in PAGES]),
    "only a scheme": ({"sitemap_url_scheme": "{link}"}, [BASE + page for page in PAGES]),
    "language": ({"sitemap_url_scheme": "{lang}{link}"}, [f"{BASE}en/{page}" for page in PAGES]),
    "language and version": (
        {"sitemap_url_scheme": "{lang}{version}{link}", "version": "1.2"},
        [f"{BASE}en/1.2/{page}" for page in PAGES],
    ),
    "fixed": ({"sitemap_url_scheme": "latest/{link}"}, [f"{BASE}latest/{page}" for page in PAGES]),
    "no version": ({"sitemap_url_scheme": "{version}{link}", "version": ""}, [BASE + page for page in PAGES]),
    "another language": (
        {"sitemap_url_scheme": "{lang}{link}", "language": "pt_BR"},
        [f"{BASE}pt_BR/{page}" for page in PAGES],
    ),
    "no scheme": ({"sitemap_locales": [None], "version": "1.2"}, [BASE + page for page in PAGES]),
}


@pytest.mark.parametrize("name", URLS)
def test_configuration_gives_exact_loc(site: Any, name: str) -> None:
    config, expected = URLS[name]
    built = site.build_strictly(**{"language": "en"} | config)
    assert built.locs == expected


def test_the_urls_are_those_of_sphinx_sitemap(site: Any, tmp_path: Path) -> None:
    """With the default scheme in conf.py, both list the same pages at the same URLs."""
    pytest.importorskip("sphinx_sitemap")
    config = {"language": "en", "version": "1.2", "sitemap_url_scheme": "{lang}{version}{link}"}
    config |= {"sitemap_excludes": ["search*", "genindex*", "guide/*"]}
    peer = site.at(tmp_path / "peer")
    peer.pages("index.rst", "a.rst", "guide/b.rst")
    found = []
    for each, extension in ((site, "sitemap_plugins.sphinx"), (peer, "sphinx_sitemap")):
        each.extensions = [extension]
        each.refer_to_all()
        values = config | {"extensions": each.extensions, "html_baseurl": BASE, "html_theme": "basic"}
        each.write("docs/conf.py", "\n".join(f"{key} = {value!r}" for key, value in values.items()))
        sphinx(each, "-b", "html")
        text = (each.root / "output" / "sitemap.xml").read_text()
        found.append(sorted(part.partition("</loc>")[0] for part in text.split("<loc>")[1:]))
    assert found[0] == found[1] == [f"{BASE}en/1.2/{page}" for page in ("a.html", "index.html")]


def sphinx(site: Any, *arguments: str, status: int = 0) -> str:
    """Run Sphinx as a program in a separate process and return its output."""
    command = [sys.executable, "-m", "sphinx", *arguments, "docs", "output"]
    done = subprocess.run(
        command, cwd=site.root, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert done.returncode == status, done.stdout
    return done.stdout


def test_a_scheme_that_contradicts_the_canonical_links_is_reported_once(site: Any) -> None:
    built = site.build(strict=True, language="en", version="1.2", sitemap_url_scheme="{lang}{version}{link}")
    (line,) = built.said("sitemap_url_scheme", level="info")
    assert f"sitemap_url_scheme gives the pages URLs such as {BASE}en/1.2/index.html" in line
    assert f"their canonical links follow html_baseurl, such as {BASE}index.html" in line
    assert told(site.build(strict=True, language="en", sitemap_url_scheme="{link}")) == []


@pytest.mark.parametrize(("filename", "is_reported"), [("sitemap.xml", True), ("map.xml", False)])
def test_an_option_that_one_of_ours_replaces_is_reported(site: Any, filename: str, *, is_reported: bool) -> None:
    built = site.build({"filename": filename}, strict=True, sitemap_url_scheme="{link}", sitemap_filename="map.xml")
    assert built.has(filename)
    said = ["sitemap: sitemap_filename has no effect, because sitemap_options sets filename: remove one of them"]
    assert told(built) == (said if is_reported else [])


def test_without_a_scheme_both_forms_are_printed_once(site: Any) -> None:
    built = site.build_strictly(language="en", version="1.2", sitemap_filename="sitemap.xml")
    (line,) = told(built)
    assert f"such as {BASE}index.html; sphinx-sitemap would give them URLs such as {BASE}en/1.2/index.html" in line
    assert 'set sitemap_url_scheme to "{link}" or "{lang}{version}{link}"' in line
    built = site.build({"notes": {"moved": "ignore"}}, strict=True, language="en", sitemap_filename="sitemap.xml")
    assert told(built) == []


def test_the_url_of_a_single_page_is_the_listed_one(site: Any) -> None:
    built = site.build_strictly(builder="singlehtml", language="en", version="1.2", sitemap_filename="sitemap.xml")
    line = told(built)[0]
    assert f"such as {built.locs[0]}; sphinx-sitemap" in line
    assert "#document" not in line


def test_with_the_default_configuration_the_installed_package_shows_earlier_use(
    site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitemap_plugins.sphinx.sphinx_sitemap.find_spec", find_spec)
    forms, unused = told(site.build(strict=True, language="en", version="1.2", site_url=OTHER))
    assert f"such as {BASE}index.html; sphinx-sitemap would give them URLs such as {BASE}en/1.2/index.html" in forms
    assert unused.endswith(f"site_url, {OTHER}, is not used, because html_baseurl is set: remove one of them")
    assert told(site.build(strict=True, language="en", site_url=BASE)) == [forms.replace("en/1.2/", "en/")]


def test_a_site_url_that_is_not_html_baseurl_is_reported_once(site: Any) -> None:
    built = site.build(language="en", site_url=OTHER, sitemap_url_scheme="{link}")
    assert built.locs == [OTHER + page for page in PAGES]
    (line,) = told(built)
    assert OTHER in line
    assert BASE in line


@pytest.mark.parametrize(
    ("patterns", "left_out"),
    [
        (["*.html"], set(PAGES)),
        (["guide*"], {"guide/b.html"}),  # "*" matches slashes too
        (["[ab].html"], {"a.html"}),
        (["?.html", "nowhere"], {"a.html"}),
        (("a.html", "index.html"), {"a.html", "index.html"}),
        (["A.HTML", "/a.html", "a"], set()),
    ],
)
def test_excluded_pages(site: Any, patterns: object, left_out: set[str]) -> None:
    built = site.build_strictly(sitemap_excludes=patterns, sitemap_url_scheme="{link}")
    listed = [page for page in PAGES if page not in left_out]
    assert (built.paths if listed else []) == listed
    assert built.has("sitemap.xml") == bool(listed)
    for page in PAGES:
        reason = f"left out {page.replace('.html', '.rst')}: excluded (by sitemap_excludes)"
        assert len(built.said(reason)) == (page in left_out)
    assert not built.said("matches no")


def test_excluded_pages_are_matched_by_file_name(sphinx_site: Any) -> None:
    sphinx_site.pages("index.rst", "é b.rst")
    built = sphinx_site.build(strict=True, sitemap_excludes=["é b.html"], sitemap_url_scheme="{link}")
    assert built.paths == ["index.html"]


def test_excluded_pages_with_folders_for_pages(site: Any) -> None:
    built = site.build(
        builder="dirhtml", strict=True, sitemap_excludes=["a/"], sitemap_url_scheme="{lang}{link}", language="en"
    )
    assert built.locs == [f"{BASE}en/", f"{BASE}en/guide/b/"]


@pytest.mark.parametrize(
    ("options", "show", "is_dated"),
    [
        ({}, None, True),
        ({}, True, True),
        ({}, False, False),
        ({"lastmod": ["git"]}, False, True),
        ({"lastmod": []}, True, False),
    ],
)
def test_dates_can_be_switched_off(
    sphinx_site: Any, repository: Any, options: Mapping[str, object], show: bool | None, is_dated: bool
) -> None:
    site = sphinx_site.at(repository.path)
    site.pages("index.rst", "a.rst", "guide/b.rst")
    repository.commit("2026-01-01T00:00:00+00:00")
    config = {} if show is None else {"sitemap_show_lastmod": show}
    built = site.build_strictly(options, **config)
    assert built.read().count(b"<lastmod>") == (3 if is_dated else 0)


@pytest.mark.parametrize(("options", "indent"), [({}, 2), ({"indent": 4}, 4), ({"indent": 0}, 0)])
def test_the_indent(site: Any, options: Mapping[str, int], indent: int) -> None:
    text = site.build(options, strict=True, sitemap_indent=2).read().decode()
    line = next(line for line in text.splitlines() if "<loc>" in line)
    spaces = len(line) - len(line.lstrip())
    assert spaces == 2 * indent


def test_our_own_base_url_wins(site: Any) -> None:
    built = site.build({"base_url": OTHER}, site_url=BASE, html_baseurl="", sitemap_url_scheme="{link}")
    assert built.locs == [OTHER + page for page in PAGES]


MISTAKES = [
    ("sitemap_url_scheme", 7, "sitemap_url_scheme"),
    ("sitemap_url_scheme", "{locale}{link}", "cannot be filled in"),
    ("sitemap_url_scheme", "{link.path}", "cannot be filled in"),
    ("sitemap_url_scheme", "{link:d}", "cannot be filled in"),
    ("sitemap_url_scheme", "{lang}{version}", "sitemap_url_scheme"),
    ("sitemap_locales", 5, "sitemap_locales"),
    ("sitemap_locales", [7], "sitemap_locales[0]"),
    ("sitemap_filename", "folder/sitemap.xml", "is not a plain file name that ends in .xml"),
    ("sitemap_excludes", 5, "sitemap_excludes"),
    ("sitemap_excludes", ["a.html", 7], "sitemap_excludes[1]"),
    ("sitemap_show_lastmod", "perhaps", "sitemap_show_lastmod"),
    ("sitemap_indent", "wide", "sitemap_indent"),
    ("sitemap_indent", -1, "sitemap_indent"),
]


def test_an_invalid_value_is_one_warning_and_ignored(site: Any) -> None:
    by_name = {name: [row for row in MISTAKES if row[0] == name] for name, _, _ in MISTAKES}
    for rows in zip_longest(*by_name.values()):  # one of each name at a time
        mistakes = [row for row in rows if row]
        config = {"language": "en", "sitemap_url_scheme": "{link}"} | {name: value for name, value, _ in mistakes}
        built = site.build(**config)
        for name, value, message in mistakes:
            (warning,) = (text for text in built.our_warnings if f"sitemap: {name}" in text)
            assert message in warning, (name, value)
            assert "(it is ignored)" in warning
        assert len(built.our_warnings) == len(mistakes)
        assert built.paths == PAGES
    assert site.build(strict=True, sitemap_indent=-1).failed


@pytest.mark.parametrize("site_url", ["docs.example.net", 7, "", "/", ["https://other.example/"]])
def test_a_site_url_that_is_not_a_url_is_ignored(site: Any, site_url: object) -> None:
    for more in ({}, {"sitemap_url_scheme": "{link}"}):
        built = site.build_strictly(language="en", site_url=site_url, **more)
        assert built.locs == [BASE + page for page in PAGES]
        assert told(built) == []


OTHER_EXTENSION = """\
from sitemap_plugins.sphinx.sphinx_sitemap import SphinxSitemapConfig

def setup(app):
    for name in SphinxSitemapConfig.__struct_fields__:
        # The default of a theme is not the author's setting.
        app.add_config_value(name, "elsewhere.xml" if name == "sitemap_filename" else None, "")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
"""


@pytest.mark.parametrize("is_first", [True, False])
def test_an_extension_that_registers_the_same_names_does_not_clash(site: Any, is_first: bool) -> None:
    site.write("docs/other_extension.py", OTHER_EXTENSION)
    site.code = FOLDER_ON_PATH.format(folder=str(site.docs))
    extensions = ["other_extension", "sitemap_plugins.sphinx"]
    config = {"sitemap_excludes": ["a.html"], "sitemap_url_scheme": "{lang}{link}", "language": "en"}
    built = site.build_strictly(extensions=extensions if is_first else extensions[::-1], **config)
    assert built.locs == [f"{BASE}en/guide/b.html", f"{BASE}en/index.html"]


def test_values_on_the_command_line_are_used(site: Any) -> None:
    """Sphinx does not know these names any more and says that it ignores them, but they work."""
    site.build(sitemap_url_scheme="{link}", html_baseurl="", site_url=BASE)
    sphinx(site, "-b", "html", "-D", "sitemap_filename=pages.xml", "-D", f"site_url={OTHER}")
    assert f"<loc>{OTHER}index.html</loc>" in (site.root / "output" / "pages.xml").read_text()


LOCALES_NOTE = "sitemap_locales: no alternates in "


def test_locales_alone_add_no_links(site: Any) -> None:
    for locale in ("de", "fr"):
        site.write(f"docs/locales/{locale}/LC_MESSAGES/index.po", 'msgid ""\nmsgstr ""\n')
    config = {"language": "en", "sitemap_url_scheme": "{link}"}
    built = site.build_strictly(sitemap_locales=["en", "de", "fr"], **config)
    assert built.alternates() == {}
    (line,) = told(built)
    assert f"{LOCALES_NOTE}de and fr were written" in line
    assert "sitemap-plugins merge" in line
    built = site.build(strict=True, sitemap_locales=["de", "fr", "it", "pt_BR"], **config)
    missing, line = told(built)
    assert "there are no catalogues for it and pt_BR in locale_dirs" in missing
    assert LOCALES_NOTE in line
    assert told(site.build(strict=True, sitemap_locales=["en"], **config)) == []
    assert told(site.build(strict=True, sitemap_locales=[None], **config)) == []
    assert told(site.build(strict=True, sitemap_locales=[], **config)) == []


def test_locales_that_are_declared_are_alternates(site: Any) -> None:
    site.write("docs/locales/de/LC_MESSAGES/index.po", 'msgid ""\nmsgstr ""\n')
    languages = {"en": BASE, "de": f"{OTHER}de/"}
    config = {"language": "en", "sitemap_url_scheme": "{link}", "sitemap_locales": ["en", "de"]}
    built = site.build_strictly({"languages": languages}, **config)
    assert built.alternates() == {page: {"de": f"{OTHER}de/{page}", "en": page} for page in PAGES}
    assert not built.said(LOCALES_NOTE)


SEARCH_PAGE = "{% extends 'layout.html' %}{% block body %}<form></form>{% endblock %}\n"


def test_the_search_page_is_listed_if_the_author_names_it(site: Any) -> None:
    options = {"generated_pages": ["search.html", "genindex.html"]}
    more = ["genindex.html"]
    # In newer versions, Sphinx's own search page is noindex.
    built = site.build(options, strict=True, sitemap_url_scheme="{link}")
    is_open = b"noindex" not in built.read("search.html")
    assert built.paths == sorted([*PAGES, *more, *["search.html"] * is_open])
    assert is_open or built.said("left out search: noindex")
    site.write("docs/templates/search.html", SEARCH_PAGE)
    built = site.build(options, strict=True, templates_path=["templates"], force=True)
    assert built.paths == sorted([*PAGES, *more, "search.html"])
    built = site.build({"generated_pages": True}, strict=True, templates_path=["templates"], force=True)
    assert "search.html" not in built.paths
    assert built.said("left out search: search page")


def test_empty_values_count_as_unset(site: Any) -> None:
    nothing = dict.fromkeys(SphinxSitemapConfig.__struct_fields__)
    built = site.build_strictly(language="en", version="1.2", **nothing)
    assert built.locs == [BASE + page for page in PAGES]
    assert told(built) == []


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("sitemap_images", True, 'the options are in one mapping: write sitemap_options = {"images": ...}'),
        ("sitemap_limit", {"urls": 5}, 'the options are in one mapping: write sitemap_options = {"limit": ...}'),
        ("sitemap", {"images": True}, "the mapping with the options is called sitemap_options"),
    ],
)
def test_our_option_under_such_a_name_is_one_warning(site: Any, name: str, value: object, why: str) -> None:
    built = site.build({"gzip": True}, **{name: value})
    (warning,) = built.our_warnings
    # Newer versions of Sphinx append the type to a warning.
    assert warning.removesuffix(" [sitemap.option]") == f"WARNING: sitemap: {name}: {why} (it is ignored)"
    assert built.paths == PAGES


@pytest.mark.parametrize("value", [{"url": "x"}, ["images"], "sitemap.xml", None])
def test_other_values_named_sitemap_are_ignored(site: Any, value: object) -> None:
    assert site.build(sitemap=value).our_warnings == []


def test_an_option_that_another_extension_registers_is_ignored(site: Any) -> None:
    site.write(
        "docs/other_extension.py",
        OTHER_EXTENSION.replace("SphinxSitemapConfig.__struct_fields__", '["sitemap_images"]'),
    )
    site.code = FOLDER_ON_PATH.format(folder=str(site.docs))
    extensions = ["sitemap_plugins.sphinx", "other_extension"]
    assert site.build(extensions=extensions, sitemap_images=True).our_warnings == []


def test_the_sitemap_is_announced_at_the_url_of_the_scheme(sphinx_site: Any) -> None:
    sphinx_site.pages("index.rst", "a.rst")
    built = sphinx_site.build_strictly(sitemap_url_scheme="{lang}{version}{link}", language="en", version="1.2")
    assert built.locs == [f"{BASE}en/1.2/a.html", f"{BASE}en/1.2/index.html"]
    assert built.said(f"Sitemap: {BASE}en/1.2/sitemap.xml")
    assert not built.said("the home page")


def test_names_from_the_command_line_are_read_as_lists(sphinx_site: Any) -> None:
    sphinx_site.pages("index.rst", "a.rst", "b.rst")
    built = sphinx_site.build(sitemap_excludes="a.html, b.html", sitemap_url_scheme="{link}")
    assert built.paths == ["index.html"]


def test_a_page_value_in_conf_py_is_told_where_it_belongs(sphinx_site: Any) -> None:
    sphinx_site.pages("index.rst")
    built = sphinx_site.build(sitemap_priority=0.5, overrides={"sitemap_options.indent": "2"})
    assert built.said("sitemap_priority: it is for pages: write it in the field list of a document", level="warning")
    assert b"\n  <url>" in built.read()
