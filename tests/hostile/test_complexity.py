"""The time of a reader grows with its input, and not with the square of it, whatever the input is."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple

import pytest

from sitemap_plugins.formats.robots import RobotsTxt, merge_robots
from sitemap_plugins.git.walk import Commit, split_at_nul
from sitemap_plugins.pages.crawl_rules import CrawlRules
from sitemap_plugins.translations.inventory import PagesError, read_pages

URL: Final = "https://docs.example.org/en/guide/page.html"
_MOST: Final = 6.0  # times as long for four times as much; what is linear takes 4, what is quadratic 16
_ENOUGH: Final = 0.004  # seconds, below which nothing can be measured
_TRIES: Final = 5


class Attack(NamedTuple):
    """An input for a reader, of a size that is large enough to be measured."""

    read: Callable[[bytes], object]
    write: Callable[[int], bytes]
    size: int = 20_000


def headers(content: bytes) -> object:
    return CrawlRules(host_files={"_headers": content}).noindex(URL)


def redirects(content: bytes) -> object:
    return CrawlRules(host_files={"_redirects": content}).redirected(URL)


def robots(content: bytes) -> object:
    return RobotsTxt(content).keeps_out(URL), merge_robots(content, [URL])


def inventory(content: bytes) -> object:
    header = b"# Sphinx inventory version 2\n# Project: a\n# Version: 1\n# zlib\n"
    with suppress(PagesError):
        return read_pages(header + zlib.compress(content), "https://docs.example.org/")
    return None


def commit(content: bytes) -> object:
    return Commit(b"", content).when()


def stream(content: bytes) -> object:
    return [*split_at_nul(content[at : at + 100] for at in range(0, len(content), 100))]


ATTACKS: Final = {
    "_headers: a host of stars": Attack(
        headers, lambda size: b"https://%sx/*\n  X-Robots-Tag: noindex\n" % (b"*" * size)
    ),
    "_headers: names in a host": Attack(
        headers, lambda size: b"https://%s/*\n  X-Robots-Tag: noindex\n" % (b":a" * size)
    ),
    "_headers: a long value": Attack(headers, lambda size: b"/*\n  X-Robots-Tag: %snoindex\n" % (b"a " * size)),
    "_headers: a value of letters": Attack(headers, lambda size: b"/*\n  X-Robots-Tag: %s\n" % (b"a" * size)),
    "_headers: many directives": Attack(headers, lambda size: b"/*\n  X-Robots-Tag: %s\n" % (b"max-a:" * size)),
    "_headers: names in a path": Attack(
        headers, lambda size: b"%s/x\n  X-Robots-Tag: noindex\n" % (b"/:a" * size), 4_000
    ),
    "_redirects: stars": Attack(redirects, lambda size: b"/%s /b 301!\n" % (b"*" * size)),
    "_redirects: words": Attack(redirects, lambda size: b"/a %s\n" % (b"b " * size)),
    "robots.txt: one group of many": Attack(
        robots, lambda size: b"User-agent: a\n" * size + b"Disallow: /a\n" * size, 4_000
    ),
    "robots.txt: crawlers of one group": Attack(
        robots,
        lambda size: b"".join(b"User-agent: a%d\n" % number for number in range(size)) + b"Disallow: /\n" * size,
        1_000,
    ),
    "robots.txt: a pattern of stars": Attack(robots, lambda size: b"User-agent: *\nDisallow: /%sx\n" % (b"*a" * size)),
    "robots.txt: beginnings of our block": Attack(robots, lambda size: b"# begin of sitemap-plugins\n" * size, 4_000),
    "inventory: words": Attack(inventory, lambda size: b"a " * size),
    "inventory: roles": Attack(inventory, lambda size: b"a:b 1 " * size),
    "inventory: colons": Attack(inventory, lambda size: b"a " + b":" * size),
    "inventory: white space": Attack(inventory, lambda size: b"a a:b" + b" " * size + b"x"),
    "commit: white space": Attack(commit, lambda size: b"committer a <b> %sx" % (b" " * size)),
    "commit: angle brackets": Attack(commit, lambda size: b"committer %s" % (b"> " * size)),
    "commit: digits": Attack(commit, lambda size: b"committer a <b> %sx" % (b"1" * size)),
    "history: a piece without end": Attack(stream, lambda size: b"a" * size, 400_000),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_four_times_as_much_takes_four_times_as_long(name: str) -> None:
    attack = ATTACKS[name]
    ratio = _ratio(attack)
    for _ in range(_TRIES):
        if ratio <= _MOST:
            break
        ratio = min(ratio, _ratio(attack))
    assert ratio <= _MOST


def _ratio(attack: Attack) -> float:
    once, often = (_seconds(attack.read, attack.write(size)) for size in (attack.size, 4 * attack.size))
    return often / max(once, _ENOUGH / 4)


def _seconds(read: Callable[[bytes], object], content: bytes) -> float:
    begin = time.process_time()
    read(content)
    return time.process_time() - begin
