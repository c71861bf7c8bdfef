"""Answers that never end, grow without end, or break the rules, and what is said about them."""

from __future__ import annotations

import gzip
import http.client
import zlib
from functools import cache
from typing import Final

import msgspec

from tests.live.servers import Answer, Request

_START: Final = b"HTTP/1.1 200 OK\r\n"
_DRIP: Final = 0.01  # seconds
_MIB: Final = 1 << 20


# Newer patch releases of Python end them.
_CONTINUED: Final = "interim responses" if hasattr(http.client, "_MAXINTERIMRESPONSES") else "no answer within"


class Hostile(msgspec.Struct, frozen=True):
    """An answer to a request for a sitemap, and words of the error. A raw one begins before the request."""

    answer: Answer
    says: str
    is_raw: bool = False
    scheme: str = "http"

    @property
    def is_slow(self) -> bool:
        """Whether only the deadline ends it."""
        return self.says.startswith("no answer")


def _handshake(request: Request) -> None:
    request.wfile.write(b"\x16\x03\x03\x40\x00")  # a record of TLS with 16 KiB, which never ends
    request.send_forever(b"\x02", _DRIP)


def _headers(request: Request) -> None:
    request.wfile.write(_START + b"X: ")
    request.send_forever(b"x", _DRIP)


def _body(request: Request) -> None:
    request.wfile.write(_START + b"Content-Length: 1000000\r\n\r\n")
    request.send_forever(b"x", _DRIP)


def _endless(request: Request) -> None:
    request.wfile.write(_START + b"\r\n")
    request.send_forever(bytes(_MIB))


def _crumbs(request: Request) -> None:
    request.wfile.write(_START + b"Transfer-Encoding: chunked\r\n\r\n")
    request.send_forever(b"2\r\nxx\r\n" * 10_000)


def _raw(*pieces: bytes) -> Answer:
    return lambda request: request.send_raw(_START, *pieces)


def _packed(content: bytes, coding: str = "gzip") -> Answer:
    return lambda request: request.send(200, content, Content_Encoding=coding)


@cache
def _bomb() -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join([*(packer.compress(bytes(_MIB)) for _ in range(60)), packer.flush()])


LATE: Final = "no answer within"
HOSTILE: Final = {
    "silence": Hostile(Request.hold, LATE),
    "dripping handshake": Hostile(_handshake, LATE, is_raw=True, scheme="https"),
    "dripping headers": Hostile(_headers, LATE),
    "dripping body": Hostile(_body, LATE),
    "endless 100": Hostile(lambda request: request.send_forever(b"HTTP/1.1 100 Continue\r\n\r\n" * 100), _CONTINUED),
    "endless headers": Hostile(lambda request: request.send_raw(_START, b"X: x\r\n" * 1000), "more than 100 headers"),
    "endless body": Hostile(_endless, "larger than 50 MiB, the limit for a sitemap"),
    "no HTTP": Hostile(lambda request: request.send_raw(b"220 ready\r\n"), "220 ready"),
    "nothing": Hostile(lambda request: request.send_raw(), "closed connection without response"),
    "bad chunk": Hostile(_raw(b"Transfer-Encoding: chunked\r\n\r\n", b"zz\r\nx\r\n"), "ended too early"),
    "cut chunk": Hostile(_raw(b"Transfer-Encoding: chunked\r\n\r\n", b"9\r\nx"), "ended too early"),
    "short body": Hostile(_raw(b"Content-Length: 9\r\n\r\n", b"x"), "ended too early"),
    "gzip bomb": Hostile(lambda request: request.send(200, _bomb(), Content_Encoding="gzip"), "larger than 50 MiB"),
    "cut gzip": Hostile(_packed(gzip.compress(b"x" * 99)[:-9]), "ended too early"),
    "two gzips": Hostile(_packed(gzip.compress(b"x") * 2), "data after its end"),
    "no gzip": Hostile(_packed(b"not compressed"), "incorrect header"),
    "other coding": Hostile(_packed(b"x", "br"), "has the coding 'br', which was not requested"),
    "no TLS": Hostile(lambda request: request.send_raw(b"220 ready\r\n"), "SSL", is_raw=True, scheme="https"),
}
"""They are for a limit of 50 MiB. `CRUMBS` may be larger than that or late."""

CRUMBS: Final = Hostile(_crumbs, "")
"""Chunks of two bytes, each of which would be an object in Python."""
