"""Which files in the output are ours: recognized by a mark in them, and never by their names alone (SM-IDX-07)."""

import gzip
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.formats.feeds import render_atom, render_rss
from sitemap_plugins.formats.gzip import compress
from sitemap_plugins.formats.sitemap_xml import MARK, IndexWriter, SitemapWriter, Style, render_text
from sitemap_plugins.git.history import DateRules
from sitemap_plugins.media import Image, News
from sitemap_plugins.model import Alternate, Entry, Feed, FeedItem, OutputFile, Page, Site, Sitemap, SitemapIndex
from sitemap_plugins.output.ownership import FORMATS, ForeignFiles, configured_paths, conflict_with, is_ours
from sitemap_plugins.output.writing import write
from sitemap_plugins.pipeline import build
from sitemap_plugins.record.site_record import render_record
from tests.builders import options, options_turned_on, options_with_files, refuse_to_open

BASE = "https://example.org/"
ENTRIES = tuple(Entry(loc=f"{BASE}{name}/?a&'{name}'") for name in "abc")
XML = b"".join(SitemapWriter().render(ENTRIES))
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


def test_a_preview_has_no_other_files_than_the_sitemap_its_record_and_the_page_of_all_pages() -> None:
    settings = options(**options_with_files()).unannounced()
    assert {each.option for each in FORMATS if each.paths(settings)} == {"filename", "record", "html"}


def test_every_file_that_an_option_adds_has_a_format(tmp_path: Path) -> None:
    settings = options(**options_turned_on())
    page = Page(loc=BASE, name="index.md", title="t", front_matter={"sitemap_lastmod": "2026-01-01"})
    files = build(Site(base_url=BASE), [page], settings).files
    written = write((each for each in files if not each.is_shared), tmp_path)
    named = configured_paths(settings)
    assert [path for path in written if path not in named] == [], "FORMATS has no row with the paths of these files"
    assert [path for path in written if not is_ours(tmp_path / path)] == [], "no row of FORMATS recognizes these files"


@pytest.mark.parametrize(
    ("content", "ours"),
    [
        pytest.param(XML, True, id="sitemap"),
        pytest.param(b"".join(SitemapWriter(FULL).render([EVERYTHING])), True, id="sitemap with everything"),
        pytest.param(b"".join(IndexWriter().render(INDEX.sitemaps)), True, id="index"),
        pytest.param(render_rss(FEED), True, id="RSS"),
        pytest.param(render_atom(FEED), True, id="Atom"),
        pytest.param(FOREIGN, False, id="without the mark"),
        pytest.param(b"", False, id="empty"),
        pytest.param(b" " * 2000 + MARK.encode(), False, id="mark far below"),
        pytest.param(b"\xff\xfe\x00", False, id="not text"),
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
        pytest.param(packed(XML * 1000)[:900], True, id="cut off far from the mark"),
        pytest.param(packed(XML)[:15], False, id="cut off before the mark"),
        pytest.param(b"\x1f\x8b\x08\x00" + b"\xff" * 50, False, id="damaged"),
        pytest.param(b"not gzip at all", False, id="not gzip"),
    ],
)
def test_damaged_and_unusual_compressed_files(tmp_path: Path, content: bytes, *, ours: bool) -> None:
    path = tmp_path / "sitemap.xml.gz"
    path.write_bytes(content)
    assert is_ours(path) is ours


@pytest.mark.parametrize("name", ["nothing.xml", "nothing.txt", "folder.xml", "folder.txt", "dangling.xml"])
def test_missing_files_and_folders_are_not_ours(tmp_path: Path, name: str) -> None:
    for folder in ("folder.xml", "folder.txt"):
        (tmp_path / folder).mkdir()
    (tmp_path / "dangling.xml").symlink_to("nowhere")
    assert not is_ours(tmp_path / name)


@given(st.binary() | st.binary().map(lambda content: b"\x1f\x8b\x08\x00" + content), st.sampled_from(["xml", "txt"]))
def test_other_bytes_are_never_ours(tmp_path_factory: pytest.TempPathFactory, content: bytes, suffix: str) -> None:
    path = tmp_path_factory.getbasetemp() / f"any.{suffix}"
    path.write_bytes(content)
    assert not is_ours(path)


