"""Links to translations and feeds in the heads of pages, with real files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sitemap_plugins.model import Alternate, FeedLink
from sitemap_plugins.output import pages as output_pages
from sitemap_plugins.output.pages import write_head_links

EN, FR = "https://example.org/en/", "https://example.org/fr/"
LINKS = (Alternate(hreflang="en", href=EN), Alternate(hreflang="fr", href=FR))
PAGE = b"<html><head><title>a</title></head><body>"


def read(directory: Path) -> dict[str, bytes]:
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*.html")}


class TestHeadLinks:
    @pytest.fixture(autouse=True)
    def pages(self, tmp_path: Path) -> None:
        (tmp_path / "fr").mkdir()
        for name in ("index.html", "fr/index.html", "alone.html"):
            (tmp_path / name).write_bytes(PAGE)

    def test_links_are_written_into_the_heads_of_the_pages(self, tmp_path: Path) -> None:
        alternates = {"index.html": LINKS, "fr/index.html": LINKS, "alone.html": ()}
        assert write_head_links(alternates, tmp_path, dry_run=True) == (["fr/index.html", "index.html"], [])
        assert {*read(tmp_path).values()} == {PAGE}
        assert write_head_links(alternates, tmp_path) == (["fr/index.html", "index.html"], [])
        pages = read(tmp_path)
        assert pages["alone.html"] == PAGE
        assert pages["index.html"] == pages["fr/index.html"]
        assert pages["index.html"].count(b'<link rel="alternate" hreflang="') == 2

    def test_writing_them_again_changes_no_file(self, tmp_path: Path) -> None:
        alternates = {"index.html": LINKS, "fr/index.html": LINKS, "alone.html": ()}
        write_head_links(alternates, tmp_path)
        before = {name: (tmp_path / name).stat().st_ino for name in alternates}
        assert write_head_links(alternates, tmp_path) == ([], [])
        assert {name: (tmp_path / name).stat().st_ino for name in alternates} == before

    @pytest.mark.parametrize(
        ("names", "words"),
        [
            (["b.html"], "b.html has hreflang links already"),
            (["b.html", "c.html", "d.html"], "b.html and 2 more pages have hreflang links already"),
        ],
    )
    def test_pages_with_their_own_links_are_named_once(self, tmp_path: Path, names: list[str], words: str) -> None:
        own = PAGE.replace(b"</head>", b'<link rel="alternate" hreflang="en" href="/"></head>')
        for name in names:
            (tmp_path / name).write_bytes(own)
        _, (note,) = write_head_links(dict.fromkeys([*reversed(names), "index.html"], LINKS), tmp_path)
        assert (note.kind, note.page) == ("head-links", None)
        assert note.message == f"head_links: {words}, so none were added there"
        pages = read(tmp_path)
        assert [name for name in names if pages[name] != own] == []
        assert b"hreflang" in pages["index.html"]

    def test_links_to_feeds_are_in_every_page_with_or_without_translations(self, tmp_path: Path) -> None:
        own = PAGE.replace(b"</head>", b'<link rel="alternate" hreflang="en" href="/"></head>')
        (tmp_path / "own.html").write_bytes(own)
        (tmp_path / "plan.pdf").write_bytes(PAGE)
        feed = FeedLink(media_type="application/atom+xml", title="News", href="https://example.org/a.atom")
        alternates = {"index.html": LINKS, "own.html": LINKS, "alone.html": (), "plan.pdf": ()}
        _, (note,) = write_head_links(alternates, tmp_path, [feed])
        assert note.kind == "head-links"
        pages = read(tmp_path)
        assert {name: (page.count(b"hreflang="), page.count(b"a.atom")) for name, page in pages.items()} == {
            "index.html": (2, 1),
            "own.html": (1, 1),
            "alone.html": (0, 1),
            "fr/index.html": (0, 0),
        }
        assert (tmp_path / "plan.pdf").read_bytes() == PAGE
        write_head_links(dict.fromkeys(alternates, ()), tmp_path)
        assert read(tmp_path) == {**dict.fromkeys(("index.html", "fr/index.html", "alone.html"), PAGE), "own.html": own}

    @pytest.mark.parametrize(("name", "ending"), [("a.php", ".php"), ("a", "")])
    def test_pages_with_another_ending_get_links_to_feeds(self, tmp_path: Path, name: str, ending: str) -> None:
        (tmp_path / name).write_bytes(PAGE)
        feed = FeedLink(media_type="application/atom+xml", title="News", href="https://example.org/a.atom")
        assert write_head_links({name: ()}, tmp_path, [feed]) == ([], [])
        assert write_head_links({name: ()}, tmp_path, [feed], ending=ending) == ([name], [])
        assert (tmp_path / name).read_bytes().count(b"a.atom") == 1

    def test_a_missing_page_is_named_and_the_others_are_written(self, tmp_path: Path) -> None:
        _, (note,) = write_head_links({"gone.html": LINKS, "index.html": LINKS}, tmp_path)
        assert note.kind == "unwritable"
        assert note.message == "gone.html could not be read: No such file or directory"
        assert b"hreflang" in read(tmp_path)["index.html"]
        assert not (tmp_path / "gone.html").exists()

    def test_an_unwritable_page_is_named_and_the_other_batches_are_written(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(output_pages, "_BATCH", 1)
        replace = os.replace

        def refuse(source: str, target: str) -> None:
            if target.endswith("alone.html"):
                raise PermissionError(13, "Permission denied")
            replace(source, target)

        monkeypatch.setattr(os, "replace", refuse)
        _, (note,) = write_head_links({"alone.html": LINKS, "index.html": LINKS}, tmp_path)
        assert note.kind == "unwritable"
        assert note.message == "alone.html could not be written: Permission denied"
        assert read(tmp_path)["alone.html"] == PAGE
        assert b"hreflang" in read(tmp_path)["index.html"]

    def test_a_page_outside_the_output_is_not_touched(self, tmp_path: Path) -> None:
        (tmp_path / "site").mkdir()
        _, (note,) = write_head_links({"../index.html": LINKS}, tmp_path / "site")
        assert note.kind == "unwritable"
        assert read(tmp_path)["index.html"] == PAGE

    def test_a_page_with_a_name_that_some_systems_do_not_allow_stops_no_other(self, tmp_path: Path) -> None:
        for name in ("a.html", "std::vector.html"):
            (tmp_path / name).write_bytes(PAGE)
        changed, (note,) = write_head_links(dict.fromkeys(["a.html", "std::vector.html"], LINKS), tmp_path)
        assert changed == ["a.html"]
        assert (note.kind, read(tmp_path)["std::vector.html"]) == ("unwritable", PAGE)
        assert note.message.startswith("std::vector.html has a name that some systems do not allow")
