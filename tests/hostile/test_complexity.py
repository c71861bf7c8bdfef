"""No reader takes quadratic time: four times the input takes at most nine times as long.

The time is that of the processor, and is compared only if it is long enough. Each row is an input that once took
quadratic time, or may do so after a careless change. Regular expressions are tested one by one.
"""

from __future__ import annotations

import gc
import math
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple

import pytest

from sitemap_plugins import Page
from sitemap_plugins.formats.robots import RobotsTxt
from sitemap_plugins.git.blobs import Objects
from sitemap_plugins.git.renames import Renames
from sitemap_plugins.git.walk import Commit, split_at_nul
from sitemap_plugins.html.content import read_content
from sitemap_plugins.html.head import read_markup, write_canonicals
from sitemap_plugins.html.head_links import OwnLinksError
from sitemap_plugins.html.main_part import read_main_part, read_prose, shared_prose
from sitemap_plugins.live.indexnow import _without_key
from sitemap_plugins.options.types import Alternates, Hook, HostPattern, SectionName
from sitemap_plugins.pages.crawl_rules import CrawlRules
from sitemap_plugins.pages.entries import read_front_matter
from sitemap_plugins.values.dates import parse_lastmod
from sitemap_plugins.values.languages import LANGUAGES, REGIONS, parse_language
from sitemap_plugins.values.text import closest, one_line, printable
from sitemap_plugins.values.urls import encode_url, page_key, tracking_parameter
from sitemap_plugins.versions.finding import parse_pattern
from tests.hostile.patterns import Attack, Use, find_uses
from tests.hostile.readers import BASE, READERS, URL

MOST: Final = 9  # times as long; measured were up to 6.0 for linear time, and from 15.9 on for quadratic time
TRIES: Final = 8
SIZES: Final = 2
SHORTEST: Final = 0.02  # seconds; shorter times cannot be compared
LONGEST: Final = 1 << 20  # characters; inputs that are fast up to this size are harmless
NAME: Final = 255  # characters; no file system has longer folder names
ODD: Final = 10_000  # characters; a page of four times this size is scanned before it is parsed
LONG: Final = 150_000  # characters; every page of this size is scanned


class Row(NamedTuple):
    """A reader, a function that builds an input of about this many characters, and the first size to measure."""

    read: Callable[[Any], object]
    build: Callable[[int], Any]
    start: int = 2000


@pytest.fixture(autouse=True, scope="module")
def no_garbage_is_collected() -> Iterator[None]:
    """The garbage collector looks at all objects, not only at those of the reader."""
    gc.disable()
    yield
    gc.enable()


def seconds(read: Callable[[Any], object], value: object) -> float:
    """How long a reader takes. It may refuse the input."""
    begin = time.process_time()
    with suppress(ValueError, EOFError, OwnLinksError):
        read(value)
    return time.process_time() - begin


def growth(row: Row) -> float:
    """How many times longer four times the input takes, or 0 if even the longest input is too fast to measure.

    If it is too many, larger inputs are measured too: quadratic time shows at every size, but a step in the time or a
    busy machine at one size only.
    """
    size = row.start
    larger = row.build(4 * size)
    while (longer := seconds(row.read, larger)) < SHORTEST:
        if 8 * size > LONGEST:
            return 0
        size *= 4 if longer < SHORTEST / 8 and 16 * size <= LONGEST else 2
        larger = row.build(4 * size)
    least = growth_at(row, size, larger, longer)
    for _ in range(SIZES):
        if least <= MOST:
            break
        size *= 2
        larger = row.build(4 * size)
        least = min(least, growth_at(row, size, larger, seconds(row.read, larger)))
    return 0 if least == math.inf else least


def growth_at(row: Row, size: int, larger: object, longer: float) -> float:
    """How many times longer, or infinity if the clock is too coarse for the smaller input, as on Windows."""
    smaller = row.build(size)
    shorter = seconds(row.read, smaller)
    for _ in range(TRIES):
        if longer <= MOST * shorter:
            break
        shorter, longer = min(shorter, seconds(row.read, smaller)), min(longer, seconds(row.read, larger))
    return longer / shorter if shorter else math.inf


