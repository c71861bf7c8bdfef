"""Sphinx: files of earlier builds and of the author, the feed of another extension, other files, incremental builds."""

from __future__ import annotations

import gzip
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import feedparser
import pytest

from sitemap_plugins.output.ownership import is_ours
from sitemap_plugins.sphinx.files import remember_files, remembered_files
from tests.builders import options_with_files

BASE = "https://docs.example.org/"
MARK = b"written by sitemap-plugins"
OWN = b"<urlset><!-- my own --></urlset>\n"
OWN_PACKED = gzip.compress(OWN, mtime=0)
FOLDER_ON_PATH = "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))\n"
SECTIONS = {"sections": {"guides": ["guide/**"]}}
FEEDS = {"feeds": {"rss": "changes.xml"}}
EVERYTHING = {
    **options_with_files(),
    "html": "all-pages",
    **SECTIONS,
    "feeds": {"rss": "changes.rss", "atom": "changes.atom"},
    "gzip": True,
    "images": "separate",
    "news": {"match": "guide/**"},
    "videos": "separate",
}


def written(built: Any) -> dict[str, bytes]:
    """The files in the output that are ours or could be."""
    patterns = ("sitemap*", "changes*", "robots.txt", "*.json")
    found = {path for pattern in patterns for path in built.output.glob(pattern)}
    return {path.name: path.read_bytes() for path in found.union(filter(is_ours, built.output.iterdir()))}


def committed(sphinx_site: Any, repository: Any) -> Any:
    """A site with a date for each page, since feeds list only dated pages."""
    site = sphinx_site.at(repository.path)
    site.pages("index.rst", "guide/b.rst")
    site.write(
        "docs/guide/a.rst",
        ":date: 2026-03-10\n\nOn cats\n=======\n\nThey sleep.\n\n.. image:: /cat.svg\n   :alt: A cat\n\n"
        ".. raw:: html\n\n   <video src='https://f.example/a.mp4' poster='https://f.example/a.svg' title='A film'></video>\n",
    )
    site.write("docs/cat.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='90'/>")
    site.refer_to_all()
    repository.write(".gitignore", "conf.py\noutput\ndoctrees\n")
    repository.commit("2026-03-10T12:00:00+00:00")
    return site


