"""Which files in the output are ours: known by a mark in them, and never by their names alone (SM-IDX-07)."""

import gzip
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from sitemap_plugins.enrich.git_history import DateRules
from sitemap_plugins.formats.compression import compress
from sitemap_plugins.formats.evidence import EvidenceRules, render_evidence
from sitemap_plugins.formats.feeds import render_atom, render_rss
from sitemap_plugins.formats.sitemap_index import render_index
from sitemap_plugins.formats.sitemap_xml import MARK, Style, render_sitemap
from sitemap_plugins.formats.text_sitemap import render_text
from sitemap_plugins.media import Feed, FeedItem, Image, News
from sitemap_plugins.model import Alternate, Entry
from sitemap_plugins.output import OutputFile, Sitemap, SitemapIndex
from sitemap_plugins.own_files import FilesThere, find_files_there, is_ours

BASE = "https://example.org/"
ENTRIES = tuple(Entry(loc=f"{BASE}{name}/?a&'{name}'") for name in "abc")
XML = b"".join(render_sitemap(ENTRIES))
TEXT = b"".join(render_text(ENTRIES))
FOREIGN = XML.replace(MARK.encode(), b"")
FEED = Feed(
    title="t", url=f"{BASE}f.xml", home=BASE, items=(FeedItem(loc=BASE, title="t", description="", updated=date(2026, 1, 1)),)
)  # fmt: skip
INDEX = SitemapIndex(
    path="sitemap.xml", sitemaps=(Sitemap(path="a.xml", entries=ENTRIES, url=f"{BASE}a.xml"),), url=f"{BASE}sitemap.xml"
)
FULL = Style(indent=8, schema_location=True)
EVERYTHING = Entry(
    loc=BASE,
    alternates=(Alternate(hreflang="en", href=BASE),),
    images=(Image(loc=f"{BASE}a.png"),),
    news=News(name="n", language="en", publication_date=date(2026, 1, 1), title="t"),
)


def packed(content: bytes) -> bytes:
    return b"".join(compress([content]))


@pytest.mark.parametrize(
    ("content", "ours"),
    [
        pytest.param(XML, True, id="sitemap"),
        pytest.param(b"".join(render_sitemap([EVERYTHING], FULL)), True, id="sitemap with everything"),
        pytest.param(b"".join(render_index(INDEX)), True, id="index"),
        pytest.param(b"".join(render_index(INDEX, FULL)), True, id="indented index"),
        pytest.param(render_rss(FEED), True, id="RSS"),
        pytest.param(render_atom(FEED), True, id="Atom"),
        pytest.param(FOREIGN, False, id="without the mark"),
        pytest.param(b"", False, id="empty"),
        pytest.param(b"<urlset/>", False, id="an author's own"),
        pytest.param(b" " * 500 + MARK.encode(), True, id="mark near the beginning"),
        pytest.param(b" " * 2000 + MARK.encode(), False, id="mark far below"),
        pytest.param(b"\xff\xfe\x00", False, id="no text"),
    ],
)
def test_a_file_is_ours_by_the_mark_at_its_beginning_compressed_or_not(
    tmp_path: Path, content: bytes, *, ours: bool
) -> None:
    plain, small = tmp_path / "anything.xml", tmp_path / "anything.xml.gz"
    plain.write_bytes(content)
    small.write_bytes(packed(content))
    assert is_ours(plain) is ours
    assert is_ours(small) is ours


@pytest.mark.parametrize(
    ("content", "ours"),
    [
        pytest.param(gzip.compress(XML), True, id="compressed by another program, by which ours may have been served"),
        pytest.param(packed(XML * 1000)[:900], True, id="cut off far from the mark"),
        pytest.param(packed(XML)[:15], False, id="cut off before the mark"),
        pytest.param(b"\x1f\x8b", False, id="two bytes"),
        pytest.param(b"\x1f\x8b\x08\x00" + b"\xff" * 50, False, id="damaged"),
        pytest.param(b"not gzip at all", False, id="no gzip"),
    ],
)
def test_a_compressed_file_that_cannot_be_read_is_not_ours(tmp_path: Path, content: bytes, *, ours: bool) -> None:
    path = tmp_path / "sitemap.xml.gz"
    path.write_bytes(content)
    assert is_ours(path) is ours