def repeated(text: str, before: str = "", after: str = "") -> Callable[[int], str]:
    return lambda size: before + text * (size // len(text)) + after


def numbered(text: str, before: str = "", after: str = "", between: str = "") -> Callable[[int], str]:
    """The text again and again, with another number in place of ``@`` each time."""
    return lambda size: (
        before + between.join(text.replace("@", f"{number:x}") for number in range(size // (len(text) + 2))) + after
    )


def both(*builds: Callable[[int], str]) -> Callable[[int], str]:
    """One after the other, each with the same length."""
    return lambda size: "".join(build(size // len(builds)) for build in builds)


def encoded(build: Callable[[int], str]) -> Callable[[int], bytes]:
    return lambda size: build(size).encode()


content = partial(read_content, url=URL)


def headers(text: str) -> object:
    return CrawlRules(host_files={"_headers": text.encode()}).noindex(URL)


def compare_reversed(html: str) -> object:
    """Compare the prose of a page with the same pieces in reverse order."""
    prose = read_prose(html)
    return shared_prose(prose, Counter([*prose.elements()][::-1]))


def redirects(text: str) -> object:
    return CrawlRules(host_files={"_redirects": text.encode()}).redirected(URL)


def robots(text: str) -> object:
    rules = RobotsTxt(text.encode())
    return rules.disallows_all, rules.disallows(URL), rules.disallow_line(URL, "Googlebot-Image")


def front_matter(values: dict[str, object]) -> object:
    return read_front_matter(Page(loc=URL, name="page.md", front_matter=values))


def when(header: bytes) -> object:
    return Commit(b"a", header).when()


def in_pieces(read: Callable[[bytearray], object]) -> Callable[[bytes], None]:
    """In pieces, as read from git. After each piece the reader checks whether the answer is complete."""

    def read_pieces(whole: bytes) -> None:
        answer = bytearray()
        for start in range(0, len(whole), 4096):
            answer += whole[start : start + 4096]
            read(answer)

    return read_pieces


def json_ld(build: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: f'<script type="application/ld+json">{build(size)}</script>'


def packed(build: Callable[[int], str]) -> Callable[[int], bytes]:
    header = b"# Sphinx inventory version 2\n# Project: a\n# Version: 1\n# The rest is packed\n"
    return lambda size: header + zlib.compress(build(size).encode())


def urlset(build: Callable[[int], str]) -> Callable[[int], bytes]:
    begin = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
    return lambda size: f"{begin}{build(size)}</urlset>".encode()


def removed_files(size: int) -> bytes:
    """Removed files as git prints them, with names that look like the end of the answer."""
    line = b":100644 000000 " + b"a" * 40 + b" " + b"0" * 40 + b" D\0end\n\0"
    return line * (size // len(line)) + b"end\n"


def moved_files(size: int) -> bytes:
    """Files with the same content and base name in folders within folders, which a commit moved."""
    old, new = b":100644 000000 " + b"a" * 40 + b" 0 D\0", b":000000 100644 0 " + b"a" * 40 + b" A\0"
    ends = [b"a/" * (number % 200) + b"%d/x\0" % number for number in range(size // 600)]
    return b"".join(old + b"1/" + end + new + b"2/" + end for end in ends) + b"end\n"


def crawlers(size: int) -> str:
    names = ("".join(chr(97 + number // 26**place % 26) for place in range(4)) for number in range(size // 17))
    return "".join(f"User-agent: {name}\n" for name in names)


YAML: Final = READERS["yaml"].read
TOML: Final = READERS["toml"].read
SOURCE: Final = READERS["source"].read
CATALOGUE: Final = READERS["catalogue"].read
TAKEN_IN: Final = READERS["files taken in"].read
SITEMAP: Final = READERS["sitemap"].read
EDITED: Final = READERS["sitemap that is edited"].read
OF_OPTIONS: Final = READERS["options"].read
INVENTORY: Final = READERS["inventory"].read

META: Final = '<meta http-equiv="refresh" content="'
ROBOTS: Final = '<meta name="robots" content="'
CANONICAL: Final = '<link rel="canonical" href="/a/">'
LINK: Final = '<xhtml:link rel="alternate" hreflang="de" href="a"/>'
IMAGE: Final = '<img src="b.png">'

HEADS: Final = {
    "a refresh with spaces": Row(read_markup, repeated(" ", f"{META}0", '">')),
    "a refresh with spaces and no target": Row(read_markup, repeated(" ", f"{META}0;url", '">')),
    "robots with spaces": Row(read_markup, repeated(" ", f"{ROBOTS}unavailable_after", '">')),
    "robots with dates": Row(read_markup, repeated("unavailable_after:\n", ROBOTS, '">')),
    "robots with commas": Row(read_markup, repeated(",a", ROBOTS, '">')),
    "robots many times": Row(read_markup, repeated(f'{ROBOTS}a, b">'), LONG),
    "elements in a head": Row(read_markup, repeated("<div>", "", CANONICAL), ODD),
    "links in elements": Row(read_markup, both(repeated("<div>"), repeated(CANONICAL)), ODD),
    "links in a template": Row(read_markup, repeated(CANONICAL, "<b>" * 400 + "<template>"), LONG),
    "links with a long base": Row(
        read_markup, both(repeated("b/", '<base href="https://a.example/', '">'), repeated(CANONICAL))
    ),
    "ends of the head in a comment": Row(read_markup, repeated("</head>", "<!--")),
    "ends of the head with spaces": Row(read_markup, repeated("</head    ")),
    "comments without an end": Row(read_markup, repeated("<!--")),
    "links in a header": Row(lambda text: write_canonicals(text, URL), repeated("<a>;rel=canonical,")),
    "a link in a header with spaces": Row(lambda text: write_canonicals(text, URL), repeated(" ", "<a>;rel=", '"')),
    "structured data": Row(read_markup, json_ld(repeated('{"dateModified":"2026"},', "[", "{}]"))),
    "structured data that nests": Row(read_markup, json_ld(repeated("["))),
    "structured data with a number": Row(read_markup, json_ld(repeated("1", "0."))),
    "scripts that may lead elsewhere": Row(
        read_markup, repeated("location ", f'<noscript>{META}0;url=a"></noscript><script>')
    ),
    "attributes": Row(read_markup, numbered(" a@=1", "<html", ">"), LONG),
    "attributes of many tags": Row(read_markup, numbered("<html a@=1>"), LONG),
    "attributes with brackets": Row(read_markup, numbered(' a@=">"', "<html", ">"), LONG),
    "links to write": Row(
        READERS["head with links"].read, encoded(repeated("<link rel=a href=b>", "<head>", "</head>")), LONG
    ),
    "blocks of links to replace": Row(
        READERS["head with links"].read, encoded(repeated("<!-- links: sitemap-plugins --><link a>")), LONG
    ),
}
STRUCTURES: Final = {
    "elements": Row(content, repeated("<div>"), ODD),
    "elements that are closed": Row(content, both(repeated("<div>"), repeated("</div>")), ODD),
    "paragraphs in elements": Row(content, both(repeated("<div>"), repeated("<p></p>")), ODD),
    "lists": Row(content, repeated("<ul><li>"), ODD),
    "terms": Row(content, repeated("<dd><li>"), ODD),
    "end tags of nothing": Row(content, both(repeated("<div>"), repeated("</x>")), ODD),
    "end tags in comments": Row(content, both(repeated("<div><!--</div>-->"), repeated("</x>")), ODD),
    "end tags in attributes": Row(content, both(repeated('<div><img alt="</div>">'), repeated("</x>")), ODD),
    "end tags in scripts": Row(content, both(repeated("<div><script></div></script>"), repeated("</x>")), ODD),
    "end tags in an object": Row(
        content, both(repeated("<div>", "", "<object>"), repeated("</div>", "", "</object>"), repeated("</x>")), ODD
    ),
    "end tags in svg": Row(content, both(repeated("<g>", "<svg>"), repeated("</x>")), ODD),
    "svg that ends by itself": Row(content, repeated("<svg><p></p><g/></svg><g/>"), ODD),
    "fonts that are not closed": Row(content, numbered("<p><b i=@>x"), ODD // 2),
    "fonts before paragraphs": Row(
        content, both(numbered("<font i=@>", "<p>", "</p>"), repeated("<p>x</p>")), ODD // 2
    ),
    "fonts in tables": Row(content, numbered("<table><b i=@>x"), ODD // 2),
    "fonts that end elsewhere": Row(content, both(numbered("<b i=@>", "<div>"), repeated("</b></p>")), ODD // 2),
    "tables": Row(content, repeated("<table><tr><td>"), ODD),
    "templates": Row(content, repeated("<template><form>"), ODD),
    "frames": Row(content, repeated("<frameset>"), ODD),
    "forms": Row(content, repeated("<form><div></form>"), ODD),
    "names of tags": Row(content, numbered("<x@></x@>"), LONG),
    "names of attributes": Row(content, numbered("<p a@>"), LONG),
    "attributes of a picture": Row(content, numbered(" a@", "<img", ">"), LONG),
    "tags that do not end": Row(content, repeated('<a b="'), LONG),
    "brackets": Row(content, repeated("<"), LONG),
    "comments": Row(content, repeated("<!-- - -- -->"), LONG),
    "scripts": Row(content, repeated("<script>a<b</script>"), LONG),
}
CONTENTS: Final = {
    "an ordinary page": Row(
        content, repeated(f'<h2>A title</h2><p>Some <b class="a">words</b>.</p>{IMAGE}', "<main>"), LONG
    ),
    "titles": Row(content, repeated("<h1> </h1>", "<main>"), LONG),
    "a title of control characters": Row(content, repeated("\x01", "<main><h1>"), LONG),
    "paragraphs": Row(content, repeated("<p>:</p>", "<main>"), LONG),
    "words": Row(content, repeated("<b>a</b> ", "<main><p>"), LONG),
    "pictures": Row(content, repeated(IMAGE), LONG),
    "pictures in a long class": Row(content, both(repeated("a ", '<div class="', '">'), repeated(IMAGE)), LONG),
    "pictures with a long source": Row(
        content, both(repeated("a 1x, ", '<picture><source srcset="', '">'), repeated("<img>")), LONG
    ),
    "spare pictures by a long source": Row(
        content,
        both(repeated("a 1x, ", '<picture><source srcset="', '"><img></picture><noscript>'), repeated(IMAGE)),
        LONG,
    ),
    "spare pictures by long text": Row(content, both(repeated(" ", "", "<noscript>"), repeated(IMAGE)), LONG),
    "a srcset": Row(content, repeated("a.png 1x, ", '<img srcset="', '">'), LONG),
    "a style": Row(content, repeated("width:", '<img src="a.png" style="', '">'), LONG),
    "a class": Row(content, repeated("avata ", '<img src="a.png" class="', '">'), LONG),
    "a width": Row(content, repeated(" ", '<img src="a.png" width="1', 'x">'), LONG),
    "an address": Row(content, repeated("/favicon", '<img src="', '">'), LONG),
    "an address with dots": Row(content, repeated("../", '<img src="', '">'), LONG),
    "a host": Row(content, repeated("a.", '<img src="https://', '/">'), LONG),
    "videos under a caption": Row(
        content,
        both(repeated("a ", "<figure><figcaption>", "</figcaption>"), numbered('<video src="@.mp4"></video>')),
        LONG,
    ),
    "videos below a heading": Row(
        content, both(repeated("a ", "<h2>", "</h2>"), numbered('<video src="@.mp4"></video>')), LONG
    ),
    "sources of a video": Row(content, repeated("<source>", "<video>"), LONG),
    "VideoObjects": Row(content, json_ld(numbered('{"@type":"VideoObject","contentUrl":"@.mp4"},', "[", "{}]")), LONG),
    "a duration": Row(
        content, json_ld(repeated("1", '{"@type":"VideoObject","contentUrl":"a","duration":"P', '"}')), LONG
    ),
    "regions": Row(
        content, json_ld(repeated("DE,", '{"@type":"VideoObject","contentUrl":"a","regionsAllowed":"', '"}')), LONG
    ),
}
WIDE: Final = CrawlRules(host_files={"_redirects": b"/*a/:x/*b /c 301!", "_headers": b"/:a/:b/*c\n X-Robots-Tag: none"})
MAIN_PARTS: Final = {
    "chrome in chrome": Row(read_main_part, repeated("x", "<main>" + "<nav>" * 1000), LONG),
    "many removed": Row(read_main_part, repeated("<b class=linenos>x</b>", "<main>"), LONG),
    "long names": Row(read_main_part, repeated(f"<a id={'_1' * 250}>x</a>", "<main>"), LONG),
    "endless names": Row(
        read_main_part,
        both(
            repeated("0a", "<main><img src=", ".png>"), repeated("-", "<img alt=", ">"), repeated("_", "<a name=", ">")
        ),
        LONG,
    ),
    "endless classes": Row(read_main_part, repeated("highlight-", "<main><div id=x class='", "'>x</div>"), LONG),
    "objects in objects": Row(read_main_part, repeated("<p id=x>x", "<div class=doc-object>" * 300), LONG),
    "code in code": Row(read_main_part, repeated("<a id=x>x</a>", "<pre>" * 500), LONG),
}
PROSE: Final = {
    "code in API objects": Row(read_prose, repeated("<code>x</code>", "<main>" + "<div class=doc-object>" * 300), LONG),
    "descriptions": Row(read_prose, repeated("<dt class=sig>x<dd>x", "<main><dl>"), LONG),
    "different pieces": Row(compare_reversed, numbered("<b>word @</b>", "<main>"), LONG),
    "equal pieces": Row(compare_reversed, repeated("<b>word</b>", "<main>"), LONG),
    "one piece": Row(compare_reversed, repeated("word ", "<main>"), LONG),
}
HOST_FILES: Final = {
    "a header of one word": Row(headers, repeated("a", "/*\n  X-Robots-Tag: ")),
    "a header of names": Row(headers, repeated("max-", "/*\n  X-Robots-Tag: ")),
    "a header of spaces": Row(headers, repeated(" ", "/*\n  X-Robots-Tag: noindex", "x")),
    "a header for stars": Row(headers, repeated("*", "https://", "x/*\n  X-Robots-Tag: noindex")),
    "a header for names": Row(headers, repeated(":a", "https://", "x/*\n  X-Robots-Tag: noindex")),
    "a header for a path of names": Row(headers, repeated("/:a", "", "\n  X-Robots-Tag: noindex")),
    "headers": Row(headers, numbered("/@\n  X-Robots-Tag: noindex\n")),
    "headers for many pages each": Row(headers, numbered("/*@\n  X-Robots-Tag: noindex\n")),
    "redirects": Row(redirects, numbered("/@ /a\n")),
    "redirects of many pages each": Row(redirects, numbered("/*@ /a/:splat 301!\n")),
    "a redirect of stars": Row(redirects, repeated("*a", "/", " /b 301!")),
    "a redirect to names": Row(redirects, repeated("/:splat", "/* ", " 301!")),
    "a redirect with conditions": Row(redirects, repeated(" a=b", "/* /b 301!")),
    "a path for rules": Row(lambda url: (WIDE.noindex(url), WIDE.redirected(url)), repeated("a/b", BASE)),
    "crawlers": Row(robots, both(crawlers, repeated("Disallow: /b\n"))),
    "one crawler many times": Row(robots, both(repeated("User-agent: a\n"), repeated("Disallow: /b\n"))),
    "groups": Row(robots, repeated("User-agent: *\nDisallow: /a\n")),
    "a rule of stars": Row(robots, repeated("*a", "User-agent: *\nDisallow: /", "$")),
    "a rule of escapes": Row(robots, repeated("%41%e4", "User-agent: *\nDisallow: /")),
    "words of a crawler": Row(robots, repeated("a ", "User-agent: ")),
    "blocks": Row(READERS["robots.txt"].read, encoded(repeated("# begin of sitemap-plugins\na\n"))),
    "spaces before a sitemap": Row(READERS["robots.txt"].read, encoded(repeated("\r \t", "", "sitemap"))),
}
SITEMAPS: Final = {
    "elements": Row(SITEMAP, urlset(repeated("<a>"))),
    "elements of an index": Row(
        SITEMAP, encoded(repeated("<a>", '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'))
    ),
    "pages": Row(SITEMAP, urlset(repeated("<url><loc>https://a.example/</loc></url>"))),
    "links": Row(SITEMAP, urlset(repeated(LINK, "<url>", "<loc>a</loc></url>"))),
    "attributes": Row(SITEMAP, urlset(numbered(' a@="1"', "<url", "/>"))),
    "prefixes": Row(SITEMAP, urlset(numbered(' xmlns:a@="b"', "<url", "/>"))),
    "digits": Row(SITEMAP, urlset(repeated("1", "<url><loc>a</loc><priority>", "x</priority></url>"))),
    "text": Row(SITEMAP, urlset(repeated("&lt;", "<url><loc>", "</loc></url>"))),
    "fields": Row(SITEMAP, urlset(repeated("<loc>a</loc>", "<url>", "</url>"))),
    "a declaration": Row(SITEMAP, encoded(repeated(" encoding", "<?xml "))),
    "spaces": Row(SITEMAP, encoded(repeated(" "))),
    "pages to edit": Row(EDITED, urlset(numbered("<url>\n  <loc>https://a.example/@</loc>\n</url>"))),
    "links to edit": Row(EDITED, urlset(repeated(f"\n {LINK}", "<url><loc>a</loc>", "</url>"))),
    "spaces to edit": Row(EDITED, urlset(repeated("\n ", "<url><loc>a</loc>", f"{LINK}</url>"))),
    "fields to edit": Row(EDITED, urlset(repeated("<loc>a</loc>", "<url>", "</url>"))),
    "brackets to edit": Row(EDITED, urlset(repeated('<a b=">">\n</a>', "<url><loc>a</loc>", "</url>"))),
}
INVENTORIES: Final = {
    "colons": Row(INVENTORY, packed(repeated(":", "x "))),
    "roles": Row(INVENTORY, packed(repeated("a:b "))),
    "priorities": Row(INVENTORY, packed(repeated("a:b 1 "))),
    "spaces": Row(INVENTORY, packed(repeated(" ", "x a:b"))),
    "objects": Row(INVENTORY, packed(numbered("a std:doc -1 @.html -\n"))),
}
GIT: Final = {
    "spaces": Row(when, encoded(repeated(" ", "committer A <a@b> 1 ", "x y\n"))),
    "digits": Row(when, encoded(repeated("1", "committer A <a@b> ", "x\n"))),
    "brackets": Row(when, encoded(repeated("> 1 ", "committer A <a@b", "x y\n"))),
    "lines": Row(when, encoded(repeated("committer A\n"))),
    "commits": Row(
        READERS["history"].read, encoded(numbered("commit @ @0\ncommitter A <a@b> 17 +0100\n\n:1 1 a b M\0b.md\0"))
    ),
    "a message": Row(
        lambda text: [*split_at_nul(text[start : start + 4096] for start in range(0, len(text), 4096))],
        encoded(repeated("a")),
    ),
    "removed files": Row(in_pieces(Renames("")._exact._read_answer), removed_files),
    "moved files": Row(in_pieces(Renames("")._exact._read_answer), moved_files),
    "a file": Row(
        lambda text: b"".join(Objects(text[at : at + 4096] for at in range(0, len(text), 4096)).content(b"a") or ()),
        lambda size: b"a blob %d\n" % size + b"\n" * size,
    ),
    "ignored commits": Row(READERS["ignored commits"].read, encoded(numbered("@ # \n"))),
}
INCLUDES: Final = {
    "snippets": Row(TAKEN_IN, encoded(repeated('--8<-- "a.md"\n'))),
    "marks of blocks": Row(TAKEN_IN, encoded(repeated("--8<--\n"))),
    "a block without an end": Row(TAKEN_IN, encoded(repeated("a.md\n", "--8<--\n"))),
    "included files": Row(TAKEN_IN, encoded(repeated("{!a"))),
    "variants": Row(TAKEN_IN, encoded(repeated("{* a.py *}"))),
    "tags": Row(TAKEN_IN, encoded(repeated("{% include "))),
    "comments": Row(TAKEN_IN, encoded(repeated("<!-- @include: "))),
    "code": Row(TAKEN_IN, encoded(repeated("<<< a\n"))),
    "imports": Row(TAKEN_IN, encoded(repeated("import a\n"))),
}
CONFIGURATIONS: Final = {
    "items": Row(YAML, encoded(repeated("- a\n"))),
    "names": Row(YAML, encoded(numbered("a@: b\n"))),
    "brackets": Row(YAML, encoded(repeated("["))),
    "aliases": Row(YAML, encoded(repeated("*a , ", "a: &a b\nc: [", "]"))),
    "anchors": Row(YAML, encoded(numbered("- &a@ b\n- *a@\n"))),
    "anchors on anchors": Row(YAML, encoded(numbered("- &a@ [[[b]]]\n"))),
    "merged mappings": Row(YAML, encoded(repeated("- {<<: *a}\n", "- &a {a: 1, b: 2}\n"))),
    "mappings merged at once": Row(YAML, encoded(repeated("*a , ", "- &a {a: 1, b: 2}\n- {<<: [", "]}"))),
    "a number to the base of 60": Row(YAML, encoded(repeated(":1", "a: 1"))),
    "a fraction to the base of 60": Row(YAML, encoded(repeated(":1", "a: 1", ".5"))),
    "directives": Row(YAML, encoded(numbered("%TAG !a@! b\n", "", "---\n"))),
    "variables": Row(YAML, encoded(repeated("A, ", "a: !ENV [", "B]"))),
    "a long key of a table": Row(TOML, encoded(repeated("a.", "", "a = 1"))),
    "a long name of a table": Row(TOML, encoded(repeated('"a b" . ', "[", "a]"))),
    "long keys": Row(TOML, encoded(numbered("a." * 90 + "@ = 1\n"))),
    "lines of a source": Row(SOURCE, encoded(repeated("a: b\n"))),
    "names of a source": Row(SOURCE, encoded(numbered("a@:b\n"))),
    "marks": Row(SOURCE, encoded(repeated("---\n"))),
    "marks that are none": Row(SOURCE, encoded(repeated("--- \t-\n"))),
    "spaces after a mark": Row(SOURCE, encoded(repeated(" ", "---", "x"))),
    "spaces of a source": Row(SOURCE, encoded(repeated(" "))),
    "braces": Row(SOURCE, encoded(repeated('{"a":'))),
}
RECORD: Final = '{"version":1,"base":"a","date":"author","follow_renames":true,"repositories":{},"pages":['
DATA: Final = {
    "record": Row(
        READERS["record"].read, encoded(numbered('{"loc":"@","document":"a","path":"a"}', RECORD, "]}", ","))
    ),
    "keys that come twice": Row(READERS["record"].read, encoded(numbered('"@":1', "{", ',"0":1}', ","))),
    "plural forms": Row(
        CATALOGUE,
        lambda size: (
            b'msgid "a"\nmsgid_plural "b"\n' + b"".join(b'msgstr[%d] "c"\n' % number for number in range(size // 18))
        ),
    ),
    "messages": Row(CATALOGUE, encoded(numbered('msgid "@"\nmsgstr "b"\n\n'))),
    "lines": Row(CATALOGUE, encoded(repeated('"a"\n', 'msgid "a"\nmsgstr ""\n'))),
    "backslashes": Row(CATALOGUE, encoded(repeated("\\", 'msgid "a"\nmsgstr "', '"\n'))),
    "flags": Row(CATALOGUE, encoded(repeated("fuzzy,", "#, ", '\nmsgid "a"\nmsgstr "b"\n'))),
}
OPTIONS: Final = {
    "names": Row(OF_OPTIONS, encoded(numbered('"@":1', "{", "}", ",")), 500),
    "rules": Row(OF_OPTIONS, encoded(repeated('{"match":"a","priority":2},', '{"pages":[', "{}]}"))),
    "globs": Row(OF_OPTIONS, encoded(numbered('"*@"', '{"exclude":[', "]}", ",")), 100),
    "lists in lists": Row(OF_OPTIONS, encoded(repeated("[", '{"pages":'))),
    "a long name": Row(OF_OPTIONS, encoded(repeated("ab", '{"', '":1}'))),
    "a long value": Row(OF_OPTIONS, encoded(repeated("ab", '{"filename":"', '","indent":"c"}'))),
    "keys": Row(front_matter, lambda size: {f"sitemap_{number}": number for number in range(size // 400)}),
    "translations": Row(front_matter, lambda size: {"sitemap_alternates": numbered("@:a,")(size)}),
    "translations, one twice": Row(
        front_matter, lambda size: {"sitemap_alternates": numbered("@:a,", "", "x:a,x:b")(size)}
    ),
    "translations, one wrong": Row(
        front_matter,
        lambda size: {"sitemap": {"alternates": {f"-{number}": "a" for number in range(size // 300)} | {"fr": "a"}}},
    ),
    "translations of many languages": Row(
        Alternates.parse,
        lambda size: dict.fromkeys(
            islice((f"{a}-{b}" for a in sorted(LANGUAGES) for b in sorted(REGIONS)), size // 50), "a"
        ),
    ),
    "pictures": Row(
        front_matter, lambda size: {"sitemap": {"images": [f"{number}.png" for number in range(size // 10)]}}
    ),
    "globs of pictures": Row(
        front_matter, lambda size: {"sitemap": {"images": [f"!{number}.png" for number in range(size // 300)]}}
    ),
    "videos": Row(
        front_matter,
        lambda size: {
            "sitemap": {"videos": [{"title": "a", "content_loc": f"{number}.mp4"} for number in range(size // 99)]}
        },
    ),
    "a date": Row(
        front_matter, lambda size: {"date": "2026-01-01T" + " 1" * size, "lastmod": "2026-01-01" + "0" * size}
    ),
    "a layout": Row(lambda text: parse_pattern("{lang}-{version}-x")[0].fullmatch(text[:NAME]), repeated("-a")),
    "a section": Row(SectionName.parse, repeated("a-")),
    "a function": Row(Hook.parse, repeated("a.")),
    "a host": Row(HostPattern.parse, repeated("ä")),
}
VALUES: Final = {
    "a host": Row(encode_url, lambda size: f"https://{''.join(map(chr, range(0x4E00, 0x4E00 + size % 20_000)))}/"),
    "labels of a host": Row(encode_url, repeated("ä.", "https://", "/")),
    "percent signs": Row(encode_url, repeated("%é%41", "https://a.example/")),
    "users": Row(encode_url, repeated("@", "https://", "/")),
    "a port": Row(encode_url, repeated("1", "https://a.example:", "/")),
    "parameters": Row(tracking_parameter, repeated("?utm_", "https://a.example/", "=")),
    "the key of a URL": Row(page_key, repeated("index.html/", "https://a.example/")),
    "a date with spaces": Row(parse_lastmod, repeated(" ", "2026-01-01T00:00:00", "x")),
    "a date with digits": Row(parse_lastmod, repeated("0", "2026-01-01T00:00:00.", "+01")),
    "a language": Row(parse_language, repeated("de-")),
    "a line": Row(one_line, repeated("a\x01 ")),
    "a text for a terminal": Row(printable, repeated("\x1b\u202e")),
    "the key in an answer": Row(lambda text: _without_key(text, "-".join(["a"] * 64)), repeated("a-")),
    "a name that is nearly another": Row(lambda name: closest(name, ["lastmod", "priority"]), repeated("lastmod")),
}
AREAS: Final = {
    "head": HEADS,
    "page": STRUCTURES,
    "content": CONTENTS,
    "main part": MAIN_PARTS,
    "prose": PROSE,
    "host file": HOST_FILES,
    "sitemap": SITEMAPS,
    "inventory": INVENTORIES,
    "git": GIT,
    "configuration": CONFIGURATIONS,
    "included": INCLUDES,
    "data": DATA,
    "options": OPTIONS,
    "value": VALUES,
}
ROWS: Final = {f"{area}: {name}": row for area, rows in AREAS.items() for name, row in rows.items()}


@pytest.mark.clock
@pytest.mark.parametrize("name", ROWS)
def test_four_times_the_input_takes_at_most_nine_times_as_long(name: str) -> None:
    assert growth(ROWS[name]) <= MOST


# Patterns that are built from input, and the rows above that attack them.
MADE: Final = {
    "sitemap_plugins.git.walk: re.search(b'(?m)^%s (?P<words>.*+)' % who, self.header)": "git: spaces",
    (
        "sitemap_plugins.versions.finding: "
        "re.compile(''.join((_PLACES.get(part) or re.escape(part) for part in _PLACE.split(step))))"
    ): "options: a layout",
    "sitemap_plugins.pages.crawl_rules: re.compile(host, re.IGNORECASE)": "host file: a header for names",
    "sitemap_plugins.pages.crawl_rules: re.compile(_literal(before))": "host file: a path for rules",
    "sitemap_plugins.pages.crawl_rules: re.compile(_literal(before.removesuffix('/')) + rest + _literal(after))": (
        "host file: a path for rules"
    ),
    "sitemap_plugins.live.indexnow: re.sub(key, 'KEY', one_line(unquote(text)), flags=re.IGNORECASE)": (
        "value: the key in an answer"
    ),
}
# Those that an author writes, for names of Python's objects. mkdocstrings has run them before.
AUTHORS: Final = {
    "sitemap_plugins.folder.documented: re.search(each.removeprefix('!'), member.name)",
    "sitemap_plugins.folder.generators.mkdocs: re.match(name, page.module)",
}


def test_every_regular_expression_is_known() -> None:
    uses, unknown = find_uses()
    assert MADE.keys() | AUTHORS == unknown, "add a row that attacks it to MADE"
    assert {*MADE.values()} <= ROWS.keys()
    assert len(uses) > 100


@pytest.mark.clock
def test_no_regular_expression_takes_quadratic_time() -> None:
    uses, _ = find_uses()
    assert [(use.name, attack(60)) for use in uses for attack in use.attacks() if is_quadratic(use, attack)] == []


def is_quadratic(use: Use, attack: Attack) -> bool:
    text = attack(2000)
    begin = time.process_time()
    use.run(text)
    # Most are so fast that they cannot be quadratic.
    return time.process_time() - begin > SHORTEST / 10 and growth(Row(use.run, attack)) > MOST
