"""MkDocs: the author's own files, feeds of other plugins, other files, previews and partial builds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import feedparser
import pytest

from tests.builders import options_with_files

BASE = "https://docs.example.org/"
MARK = b"written by sitemap-plugins"
OWN_FEED = b"<rss version='2.0'><!-- my own --></rss>\n"
SECTIONS = {"sections": {"guides": ["guide/**"]}}
FEEDS = {"feeds": {"rss": "changes.xml"}}
EVERYTHING = {
    **options_with_files(),
    **SECTIONS,
    "feeds": {"rss": "changes.rss", "atom": "changes.atom"},
    "images": "separate",
    "videos": "separate",
    "news": {"match": "guide/**"},
}


def committed(mkdocs_site: Any, repository: Any) -> Any:
    """A site with a date for each page, since feeds list only dated pages."""
    site = mkdocs_site.at(repository.path)
    site.pages("index.md", "guide/a.md")
    repository.write(".gitignore", "mkdocs.yml\nsite\n")
    repository.commit("2026-03-10T12:00:00+00:00")
    return site


class TestOwnFiles:
    @pytest.mark.parametrize(
        ("name", "options"),
        [
            ("sitemap.txt", {"text": True}),
            ("changes.xml", FEEDS),
            ("sitemap-index.xml", SECTIONS),
            ("record.json", {"record": "record.json"}),
        ],
    )
    def test_the_author_s_files_are_never_overwritten(
        self, mkdocs_site: Any, repository: Any, name: str, options: Mapping[str, object]
    ) -> None:
        site = committed(mkdocs_site, repository)
        site.write(f"docs/{name}", OWN_FEED)
        built = site.build_strictly(options)
        assert built.read(name) == OWN_FEED
        assert MARK in built.read()
        other_name = name.replace(".", "-2.", 1)
        assert built.has(other_name) or built.said(f"{name} is your own file, so it was left alone", level="info")


class TestOtherFeeds:
    def test_all_feeds_of_mkdocs_rss_plugin_are_announced_instead_of_another_one(
        self, mkdocs_site: Any, repository: Any
    ) -> None:
        pytest.importorskip("mkdocs_rss_plugin")
        site = committed(mkdocs_site, repository)
        names = {"rss_updated": "more updated.xml", "rss_created": "feed_rss_created.xml"}
        plugins: list[object] = [{"rss": RSS_OPTIONS}, {"rss": {**RSS_OPTIONS, "feeds_filenames": names}}]
        built = site.build_strictly(FEEDS, plugins=plugins)
        assert not built.has("changes.xml")
        assert built.has("feed_rss_updated.xml")
        feeds = ["feed_rss_updated.xml", "more%20updated.xml", "feed_rss_created.xml"]
        assert built.announced == ["sitemap.xml", *feeds]
        assert built.said("the site has a feed already", "feed_rss_updated.xml", level="info")

    @pytest.mark.parametrize("switched_off", [{"enabled": False}, {"rss_feed_enabled": False}])
    def test_if_it_is_disabled_our_feed_is_written(
        self, mkdocs_site: Any, repository: Any, switched_off: Mapping[str, object]
    ) -> None:
        pytest.importorskip("mkdocs_rss_plugin")
        site = committed(mkdocs_site, repository)
        built = site.build_strictly(FEEDS, plugins=[{"rss": {**RSS_OPTIONS, **switched_off}}])
        assert built.announced == ["sitemap.xml", "changes.xml"]


RSS_OPTIONS = {"use_git": False, "cache_dir": "cache"}


class TestWhatThePagesSay:
    def test_a_description_of_none_is_ignored(self, mkdocs_site: Any, repository: Any) -> None:
        # Without a site_description MkDocs' own themes describe the home page as "None".
        site = committed(mkdocs_site, repository)
        site.write("docs/index.md", "# Home\n\nFirst words.\n")
        repository.commit("2026-03-11T12:00:00+00:00")
        built = site.build(FEEDS, strict=True)
        entry = feedparser.parse(built.read("changes.xml")).entries[0]
        assert (entry.title, entry.get("summary")) == ("Home", "First words.")

    @pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
    def test_titles_and_pictures_come_from_the_content_in_each_theme(
        self, mkdocs_site: Any, repository: Any, theme: str
    ) -> None:
        site = committed(mkdocs_site, repository)
        site.write("docs/logo.svg", "<svg/>")
        site.write("docs/cat.svg", "<svg/>")
        site.write("docs/guide/a.md", "# On cats\n\n![A cat](../cat.svg)\n\nThey sleep.\n")
        repository.commit("2026-03-11T12:00:00+00:00")
        settings = {"name": theme} | ({"logo": "logo.svg", "font": False} if theme == "material" else {})
        built = site.build_strictly({**FEEDS, "images": True}, theme=settings)
        assert re.findall(r"<image:loc>([^<]*)<", built.read().decode()) == [f"{BASE}cat.svg"]
        entries = {
            entry.title: entry.summary
            for entry in feedparser.parse(built.read("changes.xml")).entries
            if entry.link.endswith("a/")
        }
        assert entries == {"On cats": "They sleep."}

    def test_a_preview_looks_for_no_files(self, mkdocs_site: Any) -> None:
        mkdocs_site.pages("index.md", a="---\nsitemap: {images: [dog.svg]}\n---\n# A\n\n<img src='/cat.svg' alt='A'>\n")
        built = mkdocs_site.build({"images": True}, command="serve")
        found = re.findall(r"<image:loc>http://127.0.0.1:8000/([^<]*)<", built.read().decode())
        assert found == ["cat.svg", "dog.svg"]
        assert not built.said("no such file")


class TestOtherFiles:
    def test_files_are_listed_by_glob_and_dated_by_git(self, mkdocs_site: Any, repository: Any) -> None:
        site = committed(mkdocs_site, repository)
        site.write("docs/downloads/plan ü.pdf", "1")
        repository.commit("2026-02-01T00:00:00+00:00")
        site.write("docs/downloads/new.pdf", "2")
        site.write("docs/downloads/secret.zip", "3")
        built = site.build_strictly({"files": ["**/*.pdf"]})
        assert built.days == {
            "": "2026-03-10",
            "downloads/new.pdf": "",
            "downloads/plan%20%C3%BC.pdf": "2026-02-01",
            "guide/a/": "2026-03-10",
        }

    def test_a_file_that_a_plugin_adds_late_is_listed_too(self, mkdocs_site: Any) -> None:
        mkdocs_site.write(
            "late.py",
            "from mkdocs.structure.files import File\n\n\n"
            "def on_nav(nav, config, files):\n"
            "    files.append(File.generated(config, 'late.pdf', content='1'))\n",
        )
        mkdocs_site.write("docs/index.md", "# Home\n")
        built = mkdocs_site.build_strictly({"files": ["**/*.pdf"]}, hooks=["late.py"])
        assert built.paths == ["", "late.pdf"]

    @pytest.mark.parametrize("theme", ["mkdocs", "material"])
    def test_a_file_that_a_plugin_writes_into_the_site_is_listed_without_a_date(
        self, mkdocs_site: Any, repository: Any, theme: str
    ) -> None:
        """As mkdocs-with-pdf does. What MkDocs, its plugin search and we write stays out, as do feeds and other HTML."""
        site = committed(mkdocs_site, repository)
        site.write("docs/own.pdf", "")
        site.write(
            "writing.py",
            "from pathlib import Path\n\n\ndef on_post_build(config):\n"
            "    for name in ('pdf/é.pdf', 'print.html', '.hidden/a.pdf'):\n"
            "        Path(config.site_dir, name).parent.mkdir(exist_ok=True)\n"
            "        Path(config.site_dir, name).write_text(name)\n",
        )
        plugins = ["material/search" if theme == "material" else "search", {"rss": {"use_git": False}}]

        def build(**more: object) -> Any:
            options = EVERYTHING | {"files": ["**"], "lastmod": ["git", "mtime"]}
            return site.build_strictly(options, plugins=plugins, theme=theme, **more)

        before, after, again = build(), build(hooks=["writing.py"]), build(hooks=["writing.py"])
        assert after.days == before.days | {"pdf/%C3%A9.pdf": ""}
        assert again.paths == after.paths
        written = ["search/search_index.json", "feed_rss_created.xml", "404.html", "sitemap.xml", "sitemap.xml.gz"]
        written += ["robots.txt", "record.json"]
        assert all(map(after.has, written))
        assert not {*written} & {*after.paths}

    def test_unpublished_files_and_files_of_the_theme_are_not_listed(self, mkdocs_site: Any) -> None:
        mkdocs_site.pages("index.md")
        mkdocs_site.write("docs/draft.css", "")
        built = mkdocs_site.build_strictly({"files": ["draft.css", "*.pdf"]}, exclude_docs="draft.css")
        assert built.paths == [""]
        assert built.said("files: '*.pdf' matches no file", level="info")
        assert built.said("files: 'draft.css' matches no file", level="info")

    @pytest.mark.parametrize("structure", ["suffix", "folder"])
    @pytest.mark.parametrize("elsewhere", [{}, {"site_url": "https://fr.example.org/"}])
    def test_files_of_all_languages_are_listed(
        self, mkdocs_site: Any, structure: str, elsewhere: Mapping[str, str]
    ) -> None:
        pytest.importorskip("mkdocs_static_i18n")
        names = {"suffix": ("index.md", "index.fr.md", "a.pdf", "b.fr.pdf", "both.pdf", "both.fr.pdf")}
        names["folder"] = ("en/index.md", "fr/index.md", "en/a.pdf", "fr/b.pdf", "en/both.pdf", "fr/both.pdf")
        for name in names[structure]:
            mkdocs_site.write(f"docs/{name}", "# Title\n" if name.endswith(".md") else name)
        languages = [{"locale": "en", "name": "English", "default": True}, {"locale": "fr", "name": "F", **elsewhere}]
        plugins = [{"i18n": {"docs_structure": structure, "languages": languages}}]
        built = mkdocs_site.build_strictly({"files": ["**/*.pdf"]}, plugins=plugins)
        there = {path.relative_to(built.output).as_posix() for path in built.output.rglob("*.pdf")}
        assert {"a.pdf", "both.pdf", "fr/b.pdf", "fr/both.pdf"} <= there
        assert {path for path in built.paths if path.endswith(".pdf")} == there


class TestPreviewsAndPartialBuilds:
    def test_a_preview_has_the_flat_sitemap_no_feed_and_no_warnings(self, mkdocs_site: Any, repository: Any) -> None:
        site = committed(mkdocs_site, repository)
        site.write("docs/guide/a.md", "---\ndate: 2026-03-10\n---\n# A\n")
        unmatched = {"cross_submit": "https://fr.example.org/", "notes": {"unmatched": "warning"}}
        built = site.build(EVERYTHING | unmatched, command="serve")
        base = "http://127.0.0.1:8000/"
        assert built.locs == [base, f"{base}guide/a/", f"{base}sitemap/"]  # with the page of all pages
        assert MARK in built.read()
        assert not {"changes.rss", "changes.atom", "robots.txt"} & {path.name for path in built.output.iterdir()}
        assert built.said("sitemap: ", level="warning") == []
        assert built.said("sitemap: ", level="info") == []

    @pytest.mark.parametrize(
        "options",
        [EVERYTHING, {**SECTIONS, "gzip": "only"}],
        ids=["everything", "sections in gzip only"],
    )
    def test_a_dirty_build_keeps_the_bytes_of_every_file(
        self, mkdocs_site: Any, repository: Any, options: Mapping[str, object]
    ) -> None:
        site = committed(mkdocs_site, repository)
        whole = site.build(options)
        names = [path.name for path in whole.output.iterdir() if path.is_file() and path.name != "404.html"]
        before = {name: whole.read(name) for name in names if name.startswith(("sitemap", "changes", "robots"))}
        assert before
        site.pages("new.md")
        dirty = site.build(options, dirty=True)
        assert {name: dirty.read(name) for name in before} == before
        assert dirty.has("sitemap.xml") == ("sitemap.xml" in before)
        assert dirty.said("the sitemap was left as it was", level="info")
