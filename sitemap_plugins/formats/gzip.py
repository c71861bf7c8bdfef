"""Write gzip with the same bytes for the same content (RFC 1952), and unpack gzip from other tools."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

from sitemap_plugins.reading import Limit

_LEVEL: Final = 6
_MAGIC: Final = b"\x1f\x8b"
_DAMAGED: Final = "is damaged: it cannot be unpacked"
_ANY_HEADER: Final = 32 + zlib.MAX_WBITS  # zlib detects whether it is a zlib stream or gzip
# Magic number, deflate, no flags, no time, no extra flags, "unknown" operating system.
_HEADER: Final = b"\x1f\x8b\x08\x00" + b"\x00\x00\x00\x00" + b"\x00" + b"\xff"


class GzipError(ValueError):
    """Raised if a file cannot be unpacked; the message completes the sentence "FILE …".

    ``kind`` is the id of the rule of ``check`` that the file breaks.
    """

    def __init__(self, message: str, kind: str = "unreadable") -> None:
        super().__init__(message)
        self.kind = kind


def compress(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The gzip file of this content, in pieces; its bytes do not depend on how the content is cut (SM-GZ-02)."""
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


def is_packed(content: bytes) -> bool:
    """Whether the first bytes are those of a gzip file."""
    return content.startswith(_MAGIC)


def unpack(packed: bytes, limit: Limit) -> bytes:
    """The content of a gzip file or a zlib stream. Raises `GzipError` if it is damaged, cut off or too large.

    Concatenated gzip files are refused, because browsers show only the first one.
    """
    unpacker = zlib.decompressobj(_ANY_HEADER)
    content = _decompress(unpacker, packed, limit.size + 1)
    if len(content) > limit.size:
        raise GzipError(f"is larger than {limit.shown_size} when unpacked, the limit for {limit.what}", "too-large")
    if not unpacker.eof:
        raise GzipError(_DAMAGED)
    if unpacker.unused_data:
        raise GzipError("is damaged: it has data after its end")
    return content


def unpack_beginning(packed: bytes, size: int) -> bytes:
    """The first ``size`` bytes of the content of a gzip file, which may be cut off. Raises `GzipError`."""
    return _decompress(zlib.decompressobj(_ANY_HEADER), packed, size)


def _decompress(unpacker: zlib._Decompress, packed: bytes, size: int) -> bytes:
    try:
        return unpacker.decompress(packed, size)
    except zlib.error:
        raise GzipError(_DAMAGED) from None
