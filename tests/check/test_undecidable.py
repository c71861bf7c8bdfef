"""What cannot be decided is not reported: for each rule a site that looks as if it broke it, but may not."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from sitemap_plugins.findings.catalogue import explain
from tests.check.examples import complete
from tests.check.sites import IN_FOLDERS, find

X = "https://docs.example.org/"
UNKNOWN_URL: dict[str, str | Literal[False]] = {"CNAME": False, "robots.txt": False, "index.html": ""}
LOCAL = "http://127.0.0.1/"

# What one file says is enough to decide these, and `no-base-url` is about what cannot be decided.
DECIDED_BY_ONE_FILE = {
    "no-base-url", "gzip-differs", "invalid-url", "two-locs", "invalid-date", "invalid-changefreq", "invalid-priority",
    "language-code", "alternate-link", "byte-order-mark", "empty-sitemap", "double-escaping",
    "unencoded-url", "long-url", "url-fragment", "duplicate-element", "unknown-element", "image-field", "video-field",
    "not-utf8", "news-field", "schema-only", "rare-language-code", "retired-tag",
}  # fmt: skip

# A file that nothing announces may be something else, whatever its name is.
MAY_BE_SOMETHING_ELSE = [
    "unreadable", "not-a-sitemap", "too-large", "wrong-namespace", "undeclared-namespace", "unescaped-ampersand",
    "doctype",
]  # fmt: skip

NEED_THE_URL = [
    "announced-twice", "canonical-target", "canonical-spelling", "canonical-translation", "index-date",
    "index-elsewhere", "listed-fragment", "listed-in-two-forms", "listed-search-page", "missing-media",
    "nested-index", "outside-folder", "hidden-noindex", "robots-encoding", "robots-size", "several-canonicals",
    "canonical-chain", "competing-versions", "dead-llms-link", "hreflang-return", "hreflang-target",
    "listed-canonical", "listed-draft", "listed-error-page", "listed-noindex", "listed-outside", "listed-redirect",
    "listed-robots", "listed-unwritten", "missing-sitemap", "no-sitemap", "relative-sitemap", "sitemap-elsewhere",
    "robots-blocks-sitemap", "robots-without-sitemap", "unlisted", "redirect-dead", "redirect-chain", "redirect-anchor",
]  # fmt: skip


@pytest.mark.parametrize("rule", NEED_THE_URL)
def test_without_the_url_of_the_site_nothing_depends_on_it(rule: str, tmp_path: Path) -> None:
    # Canonical links of a few pages would give the URL, and so would a sitemap.
    bad = {"sitemap.xml": HOME} | explain(rule).bad
    bad = {
        path: "" if path.endswith(".html") else content and content.replace(X, LOCAL) for path, content in bad.items()
    }
    found = {each.rule for each in find(tmp_path, complete({**bad, **UNKNOWN_URL}))}
    assert rule not in found
    assert "no-base-url" in found


@pytest.mark.parametrize("rule", MAY_BE_SOMETHING_ELSE)
def test_a_file_that_nothing_announces_may_be_something_else(rule: str, tmp_path: Path) -> None:
    bad = {f"examples/{path}": content for path, content in explain(rule).bad.items() if path.startswith("sitemap")}
    assert bad
    assert [each for each in find(tmp_path, complete(bad)) if each.level != "info"] == []


def test_each_rule_has_a_site_that_cannot_be_decided_or_needs_none() -> None:
    silent = {rule for rule, _ in SILENT} | {*NEED_THE_URL} | {*MAY_BE_SOMETHING_ELSE}
    assert silent & DECIDED_BY_ONE_FILE == set()
    assert silent | DECIDED_BY_ONE_FILE == {*IN_FOLDERS}, "add the rule to SILENT, or to DECIDED_BY_ONE_FILE"


def entry(path: str, more: str = "") -> str:
    return f"<url><loc>{X}{path}</loc>{more}</url>"


def dated(path: str, date: str) -> str:
    return entry(path, f"<lastmod>{date}</lastmod>")


def alternates(hrefs: dict[str, str]) -> str:
    return "".join(f'<xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>' for code, href in hrefs.items())


def canonical(url: str) -> str:
    return f'<link rel="canonical" href="{url}">'


def modified(date: str) -> str:
    return f'<meta property="article:modified_time" content="{date}">'


def in_language(code: str, text: str, target: str = "") -> str:
    link = canonical(f"{X}{target}") if target else ""
    return f'<html lang="{code}"><head><title>t</title>{link}</head><body><p>{text}</p></body></html>'


HOME = entry("")
ENGLISH = "This guide shows how to install the program and what to do if it fails. " * 3
GERMAN = "Diese Anleitung zeigt, wie man das Programm installiert und was man tut, wenn es scheitert. " * 3
NOINDEX = '<meta name="robots" content="noindex">'
TWO_VERSIONS = '[{"version": "2", "title": "2", "aliases": []}, {"version": "1", "title": "1", "aliases": []}]'
TO_DE = '<link rel="alternate" hreflang="de" href="/de/">'
TO_GERMAN = entry("", alternates({"en": X, "de": f"{X}de/"}))


def versions(old: str, new: str) -> dict[str, str | Literal[False]]:
    """Two versions with these home pages."""
    return {"versions.json": TWO_VERSIONS, "1/index.html": old, "2/index.html": new}


BY_ZENSICAL = {"index.html": f'<meta name="generator" content="zensical-0.1.3">{canonical(X)}'}

SILENT: dict[tuple[str, str], dict[str, str | Literal[False]]] = {
    ("listed-unwritten", "rules that are not read may answer it"): {"sitemap.xml": entry("gone/"), "vercel.json": "{}"},
    ("listed-unwritten", "servers send hidden files"): {"sitemap.xml": entry(".a/"), ".a/index.html": ""},
    ("listed-unwritten", "another file answers it"): {"sitemap.xml": entry("gone/x"), "_redirects": "/gone/* / 200"},
    ("listed-unwritten", "GitHub builds it"): {"sitemap.xml": entry("a"), "_config.yml": "x: 1", "a.md": "# A"},
    ("listed-unwritten", "its sitemap is not announced"): {"de/sitemap.xml": entry("de/gone/")},
    ("unannounced-urls", "rules that are not read may answer it"): {
        "de/index.html": '<!doctype html><html lang="de"><title>A</title>',
        "de/sitemap.xml": entry("de/gone/"),
        ".htaccess": "Redirect /de/gone /",
    },
    ("not-replaced", "the project does not enable the plugin"): {"mkdocs.yml": "site_name: A", **BY_ZENSICAL},
    ("not-replaced", "the project disables the plugin"): {
        "mkdocs.yml": "plugins: [{sitemap: {enabled: false}}]",
        **BY_ZENSICAL,
    },
    ("not-replaced", "that of the plugin has another name"): {
        "zensical.toml": 'project.plugins.sitemap.filename = "pages.xml"',
        **BY_ZENSICAL,
    },
    ("not-replaced", "the author may have written it"): {
        "mkdocs.yml": "plugins: [sitemap]",
        "docs/sitemap.xml": complete({})["sitemap.xml"].decode(),
        **BY_ZENSICAL,
    },
    ("announced-elsewhere", "the sitemap of a language is for its own host"): {
        "robots.txt": f"Sitemap: {X}sitemap.xml\nSitemap: https://fr.example.org/fr/sitemap.xml",
        "fr/index.html": canonical("https://fr.example.org/"),
        "fr/sitemap.xml": "<url><loc>https://fr.example.org/</loc></url>",
    },
    ("outside-folder", "robots.txt announces the sitemap"): {
        "robots.txt": f"Sitemap: {X}maps/sitemap.xml",
        "sitemap.xml": False,
        "maps/sitemap.xml": HOME,
    },
    ("one-priority", "pages without one have the same"): {
        "{n}.html": "",
        "sitemap.xml": entry("{n}.html", "<priority>0.5</priority>"),
    },
    ("one-priority", "few pages may all matter"): {"sitemap.xml": entry("", "<priority>1.0</priority>")},
    ("unannounced", "each version has one, which people submit"): {
        **versions(canonical(f"{X}2/"), ""),
        "2/sitemap.xml": entry("2/"),
    },
    ("listed-excluded", "the options of the project are not known"): {
        "a.html": "",
        "sitemap.xml": HOME + entry("a.html"),
    },
    ("listed-untranslated", "the sources are not known"): {
        "a.html": "",
        "de/a.html": '<!doctype html><html lang="de"><title>A</title>',
        "sitemap.xml": HOME + entry("a.html") + entry("de/a.html"),
    },
    ("listed-in-two-forms", "there are two files"): {
        "a.html": "",
        "a/index.html": "",
        "sitemap.xml": HOME + entry("a.html") + entry("a/"),
    },
    ("hreflang-self", "its sitemap is not announced"): {
        "de/index.html": "",
        "old/sitemap.xml": entry("", alternates({"de": f"{X}de/"})),
    },
    ("several-languages", "it is one language, and the default"): {
        "sitemap.xml": entry("", alternates({"en": X, "en-GB": X, "en-US": X, "x-default": X}))
    },
    ("several-languages", "both are Norwegian"): {"sitemap.xml": entry("", alternates({"nb": X, "no": X}))},
    ("several-canonicals", "they are two spellings"): {"a.html": canonical(f"{X}a.html") + canonical(f"{X}a")},
    ("several-canonicals", "the page is not indexed"): {"a.html": canonical(X) + canonical(f"{X}a.html") + NOINDEX},
    ("robots-size", "the site is below a path, where nobody reads it"): {
        "CNAME": False,
        "index.html": canonical(f"{X}docs/"),
        "robots.txt": "User-agent: * <!-- 60,000 times -->",
        "sitemap.xml": entry("docs/"),
    },
    ("listed-redirect", "other hosts answer both forms"): {
        "sitemap.xml": entry("a"),
        "a/index.html": "",
        "_headers": "/*\n",
    },
    ("listed-canonical", "only the spelling differs"): {
        "sitemap.xml": HOME + entry("a.html"),
        "a.html": canonical(f"{X}a/"),
    },
    ("listed-twice", "a text sitemap is a copy"): {
        "robots.txt": f"Sitemap: {X}sitemap.xml\nSitemap: {X}sitemap.txt",
        "sitemap.txt": f"{X}\n",
    },
    ("listed-twice", "scripts of the theme read one of them"): {
        "robots.txt": f"Sitemap: {X}sitemap-index.xml",
        "sitemap-index.xml": f"<sitemap><loc>{X}sitemap-pages.xml</loc></sitemap>",
        "sitemap-pages.xml": HOME,
        "sitemap.xml": HOME,
    },
    ("listed-outside", "robots.txt announces the sitemap for another host"): {
        "robots.txt": f"Sitemap: {X}sitemap.xml\nSitemap: https://fr.example.org/fr/sitemap.xml",
        "fr/index.html": "",
        "fr/sitemap.xml": "<url><loc>https://fr.example.org/fr/</loc></url>",
    },
    ("base-url", "the pages of a language name their own host"): {
        "robots.txt": f"Sitemap: {X}sitemap.xml\nSitemap: {X}fr.xml",
        "fr/a.html": canonical("https://fr.example.org/fr/a.html"),
        "fr.xml": "<url><loc>https://fr.example.org/fr/a.html</loc></url>",
    },
    ("listed-outside", "a relative URL has its own rule"): {"sitemap.xml": "<url><loc>/a/</loc></url>"},
    ("base-url", "one page may be a copy of another site's"): {"a.html": canonical("https://other.example.net/b")},
    ("base-url", "few pages differ"): {
        "a.html": canonical("http://docs.example.org/a.html"),
        "b.html": canonical(f"{X}b.html"),
    },
    ("canonical-target", "it is on another site"): {"a.html": canonical("https://other.example.net/gone")},
    ("canonical-target", "the page is not indexed"): {"a.html": canonical(f"{X}gone") + NOINDEX},
    ("canonical-target", "the host redirects it"): {"a.html": canonical(f"{X}gone"), "_redirects": "/gone / 301"},
    ("canonical-translation", "it is a copy"): {
        "a.html": in_language("en", ENGLISH),
        "de/a.html": in_language("de", ENGLISH, "a.html"),
    },
    ("canonical-translation", "both are English"): {
        "en-GB/a.html": in_language("en-GB", GERMAN, "en-US/a.html"),
        "en-US/a.html": in_language("en-US", ENGLISH),
    },
    ("canonical-translation", "the language of a page is not known"): {
        "a.html": in_language("", ENGLISH),
        "b.html": in_language("de", GERMAN, "a.html"),
    },
    ("canonical-translation", "few words may be the same in all languages"): {
        "a.html": in_language("en", "parse_language(), agree()"),
        "de/a.html": in_language("de", "agree(), is_language()", "a.html"),
    },
    ("canonical-chain", "the page itself only redirects"): {
        "a.html": f'<meta http-equiv="refresh" content="0; url={X}">{canonical(f"{X}b.html")}',
        "b.html": canonical(X),
    },
    ("hreflang-return", "the page links back in its head"): {
        "de/index.html": f'<link rel="alternate" hreflang="en" href="{X}">',
        "sitemap.xml": TO_GERMAN,
    },
    ("hreflang-return", "it is on another site"): {
        "sitemap.xml": entry("", alternates({"en": X, "de": "https://example.de/"}))
    },
    ("hreflang-return", "the sitemap of its language links back"): {
        "de/index.html": "",
        "de/sitemap.xml": entry("de/", alternates({"en": X, "de": f"{X}de/"})),
        "sitemap.xml": TO_GERMAN,
    },
    ("hreflang-return", "the page is missing among its own translations"): {
        "de/index.html": "",
        "sitemap.xml": entry("", alternates({"de": f"{X}de/"})) + entry("de/", alternates({"de": f"{X}de/"})),
    },
    ("listed-robots", "only another crawler may not fetch the file"): {
        "robots.txt": f"User-agent: GPTBot\nDisallow: /a.pdf\n\nSitemap: {X}sitemap.xml\n",
        "a.pdf": "",
        "sitemap.xml": entry("a.pdf"),
    },
    ("double-encoding", "the name of the file has a percent sign"): {
        "x%20y.html": "",
        "a%2Fb/index.html": "",
        "sitemap.xml": HOME + entry("x%2520y.html") + entry("a%252Fb/"),
    },
    ("hreflang-target", "rules that are not read may answer it"): {"sitemap.xml": TO_GERMAN, "netlify.toml": "a = 1"},
    ("hreflang-heads", "rules that are not read may answer it"): {"index.html": TO_DE, "netlify.toml": "a = 1"},
    ("hreflang-heads", "it redirects"): {"index.html": TO_DE, "_redirects": "/de/ /fr/"},
    ("hreflang-heads", "a page redirects there"): {
        "index.html": TO_DE,
        "de/index.html": '<meta http-equiv="refresh" content="0; url=/fr/">',
    },
    ("hreflang-heads", "its path ends with a no-break space"): {
        "index.html": TO_DE.replace("/de/", "/de\xa0"),
        "de\xa0.html": TO_DE.replace("/de/", "/"),
    },
    ("hreflang-heads", "it is on another site"): {"index.html": TO_DE.replace("/de/", "https://example.net/de/")},
    ("hreflang-heads", "both link to each other"): {
        "index.html": TO_DE,
        "de/index.html": '<link rel="alternate" hreflang="en" href="/">',
    },
    ("hreflang-heads", "one of two links with one code leads back"): {
        "index.html": '<link rel="alternate" hreflang="de" href="/de/"><link rel="alternate" hreflang="de" href="/at/">',
        "de/index.html": '<link rel="alternate" hreflang="en" href="/">',
        "at/index.html": '<link rel="alternate" hreflang="en" href="/">',
    },
    ("language-mismatch", "the sitemap names a region of it"): {"sitemap.xml": entry("", alternates({"en-GB": X}))},
    ("competing-versions", "old versions are not indexed"): versions(NOINDEX, ""),
    ("competing-versions", "old versions are blocked"): {
        "robots.txt": "User-agent: *\nDisallow: /1/",
        **versions("", ""),
    },
    ("competing-versions", "a script of Documenter.jl adds a noindex"): {**versions("", ""), "1/assets/warner.js": ""},
    ("competing-versions", "tools generate the pages"): {
        **versions(canonical(f"{X}2/"), ""),
        "1/search.html": "",
        "2/search.html": "",
    },
    ("listed-preview", "the name alone shows no preview"): {
        "changes/pr-12/index.html": "",
        "sitemap.xml": HOME + entry("changes/pr-12/"),
    },
    ("preview-indexable", "it has other pages than the site"): {
        "changes/pr-12/index.html": "",
        "changes/pr-12/more.html": "",
        "changes/pr-12/why.html": "",
    },
    ("preview-indexable", "the folder is that of a language"): {
        "mr/7/index.html": '<!doctype html><html lang="mr"><title>A</title>'
    },
    ("build-dates", "MkDocs writes the newest date into the header"): {
        "{n}.html": "",
        "sitemap.xml": dated("{n}.html", "2026-03-01"),
        "sitemap.xml.gz": "2026-03-01T00:00:00Z",
    },
    ("build-dates", "the header has another date"): {
        "{n}.html": "",
        "sitemap.xml": dated("{n}.html", "2026-03-01"),
        "sitemap.xml.gz": "2026-03-02T12:34:56Z",
    },
    ("build-dates", "one commit may have changed all pages"): {
        "{n}.html": "",
        "sitemap.xml": dated("{n}.html", "2026-05-28T20:26:00Z"),
    },
    ("build-dates", "all pages of each version may have changed on one day"): {
        "versions.json": TWO_VERSIONS,
        "1/{n}.html": "",
        "2/{n}.html": "",
        "1/sitemap.xml": dated("1/{n}.html", "2026-01-01"),
        "1/sitemap.xml.gz": "2026-01-01T00:00:00Z",
        "2/sitemap.xml": dated("2/{n}.html", "2026-02-02"),
        "2/sitemap.xml.gz": "2026-02-02T00:00:00Z",
    },
    ("one-date", "few pages may change on one day"): {
        "a.html": "",
        "sitemap.xml": dated("", "2026-03-01") + dated("a.html", "2026-03-01"),
    },
    ("future-date", "the time of the file cannot be right"): {"sitemap.xml": dated("", "2026-08-01")},
    ("future-date", "days differ by time zone"): {
        "a.html": "",
        "b.html": "",
        "sitemap.xml": HOME + dated("a.html", "2026-05-29") + dated("b.html", "2026-03-01"),
    },
    ("shown-date", "days differ by time zone"): {
        "index.html": modified("2026-03-02"),
        "sitemap.xml": dated("", "2026-03-01"),
    },
    ("shown-date", "most pages show the time of the build"): {
        "{n}.html": modified("2026-05-01"),
        "sitemap.xml": dated("{n}.html", "2026-03-01"),
    },
    ("unlisted", "another sitemap lists it"): {"de/index.html": "", "de/sitemap.xml": entry("de/")},
    ("unlisted", "its URL is listed without the host"): {
        "a.html": "",
        "sitemap.xml": HOME + "<url><loc>/a.html</loc></url>",
    },
    ("unlisted", "nothing is listed"): {"sitemap.xml": False, "a.html": ""},
    ("unlisted", "the page is not indexed"): {"a.html": NOINDEX},
    ("unlisted", "hosts list hidden pages, but a build of a folder does not"): {".a.html": "", ".b/index.html": ""},
    ("hidden-noindex", "the whole site is hidden"): {"robots.txt": "User-agent: *\nDisallow: /\n", "a.html": NOINDEX},
    ("hidden-noindex", "crawlers do not read this robots.txt"): {
        "CNAME": False,
        "index.html": canonical(f"{X}docs/"),
        "robots.txt": "User-agent: *\nDisallow: /docs/a.html\n",
        "a.html": NOINDEX,
    },
    ("hidden-noindex", "the page is only blocked, or has only a noindex"): {
        "robots.txt": f"User-agent: *\nDisallow: /b/\nSitemap: {X}sitemap.xml\n",
        "a.html": NOINDEX,
        "b/index.html": "",
    },
    ("preview-host", "the whole site is a preview"): {
        "CNAME": "deploy-preview-1--a.netlify.app",
        "robots.txt": "Sitemap: https://deploy-preview-1--a.netlify.app/sitemap.xml\n",
        "sitemap.xml": "<url><loc>https://deploy-preview-1--a.netlify.app/</loc></url>",
    },
    ("markdown-listed", "the page made from it is listed"): {
        "a.md": "# A",
        "a.html": "",
        "sitemap.xml": HOME + entry("a"),
    },
    ("robots-without-sitemap", "there is no robots.txt"): {"robots.txt": False},
    ("missing-sitemap", "it is on another host"): {
        "robots.txt": f"Sitemap: {X}sitemap.xml\nSitemap: https://cdn.example.net/sitemap.xml"
    },
    ("dead-llms-link", "it is on another site"): {"llms.txt": "[other](https://other.example.net/gone)"},
    ("dead-llms-link", "it is no link"): {"llms.txt": f"see {X}gone"},
    ("no-sitemap", "robots.txt announces one elsewhere"): {
        "sitemap.xml": False,
        "{n}.html": "",
        "robots.txt": "Sitemap: https://cdn.example.net/sitemap.xml",
    },
    ("no-sitemap", "the site is small"): {"sitemap.xml": False, "robots.txt": False, "a.html": ""},
}


@pytest.mark.parametrize(("rule", "why"), SILENT, ids=[": ".join(each) for each in SILENT])
def test_a_rule_is_silent_because(rule: str, why: str, tmp_path: Path) -> None:
    assert rule not in {each.rule for each in find(tmp_path, complete(SILENT[rule, why]))}
