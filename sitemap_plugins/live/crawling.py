"""Fetches many URLs of a server with the manners that its operator expects: a few at a time, and not too often."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from queue import Empty
from typing import Final

import msgspec

from sitemap_plugins.live.fetching import STEP, Answer, Fetch, Server, Wanted
from sitemap_plugins.reading import Limit
from sitemap_plugins.values.urls import absolute_url, usable_url

_BUSY: Final = frozenset({429, 503})
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_HOPS: Final = 5  # as many as crawlers follow for robots.txt (RFC 9309, section 2.3.1.2)


class Manners(msgspec.Struct, frozen=True, kw_only=True):
    """How to treat a server: at most ``rate`` requests a second (0: as many as it answers), and ``workers`` at a time.

    If it says that it is busy, everything waits for as long as it asks, at most ``longest_wait`` seconds, or else
    ``wait``. After ``most_failures`` answers that tell nothing, it is left alone.
    """

    rate: float = 10
    workers: int = 4
    wait: float = 10
    longest_wait: float = 60
    most_failures: int = 20


class Crawler:
    """Fetches URLs of a server, and asks once more for those for which it was too busy."""

    def __init__(self, server: Server, manners: Manners) -> None:
        self.server = server
        self._manners = manners
        self._gap = 1 / manners.rate if manners.rate > 0 else 0.0
        self._next = 0.0
        self._failures = 0

    def follow(self, url: str, limit: Limit) -> Answer:
        """The answer for a file such as robots.txt, after redirects on the same server."""
        for _ in range(_HOPS):
            (answer,) = self.fetch([Wanted(url=url, limit=limit)])
            target = target_of(answer)
            if target is None or not self.server.has(target):
                break
            url = target
        return answer

    def fetch(self, wanted: Iterable[Wanted]) -> Iterator[Answer]:
        """The answers for these URLs, in any order."""
        waiting = deque((each, True) for each in wanted)
        running: dict[Fetch, bool] = {}
        while waiting or running:
            if waiting and self._failures >= self._manners.most_failures:
                why = f"not requested, after {self._failures} failures"
                yield from (Answer(url=each.url, error=why) for each, _ in waiting)
                waiting.clear()
                continue
            now = time.monotonic()
            if waiting and len(running) < self._manners.workers and now >= self._next:
                each, may_repeat = waiting.popleft()
                self._next = now + self._gap
                running[self.server.fetch(each)] = may_repeat
                continue
            for fetch in self._ended(running, now, is_full=len(running) >= self._manners.workers or not waiting):
                may_repeat = running.pop(fetch)
                answer = fetch.answer
                self._failures += answer.is_failure
                if answer.status in _BUSY:
                    pause = wait_asked_for(answer, self._manners.wait, self._manners.longest_wait)
                    self._next = max(self._next, time.monotonic() + pause)
                    if may_repeat:
                        waiting.append((fetch.wanted, False))
                        continue
                yield answer

    def _ended(self, running: dict[Fetch, bool], now: float, *, is_full: bool) -> list[Fetch]:
        """The requests that have ended, after waiting a moment for one."""
        if not running:
            wait(self._next - now)
            return []
        first = min(fetch.deadline for fetch in running)
        until = first if is_full else min(first, self._next)
        try:
            ended = self.server.done.get(timeout=min(STEP, max(0.0, until - now)))
        except Empty:
            return [fetch for fetch in running if fetch.is_late]
        return [ended] if ended in running else []


def wait(seconds: float) -> None:
    """Wait, in steps after which an interrupt counts."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(STEP, left))


def wait_asked_for(answer: Answer, default: float, longest: float) -> float:
    """The seconds for which a busy server wants to be left alone (RFC 9110, section 10.2.3), at most the longest."""
    asked = answer.headers.get("retry-after", "").strip()
    if asked.isdecimal() and asked.isascii():
        return min(float(asked), longest)
    try:
        left = (parsedate_to_datetime(asked) - datetime.now(UTC)).total_seconds()
    except (TypeError, ValueError):
        return default
    return min(max(left, 0), longest)


def target_of(answer: Answer) -> str | None:
    """Where a redirect leads, in the normal form; None if the answer is none, or its target is no URL."""
    location = answer.headers.get("location") if answer.status in _REDIRECTS else None
    target = absolute_url(answer.url, location) if location else None
    return usable_url(target) if target else None
