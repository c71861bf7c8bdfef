"""Tells search engines which URLs of a site have changed, by IndexNow (https://www.indexnow.org/documentation)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

import msgspec

from sitemap_plugins.live.crawling import Crawler, wait, wait_asked_for
from sitemap_plugins.live.fetching import FOUND, Answer, Server, Wanted, is_temporary
from sitemap_plugins.live.site import LiveError, LiveSite
from sitemap_plugins.reading import ROBOTS_TXT, SERVED_PAGE
from sitemap_plugins.values.dates import format_lastmod
from sitemap_plugins.values.urls import InvalidURLError, encode_url, file_path, is_local, is_unreachable, root_of

ENDPOINT: Final = "https://api.indexnow.org/indexnow"
"""Forwards URLs to all search engines that take part."""

_KEY: Final = re.compile(r"[A-Za-z0-9-]{8,128}")
_BATCH: Final = 10_000
_SHARE: Final = 0.9  # of the dates on one day: a build made them
_ACCEPTED: Final = frozenset({200, 202})
_UNVERIFIED: Final = b"SiteVerificationNotCompleted"
_CAUSES: Final[Mapping[int, str]] = {
    400: "it does not understand the request: is this the URL of an IndexNow service?",
    403: "it refuses the key: is the content of the key's file the key, and nothing else?",
    422: "it refuses the URLs: are they below the folder of the key's file?",
}

Dates = Mapping[str, str]
"""The ``lastmod`` of each URL as written in a sitemap; empty if it has none."""


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """The URLs that engines have to be told: in alphabetical order, each once.

    ``is_of_builds`` means that nearly all dates are those of builds, so that other dates are no changes.
    """

    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    is_of_builds: bool = False

    @property
    def urls(self) -> list[str]:
        """All of them."""
        return sorted((*self.new, *self.changed, *self.gone))


def dates_of(site: LiveSite) -> dict[str, str]:
    """The dates of all valid URLs that the sitemaps of a site list. Raises `LiveError` if there are none."""
    found: dict[str, str] = {}
    for entry in site.entries:
        date = format_lastmod(entry.lastmod, "datetime") if entry.lastmod else ""
        with suppress(InvalidURLError):
            loc = encode_url(entry.loc)
            found[loc] = max(date, found.get(loc, ""))
    if not found:
        raise LiveError(f"the sitemaps list no URL below {site.base_url}; nothing was sent")
    return found


def render_noted(dates: Dates) -> bytes:
    """The file of noted URLs: in each line a URL and its date, if it has one."""
    return "".join(f"{url} {date}".rstrip() + "\n" for url, date in sorted(dates.items())).encode()


def read_noted(content: bytes, base_url: str) -> dict[str, str]:
    """The dates in a file of noted URLs. Raises `LiveError` if it is none, or that of another site."""
    found = {}
    for number, line in enumerate(content.decode(errors="replace").splitlines(), 1):
        url, _, date = line.partition(" ")
        if file_path(base_url, url) is None:
            is_url = url.startswith(("http://", "https://"))
            other = f"{url:.200} is not below {base_url}: each site needs its own file"
            why = other if is_url else "it has no URL; give a file that submit wrote, or a new name"
            raise LiveError(f"line {number} of the noted URLs: {why}")
        found[url] = date
    return found


def find_due(noted: Dates, listed: Dates) -> Due:
    """What has changed between the noted URLs and those that are listed now. A page without a date never changes."""
    days = [_day_of_most(dates) for dates in (noted, listed)]
    changed = sorted(url for url, date in listed.items() if date and noted.get(url, date) != date)
    is_of_builds = bool(changed) and None not in days and days[0] != days[1]
    return Due(
        new=tuple(sorted(listed.keys() - noted.keys())),
        changed=() if is_of_builds else tuple(changed),
        gone=tuple(sorted(noted.keys() - listed.keys())),
        is_of_builds=is_of_builds,
    )


def _day_of_most(dates: Dates) -> str | None:
    days = Counter(date[:10] for date in dates.values() if date)
    day, number = max(days.items(), key=lambda each: each[1], default=(None, 0))
    return day if number > 1 and number >= _SHARE * days.total() else None


def check_key(key: str) -> str:
    """The key, if it has a valid form. Raises `LiveError`, which does not show it."""
    if not _KEY.fullmatch(key):
        raise LiveError("the key must have 8 to 128 letters, digits and hyphens")
    return key


def find_key(key: str, base_url: str, crawler: Crawler) -> str:
    """The URL of the file with the key: at the root of the host, or else below the base URL. Raises `LiveError`.

    An engine that looks for the file in vain refuses the key from then on.
    """
    answers = []
    for place in dict.fromkeys((root_of(base_url), base_url)):
        (answer,) = crawler.fetch([Wanted(url=f"{place}{key}.txt", limit=ROBOTS_TXT)])
        if answer.status == FOUND and answer.content.strip() == key.encode():
            return answer.url
        answers.append(f"{place}KEY.txt ({_describe(answer)})")
    message = f"the file with the key is not served, so nothing was sent: {', '.join(answers)}"
    raise LiveError(f"{message}; its name before .txt and its only content must be the key", is_temporary=True)


def _describe(answer: Answer) -> str:
    return "its content is different" if answer.status == FOUND else answer.error or str(answer.status)


def parse_endpoint(url: str, base_url: str) -> str:
    """The URL of a service in its normal form. It must be HTTPS unless it is local.

    A service elsewhere gets no URLs of local sites and of previews. Raises `LiveError`.
    """
    try:
        encoded = encode_url(url)
    except InvalidURLError as error:
        raise LiveError(f"the endpoint {error}") from None
    if not is_local(encoded):
        if not encoded.startswith("https:"):
            raise LiveError("the endpoint must be an https:// URL")
        if is_unreachable(base_url):
            raise LiveError(f"search engines cannot open {base_url}; give the URL of the site on the web")
    return encoded


class Service(msgspec.Struct, frozen=True, kw_only=True):
    """A service that takes URLs. ``pauses`` are the seconds before each repetition, at most ``longest_pause``."""

    server: Server
    endpoint: str
    pauses: Sequence[float] = (10, 60)
    longest_pause: float = 60

    def send(self, urls: Sequence[str], key: str, key_url: str) -> Iterator[Sequence[str]]:
        """Send the URLs in batches, and yield each that is accepted. Raises `LiveError` at the first that is not."""
        host = urlsplit(key_url).netloc
        for start in range(0, len(urls), _BATCH):
            batch = urls[start : start + _BATCH]
            text = {"host": host, "key": key, "keyLocation": key_url, "urlList": batch}
            self._send(json.dumps(text).encode())
            yield batch

    def _send(self, data: bytes) -> None:
        wanted = Wanted(url=self.endpoint, limit=SERVED_PAGE, is_beginning=True, data=data)
        for pause in (*self.pauses, None):
            answer = self.server.ask(wanted)
            if answer.status in _ACCEPTED:
                return
            if answer.status == 403 and _UNVERIFIED in answer.content:
                raise LiveError(f"{self.endpoint} has not verified the key yet; try again later", is_temporary=True)
            if not is_temporary(answer.status):
                cause = _CAUSES.get(answer.status, "is this the URL of an IndexNow service?")
                raise LiveError(f"{self.endpoint} answers {answer.status}: {cause}")
            if pause is not None:
                wait(wait_asked_for(answer, pause, self.longest_pause))
        raise LiveError(f"{self.endpoint}: {answer.problem}", is_temporary=True)
