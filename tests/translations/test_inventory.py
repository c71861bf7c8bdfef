"""The pages of another language's site, from its inventory or sitemap. Hostile bytes are refused with a message."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import structs
from sphinx.util.inventory import InventoryFile

from sitemap_plugins.formats.sitemap_xml import SitemapWriter
from sitemap_plugins.model import Entry
from sitemap_plugins.reading import LANGUAGE_PAGES
from sitemap_plugins.translations import inventory
from sitemap_plugins.translations.inventory import PagesError, read_pages

BASE = "https://fr.example.org/latest/"
HEADER = (
    b"# Sphinx inventory version 2\n# Project: Sample\n# Version: 1\n"
    b"# The remainder of this file is compressed using zlib.\n"
)


def pack(*lines: str | bytes, header: bytes = HEADER) -> bytes:
    """An inventory with these lines."""
    text = b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines)
    return header + zlib.compress(text)


def zipped(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def sitemap(*locs: str) -> bytes:
    return b"".join(SitemapWriter().render([Entry(loc=loc) for loc in locs]))


def below(*paths: str) -> frozenset[str]:
    return frozenset(BASE + path for path in paths)


def message_about(content: bytes) -> str:
    with pytest.raises(PagesError) as error:
        read_pages(content, BASE)
    return str(error.value)


class Domain:
    """Objects as a Sphinx domain returns them: name, display name, type, document, anchor, priority."""

    def __init__(self, name: str, objects: Iterable[tuple[str, str, str, str, str, int]]) -> None:
        self.name = name
        self._objects = list(objects)

    def get_objects(self) -> list[tuple[str, str, str, str, str, int]]:
        return self._objects


def dump(path: Path, uris: Mapping[str, str], *domains: Domain) -> bytes:
    """The inventory that Sphinx writes for these domains. ``uris`` are those of the documents."""
    names = {domain.name: domain for domain in domains}
    domains_of_env = type("Domains", (dict,), {"sorted": lambda self: [self[name] for name in sorted(self)]})(names)
    env = SimpleNamespace(config=SimpleNamespace(project="Sample", version="1"), domains=domains_of_env)
    InventoryFile.dump(str(path), env, SimpleNamespace(get_target_uri=uris.__getitem__))
    return path.read_bytes()


DOCUMENTS = ("index", "guide/install", "é b")


def std(*more: tuple[str, str, str, str, str, int]) -> Domain:
    titles = [("index", "Welcome"), ("guide/install", "How to: install it"), ("é b", "é b")]
    return Domain("std", [(name, title, "doc", name, "", -1) for name, title in titles] + list(more))


def test_the_pages_of_sphinxs_own_inventory(tmp_path: Path) -> None:
    uris = {name: f"{name.replace('é b', '%C3%A9%20b')}.html" for name in DOCUMENTS}
    labels = [
        ("install", "Install", "label", "guide/install", "install", -1),
        ("genindex", "Index", "label", "genindex", "", -1),
        ("a term", "a term", "term", "index", "term-a-term", -1),
    ]
    python = Domain("py", [("a.b", "a.b", "function", "guide/install", "a.b", 1)])
    content = dump(tmp_path / "objects.inv", uris | {"genindex": "genindex.html"}, std(*labels), python)
    # The general index has a label but is not a document, so it is not listed.
    assert read_pages(content, BASE) == below("index.html", "guide/install.html", "%C3%A9%20b.html")


@pytest.mark.parametrize("title", ["Welcome", "Welcome to the guide", "index"])
def test_the_home_page_of_directory_urls_is_a_page(tmp_path: Path, title: str) -> None:
    # The dirhtml builder gives it an empty URI.
    domain = Domain("std", [("index", title, "doc", "index", "", -1), ("a", "A page", "doc", "a", "", -1)])
    assert read_pages(dump(tmp_path / "objects.inv", {"index": "", "a": "a/"}, domain), BASE) == below("", "a/")


def test_the_pages_of_an_inventory_of_mkdocstrings() -> None:
    content = pack(
        "a.b py:function 1 api/#$ -", "a.B py:class 1 api/#a.B a B", "c py:module 1 #c -", "d py:module 1 $ -"
    )
    assert read_pages(content, BASE) == below("", "api/")


def test_the_pages_of_a_sitemap() -> None:
    assert read_pages(sitemap(BASE, f"{BASE}a/", "https://elsewhere.example/"), BASE) == below("", "a/")


@pytest.mark.parametrize("content", [sitemap(f"{BASE}a/"), pack("a std:doc -1 a/ A")])
def test_a_compressed_file_is_read(content: bytes) -> None:
    assert read_pages(zipped(content), BASE) == below("a/")


def test_urls_are_normalized() -> None:
    assert read_pages(sitemap("HTTPS://FR.example.org:443/latest/é/#a"), BASE) == below("%C3%A9/")
    assert read_pages(pack("a std:doc -1 é.html A"), BASE) == below("%C3%A9.html")


def test_uris_can_be_absolute() -> None:
    content = pack(f"a std:doc -1 {BASE}a/ A", "b std:doc -1 /latest/b/ B", "c std:doc -1 https://elsewhere.example/ C")
    assert read_pages(content, BASE) == below("a/", "b/")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "just text",
        "a std:doc x b/ A",
        "a std:doc -1 b/",
        "a std:doc -1 mailto:me@example.org A",
        "a std:doc -1 http://[::1/ A",
        "a std:doc -1 https://exa\uff0fmple.org/ A",
        b"\xff\xfe std:doc",
    ],
)
def test_lines_without_a_page_are_ignored(line: str | bytes) -> None:
    assert read_pages(pack(line, "a std:doc -1 a/ A", line), BASE) == below("a/")


def test_names_can_have_spaces_and_colons() -> None:
    assert read_pages(pack("a name: of 1 thing std:label -1 a/#x A", "b js:func 1 b/#$ -"), BASE) == below("a/", "b/")


NEITHER = "is neither an objects.inv nor a sitemap"
VERSION = "is not an object inventory of version 2"
DAMAGED = "is damaged: it cannot be unpacked"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"", f"{NEITHER} (is empty)", id="empty"),
        pytest.param(b"\x89PNG\r\n", f"{NEITHER} (is not well-formed XML", id="image"),
        pytest.param(b"<!doctype html><html>", f"{NEITHER} (is not a sitemap but an HTML page)", id="page"),
        pytest.param(
            b"# Sphinx inventory version 1\n# Project: a\n# Version: 1\nindex mod a.html\n", VERSION, id="version 1"
        ),
        pytest.param(b"# Sphinx inventory version 2\n# Project: a\n", VERSION, id="half a header"),
        pytest.param(HEADER, DAMAGED, id="only a header"),
        pytest.param(HEADER + b"index std:doc -1 a.html A\n", DAMAGED, id="not compressed"),
        pytest.param(zipped(sitemap(BASE))[:10] + b"\xff" * 20, DAMAGED, id="garbage in a sitemap"),
        pytest.param(zipped(sitemap(f"{BASE}a/"))[:-8], DAMAGED, id="incomplete sitemap"),
        pytest.param(pack("a std:doc -1 a/ A")[:-4], DAMAGED, id="incomplete inventory"),
        pytest.param(pack(), f"lists no page below {BASE}", id="empty inventory"),
        pytest.param(sitemap(), f"lists no page below {BASE}", id="empty sitemap"),
        pytest.param(
            sitemap("https://de.example.org/b/", "https://de.example.org/a/"),
            f"lists no page below {BASE}, only pages such as https://de.example.org/a/",
            id="sitemap of another site",
        ),
        pytest.param(
            pack("a std:doc -1 /a/ A"),
            f"lists no page below {BASE}, only pages such as https://fr.example.org/a/",
            id="inventory of another site",
        ),
    ],
)
def test_a_file_without_pages_is_refused(content: bytes, message: str) -> None:
    assert message_about(content).startswith(message)


class TestBombs:
    @pytest.fixture(autouse=True)
    def small(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(inventory, "LANGUAGE_PAGES", structs.replace(LANGUAGE_PAGES, size=1 << 20))

    @pytest.mark.parametrize(
        "content",
        [
            pytest.param(HEADER + zlib.compress(b"\0" * (8 << 20)), id="inventory"),
            pytest.param(zipped(b"<" * (8 << 20)), id="compressed sitemap"),
            pytest.param(zipped(HEADER + zlib.compress(b"\0" * (8 << 20))), id="compressed inventory"),
            pytest.param(zipped(zipped(b"\0" * (8 << 20)) * 200), id="compressed twice"),
        ],
    )
    def test_a_file_that_unpacks_to_a_huge_size_is_refused(self, content: bytes) -> None:
        message = message_about(content)
        assert message.startswith(("is larger than 1 MiB when unpacked", "is neither an objects.inv nor a sitemap"))

    def test_a_large_file_is_read(self) -> None:
        line = f"a std:doc -1 a/ {'A' * 1000}"
        assert read_pages(pack(*[line] * 1000), BASE) == below("a/")


fragments = st.sampled_from(
    [
        *(b"a std:doc -1 ", b"a/", b" A", b"\n", b" ", b"$", b"#", b"://", b"//[", b"http://[x", BASE.encode(), b"-1"),
        *(b"std:label", b":", b"\xff", b"\x00", b"\x1c", "\u2028".encode(), b"%", b"?", b"..", b"https://x:99999/"),
    ]
)
texts = st.lists(fragments | st.binary(max_size=3)).map(b"".join)
starts = st.sampled_from(
    [b"", b"# Sphinx inventory version 2\n", HEADER, HEADER[:-1], b"\x1f\x8b", b"<urlset", HEADER[:40]]
)
files = st.one_of(
    st.binary(),
    st.builds(bytes.__add__, starts, texts),
    texts.map(lambda text: HEADER + zlib.compress(text)),
    texts.map(lambda text: zipped(HEADER + zlib.compress(text))),
    st.builds(lambda text, cut: (HEADER + zlib.compress(text))[:cut], texts, st.integers(0, 200)),
    st.builds(lambda text: sitemap(text.decode("latin-1")), texts),
)


@given(files)
@example(b"# Sphinx inventory version 2")
@example(HEADER + zlib.compress(b"a std:doc -1 //[ A\n"))
def test_any_bytes_are_pages_below_the_base_or_refused(content: bytes) -> None:
    try:
        pages = read_pages(content, BASE)
    except PagesError:
        return
    assert pages
    assert [page for page in pages if not page.startswith(BASE)] == []


uris = st.lists(
    st.text(st.characters(categories=["Ll", "Nd"], max_codepoint=0x17F), min_size=1).map("{}.html".format), unique=True
)


@given(uris)
def test_all_pages_of_an_inventory_are_found(names: list[str]) -> None:
    found = read_pages(
        pack("index std:doc -1 index.html Home", *(f"{name} std:doc -1 {name} -" for name in names)), BASE
    )
    assert len(found) == len({*names, "index.html"})
