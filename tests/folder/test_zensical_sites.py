"""Sites built by Zensical, and what the command reads from them."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import pytest

from sitemap_plugins.folder.building import build_site
from sitemap_plugins.folder.configuration import read_configuration, read_settings_of
from sitemap_plugins.folder.generators import mkdocs
from sitemap_plugins.folder.generators.source import source_files
from sitemap_plugins.html.head_editing import set_canonical
from sitemap_plugins.session.lifecycle import LogLevel
from tests.conftest import Repository

HEAD = '<html><head><title>A</title><link rel="canonical" href="{}"><meta name="generator" content="zensical-0.0.73"></head></html>'


def build(project: Path, site: str = "site") -> tuple[list[str], list[str]]:
    """The findings and the notes of a build."""
    notes: list[str] = []

    def report(_: LogLevel, note: object) -> None:
        notes.append(note.message)  # type: ignore[attr-defined]

    configuration = read_configuration(str(project))
    built = build_site(str(project / site), configuration, read_settings_of(configuration), report)
    return [*built.description], notes


@pytest.mark.parametrize(
    ("extensions", "has_effect"),
    [
        ("", False),
        ('[project.markdown_extensions."pymdownx.snippets"]\n', False),
        ('[project.markdown_extensions."sitemap_plugins.zensical"]\n', True),
    ],
)
def test_expose_has_an_effect_only_with_the_extension(tmp_path: Path, extensions: str, *, has_effect: bool) -> None:
    (tmp_path / "zensical.toml").write_text(f"[project.plugins.sitemap]\nexpose = true\n{extensions}", "utf-8")
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.html").write_text(HEAD.format("https://docs.example.org/"), "utf-8")
    _, notes = build(tmp_path)
    assert has_effect != any(note.startswith("expose: it has no effect here") for note in notes)


def test_a_retired_version_keeps_its_own_url(tmp_path: Path) -> None:
    for path in ("index.html", "guide/index.html", "old/index.html"):
        file = tmp_path / "1.0" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        url = f"https://docs.example.org/1.0/{path.removesuffix('index.html')}"
        page = HEAD.format(url).encode()
        newer = url.replace("/1.0/", "/2.0/")
        file.write_bytes(page if "old" in path else set_canonical(page, newer))
    findings, _ = build(tmp_path, "1.0")
    assert "URL: https://docs.example.org/1.0/, from the canonical links of the pages" in findings
    sitemap = (tmp_path / "1.0/sitemap.xml").read_text("utf-8")
    assert sitemap.count("<loc>") == 1
    assert "https://docs.example.org/1.0/old/" in sitemap


def test_a_blog_has_the_date_of_its_newest_post(tmp_path: Path) -> None:
    (tmp_path / "zensical.toml").write_text(
        '[project.plugins.blog]\n[project.plugins.sitemap]\nlastmod = ["mtime"]\nlastmod_format = "date"\n', "utf-8"
    )
    excerpt = '<article class="md-post md-post--excerpt"><a class="toclink" href="2026/01/02/a/">A</a></article>'
    for path, body in (("blog/index.html", excerpt), ("blog/2026/01/02/a/index.html", "A")):
        file = tmp_path / "site" / path
        file.parent.mkdir(parents=True)
        url = f"https://docs.example.org/{path.removesuffix('index.html')}"
        file.write_text(f"{HEAD.format(url)}<body>{body}", "utf-8")
    for path, day in (("blog/index.md", 1), ("blog/posts/a.md", 2)):
        source = tmp_path / "docs" / path
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text("---\ndate: 2026-01-02\n---\n# A\n", "utf-8")
        os.utime(source, (moment := datetime(2026, 3, day, 12, tzinfo=UTC).timestamp(), moment))
    build(tmp_path)
    sitemap = (tmp_path / "site/sitemap.xml").read_text("utf-8")
    assert re.findall("<loc>.*/(.*/)</loc>\\s*<lastmod>(.*)</lastmod>", sitemap) == [
        ("blog/", "2026-03-02"),
        ("a/", "2026-03-02"),
    ]


def test_plugins_that_zensical_does_not_run_are_named_once(tmp_path: Path) -> None:
    plugins = "plugins: [tags, i18n, i18n, gen-files, {monorepo: {enabled: false}}]\n"
    (tmp_path / "mkdocs.yml").write_text(f"site_name: A\n{plugins}", "utf-8")
    (tmp_path / "site").mkdir()
    page = HEAD.format("https://docs.example.org/")
    for text, expected in ((page, 1), (page.replace("zensical-", "mkdocs-"), 0)):
        (tmp_path / "site/index.html").write_text(text, "utf-8")
        _, notes = build(tmp_path)
        found = [note for note in notes if note.startswith("Zensical does not run gen-files or i18n, so the site may")]
        assert len(found) == expected


def test_the_folders_of_modules_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mkdocs.yml").write_text("plugins: [{api-autonav: {modules: [src/pkg]}}]\n", "utf-8")
    for path, text in (
        ("src/pkg/a.py", ""),
        ("site/reference/pkg/a/index.html", HEAD.format("https://x.org/reference/pkg/a/")),
    ):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text(text, "utf-8")
    read: list[str] = []

    def record(folder: str, *suffixes: Collection[str]) -> Iterator[tuple[str, PurePosixPath]]:
        read.append(folder)
        return source_files(folder, *suffixes)

    monkeypatch.setattr(mkdocs, "source_files", record)
    build(tmp_path)
    assert read == [str(tmp_path / "docs"), str(tmp_path / "src/pkg")]


@pytest.mark.parametrize("plugins", ["", "[project.plugins.mkdocstrings]\n"])
def test_pages_with_commands_keep_their_own_dates_and_are_named(plugins: str, repository: Repository) -> None:
    text = "# A\n\n::: mkdocs-click\n    :module: app\n    :command: main\n"
    rule = '[[project.plugins.sitemap.pages]]\nmatch = "ruled/"\ndepends_on = "app.py"\n'
    extensions = "[project.markdown_extensions.mkdocs-click]\n[project.markdown_extensions.pymdownx.snippets]\n"
    repository.write("zensical.toml", f"[project]\n{plugins}{extensions}{rule}")
    repository.write("docs/own.md", text)
    repository.write("docs/ruled.md", text)
    repository.write("docs/taken.md", '--8<-- "part.md"\n')
    repository.write("docs/part.md", text)
    repository.write("docs/plain.md", "# ::: mkdocs-click\n")
    repository.commit("2026-01-01T12:00:00+00:00")
    repository.write("app.py", "def main(): ...\n")
    repository.commit("2026-01-02T12:00:00+00:00")
    for name in ("own", "ruled", "taken", "plain"):
        repository.write(f"site/{name}/index.html", HEAD.format(f"https://docs.example.org/{name}/"))
    _, notes = build(repository.path)
    days = re.findall(r"<lastmod>(.{10})", (repository.path / "site/sitemap.xml").read_text("utf-8"))
    assert days == ["2026-01-01", "2026-01-01", "2026-01-02", "2026-01-01"]
    message = "the commands that mkdocs-click shows do not count for the dates of own.md and taken.md: name their files"
    assert [note for note in notes if "depends_on" in note] == [f"{message} with depends_on"]
    off = f"{plugins}{extensions}[project.plugins.sitemap]\ngit.dependencies = false\n"
    for settings in (off, plugins, f"{plugins}[project.markdown_extensions.toc]\n"):
        repository.write("zensical.toml", f"[project]\n{settings}")
        assert not any("mkdocs-click shows" in note for note in build(repository.path)[1])
