"""Read text sitemaps of any tool as entries."""

from __future__ import annotations

from sitemap_plugins.formats.problems import Located, OnProblem, Problem, url_faults
from sitemap_plugins.formats.sitemap_reading import BOM, SitemapError
from sitemap_plugins.model import Entry
from sitemap_plugins.reading import SITEMAP
from sitemap_plugins.values.urls import cut_url


def read_text(content: bytes, on_problem: OnProblem) -> list[Located]:
    """The URLs of a text sitemap as entries, with their places; ``on_problem`` is called with each problem.

    Empty lines are ignored. Raises `SitemapError`, after the problem that makes the file unusable.
    """
    if content.startswith(BOM):
        on_problem(Problem(kind="byte-order-mark", line=1, column=1))
    try:
        lines = content.removeprefix(BOM).decode().splitlines()
    except UnicodeDecodeError as error:
        place = content.count(b"\n", 0, error.start) + 1
        raise _refused(SitemapError("is not UTF-8", "not-utf8"), place, on_problem) from None
    found: list[Located] = []
    for number, line in enumerate(lines, 1):
        if not (url := line.strip()):
            continue
        if len(found) == SITEMAP.entries:
            what = f"lists more than {SITEMAP.entries:,} URLs, the limit for {SITEMAP.what}"
            raise _refused(SitemapError(what, "too-large"), number, on_problem)
        for fault in url_faults(url):
            on_problem(fault.at((number, 1), url, url))
        found.append(Located(Entry(loc=cut_url(url)), number, 1))
    if not found:
        on_problem(Problem(kind="empty-sitemap", line=1, column=1, why="lists nothing"))
    return found


def _refused(error: SitemapError, line: int, on_problem: OnProblem) -> SitemapError:
    on_problem(Problem(kind=error.kind, line=line, column=1, why=str(error)))
    return error
