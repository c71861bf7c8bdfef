"""Bad URLs, dates, numbers, encodings and languages, and all places of a project where a reader finds such values."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import product
from string import Template
from typing import Any, Final, TypeAlias

from sitemap_plugins.formats.data_reading import DataError, read_toml, read_yaml
from sitemap_plugins.formats.sitemap_xml import NAMESPACE
from sitemap_plugins.options.settings import read_settings
from tests.check.examples import BASE_URL as X
from tests.check.examples import complete

VALUES: Final[Mapping[str, Sequence[str]]] = {
    "hosts": (
        "http://[::1/", "http://a]b/", "https://[x]/", "http://ex\u2100.org/", "//[x/y", "https://[v1.x]/", "https://[fe80::1%25en0]/",
        "http:///a", "https://a..b/", f"https://{'a' * 64}.org/", "https://user:pass@[x]/", "HTTPS://DOCS.EXAMPLE.ORG./a/",
        "http://127.0.0.1/a/", f"{X}%", f"{X}%ff/../%00", "\ud800",
    ),
    "ports": tuple(f"https://docs.example.org:{port}/" for port in ("65536", "-1", "", "\u0663", "9" * 5000)),
    "dates": (
        "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00", "0001-01-02T00:00:00+14:00", "9999-12-31", "0000-00-00", "2026-02-30",
        "2026-01-01T24:00:00Z", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00-23:59", "\u0662\u0660\u0662\u0666-01-01",
        "Fri, 31 Dec 9999 23:59:59 -1400", "Mon, 01 Jan 0001 00:00:00 +1400", "Thu, 01 Jan 1970 00:00:00 +9999999999",
    ),
    "numbers": ("1e999", "-0", "nan", "9" * 5000, "\u00b2", "\u0663", "0x_", "1:30:00"),
    "encodings": ("utf-7", "utf-16", "idna", "undefined", "windows-0000", "\0"),
    "languages": ("x-default", "-", "en-x-", "i-klingon", "de_", "en_GB.UTF-8@euro", "\u0131", "en-a" * 99),
}  # fmt: skip

Place: TypeAlias = Mapping[str, str]
"""Texts by the paths of their files, which may have other texts, too. In both, ``$n`` is a number. In a text, ``$v`` is
the value, with escapes in XML and HTML, and ``$q`` is the value as a JSON string, which YAML and TOML also read."""

Cell: TypeAlias = tuple[str, str]
"""The name of a place, and a value for it."""


def _entry(text: str) -> Place:
    return {"sitemap.xml": f"<url><loc>{X}e$n/</loc>{text}</url>"}


def _head(text: str, lastmod: str = "2026-01-01") -> Place:
    return {"p$n.html": text, "sitemap.xml": f"<url><loc>{X}p$n.html</loc><lastmod>{lastmod}</lastmod></url>"}


def _structured(text: str) -> Place:
    return _head(f'<script type="application/ld+json">{text}</script>')


def _source(text: str, fence: str = "---") -> Place:
    return {"docs/p$n.md": f"{fence}\n{text}\n{fence}\n# A", "p$n.html": ""}


def _video(name: str) -> Place:
    values = {"thumbnail_loc": f"{X}a.png", "title": "A", "description": "A", "content_loc": f"{X}a.mp4", name: "$v"}
    return _entry(
        f"<video:video>{''.join(f'<video:{each}>{value}</video:{each}>' for each, value in values.items())}</video:video>"
    )


# All values of a kind are in one site, at all of these places.
PLACES: Final[Mapping[str, Place]] = {
    "loc": {"sitemap.xml": "<url><loc>$v</loc><lastmod>2026-01-01</lastmod></url>"},
    "lastmod": _entry("<lastmod>$v</lastmod>"),
    "lastmod of a page with another": _head('<meta property="article:modified_time" content="2026-01-01">', "$v"),
    "priority": _entry("<priority>$v</priority>"),
    "xhtml:link": _entry('<xhtml:link rel="alternate" hreflang="de" href="$v"/>'),
    "xhtml:link hreflang": _entry(f'<xhtml:link rel="alternate" hreflang="$v" href="{X}"/>'),
    "image": _entry("<image:image><image:loc>$v</image:loc></image:image>"),
    **{f"video {name}": _video(name) for name in (
        "thumbnail_loc", "content_loc", "player_loc", "duration", "rating", "view_count", "publication_date",
    )},
    "news": _entry(
        "<news:news><news:publication><news:name>A</news:name><news:language>$v</news:language></news:publication>"
        "<news:publication_date>$v</news:publication_date><news:title>A</news:title></news:news>"
    ),
    "sitemap in an index": {"index.xml": "<sitemap><loc>$v</loc></sitemap>"},
    "lastmod in an index": {"index.xml": f"<sitemap><loc>{X}sitemap.xml</loc><lastmod>$v</lastmod></sitemap>"},
    "text sitemap": {"list.txt": "$v"},
    "RSS": {"feed.rss": "<item><link>$v</link><pubDate>$v</pubDate></item>"},
    "Atom": {"feed.atom": '<entry><link href="$v"/><updated>$v</updated></entry>'},
    "Sitemap": {"robots.txt": "Sitemap: $v"},
    "Disallow": {"robots.txt": "User-agent: a$n\nDisallow: $v\nCrawl-delay: $v"},
    "source of a redirect": {"_redirects": "$v /p0.html 301"},
    "target of a redirect": {"_redirects": "/r$n/* $v 301!"},
    "target of a page's redirect": {"_redirects": "/p$n.html $v", "p$n.html": ""},
    "status of a redirect": {"_redirects": "/s$n /p0.html $v Language=$v"},
    "path of headers": {"_headers": "$v\n  X-Robots-Tag: noindex"},
    "headers": {"_headers": "/p$n.html\n  X-Robots-Tag: unavailable_after: $v\n  Link: <$v>; rel=canonical", "p$n.html": ""},
    "lang": {"p$n.html": '<html lang="$v"><head><title>A</title></head></html>'},
    "charset": _head('<meta charset="$v"><meta http-equiv="content-type" content="text/html; charset=$v">'),
    "base": _head('<base href="$v"><link rel="canonical" href="a"><img src="a.png"><a href="a">A</a>'),
    "canonical": _head('<link rel="canonical" href="$v">'),
    "second canonical": _head(f'<link rel="canonical" href="{X}p$n.html"><link rel="canonical" href="$v">'),
    "alternate": _head('<link rel="alternate" hreflang="de" href="$v">'),
    "hreflang": _head(f'<link rel="alternate" hreflang="$v" href="{X}">'),
    "refresh": _head('<meta http-equiv="refresh" content="0; url=$v">'),
    "seconds of a refresh": _head('<meta http-equiv="refresh" content="$v; url=/p0.html">'),
    "unavailable_after": _head('<meta name="robots" content="unavailable_after: $v">'),
    "modified_time": _head('<meta property="article:modified_time" content="$v">'),
    "og:image": _head('<meta property="og:image" content="$v"><img src="$v"><video src="$v" poster="$v"></video>'),
    "dateModified": _structured('{"dateModified": $q, "inLanguage": $q}'),
    "bare dateModified": _structured('{"dateModified": $v}'),
    "VideoObject": _structured(
        '{"@type": "VideoObject", "name": "A", "description": "A", "thumbnailUrl": $q, "contentUrl": $q, "duration": $q, "uploadDate": $q}'
    ),
    "llms.txt": {"llms.txt": "- [A]($v): text\n- [B](<$v>)"},
    **{f"{name} of a source": _source(f"{name}: $v") for name in ("date", "sitemap_lastmod", "sitemap_priority", "robots")},
    **{f"{name} of a source in TOML": _source(f"{name} = $v", "+++") for name in ("date", "sitemap_lastmod", "sitemap_priority")},
    "sitemap.lastmod of a source": _source("sitemap: {lastmod: $q, priority: $q}"),
    "sitemap.published of a source": _source("sitemap: {published: $q, news: true}"),
    "sitemap.alternates of a source": _source("sitemap: {alternates: {de: $q}}"),
    "a language in sitemap.alternates of a source": _source(f"sitemap: {{alternates: {{$q: {X}de/}}}}"),
    "sitemap.videos of a source": _source(
        "sitemap: {videos: [{thumbnail_loc: $q, content_loc: $q, title: A, description: A, duration: $q, publication_date: $q}]}"
    ),
    "a catalogue": {"docs/a.po": 'msgid ""\nmsgstr "Content-Type: text/plain; charset=$v\\n"\n\nmsgid "$v"\nmsgstr $q\n'},
}  # fmt: skip
# All values are in one site, at one of these places.
LISTS: Final[Mapping[str, Place]] = {
    "encoding": {"sitemap$n.xml": f'<?xml version="1.0" encoding=\'$v\'?><urlset xmlns="{NAMESPACE}"><url><loc>{X}</loc></url></urlset>'},
    "versions.json": {"versions.json": '{"version": $q, "title": $q, "aliases": [$q]},'},
    "switcher.json": {"switcher.json": '{"version": $q, "url": $q},'},
    "sitemap of a version": {"versions.json": "", "2.0/sitemap.xml": "<url><loc>$v</loc><lastmod>$v</lastmod></url>"},
    "page of a version": {"versions.json": "", "2.0/p$n.html": '<link rel="canonical" href="$v">'},
    "sitemap of a language": {
        "de/sitemap.xml": f'<url><loc>{X}de/p$n.html</loc><lastmod>$v</lastmod><xhtml:link rel="alternate" hreflang="$v" href="$v"/></url>',
        "de/p$n.html": '<html lang="de"><head></head></html>', "p$n.html": '<html lang="en"><head></head></html>',
        "sitemap.xml": f"<url><loc>{X}p$n.html</loc></url>",
    },
    "page of a language": {
        "de/p$n.html": '<html lang="$v"><head><link rel="alternate" hreflang="$v" href="$v"></head></html>',
        "de/sitemap.xml": f"<url><loc>{X}de/p$n.html</loc></url>", "sitemap.xml": f"<url><loc>{X}p$n.html</loc></url>",
    },
}  # fmt: skip
# Each value is in a site of its own, at one of these places.
ALONE: Final[Mapping[str, Place]] = {
    "mkdocs.yml and all that names the URL": {
        "mkdocs.yml": "site_url: $v", "CNAME": "$v", "robots.txt": "Sitemap: ${v}sitemap.xml",
        "index.html": '<link rel="canonical" href="$v">', "sitemap.xml": "<url><loc>$v</loc></url><url><loc>${v}de/</loc></url>",
        "de/index.html": '<link rel="canonical" href="${v}de/">', "de/sitemap.xml": "<url><loc>${v}de/</loc></url>",
    },
    "URL of a version": {
        "versions.json": "", "robots.txt": "", "CNAME": "",
        "1.0/index.html": '<link rel="canonical" href="${v}1.0/">', "1.0/sitemap.xml": "<url><loc>${v}1.0/</loc></url>",
        "2.0/index.html": "<title>A</title>", "2.0/sitemap.xml": "<url><loc>${v}2.0/</loc></url>",
    },
    "zensical.toml and the only entry of a sitemap": {
        "zensical.toml": "[project]\nsite_url = $q", "sitemap.xml": "<url><loc>$v</loc></url>",
    },
}  # fmt: skip
CONFIGURATIONS: Final[Mapping[str, Callable[[str], str]]] = {
    "sitemap.toml": str,
    "zensical.toml": "[project.plugins.sitemap]\n{}".format,
    "mkdocs.yml": lambda options: f"plugins: [{{sitemap: {{{as_yaml(options)}}}}}]",
}
"""The files that have options, each with a function that makes its text from options in TOML."""

_WHOLE: Final = ALONE | {name: {"mkdocs.yml": "", name: "$v"} for name in CONFIGURATIONS}
EVERY: Final = {**PLACES, **LISTS, **_WHOLE}

_FRAMES: Final[Mapping[str, str]] = {
    "feed.rss": '<rss version="2.0"><channel>%s</channel></rss>',
    "feed.atom": '<feed xmlns="http://www.w3.org/2005/Atom">%s</feed>',
    "versions.json": '[%s {"version": "1.0", "title": "1.0"}, {"version": "2.0", "title": "2.0", "aliases": ["latest"]}]',
    "switcher.json": '[%s {"version": "1.0", "url": "/1.0/"}, {"version": "2.0", "url": "/2.0/", "preferred": true}]',
}
_SITEMAPS: Final = ("sitemap.xml", "index.xml", "list.txt", "feed.rss", "feed.atom")
_AROUND: Final[Place] = {
    "robots.txt": "\n".join(f"Sitemap: {X}{name}" for name in _SITEMAPS),
    "sitemap.xml": f"<url><loc>{X}</loc></url>",
    "index.html": f'<html lang="en"><head><link rel="canonical" href="{X}"></head></html>',
    "de/index.html": '<html lang="de"><head></head></html>',
    "de/sitemap.xml": f"<url><loc>{X}de/</loc></url>",
    "index.xml": f"<sitemap><loc>{X}sitemap.xml</loc></sitemap>",
    "mkdocs.yml": "plugins: [{sitemap: {filename: ours.xml, images: true, videos: true, lastmod: [front_matter, page], feeds: "
    '{rss: a.rss, atom: b.atom}, news: {match: "*", name: A, publication_language: en}, record: site-record.json}}]',
}  # fmt: skip
_VERSIONS: Final[Place] = {
    "1.0/index.html": "",
    "2.0/index.html": "",
    "2.0/sitemap.xml": f"<url><loc>{X}2.0/</loc></url>",
}
_OPTIONS: Final = (
    "base_url = $w", f'languages = {{$q = "{X}de/"}}', "languages = {de = $w}", "x_default = $w", "limit = {urls = $w}", "indent = $w",
    "cross_submit = [$w]", "image_hosts = [$w]", 'news = {match = "*", name = "A", publication_language = $w}', "translated_share = $w",
    "sections = {a = {language = $w}}", "git = {bulk_share = $w}", 'feeds = {rss = "a.rss", count = $w}',
)  # fmt: skip
_RULES: Final = (
    "priority = $w", "lastmod = $w", "published = $w", "alternates = {de = $w}", f'alternates = {{$q = "{X}de/"}}',
)  # fmt: skip
_PROJECT: Final = ("docs/", *CONFIGURATIONS)
_ESCAPED: Final = (".xml", ".html", ".rss", ".atom")


def fill(cells: Iterable[Cell]) -> dict[str, bytes]:
    """The files of a project with these values at these places; those of its site are in the folder ``site``."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    around = dict(_AROUND)
    for number, (name, value) in enumerate(cells):
        shown = _shown(value)
        for path, text in EVERY[name].items():
            word = escape(shown) if path.endswith(_ESCAPED) else shown
            filled = Template(text).substitute(n=number, v=word, q=json.dumps(value))
            texts[Template(path).substitute(n=number)].append(filled)
            if name in _WHOLE:
                around[path] = ""
    if not texts.keys().isdisjoint({"versions.json", "switcher.json"}):
        around = _VERSIONS | around
    for path, text in around.items():
        texts[path].insert(0, text)
    whole = complete({path: _FRAMES.get(path, "%s").replace("%s", "\n".join(each)) for path, each in texts.items()})
    return {path if path.startswith(_PROJECT) else f"site/{path}": content for path, content in whole.items()}


def options_with(value: str) -> str:
    """The options and the rules for pages that accept a value, in TOML. All others refuse it, in YAML, too."""
    options = {each.partition(" ")[0]: each for each in _accepted(_OPTIONS, "%s", value)}
    rules = (f'{{match = "*", {each}}}' for each in _accepted(_RULES, 'pages = [{match = "*", %s}]', value))
    return "\n".join((*options.values(), f"pages = [{', '.join(rules)}]"))


def _accepted(texts: Iterable[str], frame: str, value: str) -> Iterator[str]:
    for text, word in product(texts, (json.dumps(value), _shown(value))):
        written = Template(text).substitute(w=word, q=json.dumps(value))
        options = frame.replace("%s", written)
        _read_options(read_yaml, f"{{{as_yaml(options)}}}")
        if _read_options(read_toml, options):
            yield written


def _read_options(read: Callable[[str], Any], options: str) -> bool:
    """Whether all options are accepted."""
    try:
        return not read_settings(read(options))[1]
    except DataError:
        return False


def as_yaml(options: str) -> str:
    return options.replace(" = ", ": ").replace("\n", ", ")


def _shown(value: str) -> str:
    return value.encode(errors="replace").decode()
