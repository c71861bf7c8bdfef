"""Every reader of foreign input: how it is called, how it may refuse, and what its inputs are made of.

``read`` takes bytes, and asserts what is true for every input. ``tokens`` are the words of the format, from which
inputs are built, with ``~`` for a space inside a word. Such inputs reach further than random bytes do.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, NamedTuple

from sitemap_plugins import Alternate, Page, Settings, read_settings
from sitemap_plugins.folder.generators.source import read_front_matter as read_source
from sitemap_plugins.formats.data_reading import DataError, decode, read_toml, read_yaml
from sitemap_plugins.formats.gzip import GzipError, compress, unpack, unpack_beginning
from sitemap_plugins.formats.robots import NotUTF8Error, RobotsTxt, merge_robots
from sitemap_plugins.formats.sitemap_editing import replace_alternates
from sitemap_plugins.formats.sitemap_reading import SitemapError, read_index, read_sitemap
from sitemap_plugins.git.repository import read_ignored
from sitemap_plugins.git.walk import Rules, follow, read_steps, split_at_nul
from sitemap_plugins.html.content import read_content
from sitemap_plugins.html.head import read_markup
from sitemap_plugins.html.head_links import OwnLinksError, insert_links
from sitemap_plugins.pages.crawl_rules import CrawlRules
from sitemap_plugins.pages.entries import published_of, read_front_matter
from sitemap_plugins.pages.media import media_of
from sitemap_plugins.reading import SITEMAP
from sitemap_plugins.record.site_record import RecordError, parse_record
from sitemap_plugins.session.includes import find_names
from sitemap_plugins.translations.inventory import PagesError, read_pages
from sitemap_plugins.values.catalogues import is_visible_change
from sitemap_plugins.values.dates import parse_lastmod
from sitemap_plugins.values.languages import InvalidLanguageError, parse_language
from sitemap_plugins.values.urls import InvalidURLError, encode_url, parse_base_url

BASE: Final = "https://docs.example.org/"
URL: Final = f"{BASE}en/guide/page.html"
_WORD: Final = re.compile(r'[\[\]{}]|"(?:[^"\\]|\\.)*"|[^\s\[\]{},:"]+', re.DOTALL)
_DEEPEST: Final = 20
_INVENTORY: Final = (
    b"# Sphinx inventory version 2\n# Project: a\n# Version: 1\n# The remainder is compressed using zlib.\n"
)
_NAMESPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
_TAG: Final = re.compile(r"(<!--.*?-->|<!\[CDATA\[.*?\]\]>|<(/?)([\w:]+)[^<>]*?(/?)>|[^<>]+)", re.DOTALL)
LINKS: Final = (Alternate(hreflang="en", href=URL), Alternate(hreflang="x-default", href=BASE))


class Reader(NamedTuple):
    """Only ``refusals`` may be raised, and no input may take more memory or time than its size justifies."""

    read: Callable[[bytes], object]
    tokens: bytes
    refusals: tuple[type[Exception], ...] = ()

    @property
    def words(self) -> list[bytes]:
        """The words of the format, and white space."""
        return [b" ", b"\n", b"\r\n", b"\t", *(word.replace(b"~", b" ") for word in sorted({*self.tokens.split()}))]


def _value(content: bytes) -> Any:
    """A value of a configuration file or of front matter, parsed as JSON if it is JSON.

    Words in any order seldom are. Then unmatched closing brackets are ignored, and open ones are closed at
    the end.
    """
    around: list[tuple[str, list[Any]]] = []
    kind, items = "[", list[Any]()
    for word in [*_WORD.findall(content.decode(errors="replace")), *["]"] * _DEEPEST]:
        if word in "[{":
            if len(around) < _DEEPEST:
                around.append((kind, items))
                kind, items = word, []
        elif word not in "]}":
            items.append(_scalar(word))
        elif around:
            value = items if kind == "[" else dict(zip(map(str, items[::2]), items[1::2], strict=False))
            kind, items = around.pop()
            items.append(value)
    return items[0] if len(items) == 1 else items


def _scalar(word: str) -> Any:
    with suppress(ValueError):
        return json.loads(word)
    return word


def _document(content: bytes) -> bytes:
    """A sitemap or an index with these words, with balanced tags."""
    text = content.decode(errors="replace")
    root = "sitemapindex" if "<sitemapindex" in text else "urlset"
    opened, written = [root], [f'<{root} xmlns="{_NAMESPACE}" xmlns:xhtml="http://www.w3.org/1999/xhtml">']
    for whole, end, name, empty in _TAG.findall(text):
        if not name:
            written.append(whole)
        elif name not in {"urlset", "sitemapindex"} and not end:
            written.append(whole)
            opened += [] if empty else [name]
        elif name in opened[1:]:
            closed = ""
            while closed != name:
                closed = opened.pop()
                written.append(f"</{closed}>")
    written += [f"</{name}>" for name in reversed(opened)]
    return "".join(written).encode()


def read_options(content: bytes) -> object:
    value = _value(content)
    options = value if isinstance(value, dict) else {"pages": value, "sections": value, "robots": value}
    settings, mistakes = read_settings(options, lax=True)
    assert [mistake for mistake in mistakes if not str(mistake)] == []
    return settings


def read_page(content: bytes) -> object:
    value = _value(content)
    matter = value if isinstance(value, dict) else {"sitemap": value, "sitemap_videos": value, "date": value}
    page = Page(loc=URL, name="page.md", front_matter=matter)
    values, notes = read_front_matter(page)
    assert [note for note in notes if not (note.kind == "front-matter" and note.message)] == []
    return values, published_of(page, values), media_of(page, URL, values, BASE, Settings(images=True, videos=True))


def read_any_source(content: bytes) -> object:
    text = content.decode(errors="surrogateescape")
    for start in ("", "---\n", "+++\n", '{"a":'):
        found = read_source(f"{start}{text}\n{start}", multimarkdown=True)
        assert not (found.values and found.problem)
    return None


def read_gzip(content: bytes) -> object:
    assert unpack(b"".join(compress([content])), SITEMAP) == content
    unpacked = unpack(content, SITEMAP)
    assert unpacked.startswith(unpack_beginning(content, 100))
    return unpacked


def read_any_record(content: bytes) -> object:
    with suppress(RecordError):
        parse_record(content)
    return parse_record(json.dumps(_value(content)).encode())


def read_headers(content: bytes) -> object:
    return CrawlRules(host_files={"_headers": content}).noindex(URL)


def read_redirects(content: bytes) -> object:
    return CrawlRules(host_files={"_redirects": content}).redirected(URL)


def read_robots(content: bytes) -> object:
    robots = RobotsTxt(content)
    merged = merge_robots(content, [f"{BASE}sitemap.xml"])
    assert merged is not None
    assert merge_robots(merged, [f"{BASE}sitemap.xml"]) == merged
    after = RobotsTxt(merged)
    for crawler in ("Googlebot", "bingbot"):
        assert after.disallow_line(URL, crawler) == robots.disallow_line(URL, crawler)
    return robots.disallows_all, robots.disallows(URL)


def read_any_sitemap(content: bytes) -> object:
    with suppress(SitemapError):
        _read_sitemap(content)
    return _read_sitemap(_document(content))


def _read_sitemap(content: bytes) -> object:
    locs = read_index(content)
    return read_sitemap(content) if locs is None else locs


def edit_any_sitemap(content: bytes) -> object:
    with suppress(SitemapError):
        _edit_sitemap(content)
    return _edit_sitemap(_document(content))


def _edit_sitemap(content: bytes) -> object:
    """Edit a sitemap, and check that it is still a sitemap with the same pages."""
    before = read_sitemap(content)
    edited = replace_alternates(content, {entry.loc: LINKS for entry in before[:2]})
    after = read_sitemap(edited)
    assert [entry.loc for entry in after] == [entry.loc for entry in before]
    return after


def read_inventory(content: bytes) -> object:
    with suppress(PagesError):
        read_pages(content, BASE)
    return read_pages(_INVENTORY + zlib.compress(content), BASE)


def write_links(content: bytes) -> object:
    """Check that writing the links again changes nothing."""
    written = insert_links(content, LINKS)
    with suppress(OwnLinksError):  # links of the page, after an incomplete block
        assert insert_links(written, LINKS) == written
    return written


def read_history(content: bytes) -> object:
    """Output of git, cut in the middle."""
    steps = [*read_steps(split_at_nul([content[:7], content[7:]]))]
    found: list[object] = []
    if steps:
        starts = {steps[0].commit.sha: {b"a.md": (b"a.md",), b"docs/b.md": (b"b",)}}
        follow(steps, starts, Rules(), lambda *each: found.append(each), shows=lambda _: True)
    return [(step.commit.when(), step.commit.when("author")) for step in steps]


def read_text(content: bytes) -> object:
    """One value in front matter or in a file of another tool: a URL, a date, a language."""
    text = content.decode(errors="surrogateescape")
    for parse, refusal in (
        (encode_url, InvalidURLError),
        (parse_base_url, InvalidURLError),
        (parse_lastmod, ValueError),
        (parse_language, InvalidLanguageError),
    ):
        with suppress(refusal):
            found = parse(text)
            assert found
            if parse is encode_url:
                assert str(found).isascii()
                assert encode_url(str(found)) == found
    return None


_HTML: Final = b"""<html lang="de"> <head> </head> <body> <base href="../x/"> <meta name="robots" content="noindex, none">
<meta http-equiv="refresh" content="0; url=/a/"> <link rel="canonical" href="https://docs.example.org/a/"> <title> <script>
</script> location.replace("/x") <script type="application/ld+json"> {"@type":"VideoObject","duration":"PT1M2S"} [ ] { }
<noscript> </noscript> <template> </template> <svg> <!-- --> <![CDATA[ ]]> <main> <article> <h1> <p> <img src="a.png" alt="">
<video controls src=a.mp4 poster=a.png> <iframe src="https://www.youtube.com/embed/abcdefghijk"> <picture> <source srcset="a 1x, b 2x">
<figcaption> <meta property="article:modified_time" content="2026-01-01"> <link rel=alternate hreflang=de href=/de/>
<!-- links: sitemap-plugins --> <!-- end of links --> style="display:none" hidden < > " ' = / & &amp; &#x0; \x00 \xff \xef\xbb\xbf \xfe\xff"""
_XML: Final = b"""<?xml version="1.0" encoding="UTF-8"?> <?xml version="1.1" encoding="UTF-16"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"> </urlset>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"> </sitemapindex> <sitemap> </sitemap> <url> </url> <loc> </loc>
https://docs.example.org/ <lastmod> </lastmod> 2026-01-01 <priority>0.5</priority> <xhtml:link rel="alternate" hreflang="de" href="x"/>
<!-- --> <![CDATA[ ]]> <!DOCTYPE a [<!ENTITY a "b">]> &a; &#0; & < > \x00 \xff \xfe\xff"""
_JSON: Final = b"""{ } [ ] , : "sitemap" "priority" "lastmod" "alternates" "videos" "title" "thumbnail_loc" "content_loc" "images" "pages"
"match" "sections" "languages" "robots" "feeds" "git" "exclude" "**/*.md" "!x" "2026-01-01" 0.5 -0.0 1e999 true false null NaN
"\\u0000" "\\ud800" "de" "https://docs.example.org/" "depends_on" "news" "limit" "urls" "notes" "engines" "archive" "year"
"x_default" "url" "duration" "alternates" "record" "files" "news" "name" "sitemap_priority" "date" "created" \xff"""
_YAML: Final = b"""--- ... \n \n~~ \n~~~~ : - ? , [ ] { } # & &a *a * ! !! !ENV !relative !!int !!float !!bool !!binary !!timestamp !!set !!omap
!!pairs !!python/name:os !!null !!str << <<:~*a = ~ | > ' " \\ % %YAML~1.1 @ ` plugins: sitemap INHERIT title: HOME 1:30 0o7 0x_ .inf
1e9 2026-01-31 2026-13-45 yes +++ title~=~1 \x00 \t \r \xff \xef\xbb\xbf \xfe\xff"""
_TOML: Final = b"""[ ] [[ ]] { } = , . # \n \r\n a a.b "a" 'a' \"\"\" \'\'\' \\ \\u0041 \\ud800 1 1_0 0x1 1e9 inf nan true 2026-01-31 07:32:00
2026-13-45 [project.plugins.sitemap] \x00 \xff \xef\xbb\xbf"""
_TAKEN_IN: Final = rb"""--8<-- \n "a.md" 'b.md:1:3' ; > {! !} {!> [ln:1] {* *} hl[1] src_an/x_py39.py _an . .. / {% {%- include include-markdown %}
<!-- @include: --> # {1,5} <<< @/ @site/ import from './x' \t \x00 \xff"""
_GIT: Final = (
    rb"commit  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa  bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb (from  ) \n tree committer author"
    rb" A <a@b> 1767600000 +0100 -9999 99999999999999 \x00 :100644 100644 000000 A M D a.md docs/b.md \n\n gpgsig \xff"
)

