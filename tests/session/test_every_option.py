"""Each option has an effect or exactly one note in every host."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from sitemap_plugins.folder.building import build_site
from sitemap_plugins.folder.configuration import Configuration, read_settings_of
from sitemap_plugins.options.settings import Settings

CONTRIBUTING = Path(__file__).parents[2] / "CONTRIBUTING.md"
BASE = "https://example.org/docs/"
PAGES = {
    "index.html": f'<html lang="en"><head><title>Home</title><meta name="generator" content="zola"></head>'
    f'<body><main><h1>Home</h1><img src="{BASE}a.png"><p>Text.</p></main><div id="aside"><img src="b.png"></div>',
    "guide.html": f'<html lang="en"><head><title>Guide</title><link rel="canonical" href="{BASE}guide"></head>'
    "<body><main><h1>Guide</h1><video src='https://media.example/v.mp4' poster='p.png'></video></main>",
    "news.html": '<html lang="en"><head><title>News</title></head><body><main><h1>News</h1></main>',
}
FILES = {"a.png": "a", "b.png": "b", "p.png": "p", "paper.pdf": "paper"}
SOURCES: Mapping[str, object] = {"source": "{path}.html"}
LANGUAGES: Mapping[str, str] = {"en": BASE, "fr": "https://example.org/fr/"}
FILM = {"title": "Film", "description": "A film", "content_loc": "v.mp4", "thumbnail_loc": "p.png"}
# A value for each option that changes the sitemaps of these pages, and other options that it needs.
VALUES: Mapping[str, tuple[object, Mapping[str, object]]] = {
    "filename": ("pages.xml", {}),
    "base_url": ("https://example.org/other/", {}),
    "follow_canonical": (True, {}),
    "canonical_version_url": ({"url": "https://example.org/stable/", "pages": "pages.txt"}, {}),
    "lastmod": ([], SOURCES),
    "lastmod_format": ("date", SOURCES),
    "git": ({"date": "author"}, SOURCES | {"lastmod": "git"}),
    "source": ("{path}.html", {}),
    "expose": (True, {}),
    "record": ("record.json", {}),
    "record_content": (True, {"record": "record.json"}),
    "previous_record": ("pages.txt", SOURCES | {"lastmod": "git"}),  # it is no record
    "exclude": ("guide*", {}),
    "pages": ([{"match": "**", "priority": 0.3}], {}),
    "generated_pages": (False, {}),
    "files": ("*.pdf", {}),
    "sections": ({"latest": "news*"}, {}),
    "limit": ({"urls": 2}, {}),
    "robots": (False, {"base_url": "https://example.org/"}),
    "cross_submit": (["https://other.example/"], {}),
    "gzip": (True, {}),
    "text": (True, {}),
    "feeds": ({"rss": "changes.xml"}, SOURCES),
    "html": (True, {}),
    "images": (True, {}),
    "videos": (True, {"pages": [{"match": "guide*", "videos": [FILM]}]}),
    "image_hosts": (["media.example"], {}),
    "content_selector": ("#aside", {"images": True}),
    "news": ({"match": "news*", "name": "The News", "publication_language": "en"}, SOURCES),
    "engines": (["google"], {"pages": [{"match": "**", "priority": 0.3}]}),
    "languages": (LANGUAGES, {}),
    "x_default": ("en", {"languages": LANGUAGES}),
    "translated_share": (0, {}),
    "head_links": (True, {"languages": LANGUAGES}),
    "indent": (2, {}),
    "schema_location": (True, {}),
    "adjust": ("every_option_of_a_folder:raise_priority", {}),
    "ignored_findings": ([{"rule": "unlisted", "reason": "It is fine."}], {}),
    "notes": ({"home-left-out": "ignore"}, {"exclude": "index.html"}),
}
OF_CHECK = {"ignored_findings"}  # only that command uses it

HOOK = """
from dataclasses import replace


def raise_priority(entry, page):
    return replace(entry, priority=1.0)
"""

Build = Callable[[Path, Mapping[str, object]], list[str]]


def build_folder(site: Path, options: Mapping[str, object]) -> list[str]:
    messages: list[str] = []
    configuration = Configuration(root=str(site), options=options)
    build_site(str(site), configuration, read_settings_of(configuration), lambda _, note: messages.append(note.message))
    return messages


def build_minimally(site: Path, options: Mapping[str, object]) -> list[str]:
    recipe = CONTRIBUTING.read_text(encoding="utf-8").partition("add a host**")[2]
    names: dict[str, Any] = {}
    exec(recipe.partition("```python\n")[2].partition("```")[0], names)  # noqa: S102  # our own manual
    messages: list[str] = []
    names["log"] = lambda _, note: messages.append(note.message)
    names["build"](site, options)
    return messages


@pytest.fixture
def source(repository: Any) -> Path:
    for name, text in (PAGES | FILES).items():
        repository.write(f"site/{name}", text)
    repository.write("site/pages.txt", "https://example.org/stable/guide.html\n")
    repository.write("site/every_option_of_a_folder.py", HOOK)
    repository.git("add", "--all")
    repository.git("commit", "--quiet", "--message", "a", "--date", "2026-01-03T10:00:00Z", when="2026-01-05T10:00:00Z")
    for file in Path(repository.path, "site").iterdir():
        os.utime(file, (1_700_000_000, 1_700_000_000))
    return Path(repository.path)


@pytest.mark.parametrize("host", [build_folder, build_minimally])
@pytest.mark.parametrize("option", [name for name in Settings.__struct_fields__ if name not in OF_CHECK])
def test_an_option_has_an_effect_or_one_note(source: Path, tmp_path: Path, host: Build, option: str) -> None:
    assert option in VALUES, f"add a value of {option} that has an effect to VALUES"
    value, needed = VALUES[option]
    base = {"base_url": BASE, "lastmod": "mtime"} | needed
    found = []
    for name, options in (("without", base), ("with", base | {option: value})):
        site = shutil.copytree(source, tmp_path / name) / "site"
        messages = host(site, options)
        files = {file.relative_to(site): file.read_bytes() for file in site.rglob("*") if file.is_file()}
        found.append((files, messages))
    (files_without, messages_without), (files_with, messages_with) = found
    new = [message for message in messages_with if message not in messages_without]
    has_effect = files_with != files_without or len(messages_with) < len(messages_without)
    assert has_effect or len(new) == 1, new