class TestText:
    """SM-TXT-01: a text sitemap has no place for a mark; it is ours if our XML beside it lists the same pages."""

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
            pytest.param(TEXT, {"sitemap.xml": FOREIGN}, id="beside the author's"),
            pytest.param(TEXT + b"\n", {"sitemap.xml": XML}, id="changed"),
            pytest.param(TEXT.replace(b"\n", b"\r\n"), {"sitemap.xml": XML}, id="other line ends"),
            pytest.param(b"", {"sitemap.xml": XML}, id="empty"),
            pytest.param(TEXT, {"sitemap.xml": XML[:-20]}, id="beside damaged XML"),
            pytest.param(TEXT, {"sitemap.xml": b"".join(IndexWriter().render(INDEX.sitemaps))}, id="beside an index"),
            pytest.param(TEXT, {"sitemap.xml.gz": packed(XML)[:-30]}, id="beside damaged gzip"),
            pytest.param(b"\x1f\x8b" + TEXT, {"sitemap.xml": XML}, id="damaged itself"),
        ],
    )
    def test_is_not_ours_otherwise(self, tmp_path: Path, text: bytes, files: dict[str, bytes]) -> None:
        (tmp_path / "sitemap.txt").write_bytes(text)
        for name, content in files.items():
            (tmp_path / name).write_bytes(content)
        assert not is_ours(tmp_path / "sitemap.txt")

    def test_beside_a_foreign_xml_is_recognized_by_the_compressed_one(self, tmp_path: Path) -> None:
        for name, content in (("sitemap.txt", TEXT), ("sitemap.xml", FOREIGN), ("sitemap.xml.gz", packed(XML))):
            (tmp_path / name).write_bytes(content)
        assert is_ours(tmp_path / "sitemap.txt")

    def test_beside_an_unreadable_xml_is_not_ours(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "sitemap.txt").write_bytes(TEXT)
        (tmp_path / "sitemap.xml").write_bytes(XML)
        refuse_to_open(tmp_path / "sitemap.xml", monkeypatch)
        assert not is_ours(tmp_path / "sitemap.txt")

    def test_decompression_stops_at_the_maximum_size_of_a_sitemap(self, tmp_path: Path) -> None:
        (tmp_path / "sitemap.xml").write_bytes(XML)
        (tmp_path / "sitemap.txt.gz").write_bytes(packed(bytes(60_000_000)))
        assert not is_ours(tmp_path / "sitemap.txt.gz")


