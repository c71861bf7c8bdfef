"""Gzip that gives the same bytes for the same content: no time, no name, no system in the header (RFC 1952)."""

from __future__ import annotations

import zlib
from typing import Final

_LEVEL: Final = 6
# Magic number, deflate, no flags, no time, no extra flags, "unknown" operating system.
_HEADER: Final = b"\x1f\x8b\x08\x00" + b"\x00\x00\x00\x00" + b"\x00" + b"\xff"


def compress(content: bytes) -> bytes:
    """A gzip file with this content."""
    compressor = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = compressor.compress(content) + compressor.flush()
    trailer = zlib.crc32(content).to_bytes(4, "little") + (len(content) & 0xFFFFFFFF).to_bytes(4, "little")
    return _HEADER + body + trailer
