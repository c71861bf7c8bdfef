"""Tells search engines which URLs of a site have changed, by IndexNow (https://www.indexnow.org/documentation)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, TypeAlias
from urllib.parse import unquote, urlsplit

import msgspec

from sitemap_plugins.formats.robots import RobotsTxt
from sitemap_plugins.live.fetching import TEMPORARY, Answer, Manners, Server
from sitemap_plugins.live.site import LaterError, LiveError, LiveSite
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import ROBOTS_TXT, SERVED_PAGE
from sitemap_plugins.values.dates import format_lastmod
from sitemap_plugins.values.text import count_of, one_line
from sitemap_plugins.values.urls import file_path, is_local, is_unreachable, root_of, usable_url

ENDPOINT: Final = "https://api.indexnow.org/indexnow"
"""Forwards URLs to all search engines that take part."""

_PAUSES: Final = (10, 60)  # seconds, unless the service asks for others
_BATCH: Final = 10_000
_CRAWLERS: Final = ("*", "Bingbot", "Yandex", "YandexBot", "Yeti", "SeznamBot", "YepBot")  # of engines that take part
_CAUSES: Final[Mapping[int, str]] = {
    403: "it rejects the key, although the site serves it, and will go on doing so; make a new one",
    422: "it rejects the URLs: are they below the folder of the key's file?",
}

Dates: TypeAlias = Mapping[str, str]
"""The ``lastmod`` of URLs as a sitemap has it; empty for one without."""


def dates_of(site: LiveSite) -> dict[str, str]:
    """The dates of all valid URLs that the sitemaps of a site list, before its pages are fetched.

    Raises `LiveError` if there are none, robots.txt blocks all, or a sitemap was not read: its URLs would seem gone.
    """
    for url, answer in site.served.items():
        if answer.problem or not answer.is_sent:
            kind = LaterError if answer.status in TEMPORARY else LiveError
            raise kind(f"{url}: {answer.problem or f'the server answers {answer.status}'}; nothing was sent")
    for path, sitemap in site.sitemaps.items():
        if sitemap.kind == "unusable":
            raise LiveError(f"{site.base_url}{path} {sitemap.error}; nothing was sent")
    found: dict[str, str] = {}
    for entry in site.entries:
        if loc := usable_url(entry.loc):
            date = format_lastmod(entry.lastmod, "datetime") if entry.lastmod else ""
            found[loc] = max(date, found.get(loc, ""))
    if not found:
        raise LiveError(f"the sitemaps list no URL below {site.base_url}; nothing was sent")
    robots = RobotsTxt(Tree(site.folder).robots or b"")
    if all(robots.disallow_line(loc, crawler) for crawler in _CRAWLERS for loc in found):
        line = robots.disallow_line(min(found), "*")
        raise LiveError(f"{root_of(site.base_url)}robots.txt blocks all listed URLs ({line}); nothing was sent")
    return found


def are_of_builds(noted: Dates, listed: Dates) -> bool:
    """Whether nine of ten dates are of one day, and were of another: builds made them, so they tell of no changes."""
    before, now = _day_of_most(noted), _day_of_most(listed)
    return None not in {before, now} and before != now


def without_dropped(noted: Dates, listed: Dates) -> dict[str, str]:
    """The noted URLs without those that a feed may have dropped, which lists only its newest pages, without dates."""
    return {loc: date for loc, date in noted.items() if date or loc in listed}


def find_due(noted: Dates, listed: Dates) -> dict[str, str]:
    """The URLs that engines have to be told, in alphabetical order: each is "new", "changed" or "gone".

    The dates are those of noted URLs, and those that are listed now. A page without a date never changes.
    """
    due = dict.fromkeys(listed.keys() - noted.keys(), "new") | dict.fromkeys(noted.keys() - listed.keys(), "gone")
    if not are_of_builds(noted, listed):
        due |= {url: "changed" for url, date in listed.items() if date and noted.get(url, date) != date}
    return dict(sorted(due.items()))


def _day_of_most(dates: Dates) -> str | None:
    days = Counter(date[:10] for date in dates.values() if date)
    day, number = max(days.items(), key=lambda each: each[1], default=(None, 0))
    return day if number > 1 and number >= 0.9 * days.total() else None


def render_noted(dates: Dates) -> bytes:
    """The file of noted URLs: in each line a URL and its date, if it has one."""
    return "".join(f"{url} {date}".rstrip() + "\n" for url, date in sorted(dates.items())).encode()


def read_noted(content: bytes, base_url: str) -> dict[str, str]:
    """The dates in a file of noted URLs. Raises `LiveError` if it has a line without a URL below the base URL."""
    found: dict[str, str] = {}
    for number, line in enumerate(content.decode(errors="replace").splitlines(), 1):
        url, _, date = line.partition(" ")
        if file_path(base_url, url) is None:
            raise LiveError(f"line {number} of --noted: {url[:99]!r} is not below {base_url}; use this site's own file")
        found[url] = date
    return found


def parse_endpoint(url: str, base_url: str, *, dry_run: bool = False) -> str:
    """The URL of a service: HTTPS or local. Only local ones are sent what nobody else can open. Raises `LiveError`."""
    endpoint = usable_url(url) or ""
    if not (endpoint.startswith("https:") or is_local(endpoint)):
        raise LiveError("the endpoint must be an https:// URL without a user name and a password")
    if is_unreachable(base_url) and not (dry_run or is_local(endpoint)):
        raise LiveError(f"search engines cannot open {base_url}; give the URL of the site on the web")
    return endpoint


def find_key(key: str, base_url: str, server: Server) -> str:
    """The URL of the file with the key: at the root of the host, or else below the base URL. Raises `LaterError`.

    An engine that looks for the file in vain refuses the key from then on.
    """
    tried = []
    hint = "its name before .txt and its only content must be the key"
    for place in dict.fromkeys((server.root, base_url)):
        (answer,) = server.fetch([f"{place}{key}.txt"], ROBOTS_TXT)
        if answer.content.strip() == key.encode():
            return answer.url
        why = "its content is different" if answer.content else answer.error or answer.status
        if answer.problem:
            hint = "a firewall may block this client, so open that URL in a browser"
        tried.append(f"{answer.url} ({why})".replace(key, "KEY"))
    raise LaterError(f"the file with the key is not served, so nothing was sent: {', '.join(tried)}; {hint}")


def send(due: Sequence[str], noted: Dates, listed: Dates, key: str, key_url: str, endpoint: str) -> Iterator[Dates]:
    """Send URLs in batches, and yield the dates to note after each that is accepted. Raises `LiveError`."""
    dates = {**noted}
    for start in range(0, len(due), _BATCH):
        server = Server(endpoint, Manners(pauses=_PAUSES, busy=TEMPORARY))  # which counts the failures of this batch
        batch = due[start : start + _BATCH]
        text = {"host": urlsplit(key_url).netloc, "key": key, "keyLocation": key_url, "urlList": batch}
        (answer,) = server.fetch([endpoint], SERVED_PAGE, json.dumps(text).encode())
        if answer.status not in {200, 202}:
            raise _refusal(answer, key, f"{start:,} of {count_of(len(due), 'URL')} accepted")
        for loc in batch:
            dates.pop(loc, None)
        dates |= {loc: listed[loc] for loc in batch if loc in listed}
        yield dates


def _refusal(answer: Answer, key: str, accepted: str) -> LiveError:
    """The error for an answer to a batch that was not accepted, with what the service says about it in JSON."""
    is_unverified = answer.status == 403 and b"SiteVerificationNotCompleted" in answer.content
    if is_unverified or answer.status in TEMPORARY:
        why = "it has not verified the key yet" if is_unverified else _without_key(answer.problem, key)
        return LaterError(f"{answer.url}: {why}; {accepted}; the next run sends the rest")
    cause = _CAUSES.get(answer.status, "is this the URL of an IndexNow service?")
    about: dict[str, object] = {}
    with suppress(msgspec.MsgspecError, UnicodeError, RecursionError):
        about = msgspec.json.decode(answer.content, type=dict[str, object])
    words = (about.get("errorCode") or about.get("code"), about.get("message"))
    said = _without_key(": ".join(each for each in words if isinstance(each, str)), key)
    shown = f"{answer.status} ({said})" if said else answer.status
    return LiveError(f"{answer.url}: the server answers {shown}: {cause}; {accepted}")


def _without_key(text: str, key: str) -> str:
    """The text of a service in one line and cut, without the key, which it may repeat; "KEY" if that is in pieces."""
    line = re.sub(key, "KEY", one_line(unquote(text)), flags=re.IGNORECASE)
    bare, pieces = (re.sub(r"[\W_]", "", each).lower() for each in (key, line))
    return "KEY" if bare in pieces else one_line(line, 200)
