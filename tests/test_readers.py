"""Independent readers find the pages: a crawler starting at the home page, and a feed reader."""

from __future__ import annotations

import re
from collections.abc import Iterable
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import feedparser
import pytest
from usp.tree import sitemap_tree_for_homepage
from usp.web_client.abstract_client import (
    AbstractWebClient,
    AbstractWebClientResponse,
    AbstractWebClientSuccessResponse,
    WebClientErrorResponse,
)

LOC = re.compile(r"<url><loc>([^<]*)</loc>")
FEEDS = ("*.rss", "*.atom")
SUGGESTION = re.compile(r"announce the sitemap in (?P<url>\S+/robots\.txt): (?P<line>Sitemap: [^\s,]+)")


def test_ultimate_sitemap_parser_finds_exactly_the_listed_pages(sample: Any, sample_builds: Any) -> None:
    built = sample_builds[sample.name]
    here = [path.relative_to(sample.expected) for path in sorted(sample.expected.rglob("sitemap*.xml"))]
    expected = {loc for path in here for loc in LOC.findall((sample.expected / path).read_text("utf-8"))}
    home = urljoin(sample.url, "/")
    web = Web(sample.url, built.site, sample.other_urls)
    for suggestion in filter(None, map(SUGGESTION.search, built.notes)):
        # If the site has a robots.txt at the root of its host, that file counts.
        if not (urljoin(sample.url, "/") == sample.url and (built.site / "robots.txt").is_file()):
            web.pages[suggestion["url"]] = suggestion["line"].encode()

    tree = sitemap_tree_for_homepage(home, web_client=web, use_known_paths=False)

    assert web.found[0] == f"{home}robots.txt"
    # A flat sitemap beside sections is not announced, so that no page is found twice.
    flat = {Path("sitemap.xml")} if Path("sitemap-index.xml") in here else set()
    feeds = [path.relative_to(sample.expected) for pattern in FEEDS for path in sample.expected.glob(pattern)]
    assert sorted(urlsplit(url).path for url in web.found[1:]) == sorted(
        urlsplit(urljoin(sample.url, path.as_posix())).path for path in {*here, *feeds} - flat
    )
    assert {page.url for page in tree.all_pages()} == expected


@pytest.mark.parametrize(
    ("name", "version", "date"), [("changes.rss", "rss20", "published"), ("changes.atom", "atom10", "updated")]
)
def test_feedparser_reads_the_pages_that_changed_last(sample_builds: Any, name: str, version: str, date: str) -> None:
    feed = feedparser.parse(sample_builds["blog"].results[name])
    assert not feed.bozo, feed.get("bozo_exception")
    assert feed.version == version
    assert (feed.feed.title, feed.feed.link) == ("Milepost", "https://milepost.example/")
    assert {"https://milepost.example/" + name} == {each.href for each in feed.feed.links if each.rel == "self"}
    assert [(each.title, each[f"{date}_parsed"][:5]) for each in feed.entries] == [
        ("A third engine", (2026, 5, 8, 16, 45)),
        ("Lost property", (2026, 5, 8, 16, 45)),
        ("A second engine", (2026, 5, 6, 17, 30)),
        ("Timetable", (2025, 11, 2, 10, 0)),
        ("The tunnel", (2025, 7, 30, 19, 0)),
        ("Snow & salt", (2025, 1, 12, 15, 20)),
    ]
    assert feed.entries[4].summary == "How a flower pot became a tunnel."
    assert {each.id for each in feed.entries} == {each.link for each in feed.entries}


class Web(AbstractWebClient):
    """A web with a single site, whose pages are the files of a folder."""

    def __init__(self, base_url: str, folder: Path, other_urls: Iterable[str] = ()) -> None:
        self.pages: dict[str, bytes] = {}
        self.found: list[str] = []
        self._base_urls = (base_url, *other_urls)
        self._folder = folder

    def set_max_response_data_length(self, max_response_data_length: int | None) -> None:
        pass

    def get(self, url: str) -> AbstractWebClientResponse:
        content = self.pages.get(url)
        base_url = next((base for base in self._base_urls if url.startswith(base)), None)
        if content is None and base_url is not None:
            path = self._folder / unquote(urlsplit(url.removeprefix(base_url)).path)
            content = path.read_bytes() if path.is_file() else None
        if content is None:
            return WebClientErrorResponse(message=f"404 Not Found: {url}", retryable=False)
        self.found.append(url)
        return Found(url, content)


class Found(AbstractWebClientSuccessResponse):
    def __init__(self, url: str, content: bytes) -> None:
        self._url = url
        self._content = content

    def status_code(self) -> int:
        return HTTPStatus.OK

    def status_message(self) -> str:
        return HTTPStatus.OK.phrase

    def header(self, case_insensitive_name: str) -> str | None:
        kinds = {".xml": "application/xml", ".gz": "application/gzip", ".txt": "text/plain"}
        kind = kinds.get(Path(urlsplit(self._url).path).suffix)
        return kind if case_insensitive_name.lower() == "content-type" else None

    def raw_data(self) -> bytes:
        return self._content

    def url(self) -> str:
        return self._url
