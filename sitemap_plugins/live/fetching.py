"""Fetches URLs of one server: no redirects, and each answer within a limit of time and size.

Nothing else in the package opens a connection. A server may never answer, or never end its answer, in any step: finding
the address, connecting, TLS, headers and content. No timeout of a socket covers all of them, so each request runs in a
thread that is given up at its deadline.
"""

from __future__ import annotations

import ssl
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from http.client import HTTPException, HTTPResponse, IncompleteRead
from io import BytesIO
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final
from urllib.error import URLError
from urllib.request import (  # noqa: TID251  # the only module that may
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

import msgspec

from sitemap_plugins import __version__
from sitemap_plugins.project import MANUAL
from sitemap_plugins.reading import Limit
from sitemap_plugins.values.urls import root_of

DEADLINE: Final = 20.0
"""The seconds in which a server has to answer."""

STEP: Final = 0.5
"""The seconds after which an interrupt counts; Windows waits for a queue until the end."""

_AGENT: Final = f"sitemap-plugins/{__version__} (+{MANUAL})"
FOUND: Final = 200
"""The status with which a server sends a file."""

_PIECE: Final = 1 << 12  # of which gzip can make a thousand times as much
_CUT: Final = "the answer ended too early"
_ANY_GZIP: Final = 16 + zlib.MAX_WBITS


def is_temporary(status: int) -> bool:
    """Whether it helps to ask again later after this status, which is 0 if there was no answer."""
    return status in {0, 408, 429} or status >= 500  # RFC 9110, section 15.6


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a server answered for a URL.

    ``headers`` have lower-case names; a header that is there several times has its values joined by commas. ``content``
    is that of files, and of any answer to POST. ``status`` is 0 if there was no whole answer; ``error`` then says why,
    as in "no answer within 20 seconds".
    """

    url: str
    status: int = 0
    headers: Mapping[str, str] = {}
    content: bytes = b""
    error: str = ""

    @property
    def is_failure(self) -> bool:
        """Whether this tells nothing about the URL: it is no answer, or the server refuses or fails at the moment."""
        return is_temporary(self.status) or self.status in {401, 403}

    @property
    def problem(self) -> str:
        """What is wrong with it, if something is, for messages."""
        return self.error or f"the server answers {self.status}"


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """A request: a URL, the limit of its answer, and ``data`` in JSON to send with POST, if there is any.

    Of a longer answer, only the beginning is read if ``is_beginning``; otherwise it is an error. A file that is named
    ``.gz`` stays compressed, even if the server calls that a coding.
    """

    url: str
    limit: Limit
    is_beginning: bool = False
    data: bytes | None = None


class Fetch:
    """A request under way. ``done`` gets it when there is an answer, unless it was given up before."""

    def __init__(self, wanted: Wanted, opener: OpenerDirector, done: SimpleQueue[Fetch], seconds: float) -> None:
        self.wanted = wanted
        self.deadline = time.monotonic() + seconds
        self.answer = Answer(url=wanted.url, error=f"no answer within {seconds:g} seconds")
        self._opener = opener
        self._seconds = seconds
        self._done = done
        # Python ends without waiting for it.
        Thread(target=self._run, name=f"fetch {wanted.url}", daemon=True).start()

    @property
    def is_late(self) -> bool:
        """Whether the deadline is over."""
        return time.monotonic() >= self.deadline

    def _run(self) -> None:
        try:
            answer = self._fetch()
        except (OSError, HTTPException, ValueError, zlib.error) as error:
            answer = Answer(url=self.wanted.url, error=_explain(error))
        if not self.is_late:
            self.answer = answer
            self._done.put(self)

    def _fetch(self) -> Answer:
        wanted = self.wanted
        headers = {"User-Agent": _AGENT, "Accept-Encoding": "gzip"}
        if wanted.data is not None:
            headers["Content-Type"] = "application/json; charset=utf-8"
        request = Request(wanted.url, data=wanted.data, headers=headers)  # noqa: S310  # `Server` allows only its own
        content = BytesIO()  # pieces of a few bytes would take far more memory than their content
        with closing(self._opener.open(request, timeout=self._seconds)) as response:
            found = {name.lower(): ", ".join(response.headers.get_all(name, ())) for name in response.headers}
            if response.status == FOUND or wanted.data is not None:
                content.writelines(self._read(response, found.get("content-encoding", "").strip().lower()))
        return Answer(url=wanted.url, status=response.status, headers=found, content=content.getvalue())

    def _read(self, response: HTTPResponse, coding: str) -> Iterator[bytes]:
        """The content in pieces. Raises ValueError if it is larger than the limit, and not read whole."""
        limit, is_beginning = self.wanted.limit, self.wanted.is_beginning
        if coding not in {"", "identity", "gzip", "x-gzip"}:
            raise ValueError(f"the answer has the coding {coding!r}, which was not requested")
        unpacker = None
        if "gzip" in coding and not self.wanted.url.partition("?")[0].endswith(".gz"):
            unpacker = zlib.decompressobj(_ANY_GZIP)
        left = packed = limit.size
        while (piece := response.read1(_PIECE)) and not self.is_late:
            packed -= len(piece)
            if unpacker:
                piece = unpacker.decompress(piece, left + 1)
                if unpacker.unused_data:
                    raise ValueError("the answer has data after its end")
            if (len(piece) > left or packed < 0) and not is_beginning:
                raise ValueError(f"the answer is larger than {limit.shown_size}, the limit for {limit.what}")
            yield piece[:left]
            left -= len(piece)
            if is_beginning and (left <= 0 or packed <= 0):
                return
        if response.length or (unpacker and not unpacker.eof and packed < limit.size):
            raise ValueError(_CUT)


class Server:
    """Sends requests to the server of one URL, by its scheme, host and port, and to no other."""

    def __init__(self, url: str, seconds: float = DEADLINE) -> None:
        self.root = root_of(url)
        self.done: SimpleQueue[Fetch] = SimpleQueue()
        self._opener = _opener()
        self._seconds = seconds

    def has(self, url: str) -> bool:
        """Whether a URL in its normal form is on this server."""
        return url.startswith(self.root)

    def fetch(self, wanted: Wanted) -> Fetch:
        """Send a request. Raises ValueError if the URL is not on this server."""
        if not self.has(wanted.url):
            raise ValueError(f"{wanted.url} is not below {self.root}")
        return Fetch(wanted, self._opener, self.done, self._seconds)

    def ask(self, wanted: Wanted) -> Answer:
        """The answer for a single request."""
        fetch = self.fetch(wanted)
        while not fetch.is_late:
            with suppress(Empty):
                if self.done.get(timeout=STEP) is fetch:
                    break
        return fetch.answer


def _opener() -> OpenerDirector:
    """An opener for HTTP and HTTPS only, with the proxies and certificates of the system. It follows no redirect."""
    opener = OpenerDirector()
    # To read the certificates takes 16 ms, so it is not done for each request.
    for handler in (ProxyHandler(), HTTPHandler(), HTTPSHandler(context=ssl.create_default_context())):
        opener.add_handler(handler)
    return opener


def _explain(error: Exception) -> str:
    """Why there is no answer, in one line."""
    if isinstance(error, IncompleteRead):  # chunks
        return _CUT
    cause = error.reason if isinstance(error, URLError) else error
    text = getattr(cause, "verify_message", None) or getattr(cause, "strerror", None) or str(cause)
    return f"{text or type(cause).__name__}".strip()
