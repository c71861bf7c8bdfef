"""Gzip without traces of the machine (SM-GZ-02)."""

import gzip
import tracemalloc
import zlib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.formats.gzip import GzipError, compress, is_packed, unpack, unpack_beginning
from sitemap_plugins.reading import Limit

LINE = b"<url><loc>https://example.org/</loc></url>\n"


def packed(*chunks: bytes) -> bytes:
    return b"".join(compress(chunks))


def cut(content: bytes, size: int) -> Iterator[bytes]:
    yield from (content[start : start + size] for start in range(0, len(content), size))


@given(st.lists(st.binary()))
def test_compressed_content_can_be_read_back(chunks: list[bytes]) -> None:
    assert gzip.decompress(packed(*chunks)) == b"".join(chunks)


@pytest.mark.parametrize("size", [1, 7, 1000, 65_536, 10**7])
def test_the_size_of_chunks_makes_no_difference_for_large_content(size: int) -> None:
    content = b"".join(LINE.replace(b"org/", b"org/%d/%d" % (number, number**7)) for number in range(5000))
    assert b"".join(compress(cut(content, size))) == packed(content)


def test_output_starts_before_all_input_is_read() -> None:
    taken = 0

    def chunks() -> Iterator[bytes]:
        nonlocal taken
        for number in range(1000):
            taken += 1
            yield bytes((number * each * each + 7 * each) % 251 for each in range(1000))

    pieces = compress(chunks())
    next(pieces)
    next(pieces)
    assert taken < 500


@pytest.mark.parametrize("content", [b"", b"a", LINE * 10_000])
def test_the_header_has_no_time_no_name_and_no_system(content: bytes) -> None:
    header = packed(content)
    assert header[:3] == b"\x1f\x8b\x08"
    assert header[3] == 0  # no flags, so no name, no comment, no extra field
    assert header[4:8] == bytes(4)
    assert header[9] == 255


def test_the_level_is_the_default_of_gzip() -> None:
    content = b"".join(LINE.replace(b"org/", b"org/%d/" % number**5) for number in range(2000))
    deflate = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    assert packed(content)[10:-8] == deflate.compress(content) + deflate.flush()


LIMIT = Limit("a test", 1 << 20, "so that tests are quick")


def refusal(content: bytes) -> str:
    with pytest.raises(GzipError) as error:
        unpack(content, LIMIT)
    return str(error.value)


@given(st.binary())
def test_the_content_can_come_from_any_compressor(content: bytes) -> None:
    for whole in (packed(content), gzip.compress(content), zlib.compress(content)):
        assert unpack(whole, LIMIT) == content
        assert unpack_beginning(whole[:-4], 3) == content[:3]
    assert is_packed(packed(content))
    assert not is_packed(zlib.compress(content))


@pytest.mark.parametrize("size", [0, 1, LIMIT.size - 1, LIMIT.size])
def test_content_within_the_limit_is_unpacked(size: int) -> None:
    assert unpack(gzip.compress(bytes(size)), LIMIT) == bytes(size)


@pytest.mark.parametrize("size", [LIMIT.size + 1, 100 << 20])
def test_a_bomb_is_unpacked_only_up_to_the_limit(size: int) -> None:
    bomb = gzip.compress(bytes(size))
    tracemalloc.start()
    assert refusal(bomb) == "is larger than 1 MiB when unpacked, the limit for a test"
    assert tracemalloc.get_traced_memory()[1] < 3 * LIMIT.size
    tracemalloc.stop()


@pytest.mark.parametrize("size", [0, 1, 9, 10, 11, 20, -8, -4, -1])
def test_a_truncated_file_is_damaged(size: int) -> None:
    assert refusal(gzip.compress(LINE)[:size]) == "is damaged: it cannot be unpacked"


def test_invalid_gzip_is_damaged() -> None:
    assert refusal(b"\x1f\x8b" + b"\xff" * 20) == "is damaged: it cannot be unpacked"
    with pytest.raises(GzipError):
        unpack_beginning(b"\x1f\x8b" + b"\xff" * 20, 3)


@pytest.mark.parametrize("more", [b"\0", packed(LINE)], ids=["a byte", "a file"])
def test_data_after_the_end_is_an_error(more: bytes) -> None:
    """Browsers show only the first of two members, ``gzip -d`` shows both."""
    assert refusal(gzip.compress(LINE) + more) == "is damaged: it has data after its end"