@pytest.mark.parametrize("name", ["nothing.xml", "nothing.txt", "folder.xml", "folder.txt", "dangling.xml"])
def test_what_is_no_file_is_not_ours(tmp_path: Path, name: str) -> None:
    for folder in ("folder.xml", "folder.txt"):
        (tmp_path / folder).mkdir()
    (tmp_path / "dangling.xml").symlink_to("nowhere")
    assert not is_ours(tmp_path / name)


@profile(deadline=None, derandomize=True)
@given(st.binary() | st.binary().map(lambda content: b"\x1f\x8b\x08\x00" + content), st.sampled_from(["xml", "txt"]))
def test_other_bytes_are_never_ours(tmp_path_factory: pytest.TempPathFactory, content: bytes, suffix: str) -> None:
    path = tmp_path_factory.getbasetemp() / f"any.{suffix}"
    path.write_bytes(content)
    assert not is_ours(path)


class TestText:
    """SM-TXT-01: a text sitemap has no place for a mark, and is ours where the XML beside it lists the same."""

    @pytest.mark.parametrize("text_name", ["sitemap-0.txt", "sitemap-0.txt.gz"])
    @pytest.mark.parametrize("xml_name", ["sitemap-0.xml", "sitemap-0.xml.gz"])
    def test_beside_its_xml_is_ours(self, tmp_path: Path, text_name: str, xml_name: str) -> None:
        for name, content in ((text_name, TEXT), (xml_name, XML)):
            (tmp_path / name).write_bytes(packed(content) if name.endswith(".gz") else content)
        assert is_ours(tmp_path / text_name)

    @pytest.mark.parametrize(
        ("text", "files"),
        [
            pytest.param(TEXT, {}, id="alone"),
            pytest.param(TEXT, {"sitemap.xml": FOREIGN}, id="beside another's"),
            pytest.param(TEXT, {"sitemap-0.xml": XML}, id="beside another sitemap of ours"),
            pytest.param(TEXT + b"\n", {"sitemap.xml": XML}, id="changed"),
            pytest.param(TEXT.replace(b"\n", b"\r\n"), {"sitemap.xml": XML}, id="other line ends"),
            pytest.param(TEXT[:-5], {"sitemap.xml": XML}, id="cut off"),
            pytest.param(b"", {"sitemap.xml": XML}, id="empty"),
            pytest.param(b"Thanks to all\n", {"sitemap.xml": XML}, id="a text for people"),
            pytest.param(TEXT, {"sitemap.xml": XML[:-20]}, id="beside damaged XML"),
            pytest.param(TEXT, {"sitemap.xml": b"".join(render_index(INDEX))}, id="beside an index"),
            pytest.param(TEXT, {"sitemap.xml.gz": packed(XML)[:-30]}, id="beside damaged gzip"),
            pytest.param(b"\x1f\x8b" + TEXT, {"sitemap.xml": XML}, id="damaged itself"),
        ],
    )
    def test_is_not_ours_otherwise(self, tmp_path: Path, text: bytes, files: dict[str, bytes]) -> None:
        (tmp_path / "sitemap.txt").write_bytes(text)
        for name, content in files.items():
            (tmp_path / name).write_bytes(content)
        assert not is_ours(tmp_path / "sitemap.txt")

    def test_beside_a_stale_xml_of_another_is_known_by_the_compressed_one(self, tmp_path: Path) -> None:
        for name, content in (("sitemap.txt", TEXT), ("sitemap.xml", FOREIGN), ("sitemap.xml.gz", packed(XML))):
            (tmp_path / name).write_bytes(content)
        assert is_ours(tmp_path / "sitemap.txt")

    def test_that_cannot_be_read_is_not_ours(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "sitemap.txt").write_bytes(TEXT)
        (tmp_path / "sitemap.xml").write_bytes(XML)
        read_bytes = Path.read_bytes

        def refuse(self: Path) -> bytes:
            if self.suffix == ".xml":
                raise PermissionError(13, "Permission denied")
            return read_bytes(self)

        monkeypatch.setattr(Path, "read_bytes", refuse)
        assert not is_ours(tmp_path / "sitemap.txt")

    def test_of_a_single_page_that_is_a_bomb_is_read_no_further_than_a_sitemap_may_be(self, tmp_path: Path) -> None:
        (tmp_path / "sitemap.xml").write_bytes(XML)
        (tmp_path / "sitemap.txt.gz").write_bytes(packed(bytes(60_000_000)))
        assert not is_ours(tmp_path / "sitemap.txt.gz")


