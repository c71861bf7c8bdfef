"""Gzip without a trace of the machine."""

import gzip
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_plugins.formats.compression import compress

PROPERTY = settings(deadline=None, derandomize=True)  # the tests read no clock, and every run is the same


@PROPERTY
@given(st.binary())
def test_what_is_compressed_is_read_back(content: bytes) -> None:
    assert gzip.decompress(compress(content)) == content


@PROPERTY
@given(st.binary())
def test_the_same_content_gives_the_same_bytes(content: bytes) -> None:
    assert compress(content) == compress(content)


@pytest.mark.parametrize("content", [b"", b"a", b"<url></url>\n" * 10_000])
def test_the_header_has_no_time_no_name_and_no_system(content: bytes) -> None:
    packed = compress(content)
    assert packed[:2] == b"\x1f\x8b"
    assert packed[3] == 0  # no flags, so no name, no comment, no extra field
    assert packed[4:8] == bytes(4)
    assert packed[9] == 255


def test_the_trailer_has_the_checksum_and_the_length() -> None:
    packed = compress(b"content")
    assert packed[-8:-4] == zlib.crc32(b"content").to_bytes(4, "little")
    assert packed[-4:] == (7).to_bytes(4, "little")


def test_it_is_a_single_member_and_smaller_than_what_it_holds() -> None:
    content = b"<url><loc>https://example.org/</loc></url>\n" * 1000
    decompressor = zlib.decompressobj(zlib.MAX_WBITS | 16)
    assert decompressor.decompress(compress(content)) == content
    assert decompressor.eof
    assert decompressor.unused_data == b""
    assert len(compress(content)) < len(content) / 50
