"""The same site gives the same bytes and the same log, regardless of where and how it is built."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.hostile.subjects import MERGE

if TYPE_CHECKING:
    from tests.conftest import Repository

ROOT = Path(__file__).parents[2]
# The umask, the order of directory listings, Sphinx's -j, and variables. A locale that is not installed acts like C.
PLACES: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "one": (("022", "a", "1"), {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC"}),
    "two": (("077", "b", "2"), {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "America/St_Johns"}),
    "six": (("002", "c", "1"), {"PYTHONHASHSEED": "42", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kolkata"}),
}
LANGUAGES = ("en", "de", "fr", "ja")
NAMES = ("index", "guide/größe", "guide/install", "guide/İki", "news/one", "news/two", "reference", "zebra")
OPTIONS: dict[str, Any] = {
    "engines": ["google", "yandex", "bing", "baidu"],
    "record": "record.json",
    "expose": "created",
    "feeds": {"rss": "changes.rss", "atom": "changes.atom", "head_links": True},
    "files": ["**/*.pdf"],
    "gzip": True,
    "head_links": True,
    "image_hosts": ["*.example.net"],
    "images": "separate",
    "lastmod": ["front_matter", "git", "mtime"],
    "limit": {"urls": 3},
    "news": {"match": "**/news/**", "name": "News"},
    "pages": [{"source": "**/reference*", "depends_on": ["data/*.csv", "data/more"]}],
    "sections": {"guide": "**/guide/**", "other": {"source": "**/z*"}, "picks": {}},
    "text": True,
    "videos": True,
}
MKDOCS_YML = """
site_name: Site
site_url: https://docs.example.org/
theme: {name: null, custom_dir: theme}
plugins:
- i18n: {docs_structure: folder, languages: [{locale: en, default: true, name: E}, {locale: de, name: D}, {locale: fr, name: F}, {locale: ja, name: J}]}
"""
MAIN_HTML = """<html lang="{{ i18n_page_locale }}"><head><title>{{ page.title }}</title></head><body>
<main>{{ page.content }}</main><footer>{{ page.meta.git_revision_date_localized }}</footer></body></html>"""
CONF_PY = f"""
project = "Site"
extensions = ["sitemap_plugins.sphinx"]
html_theme = "basic"
html_extra_path = ["extra"]
html_last_updated_fmt = "%c"
gettext_compact = False
languages = {{"en": "https://docs.example.org/", "fr": {{"url": "https://fr.example.org/", "pages": "fr.xml"}}}}
sitemap_options = {OPTIONS!r} | {{"languages": languages}}
"""
VIDEO = '<video controls src="/film.mp4" poster="https://a.example.net/film.png" title="Film"></video>'
SAID = re.compile(r"^(?:\w+ +- +)?sitemap: .*$", re.MULTILINE)
FOREIGN = {".buildinfo", "searchindex.js"}  # Sphinx's files for its own use; we do not control them


def write_mkdocs(repository: Repository) -> None:
    repository.write("mkdocs/mkdocs.yml", f"{MKDOCS_YML}- sitemap: {OPTIONS!r}\n".replace("True", "true"))
    repository.write("mkdocs/theme/main.html", MAIN_HTML)
    pages = [(language, name) for language in LANGUAGES for name in NAMES]
    for number, (language, name) in enumerate(pages):
        if number % 5 == 4:
            continue  # this page is not translated
        head = f"sitemap_section: picks\nsitemap_lastmod: 2026-03-01 00:{number:02}:00\n" if number % 7 == 1 else ""
        head += f"date: 2026-03-22 20:{number:02}:00\n" if "news" in name else ""
        head += f"sitemap_priority: high\nsitemap_{name[0]}: 1\n" if number % 7 == 2 else ""
        images = "".join(f"![](https://{each}.example.net/{name}.png)\n" for each in ("b", "a"))
        content = f"---\n{head}---\n# {name} in {language}\n\nAbout {name}.\n\n{images}\n{VIDEO}\n"
        repository.write(f"mkdocs/docs/{language}/{name}.md", content)
    for name in ("b", "a", "c"):
        for file in (f"data/{name}.csv", f"data/more/{name}.txt", f"docs/en/{name}.pdf"):
            repository.write(f"mkdocs/{file}", name)
    repository.write("mkdocs/docs/robots.txt", "User-agent: *\nDisallow: /de/zebra/\n")
    repository.write("mkdocs/docs/film.mp4", "film")


def write_sphinx(repository: Repository) -> None:
    repository.write("sphinx/conf.py", CONF_PY)
    urls = "".join(f"<url><loc>https://fr.example.org/{name}/</loc></url>" for name in NAMES[2:])
    repository.write("sphinx/fr.xml", f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>')
    for number, name in enumerate(NAMES):
        head = ":sitemap_section: picks\n:sitemap_depends_on: ../mkdocs/data\n" if number % 3 == 1 else ""
        head += f":date: 2026-03-22 20:{number:02}:00\n" if "news" in name else ""
        images = "".join(f".. image:: https://{each}.example.net/{name}.png\n" for each in ("b", "a"))
        contents = "" if number else ".. toctree::\n   :glob:\n\n   **\n"
        content = (
            f"{head}\n{name}\n===============\n\nAbout {name}.\n\n{images}\n.. raw:: html\n\n   {VIDEO}\n\n{contents}"
        )
        repository.write(f"sphinx/{name}.rst", content)
        if number % 4:
            content_type = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
            messages = f'msgid "About {name}."\nmsgstr "Über {name}."\n\nmsgid "{name}"\nmsgstr "{name}, deutsch"\n'
            repository.write(f"sphinx/locales/de/LC_MESSAGES/{name}.po", content_type + messages)
    for name in ("b", "a"):
        repository.write(f"sphinx/extra/{name}.pdf", name)
        repository.write(f"sphinx/data/{name}.csv", name)
    repository.write("sphinx/extra/robots.txt", "User-agent: *\nDisallow: /zebra/\n")
    repository.write("sphinx/extra/_headers", "/guide/install/\n  X-Robots-Tag: noindex\n")
    repository.write("sphinx/extra/film.mp4", "film")


@pytest.fixture
def site(repository: Repository) -> Path:
    """A repository with a site for each host, a history, and uncommitted pages."""
    write_mkdocs(repository)
    write_sphinx(repository)
    MERGE.prepare(repository.path / "apart")
    commits = [repository.commit("2026-02-27T23:30:00-0330")]
    for day, name in enumerate(NAMES, 1):
        for file in (repository.path / f"mkdocs/docs/en/{name}.md", repository.path / f"sphinx/{name}.rst"):
            if file.exists():
                file.write_text(f"{file.read_text('utf-8')}\nMore.\n", "utf-8")
        commits.append(repository.commit(f"2026-03-{day:02}T04:00:00+0530"))
    repository.write(".git-blame-ignore-revs", "".join(f"{commit}\n" for commit in commits[4:6]))
    repository.commit("2026-03-23T04:00:00+0530")
    for name in ("mkdocs/docs/en/later.md", "sphinx/later.rst"):
        os.utime(repository.write(name, "later\n=====\n"), (1772400000, 1772400000))
    return repository.path


def files_in(folder: Path) -> dict[str, Path]:
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name not in FOREIGN)
    return {path.relative_to(folder).as_posix(): path for path in paths}


def test_every_place_gives_the_same_bytes_and_log(site: Path, tmp_path: Path) -> None:
    builds = {}
    for place, (arguments, variables) in PLACES.items():
        shutil.copytree(site, tmp_path / place)
        # So that git does not take the copies for changes.
        subprocess.run(["git", "update-index", "--refresh"], cwd=tmp_path / place, check=True)
        command = [sys.executable, "-m", "tests.hosts.elsewhere", str(tmp_path / place), *arguments]
        builds[place] = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
    said = {}
    for place, build in builds.items():
        output = build.communicate()[0].decode().replace(str(tmp_path / place), "")
        assert build.returncode == 0, output
        said[place] = SAID.findall(output)
    assert len(said["one"]) > 30
    assert said["two"] == said["six"] == said["one"]
    for folder, number in {"mkdocs/site": 120, "sphinx-site": 100, "apart": 12, "said": 4}.items():
        expected = {name: path.read_bytes() for name, path in files_in(tmp_path / "one" / folder).items()}
        assert len(expected) >= number
        for place, (arguments, _) in PLACES.items():
            found = files_in(tmp_path / place / folder)
            assert found.keys() == expected.keys(), place
            different = [name for name, path in found.items() if path.read_bytes() != expected[name]]
            assert not different, place
            # The umask decides who can read new files, as for the host's own; the files in "apart" existed before.
            if os.name != "nt" and folder != "apart":
                assert {path.stat().st_mode & 0o777 for path in found.values()} == {0o666 & ~int(arguments[0], 8)}
