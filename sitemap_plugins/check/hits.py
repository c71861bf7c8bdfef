"""Makes the hits of rules: at entries of sitemaps, at lines of robots.txt, and by what distinguishes two URLs."""

from __future__ import annotations

from urllib.parse import urlsplit

from sitemap_plugins.findings.grouping import Hit
from sitemap_plugins.site.published_site import ListedURL, PublishedSite


def hit_at(listed: ListedURL, rule: str, cause: str, *, found: str = "", expected: str = "") -> Hit:
    """A hit of a rule at an entry of a sitemap."""
    return Hit(
        rule=rule,
        cause=cause,
        url=listed.entry.loc,
        file=listed.sitemap,
        line=listed.line,
        column=listed.column,
        found=found,
        expected=expected,
    )


def blocking_line(site: PublishedSite, url: str) -> tuple[str, int]:
    """The line of robots.txt that blocks a URL for search engines, and its number; empty and 0 if none does."""
    line = site.crawl_rules.disallow_line(url, "Googlebot") or ""
    return line, line_number(site.tree.robots, line) if line else 0


def line_number(content: bytes | None, text: str) -> int:
    """The number of the first line of a file that begins with these words; 0 if there is none."""
    words = text.split()
    lines = (line.split() for line in (content or b"").decode("utf-8-sig", errors="replace").splitlines())
    return next((number for number, line in enumerate(lines, 1) if line[: len(words)] == words), 0)


def change_of(found: str, expected: str) -> str:
    """What distinguishes two base URLs, as short as possible: ``http→https``, two hosts, or both of them."""
    there, here = urlsplit(found), urlsplit(expected)
    if (there.netloc, there.path) == (here.netloc, here.path):
        return f"{there.scheme}→{here.scheme}"
    if (there.scheme, there.path) == (here.scheme, here.path):
        return f"{there.netloc}→{here.netloc}"
    return f"{found}→{expected}"