class TestEarlierBuilds:
    def test_a_failed_build_does_not_forget_the_files_of_the_previous_one(self, sphinx_site: Any) -> None:
        sphinx_site.pages("index.rst", "guide/a.rst")
        sphinx_site.build({**SECTIONS, "text": True})
        (sphinx_site.root / "output" / "html" / "record.json").mkdir()
        assert sphinx_site.build({"record": "record.json"}).has("sitemap-guides.xml")
        (sphinx_site.root / "output" / "html" / "record.json").rmdir()
        assert written(sphinx_site.build()).keys() == {"sitemap.xml", "robots.txt"}

    @pytest.mark.parametrize("damaged", [b"", b"{", b"[1]", b'{"../output/html": 5}', b'{"../output/html": [5, null]}'])
    def test_an_unreadable_record_of_files_fails_no_build(self, sphinx_site: Any, damaged: bytes) -> None:
        sphinx_site.pages("index.rst", "guide/a.rst")
        sphinx_site.build(SECTIONS)
        (stored,) = sphinx_site.root.glob("doctrees/sitemap-files.json")
        stored.write_bytes(damaged)
        built = sphinx_site.build_strictly()
        assert MARK in built.read()

    def test_an_output_on_a_different_drive_than_the_doctrees_fails_no_build(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # As on Windows.
        def refuse(*_: object) -> str:
            message = "path is on mount 'C:', start on mount 'D:'"
            raise ValueError(message)

        app: Any = SimpleNamespace(outdir=tmp_path / "c", doctreedir=tmp_path / "d")
        app.doctreedir.mkdir()
        monkeypatch.setattr("os.path.relpath", refuse)
        assert remembered_files(app) == ()
        remember_files(app, ["sitemap.xml"])

    def test_two_outputs_of_the_same_doctrees_are_kept_apart(self, sphinx_site: Any) -> None:
        sphinx_site.pages("index.rst", "guide/a.rst")
        sphinx_site.build(SECTIONS)
        assert sphinx_site.build(SECTIONS, builder="dirhtml").has("sitemap-guides.xml")
        for builder in ("html", "dirhtml"):
            assert written(sphinx_site.build(builder=builder)).keys() == {"sitemap.xml", "robots.txt"}

    def test_unchanged_pages_keep_their_pictures_when_another_page_changes(
        self, sphinx_site: Any, repository: Any
    ) -> None:
        site = committed(sphinx_site, repository)
        site.build(EVERYTHING)
        site.write("docs/guide/b.rst", "Other\n=====\n\n.. image:: /cat.svg\n   :alt: A cat\n")
        built = site.build_strictly(EVERYTHING)
        assert built.read("sitemap-images.xml").count(b"<image:loc>") == 2
        fresh = site.build(EVERYTHING, force=True)
        assert written(fresh) == written(built)


class TestOwnFiles:
    @pytest.mark.parametrize(
        ("name", "options"),
        [
            ("sitemap-guides.xml.gz", {**SECTIONS, "gzip": True}),
            ("sitemap.txt", {"text": True, "gzip": "only"}),
            ("sitemap.xml.gz", {}),
            ("sitemap-index.xml", SECTIONS),
            ("changes.xml", FEEDS),
        ],
    )
    def test_the_author_s_files_are_never_overwritten_or_removed(
        self, sphinx_site: Any, repository: Any, name: str, options: Mapping[str, object]
    ) -> None:
        site = committed(sphinx_site, repository)
        own = OWN_PACKED if name.endswith(".gz") else OWN
        site.write(f"docs/extra/{name}", own)
        for _ in range(2):
            built = site.build_strictly(options, html_extra_path=["extra"])
            assert built.read(name) == own
            assert MARK in (
                gzip.decompress(built.read("sitemap.xml.gz")) if options.get("gzip") == "only" else built.read()
            )

    def test_the_author_can_reuse_the_name_of_a_file_that_was_ours(self, sphinx_site: Any, repository: Any) -> None:
        site = committed(sphinx_site, repository)
        assert MARK in site.build({**FEEDS, **SECTIONS}).read("changes.xml")
        for name in ("changes.xml", "sitemap-guides.xml"):
            site.write(f"docs/extra/{name}", OWN)
        built = site.build_strictly({**FEEDS, **SECTIONS}, html_extra_path=["extra"])
        assert built.read("changes.xml") == built.read("sitemap-guides.xml") == OWN
        assert MARK in built.read("sitemap-guides-2.xml")


ABLOG = """\
from pathlib import Path


def write(app, exception):
    folder = Path(app.outdir, app.config.blog_path)
    folder.mkdir(exist_ok=True)
    for name in app.config.blog_feed_templates:
        (folder / f"{name}.xml").write_text("<feed xmlns='http://www.w3.org/2005/Atom'/>")


def setup(app):
    app.add_config_value("blog_path", "blog", "html", types=frozenset({str}))
    app.add_config_value("blog_feed_templates", {"atom": {}}, "html", types=frozenset({dict}))
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
"""


class TestOtherFeeds:
    @pytest.mark.parametrize(
        ("options", "config", "feeds"),
        [
            (FEEDS, {"blog_path": "my blog"}, ["my%20blog/atom.xml"]),
            ({}, {"blog_feed_templates": {"atom": {}, "social": {}}}, ["blog/atom.xml", "blog/social.xml"]),
        ],
    )
    def test_the_feeds_of_ablog_are_announced_instead_of_another_one(
        self, sphinx_site: Any, repository: Any, options: object, config: Any, feeds: list[str]
    ) -> None:
        site = committed(sphinx_site, repository)
        site.write("docs/ablog.py", ABLOG)
        site.code = FOLDER_ON_PATH
        built = site.build_strictly(options, extensions=["sitemap_plugins.sphinx", "ablog"], **config)
        assert not built.has("changes.xml")
        assert built.announced == ["sitemap.xml", *feeds]
        assert bool(built.said("the site has a feed already", "atom.xml", level="info")) == bool(options)


class TestOtherFiles:
    def test_files_are_listed_by_glob_and_dated_by_git(self, sphinx_site: Any, repository: Any) -> None:
        site = sphinx_site.at(repository.path)
        site.write("docs/index.rst", "Home\n====\n\nTake :download:`the list <list.pdf>`.\n")
        site.write("docs/list.pdf", "1")
        site.write("docs/extra/papers/plan ü.pdf", "2")
        repository.write(".gitignore", "conf.py\noutput\ndoctrees\n")
        repository.commit("2026-02-01T00:00:00+00:00")
        site.write("docs/extra/new.pdf", "3")
        for _ in range(2):
            built = site.build_strictly({"files": ["**/*.pdf"]}, html_extra_path=["extra"])
            days = {re.sub("_downloads/[^/]*/", "_downloads/…/", path): day for path, day in built.days.items()}
            assert days == {
                "_downloads/…/list.pdf": "2026-02-01",
                "index.html": "2026-02-01",
                "new.pdf": "",
                "papers/plan%20%C3%BC.pdf": "2026-02-01",
            }

    @pytest.mark.parametrize("suffix", [".html", ".php", ""])
    def test_pages_of_other_tools_are_listed_but_not_those_of_removed_documents(
        self, sphinx_site: Any, suffix: str
    ) -> None:
        sphinx_site.pages("index.rst", "old.rst")
        options = {"files": ["**/*.html", f"old{suffix}"]}
        assert sphinx_site.build(options, html_file_suffix=suffix).paths == [f"index{suffix}", f"old{suffix}"]
        (sphinx_site.docs / "old.rst").unlink()
        (api := sphinx_site.root / "output/html/api").mkdir()
        (api / "tool.html").write_text("<h1>API", encoding="utf-8")
        built = sphinx_site.build(options, html_file_suffix=suffix)
        assert not built.failed, built.warnings
        assert built.paths == ["api/tool.html", f"index{suffix}"]

    def test_our_own_files_and_left_out_pages_are_not_listed_as_files(self, sphinx_site: Any, repository: Any) -> None:
        site = committed(sphinx_site, repository)
        options = {**EVERYTHING, "files": ["**"], "exclude": ["guide/b.html"]}
        first = site.build(options).paths
        assert not re.search(r"sitemap|changes|robots|record|guide/b|search\.html|genindex", " ".join(first))
        assert site.build(options).paths == first
        shutil.rmtree(site.root / "doctrees")
        assert site.build(options).paths == first

    def test_the_author_s_file_is_listed_under_a_name_that_was_ours(self, sphinx_site: Any, repository: Any) -> None:
        site = committed(sphinx_site, repository)
        options = {**FEEDS, "files": ["changes.xml"]}
        site.build(options)
        site.write("docs/extra/changes.xml", OWN)
        for _ in range(2):
            assert "changes.xml" in site.build(options, html_extra_path=["extra"]).paths


class TestOtherBuilds:
    def test_a_single_page_has_its_media(self, sphinx_site: Any, repository: Any) -> None:
        site = committed(sphinx_site, repository)
        built = site.build_strictly({"images": True, "videos": True}, builder="singlehtml")
        assert built.paths == ["index.html"]
        assert built.read().count(b"<image:loc>") == built.read().count(b"<video:video>") == 1

    @pytest.mark.parametrize("theme", ["alabaster", "basic", "furo"])
    def test_titles_and_pictures_come_from_the_content_in_each_theme(
        self, sphinx_site: Any, repository: Any, theme: str
    ) -> None:
        site = committed(sphinx_site, repository)
        site.write("docs/logo.svg", (site.docs / "cat.svg").read_bytes())
        built = site.build_strictly({**FEEDS, "images": True}, html_theme=theme, html_logo="logo.svg")
        assert re.findall(r"<image:loc>([^<]*)<", built.read().decode()) == [f"{BASE}_images/cat.svg"]
        (entry,) = (
            each for each in feedparser.parse(built.read("changes.xml")).entries if each.link.endswith("a.html")
        )
        assert (entry.title, entry.summary) == ("On cats", "They sleep.")
