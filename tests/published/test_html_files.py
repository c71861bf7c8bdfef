"""Which HTML files of a folder are found, and what is read from each."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.formats.paths import stem_of
from sitemap_plugins.html.head_editing import set_canonical
from sitemap_plugins.published import html_files
from sitemap_plugins.published.html_files import HTMLFile, read_html_file
from sitemap_plugins.published.tree import Tree
from tests.builders import refuse_to_open


@pytest.mark.parametrize(
    ("path", "stem"),
    [
        ("index.html", ""),
        ("guide.html", "guide"),
        ("guide/index.htm", "guide"),
        ("guide/INDEX.HTM", "guide/INDEX"),
        ("a.b.HTML", "a.b"),
        ("index/index.html", "index"),
        ("guide/reindex.html", "guide/reindex"),
    ],
)
def test_the_stem_of_a_page(path: str, stem: str) -> None:
    assert stem_of(path) == stem


@pytest.mark.parametrize(
    ("path", "folder", "stem"),
    [
        ("de/guide.html", "de", "guide"),
        ("de/index.html", "de", ""),
        ("de.html", "de", ""),
        ("guide.html", "", "guide"),
        ("index.html", "", ""),
    ],
)
def test_the_stem_below_the_folder_of_a_language(path: str, folder: str, stem: str) -> None:
    assert HTMLFile(path=path, markup=None).stem_below(folder) == stem


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def test_all_pages_are_found_in_order(tmp_path: Path) -> None:
    names = ["b.html", "a.htm", "c/d/e.HTML", "c/index.html", "x.txt", ".git/x.html", "c/.hidden/x.html", "._b.html"]
    write(tmp_path, **dict.fromkeys(names, "<title>x</title>"))
    assert [file.path for file in Tree(tmp_path).heads()] == ["a.htm", "b.html", "c/index.html", "c/d/e.HTML"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a special permission there")
def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, **{"site/a/index.html": "<title>x</title>", "outside/x.html": "<title>x</title>"})
    (tmp_path / "site/again").symlink_to(tmp_path / "site")
    (tmp_path / "site/other").symlink_to(tmp_path / "outside")
    (tmp_path / "site/out.html").symlink_to(tmp_path / "outside/x.html")
    (tmp_path / "site/gone.html").symlink_to(tmp_path / "nothing")
    found = {file.path: file for file in Tree(tmp_path / "site").heads()}
    assert {path: bool(file.unread) for path, file in found.items()} == {"a/index.html": False, "out.html": True}


@pytest.mark.parametrize(
    ("text", "is_fragment"),
    [
        ("<!doctype html><p>x", False),
        ("<HTML>\n<p>x", False),
        ("\ufeff \n<!-- a note --><title>x</title>", False),
        (f"\ufeff<!-- {'a licence - ' * 1000}-->\n<!-- b --><title>x</title>", False),
        ("<link rel=stylesheet href=x.css><p>x", False),
        ("<p>x</p>", True),
        ("<header>x</header>", True),
        ("<titles>", True),
        ('{% extends "base.html" %}\n{% block extrahead %}<meta name="x">{% endblock %}', True),
        ("<!-- generated -->\n{% macro head() %}<link href=x>{% endmacro %}", True),
        ("<title>{{ x }}</title>", False),
    ],
)
def test_a_file_without_parts_of_a_head_is_a_fragment(text: str, is_fragment: bool, tmp_path: Path) -> None:
    write(tmp_path, **{"a.html": text})
    (file,) = Tree(tmp_path).heads()
    assert file.is_fragment is is_fragment


def test_a_page_in_utf_16_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<html lang="fr"><title>\N{SNOWMAN}</title>', encoding="utf-16")
    (tmp_path / "b.html").write_bytes(b"\xfe\xff\x00<\x00")  # cut
    page, cut = Tree(tmp_path).heads()
    assert page.markup is not None
    assert (page.is_fragment, page.markup.language, cut.is_fragment) == (False, "fr", True)


def test_an_unreadable_page_is_still_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, **{"a.html": "<title>x</title>"})
    refuse_to_open(tmp_path / "a.html", monkeypatch)
    (file,) = Tree(tmp_path).heads()
    assert (file.markup, file.is_fragment) == (None, False)
    assert "Permission denied" in file.unread


def test_an_unreadable_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        [*Tree(tmp_path / "nothing").heads()]


X = "https://docs.example.org/"
PARTS = [
    "<!doctype html>", '<html lang="en">', "<head>", "<title>x</title>", "</head>", "</head >\n", "<body>", "<BODY class=x>", " " * 500,
    f'<link rel="canonical" href="{X}a/">', '<meta name="robots" content="noindex">', '<base href="/b/">',
    '<meta http-equiv="refresh" content="0; url=b/">', "<!-- </head><body> -->", "<!-- ", " -->",
    '<noscript><meta http-equiv="refresh" content="0; url=c/"></noscript>', "<script>location = 'c/'</script>",
    "<script>'</head><body>'</script>", "<script>", "</script>", "<style>a{}</style>", "<template>", "<p>text</p>",
    f'<!-- links: sitemap-plugins --><link rel="alternate" hreflang="de" href="{X}de/">', "<!-- end of links -->",
    "\N{LATIN SMALL LETTER E WITH ACUTE}" * 99, "\0", set_canonical(b"<head></head><body>", X).decode(),
]  # fmt: skip


@given(
    before=st.lists(st.sampled_from(PARTS)),
    after=st.lists(st.sampled_from(PARTS)),
    at=st.sampled_from([0, 100, 200, 300]),
    encoding=st.sampled_from(["utf-8", "utf-16"]),
)
def test_the_beginning_of_a_page_is_enough_only_if_the_rest_makes_no_difference(
    before: list[str], after: list[str], at: int, encoding: str, tmp_path: Path
) -> None:
    text = "".join([*before, "x" * at, *after])
    (tmp_path / "a.html").write_bytes(text.encode(encoding))
    files = []
    for most in (300, 1 << 24):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(html_files, "_FIRST", most)
            files.append(read_html_file(str(tmp_path), "a.html", is_link=False))
    assert files[0] == files[1]


def test_the_beginning_of_a_long_page_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, **{"a.html": f'<link rel="canonical" href="{X}"><body>{"x" * 100_000}'})
    monkeypatch.setattr(html_files, "read_markup", None)  # for whole pages
    file = read_html_file(str(tmp_path), "a.html", is_link=False)
    assert file
    assert file.markup
    assert file.markup.canonicals == (X,)