@pytest.mark.parametrize("compress_it", [False, True])
def test_the_record_is_ours_by_its_first_line(tmp_path: Path, *, compress_it: bool) -> None:
    content = render_record([], DateRules(), (), "date", base=BASE)
    written = content if isinstance(content, bytes) else b"".join(content())
    (tmp_path / "e.json").write_bytes(packed(written) if compress_it else written)
    assert is_ours(tmp_path / "e.json")
    (tmp_path / "e.json").write_bytes(b" " + written)
    assert not is_ours(tmp_path / "e.json")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("llms.txt", b"# Credits\nThe file sitemap.xml is written by sitemap-plugins.\n"),
        ("robots.txt", b"# the block below is written by sitemap-plugins\nUser-agent: *\n"),
        ("search_index.json", b'{"docs": [{"text": "sitemap.xml is written by sitemap-plugins"}]}'),
    ],
)
def test_files_that_only_mention_us_are_not_ours(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    assert not is_ours(tmp_path / name)
    assert name in ForeignFiles(tmp_path)


class TestForeignFiles:
    @pytest.mark.parametrize(
        "name", ["sitemap.xml", "sitemap.xml.gz", "fr/sitemap.xml", "sitemap.txt", "e.json", "a.html"]
    )
    @pytest.mark.parametrize("content", [b"", b"<urlset/>", FOREIGN], ids=["empty", "an author's", "without the mark"])
    def test_files_without_our_mark_are_foreign(self, tmp_path: Path, name: str, content: bytes) -> None:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
        assert name in ForeignFiles(tmp_path)

    @pytest.mark.parametrize("name", ["sitemap.xml", "fr/sitemap.xml", "anything.rss", "nothing.xml", "folder.xml"])
    def test_our_files_missing_files_and_folders_are_not_foreign(self, tmp_path: Path, name: str) -> None:
        for each in ("sitemap.xml", "fr/sitemap.xml", "anything.rss"):
            (tmp_path / each).parent.mkdir(exist_ok=True)
            (tmp_path / each).write_bytes(XML)
        (tmp_path / "folder.xml").mkdir()
        assert name not in ForeignFiles(tmp_path)

    @pytest.mark.parametrize("name", ["sitemap-a.xml", "sitemap-a.xml.gz", "sitemap-a.txt", "changes.rss"])
    def test_copied_files_are_foreign_even_with_our_mark(self, tmp_path: Path, name: str) -> None:
        for each, content in (("sitemap-a.xml", XML), ("sitemap-a.txt", TEXT), ("changes.rss", render_rss(FEED))):
            (tmp_path / each).write_bytes(content)
        (tmp_path / "sitemap-a.xml.gz").write_bytes(packed(XML))
        assert name not in ForeignFiles(tmp_path)
        assert name in ForeignFiles(tmp_path, copied=[name])

    def test_files_that_ours_replace_are_not_foreign(self, tmp_path: Path) -> None:
        for name in ("sitemap.xml", "other.xml"):
            (tmp_path / name).write_bytes(FOREIGN)
        others = ForeignFiles(tmp_path, replaced=["sitemap.xml", "sitemap.xml.gz"])
        assert [name in others for name in ("sitemap.xml", "sitemap.xml.gz", "other.xml")] == [False, False, True]

    def test_the_answer_is_the_same_during_the_whole_build(self, tmp_path: Path) -> None:
        (tmp_path / "mine.xml").write_bytes(FOREIGN)
        others = ForeignFiles(tmp_path)
        before = [name in others for name in ("mine.xml", "new.xml")]
        (tmp_path / "mine.xml").write_bytes(XML)
        (tmp_path / "new.xml").write_bytes(FOREIGN)
        assert [name in others for name in ("mine.xml", "new.xml")] == before == [True, False]

    @pytest.mark.parametrize("directory", ["nothing", "file"])
    def test_without_a_folder_there_are_no_foreign_files(self, tmp_path: Path, directory: str) -> None:
        (tmp_path / "file").write_bytes(b"")
        others = ForeignFiles(tmp_path / directory)
        assert "sitemap.xml" not in others
        assert others.removals(["sitemap.xml"], []) == []

    @pytest.mark.parametrize("name", ["sitemap.txt", "sitemap.txt.gz"])
    def test_a_text_sitemap_beside_one_of_ours_takes_no_name_from_a_section(self, tmp_path: Path, name: str) -> None:
        """Another build may have written one of the two and be about to write the other."""
        content = b"https://example.org/other\n"
        (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        assert name in ForeignFiles(tmp_path)
        (tmp_path / "sitemap.xml").write_bytes(b"".join(SitemapWriter().render([Entry(loc="https://example.org/")])))
        assert name not in ForeignFiles(tmp_path)
        assert name in ForeignFiles(tmp_path, copied=[name])
        kept, notes = ForeignFiles(tmp_path).select_writable([OutputFile(path=name, content=b"")], options(text=True))
        assert (kept, [note.kind for note in notes]) == ([], ["own-sitemap"])


class TestRemovals:
    """Files of an earlier build are removed if they are still ours and not written again."""

    @staticmethod
    def removed(
        directory: Path, *earlier: str, written: tuple[str, ...] = (), copied: tuple[str, ...] = ()
    ) -> list[str]:
        files = [OutputFile(path=path, content=b"") for path in written]
        found = ForeignFiles(directory, copied).removals(earlier, files)
        assert [file for file in found if file.content is not None] == []
        return [file.path for file in found]

    @pytest.fixture(autouse=True)
    def files(self, tmp_path: Path) -> None:
        (tmp_path / "fr").mkdir()
        for name in ("sitemap-0.xml", "sitemap-1.xml", "old.xml", "fr/sitemap.xml"):
            (tmp_path / name).write_bytes(XML)
        (tmp_path / "sitemap-0.xml.gz").write_bytes(packed(XML))
        for name in ("sitemap-0.txt", "lonely.txt"):
            (tmp_path / name).write_bytes(TEXT)
        (tmp_path / "mine.xml").write_bytes(FOREIGN)
        (tmp_path / "folder.xml").mkdir()

    def test_files_are_in_the_order_of_the_record_and_each_only_once(self, tmp_path: Path) -> None:
        earlier = ["old.xml", "fr/sitemap.xml", "sitemap-0.xml", "sitemap-0.xml.gz", "sitemap-0.txt"]
        assert self.removed(tmp_path, *earlier, *earlier) == earlier

    def test_files_written_again_or_already_removed_do_not_count(self, tmp_path: Path) -> None:
        assert self.removed(tmp_path, "old.xml", "sitemap-1.xml", written=("old.xml",)) == ["sitemap-1.xml"]
        gone = [OutputFile(path="old.xml", content=None)]
        assert ForeignFiles(tmp_path).removals(["old.xml"], gone) == []

    def test_files_that_are_foreign_now_are_kept(self, tmp_path: Path) -> None:
        earlier = ("mine.xml", "old.xml", "sitemap-1.xml")
        assert self.removed(tmp_path, *earlier, copied=("old.xml",)) == ["sitemap-1.xml"]

    def test_missing_files_and_folders_do_not_count(self, tmp_path: Path) -> None:
        assert self.removed(tmp_path, "nothing.xml", "nowhere/nothing.xml", "folder.xml", "") == []

    def test_a_text_sitemap_without_its_xml_is_kept(self, tmp_path: Path) -> None:
        assert self.removed(tmp_path, "sitemap-0.txt", "lonely.txt") == ["sitemap-0.txt"]

    def test_a_file_of_the_host_that_ours_replaces_is_removed(self, tmp_path: Path) -> None:
        others = ForeignFiles(tmp_path, replaced=["mine.xml", "sitemap-1.xml"])
        assert others.removals(["mine.xml"], [OutputFile(path="old.xml", content=None)]) == []
        written = [OutputFile(path="sitemap-1.xml", content=b"")]
        assert others.removals([], written) == [OutputFile(path="mine.xml", content=None)]


@pytest.mark.parametrize(
    ("path", "conflict"),
    [
        ("sitemap.html", "sitemap.html"),
        ("sitemap.html", "Sitemap.HTML"),
        ("sitemap.html", "sitemap.html/a.txt"),
        ("sitemap/index.html", "SITEMAP"),
        ("sitemap/index.html", None),
        ("sit.html", None),
    ],
)
def test_paths_that_cannot_be_in_one_output(path: str, conflict: str | None) -> None:
    others = ["a.html", "sitemap/a.html", "sitemap.htm", "sitemaps/index.html", *([conflict] if conflict else [])]
    assert conflict_with(path, others) == conflict
