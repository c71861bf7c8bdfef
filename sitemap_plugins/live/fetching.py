"""Asks a server for URLs with the manners that its operator expects. Nothing else in the package opens a connection.

A server may never answer, or never end its answer, in any step: finding the address, connecting, TLS, headers and
content. No timeout of a socket covers all of them, so each request runs in a thread that is given up at its deadline.
"""

from __future__ import annotations

import ssl
import time
import zlib
from collections import Counter, deque
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse, IncompleteRead
from io import BytesIO
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final
from urllib import error, request  # noqa: TID251  # the only module that may

import msgspec

from sitemap_plugins import __version__
from sitemap_plugins.project import MANUAL
from sitemap_plugins.reading import Limit
from sitemap_plugins.values.urls import absolute_url, root_of, usable_url

TEMPORARY: Final = frozenset({0, 408, 429, *range(500, 1000)})  # RFC 9110, section 15.6
"""The statuses after which it helps to ask again later; 0 is no answer."""

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_AGAIN: Final = frozenset({500, 502, 504})  # often of one moment only; a busy server says when to come back
_HEADERS: Final = {"User-Agent": f"sitemap-plugins/{__version__} (+{MANUAL})", "Accept-Encoding": "gzip"}
_HOPS: Final = 5  # as many as crawlers follow for robots.txt (RFC 9309, section 2.3.1.2)
_STEP: Final = 0.01  # seconds to wait for an answer; Windows has no interrupt before they are over
_PIECE: Final = 1 << 12  # of which gzip can make a thousand times as much
_LATE: Final = "no answer within"
_UNASKED: Final = "not requested"
_CUT: Final = "the answer ended too early"


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a server answered for a URL.

    ``headers`` have lower-case names; a header that is there several times has each of its values on a line.
    ``content`` is that of files, and of any answer to POST. ``status`` is 0 if there was no whole answer; ``error``
    then says why, as in "no answer within 20 seconds".
    """

    url: str
    status: int = 0
    headers: Mapping[str, str] = {}
    content: bytes = b""
    error: str = ""

    @property
    def problem(self) -> str:
        """Why this does not tell whether the URL works, for messages; empty if it is a file, gone, or a redirect."""
        tells = self.status in {200, 404, 410} or self.target
        where = ", a redirect to no URL" if self.status in _REDIRECTS else ""
        return "" if tells else self.error or f"the server answers {self.status}{where}"

    @property
    def target(self) -> str | None:
        """Where a redirect leads, in the normal form; None if it is none, or its target is no URL."""
        location = self.headers.get("location") if self.status in _REDIRECTS else None
        return usable_url(absolute_url(self.url, location) or "") if location else None


class Manners(msgspec.Struct, frozen=True, kw_only=True):
    """How to treat a server: at most ``rate`` requests a second (0: as many as it answers), and ``workers`` at a time.

    After a status that is ``busy``, nothing is requested for as long as the server asks, at most ``longest_pause``
    seconds, or else for the next of the ``pauses``. The URL is requested again as often as there are pauses. One that
    failed in another way is requested once more after all others. After ``most_failures`` answers that tell nothing,
    the rest is not requested. A server has ``deadline`` seconds to answer.
    """

    rate: float = 10
    workers: int = 4
    busy: Container[int] = frozenset({429, 503})
    pauses: tuple[float, ...] = (10,)
    longest_pause: float = 60
    most_failures: int = 20
    deadline: float = 20


class Server:
    """The server of one URL, by its scheme, host and port. It is asked for its own URLs only."""

    def __init__(self, url: str, manners: Manners) -> None:
        self.root = root_of(url)
        self._manners = manners
        # The proxies and certificates of the system, which take 16 ms to read, and no redirects.
        self._opener = request.OpenerDirector()
        https = request.HTTPSHandler(context=ssl.create_default_context())
        for handler in (request.ProxyHandler(), request.HTTPHandler(), https):
            self._opener.add_handler(handler)
        self._next, self._failures = 0.0, 0

    def follow(self, url: str, limit: Limit) -> Answer:
        """The answer for a file such as robots.txt, after redirects on this server."""
        for _ in range(_HOPS):
            (answer,) = self.fetch([url], limit)
            url = answer.target or ""
            if not url.startswith(self.root):
                break
        return answer

    def fetch(self, urls: Iterable[str], limit: Limit, data: bytes | None = None) -> Iterator[Answer]:
        """The answers for these URLs, which are all different, in any order. ``data`` is JSON to send with POST.

        Raises ValueError if a URL is not on this server.
        """
        failed: dict[str, Answer] = {}
        for answer in self._fetch(urls, limit, data):
            if data is None and (answer.status in _AGAIN or answer.error.startswith(_LATE)):
                failed[answer.url] = answer
            else:
                yield answer
        for answer in self._fetch(failed, limit):
            yield failed[answer.url] if answer.error.startswith(_UNASKED) else answer

    def _fetch(self, urls: Iterable[str], limit: Limit, data: bytes | None = None) -> Iterator[Answer]:
        """The answers, without a second attempt for those that failed."""
        manners = self._manners
        waiting = deque(urls)
        running: dict[str, float] = {}  # the deadlines
        attempts: Counter[str] = Counter()
        answers: SimpleQueue[Answer] = SimpleQueue()
        while waiting or running:
            now = time.monotonic()
            if waiting and self._failures >= manners.most_failures:
                yield from (Answer(url=url, error=f"{_UNASKED}, after {self._failures} failures") for url in waiting)
                waiting.clear()
            elif waiting and len(running) < manners.workers and now >= self._next:
                self._next = now + (1 / manners.rate if manners.rate > 0 else 0)
                url = waiting.popleft()
                if not url.startswith(self.root):
                    raise ValueError(f"{url} is not below {self.root}")
                running[url] = deadline = now + manners.deadline
                attempts[url] += 1
                Thread(target=self._ask, args=(url, limit, data, deadline, answers), daemon=True).start()
            late = f"{_LATE} {manners.deadline:g} seconds"
            ended = [Answer(url=url, error=late) for url, deadline in running.items() if now >= deadline]
            with suppress(Empty):
                ended.append(answers.get(timeout=0 if ended else _STEP))
            for answer in ended:
                if running.pop(answer.url, None) is None:
                    continue  # it was late
                self._failures += answer.status in TEMPORARY or answer.status in {401, 403}
                number = attempts[answer.url]
                if answer.status in manners.busy:
                    asked = answer.headers.get("retry-after", "").strip()  # RFC 9110, section 10.2.3, without dates
                    pause = float(asked) if asked.isdecimal() else manners.pauses[min(number, len(manners.pauses)) - 1]
                    self._next = max(self._next, time.monotonic() + min(pause, manners.longest_pause))
                    if number <= len(manners.pauses):
                        waiting.append(answer.url)
                        continue
                yield answer

    def _ask(self, url: str, limit: Limit, data: bytes | None, deadline: float, answers: SimpleQueue[Answer]) -> None:
        """Request a URL, and put the answer into the queue, unless it is late."""
        kind = {} if data is None else {"Content-Type": "application/json; charset=utf-8"}
        content = BytesIO()  # pieces of a few bytes would take far more memory than their content
        try:
            asked = request.Request(url, data, _HEADERS | kind)  # noqa: S310  # a server has HTTP or HTTPS
            with closing(self._opener.open(asked, timeout=self._manners.deadline)) as response:
                headers = {name.lower(): "\n".join(response.headers.get_all(name, ())) for name in response.headers}
                if response.status == HTTPStatus.OK or data is not None:
                    content.writelines(_read(response, headers.get("content-encoding", ""), limit, deadline))
            answer = Answer(url=url, status=response.status, headers=headers, content=content.getvalue())
        except (OSError, HTTPException, ValueError, zlib.error) as why:
            answer = Answer(url=url, error=_explain(why))
        if time.monotonic() < deadline:
            answers.put(answer)


def _read(response: HTTPResponse, coding: str, limit: Limit, deadline: float) -> Iterator[bytes]:
    """The content in pieces, until the deadline. Raises ValueError if it is not sound, or too large for a whole file.

    A file that is named ``.gz`` stays compressed, even if the server calls that a coding.
    """
    coding = coding.strip().lower()
    if coding not in {"", "identity", "gzip", "x-gzip"}:
        raise ValueError(f"the answer has the coding {coding!r}, which was not requested")
    is_packed = "gzip" in coding and not response.url.partition("?")[0].endswith(".gz")
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16) if is_packed else None  # 16: gzip only
    left = packed = limit.size
    while time.monotonic() < deadline and (piece := response.read1(_PIECE)):
        packed -= len(piece)
        unpacked = unpacker.decompress(piece, left + 1) if unpacker else piece
        yield unpacked[:left]
        left -= len(unpacked)
        if unpacker and unpacker.unused_data:
            raise ValueError("the answer has data after its end")
        if min(left, packed) < 0:
            if limit.is_beginning:
                return
            raise ValueError(f"the answer is larger than {limit.shown_size}, the limit for {limit.what}")
    if response.length or (unpacker and not unpacker.eof and packed < limit.size):
        raise ValueError(_CUT)


def _explain(why: Exception) -> str:
    if isinstance(why, IncompleteRead):  # chunks
        return _CUT
    cause = why.reason if isinstance(why, error.URLError) else why
    text = getattr(cause, "verify_message", None) or getattr(cause, "strerror", None) or str(cause)
    return f"{text or type(cause).__name__}".strip()
