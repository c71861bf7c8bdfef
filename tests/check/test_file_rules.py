"""The rules about sitemaps as files: sites that break one, sites that do not, and sites that cannot tell.

The examples of the manual break each rule once, see test_examples.py. These are the borders.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from sitemap_plugins.findings.grouping import Finding
from tests.check.examples import complete
from tests.check.sites import find

BASE = "https://docs.example.org/"
HOME = f"<url><loc>{BASE}</loc></url>"
INDEX = f"<sitemap><loc>{BASE}sitemap-pages.xml</loc></sitemap>"
NO_BASE = {"CNAME": False, "robots.txt": False, "index.html": "<title>Home</title>"}
TWO_PAGES = f"{HOME}<url><loc>{BASE}guide/</loc></url>"
GUIDE = {"guide/index.html": f'<link rel="canonical" href="{BASE}guide/">'}
NEWS = (
    "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>"
    "<news:publication_date>2026-03-01</news:publication_date><news:title>T</news:title></news:news>"
)


def image(url: str) -> str:
    return f"<url><loc>{BASE}</loc><image:image><image:loc>{url}</image:loc></image:image></url>"


def robots(*sitemaps: str) -> str:
    return "".join(f"Sitemap: {BASE}{path}\n" for path in sitemaps)


def shown(findings: tuple[Finding, ...]) -> list[tuple[str, str, int]]:
    return [(each.rule, each.hits[0].place, len(each.hits)) for each in findings]


# The files of a site, and what is found: the rule, the place of the first hit and the number of hits.
CASES: Mapping[str, tuple[Mapping[str, str | bool], list[tuple[str, str, int]]]] = {
    "a gzip that differs in white space": (
        {"sitemap.xml.gz": f"{HOME}\n"},
        [("gzip-differs", "sitemap.xml.gz", 1)],
    ),
    "a gzip alone with a mistake": (
        {"sitemap.xml.gz": "<url><loc>a</loc></url>" + HOME, "sitemap.xml": False, "robots.txt": robots("sitemap.xml.gz")},
        [("invalid-url", "sitemap.xml.gz:3", 1)],
    ),
    "a gzip that nothing names, beside its sitemap": (
        {"sitemap.xml.gz": "2026-01-01T00:00:00Z", "robots.txt": robots("sitemap.xml")},
        [],
    ),
    "an index whose sitemaps are all missing": (
        {"robots.txt": robots("sitemap.xml"), "sitemap.xml": INDEX},
        [("missing-sitemap", "sitemap.xml:3", 1)],
    ),
    "Sitemap lines that are no URL": (
        {"robots.txt": robots("sitemap.xml") + "Sitemap: //[x/y\nSitemap: http://[x/y\n"},
        [("relative-sitemap", "robots.txt:2", 2)],
    ),
    "a compressed index": (
        {"sitemap.xml.gz": INDEX, "sitemap.xml": False, "sitemap-pages.xml": HOME, "robots.txt": robots("sitemap.xml.gz")},
        [],
    ),
    "an index of sitemaps in folders": (
        {"sitemap.xml": INDEX.replace("sitemap-pages", "guide/sitemap"), "guide/sitemap.xml": TWO_PAGES.replace(HOME, ""), **GUIDE},
        [("unlisted", "index.html", 1)],
    ),
    "an index in a folder that lists a sitemap above": (
        {
            "robots.txt": robots("maps/index.xml"), "sitemap.xml": False, "maps/index.xml": INDEX, "sitemap-pages.xml": HOME,
        },
        [("index-elsewhere", "maps/index.xml:3", 1)],
    ),
    "an index of a sitemap on the same host, above the site": (
        {
            "CNAME": False, "robots.txt": False, "index.html": f'<link rel="canonical" href="{BASE}project/">',
            "guide/index.html": f'<link rel="canonical" href="{BASE}project/guide/">',
            "sitemap.xml": f"<sitemap><loc>{BASE}sitemap.xml</loc></sitemap>"
            f"<sitemap><loc>{BASE}project/sitemap-pages.xml</loc></sitemap>",
            "sitemap-pages.xml": f"<url><loc>{BASE}project/</loc></url><url><loc>{BASE}project/guide/</loc></url>",
        },
        [],
    ),
    "an index of another host, if the URL of the site is unknown": (
        {**NO_BASE, "sitemap.xml": "<sitemap><loc>https://blog.example.net/a.xml</loc></sitemap>"},
        [("no-base-url", "", 1)],
    ),
    "an index with the date of its newest page": (
        {
            "sitemap.xml": INDEX.replace("</sitemap>", "<lastmod>2026-03-01T00:00:00+09:00</lastmod></sitemap>"),
            "sitemap-pages.xml": HOME.replace("</url>", "<lastmod>2026-02-28</lastmod></url>"),
        },
        [],
    ),
    "a folder whose name only begins like that of the sitemap": (
        {
            "sitemap.xml": INDEX.replace("sitemap-pages", "gui/sitemap"),
            "gui/sitemap.xml": TWO_PAGES.replace(HOME, ""), **GUIDE, "index.html": False,
        },
        [("outside-folder", "gui/sitemap.xml:3", 1)],
    ),
    "an image of another host": ({"sitemap.xml": image("https://images.example.org/a.png")}, []),
    "an image that a server makes": ({"sitemap.xml": image(f"{BASE}_image?url=a.png")}, []),
    "an image that is there": ({"sitemap.xml": image(f"{BASE}a%20b.png"), "a b.png": "x"}, []),
    "an image of a site with an unknown URL": (
        {**NO_BASE, "sitemap.xml": image(f"{BASE}a.png").replace("</loc>", "gone</loc>", 1)},
        [("no-base-url", "", 1)],
    ),
    "a sitemap of news beside that of all pages": (
        {
            "robots.txt": robots("sitemap.xml", "sitemap-news.xml"), "sitemap-news.xml": f"<url><loc>{BASE}</loc>{NEWS}</url>",
        },
        [],
    ),
    "a text sitemap with a mistake": (
        {"robots.txt": robots("sitemap.txt"), "sitemap.xml": False, "sitemap.txt": f"{BASE}\n/guide/\n"},
        [("invalid-url", "sitemap.txt:2", 1)],
    ),
    "a feed with a mistake": (
        {
            "robots.txt": robots("sitemap.xml", "feed.xml"),
            "feed.xml": f"<rss><channel><item><link>{BASE}</link></item>\n<item><link>/a/</link></item></channel></rss>",
        },
        [("invalid-url", "feed.xml:2", 1)],
    ),
    "a file that is named like a sitemap": ({"_static/sitemap-icon.xml": "<svg/>"}, []),
    "a sitemap that nothing announces, with a mistake": (
        {"old/sitemap.xml": "<url><loc>a</loc></url>"},
        [("invalid-url", "old/sitemap.xml:3", 1), ("unannounced", "old/sitemap.xml", 1)],
    ),
    "all problems of one kind in one file": (
        {"sitemap.xml": HOME.replace("</url>", "<priority>2</priority></url>\n") + HOME.replace("</url>", "<changefreq>Daily</changefreq><priority>3</priority></url>")},
        [("invalid-changefreq", "sitemap.xml:4", 1), ("invalid-priority", "sitemap.xml:3", 2), ("listed-twice", "sitemap.xml:4", 1)],
    ),
    "URLs with several kinds of mistakes": (
        {"sitemap.xml": f"{HOME}\n<url><loc>/a</loc></url>\n<url><loc>/b</loc></url>\n<url><loc>ftp://docs.example.org/</loc></url>"},
        [("invalid-url", "sitemap.xml:4", 2), ("invalid-url", "sitemap.xml:6", 1)],
    ),
    "the same wrong code in two sitemaps": (
        {
            "sitemap.xml": INDEX + INDEX.replace("pages", "more"), "CNAME": "docs.example.org",
            **{
                f"sitemap-{name}.xml": f'<url><loc>{BASE}{path}</loc><xhtml:link rel="alternate" hreflang="jp" '
                f'href="{BASE}{path}"/></url>'
                for name, path in (("pages", ""), ("more", "guide/"))
            },
            **GUIDE,
        },
        [("language-code", "sitemap-more.xml:3", 2)],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("files", "found"), CASES.values(), ids=CASES)
def test_what_is_found(files: Mapping[str, str], found: list[tuple[str, str, int]], tmp_path: Path) -> None:
    assert sorted(shown(find(tmp_path, complete(files), with_project=False))) == sorted(found)


def test_a_sitemap_of_ten_gigabytes_is_not_read(tmp_path: Path) -> None:
    files = complete({})
    files.pop("sitemap.xml")
    with (tmp_path / "sitemap.xml").open("wb") as file:
        file.truncate(10 << 30)
    (finding,) = find(tmp_path, files)
    assert (finding.rule, finding.hits[0].found) == (
        "too-large", "cannot be read: it is larger than 50 MiB, the limit for a sitemap",
    )  # fmt: skip
    os.truncate(tmp_path / "sitemap.xml", 0)  # pytest keeps the folders of the last runs


@pytest.mark.parametrize(
    ("path", "content", "rule", "found"),
    [
        ("sitemap.xml.gz", gzip.compress(bytes(60 << 20), mtime=0), "too-large",
         "is larger than 50 MiB when unpacked, the limit for a sitemap"),
        ("sitemap.xml.gz", gzip.compress(b"<urlset/>", mtime=0)[:-9], "unreadable", "is damaged: it cannot be unpacked"),
        ("sitemap.xml", b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>" + b"<url>" * 100_000, "unreadable",
         "has elements nested more than 100 deep, the limit for a sitemap"),
    ],
    ids=["a bomb", "cut off", "nested"],
)  # fmt: skip
def test_a_hostile_sitemap_is_one_finding(path: str, content: bytes, rule: str, found: str, tmp_path: Path) -> None:
    files = complete({"robots.txt": robots(path)})
    files.pop("sitemap.xml")
    (finding,) = find(tmp_path, files | {path: content})
    assert (finding.rule, finding.hits[0].found, len(finding.hits)) == (rule, found, 1)


def test_a_million_different_mistakes_have_few_causes(tmp_path: Path) -> None:
    links = "".join(f'<xhtml:link rel="alternate" hreflang="zz-{n}" href="{BASE}"/>' for n in range(1200))
    findings = find(tmp_path, complete({"sitemap.xml": f"<url><loc>{BASE}</loc>{links}</url>"}))
    codes = [each for each in findings if each.rule == "language-code"]
    assert (len(codes), sum(len(each.hits) for each in codes)) == (1001, 1200)