READERS: Final = {
    "options": Reader(read_options, _JSON),
    "front matter": Reader(read_page, _JSON),
    "yaml": Reader(lambda content: read_yaml(decode(content), {"HOME": "0x_"}), _YAML, (DataError,)),
    "toml": Reader(lambda content: read_toml(decode(content)), _TOML, (DataError,)),
    "source": Reader(read_any_source, _YAML + b" " + _TOML + b" " + _JSON),
    "files taken in": Reader(lambda content: [*find_names(content.decode(errors="replace"), None)], _TAKEN_IN),
    "_headers": Reader(
        read_headers,
        b"/* https:// * :name / \n \t X-Robots-Tag : noindex , bot: ! # \r \xff https://docs.example.org/*",
    ),
    "_redirects": Reader(
        read_redirects, b"/en/* /en/guide/page.html :splat :name * 301! 302 200 # \n ? = / \r \xff Country=de q=:q"
    ),
    "robots.txt": Reader(
        read_robots,
        b"User-agent : * Googlebot Disallow Allow / $ # \n \r \r\n Sitemap https://docs.example.org/sitemap.xml \xff %2F \xef\xbb\xbf"
        b" #~begin~of~sitemap-plugins #~end~of~sitemap-plugins Crawl-delay bingbot",
        (NotUTF8Error,),
    ),
    "sitemap": Reader(read_any_sitemap, _XML, (SitemapError,)),
    "sitemap that is edited": Reader(edit_any_sitemap, _XML, (SitemapError,)),
    "gzip": Reader(read_gzip, b"\x1f\x8b\x08 x\x9c \x00 \x03 \xff <urlset/> <sitemapindex/>", (GzipError,)),
    "head": Reader(read_markup, _HTML),
    "content": Reader(lambda content: read_content(content.decode(errors="replace"), URL), _HTML),
    "head with links": Reader(write_links, _HTML, (OwnLinksError,)),
    "inventory": Reader(
        read_inventory,
        b"# Sphinx inventory version 2\n # Project: a\n # Version: 1\n # The remainder of this file is compressed using zlib.\n"
        b" x\x9c \x1f\x8b\x08 a std:doc -1 a.html - \n $ a~std:doc~-1~a.html~- b/c~std:label~1~b/c.html#$~d " + _XML,
        (PagesError,),
    ),
    "catalogue": Reader(
        lambda content: is_visible_change(content, b"") or is_visible_change(b"", content),
        rb"""msgid msgstr msgctxt msgid_plural msgstr[0] msgstr[1] "a" " \" \n #, fuzzy #~ #| # \x00 \xff \\ "\n" [ ] """,
    ),
    "history": Reader(read_history, _GIT),
    "record": Reader(
        read_any_record,
        b'{ } [ ] , : "version" 2 "head" "pages" "base" "repositories" "loc" "lastmod" "path" "commit" "document" "made_of" "source" "date" ".." "/a" "." '
        b'"2026-01-01" "git" null true \xff "\\ud800"',
        (RecordError,),
    ),
    "ignored commits": Reader(
        lambda content: read_ignored(content, "file"),
        b"# \n \r aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa A \xff \x00 \x0c",
    ),
    "text": Reader(
        read_text,
        b"https:// http:// docs.example.org : @ [ ] / ? # % %2 %ff \xc3\xa9 2026 - 01 T 00:00:00 Z +01:00 de _ AT zh Hans x-default \x00 \n",
    ),
}