class TestFilesThere:
    @staticmethod
    def found(directory: Path) -> tuple[Sequence[str], set[str]]:
        there = find_files_there(directory)
        return there.ours, {*there.others}

    def test_are_those_with_our_mark_whatever_they_are_called(self, tmp_path: Path) -> None:
        ours = ["docs.xml", "sitemap-0.xml", "sitemap-a-b.xml", "sitemap.xml"]
        for name in [*ours, "sitemap-a.html", "sitemap", "sitemap.xml.bak"]:
            (tmp_path / name).write_bytes(XML)
        (tmp_path / "sitemap-0.xml.gz").write_bytes(packed(XML))
        (tmp_path / "sitemap-a-b.txt").write_bytes(TEXT)
        (tmp_path / "sitemap-a-b.txt.gz").write_bytes(packed(TEXT))
        packed_and_text = ["sitemap-0.xml.gz", "sitemap-a-b.txt", "sitemap-a-b.txt.gz"]
        assert self.found(tmp_path) == (tuple(sorted([*ours, *packed_and_text])), set())

    @pytest.mark.parametrize("content", [render_rss(FEED), render_atom(FEED)], ids=["RSS", "Atom"])
    @pytest.mark.parametrize("name", ["f.xml", "f.rss", "f.atom"])
    def test_are_feeds_of_ours_too(self, tmp_path: Path, name: str, content: bytes) -> None:
        (tmp_path / name).write_bytes(content)
        assert self.found(tmp_path) == ((name,), set())

    def test_are_the_evidence_too(self, tmp_path: Path) -> None:
        content = render_evidence([], EvidenceRules(DateRules(), ()), "date")
        (tmp_path / "e.json").write_bytes(content if isinstance(content, bytes) else b"".join(content()))
        assert self.found(tmp_path) == (("e.json",), set())

    def test_of_others_are_told_apart(self, tmp_path: Path) -> None:
        (tmp_path / "sitemap-0.xml").write_bytes(XML)
        others = {"sitemap-1.xml", "sitemap-1.xml.gz", "sitemap.txt", "robots.txt", "rss.xml", "a.rss", "search.json"}
        for name in {*others, "page.html"}:
            (tmp_path / name).write_bytes(FOREIGN)
        (tmp_path / "folder.xml").mkdir()
        assert self.found(tmp_path) == (("sitemap-0.xml",), others | {"folder.xml"})

    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("llms.txt", b"# Credits\nThe file sitemap.xml is written by sitemap-plugins.\n"),
            ("robots.txt", b"# the block below is written by sitemap-plugins\nUser-agent: *\n"),
            ("rss.xml", b"<rss><channel><title>How sitemaps are written by sitemap-plugins</title></channel></rss>"),
            ("search_index.json", b'{"docs": [{"text": "sitemap.xml is written by sitemap-plugins"}]}'),
        ],
    )
    def test_that_only_speak_of_us_are_not_ours(self, tmp_path: Path, name: str, content: bytes) -> None:
        (tmp_path / name).write_bytes(content)
        assert self.found(tmp_path) == ((), {name})

    def test_are_none_where_there_is_no_folder(self, tmp_path: Path) -> None:
        assert self.found(tmp_path / "nothing") == ((), set())
        (tmp_path / "file").write_bytes(b"")
        assert self.found(tmp_path / "file") == ((), set())

    def test_of_others_take_the_names_of_all_that_would_be_beside_them(self) -> None:
        """SM-GZ-01: no sitemap of ours is beside a compressed or text file that is another's."""
        others = frozenset({"a.xml", "b.xml.gz", "c.txt", "d.txt.gz", "e.rss", "f.json"})
        assert FilesThere(ours=("g.xml",), others=others).taken == {
            "a.xml", "b.xml", "c.xml", "d.xml", "e.rss", "f.json"
        }  # fmt: skip

    def test_of_ours_that_are_not_written_again_are_to_be_removed(self) -> None:
        there = FilesThere(ours=("a", "b", "c"), others=frozenset({"d", "e"}))
        files = [
            OutputFile(path="b", content=b""),
            OutputFile(path="d", content=b""),
            OutputFile(path="c", content=None),
        ]
        assert there.removals(files) == [OutputFile(path="a", content=None)]
        assert there.removals([]) == [OutputFile(path=name, content=None) for name in "abc"]
