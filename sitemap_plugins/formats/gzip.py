"""Gzip that gives the same bytes for the same content: no time, no name, no system in the header (RFC 1952)."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

_LEVEL: Final = 6
# Magic number, deflate, no flags, no time, no extra flags, "unknown" operating system.
_HEADER: Final = b"\x1f\x8b\x08\x00" + b"\x00\x00\x00\x00" + b"\x00" + b"\xff"


def compress(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """A gzip file with this content, piece by piece; into what pieces that is cut makes no difference (SM-GZ-02)."""
    compressor = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    checksum = size = 0
    yield _HEADER
    for chunk in chunks:
        checksum = zlib.crc32(chunk, checksum)
        size += len(chunk)
        if packed := compressor.compress(chunk):
            yield packed
    yield compressor.flush()
    yield checksum.to_bytes(4, "little") + (size & 0xFFFFFFFF).to_bytes(4, "little")
