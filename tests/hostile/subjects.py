"""The actions that are interrupted, killed and run twice at once: publishing, commands, MkDocs and Sphinx builds."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import click

from sitemap_plugins.commands.main import main as command_line
from sitemap_plugins.formats.gzip import compress
from sitemap_plugins.formats.sitemap_xml import MARK
from sitemap_plugins.model import Page, Site
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.session.publishing import Output
from tests.builders import long_text, open_test_session, options

BASE: Final = "https://example.org/"
PAGES: Final = 7
COMMON: Final = {"gzip": True, "text": True, "sections": {"some": "*[156]*"}}
BEFORE: Final = {**COMMON, "limit": {"urls": 2}, "lastmod": []}
AFTER: Final = {**COMMON, "limit": {"urls": 3}, "lastmod": ["front_matter"], "record": "e.json"}
OTHER: Final = {**AFTER, "indent": 2, "lastmod": []}
VARIANTS: Final = {"before": BEFORE, "a": AFTER, "b": OTHER}
"""The options of the build before, of the interrupted one, and of another at the same time: some files change, some
are removed, and some are new."""

_LOC: Final = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
_OURS: Final = re.compile(r"sitemap[^/]*|robots\.txt|e\.json|\.sitemap-plugins-.*")

State = dict[str, bytes]
Around = Callable[[], contextlib.AbstractContextManager[object]]


class Outcome(NamedTuple):
    """How a run ended. ``failed`` says whether its command would have returned an exit code other than 0."""

    failed: bool
    said: str


class Subject(NamedTuple):
    """Something that writes into ``output`` below a folder.

    ``prepare`` creates the folder, with the output of an earlier run. ``run`` does the same with one of two variants.
    The context ``around`` contains our part, so that only that fails. ``run`` raises exceptions that are not an
    Exception.
    """

    name: str
    output: str
    prepare: Callable[[Path], None]
    run: Callable[[Path, str, Around], Outcome]


def state(output: Path) -> State:
    """Our files, including drafts and backups. Folders and special files have no content."""
    paths = (path for path in sorted(output.rglob("*")) if _OURS.fullmatch(path.name))
    return {path.relative_to(output).as_posix(): path.read_bytes() if path.is_file() else b"" for path in paths}


def leftovers(found: State) -> list[str]:
    return [path for path in found if ".sitemap-plugins-" in path]


def torn(found: State) -> list[str]:
    """Files that cannot be read: XML that does not parse, a ``.gz`` that is damaged or has other content.

    Files that the hosts write themselves are not checked.
    """
    problems = []
    for path, content in found.items():
        if path in leftovers(found):
            continue
        try:
            plain = gzip.decompress(content) if path.endswith(".gz") else content
        except (OSError, EOFError) as error:
            problems.append(f"{path}: {error}")
            continue
        beside = found.get(path.removesuffix(".gz"), plain)
        if plain != beside and MARK.encode() in beside:
            problems.append(f"{path} holds something else")
        if ".xml" in path and MARK.encode() in plain[:800]:
            try:
                ET.fromstring(plain)  # noqa: S314  # our own file
            except ET.ParseError as error:
                problems.append(f"{path}: {error}")
    return problems


def missing(found: State) -> list[str]:
    """The files that an index or robots.txt names, but that do not exist."""
    named = []
    for path, content in found.items():
        plain = gzip.decompress(content) if path.endswith(".gz") else content
        if b"<sitemapindex" in plain[:800]:
            named += [element.text or "" for element in ET.fromstring(plain).iter(_LOC)]  # noqa: S314  # our own file
        if path == "robots.txt":
            named += re.findall(r"^Sitemap: (.+)$", plain.decode(), re.MULTILINE)
    return [url for url in named if url.removeprefix(BASE) not in found]


def settings_of(variant: str) -> Settings:
    return options(**VARIANTS[variant])


def _publish(folder: Path, variant: str, around: Around) -> Outcome:
    earlier = (folder / "earlier").read_text().split() if (folder / "earlier").exists() else []
    pages = [
        Page(loc=f"{BASE}{number or ''}", name=f"{number}.md", front_matter={"sitemap": {"lastmod": "2026-01-01"}})
        for number in range(PAGES - 2 * (variant == "before"))
    ]
    output = Output(directory=str(folder / "site"), earlier=earlier)
    said: list[str] = []
    session = open_test_session(
        settings_of(variant), folder, lambda _, note: said.append(f"{note.kind}: {note.message}")
    )
    with around(), session.report_read_errors():
        publication = session.publish(Site(base_url=BASE), pages, output)
        if variant == "before":
            (folder / "earlier").write_text("\n".join(publication.written))
    return Outcome(failed=any(note.startswith("unwritable") for note in said), said="\n".join(said))


def _prepare_publish(folder: Path) -> None:
    (folder / "site").mkdir(parents=True)
    _publish(folder, "before", contextlib.nullcontext)


PUBLISH: Final = Subject("publish", "site", _prepare_publish, _publish)


def _prepare_merge(folder: Path) -> None:
    for language in ("en", "fr", "de"):
        there = folder / "site" / ("" if language == "en" else language)
        base_url = f"{BASE}{'' if language == 'en' else f'{language}/'}"
        (there / "a").mkdir(parents=True)
        for page in ("index.html", "a/index.html"):
            (there / page).write_text(f'<!doctype html><html lang="{language}"><head></head></html>')
        urls = "".join(f"<url><loc>{base_url}{page}</loc></url>" for page in ("", "a/"))
        content = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{MARK}{urls}</urlset>'.encode()
        (there / "sitemap.xml").write_bytes(content)
        (there / "sitemap.xml.gz").write_bytes(b"".join(compress([content])))


def _run_command(*arguments: str) -> Outcome:
    """Run a command like its own process would, except that KeyboardInterrupt is not caught."""
    with _captured() as said:
        try:
            command_line.main(arguments, standalone_mode=False)
        except click.ClickException as error:
            return Outcome(failed=True, said=f"{said.getvalue()}{error.format_message()}")
        except click.Abort as error:
            raise KeyboardInterrupt from error
        except SystemExit as end:
            return Outcome(failed=end.code != 0, said=said.getvalue())
    return Outcome(failed=False, said=said.getvalue())


def _merge(folder: Path, variant: str, around: Around) -> Outcome:
    with around():
        return _run_command("merge", str(folder / "site"), "--x-default", {"a": "en", "b": "fr"}[variant])


MERGE: Final = Subject("merge", "site", _prepare_merge, _merge)


def _prepare_dates(folder: Path) -> None:
    for name in ("repository", "site"):
        (folder / name).mkdir(parents=True)
    settings = ("user.name=Writer", "user.email=writer@example.org", "commit.gpgSign=false")
    git = ("git", *chain.from_iterable(("-c", each) for each in settings))
    subprocess.run([*git, "init", "--quiet"], cwd=folder / "repository", check=True)
    for name, value in (("core.checkStat", "minimal"), ("core.trustctime", "false")):  # a copy counts as unchanged
        subprocess.run([*git, "config", name, value], cwd=folder / "repository", check=True)
    for number in range(3):
        (folder / "repository" / f"{number}.md").write_text(long_text(str(number)))
        subprocess.run([*git, "add", "."], cwd=folder / "repository", check=True)
        subprocess.run([*git, "commit", "--quiet", "-m", "a page"], cwd=folder / "repository", check=True)
    subprocess.run([*git, "mv", "0.md", "other.md"], cwd=folder / "repository", check=True)
    subprocess.run([*git, "commit", "--quiet", "-m", "a name"], cwd=folder / "repository", check=True)


def _dates(folder: Path, _: str, around: Around) -> Outcome:
    with around():
        outcome = _run_command("dates", str(folder / "repository"))
    if not outcome.failed:  # it writes no file, but its output has to be all or nothing too
        (folder / "site" / "sitemap-dates").write_text(outcome.said)
    return outcome


DATES: Final = Subject("dates", "site", _prepare_dates, _dates)


def _prepare_build(folder: Path) -> None:
    _write_documents(folder / "docs", "md", lambda name: f"---\nsitemap_lastmod: 2026-01-01\n---\n# {name}\n")
    _write_documents(folder / "site", "html", lambda name: f"<!doctype html><title>{name}</title>")
    for variant, written in VARIANTS.items():
        (folder / variant).mkdir()
        configuration = {"site_url": BASE, "docs_dir": "../docs", "plugins": [{"sitemap": written}]}
        (folder / variant / "mkdocs.yml").write_text(json.dumps(configuration))
    _build(folder, "before", contextlib.nullcontext)


def _build(folder: Path, variant: str, around: Around) -> Outcome:
    with around():
        return _run_command("build", str(folder / "site"), "--project", str(folder / variant))


BUILD: Final = Subject("build", "site", _prepare_build, _build)


def _write_documents(folder: Path, suffix: str, line: Callable[[str], str]) -> None:
    folder.mkdir(parents=True)
    for number in range(PAGES):
        name = f"p{number}" if number else "index"
        (folder / f"{name}.{suffix}").write_text(line(name))


MKDOCS_YML: Final = """
site_name: Site
site_url: {base}
docs_dir: docs
site_dir: site
theme: {{name: null, custom_dir: theme}}
plugins: [{{sitemap: {options!r}}}]
"""
CONF_PY: Final = """
project = "Site"
html_baseurl = {base!r}
extensions = ["sitemap_plugins.sphinx"]
sitemap_options = {options!r}
html_theme = "basic"
html_use_index = False
"""


def _prepare_mkdocs(folder: Path) -> None:
    _write_documents(folder / "docs", "md", lambda name: f"---\nsitemap: {{lastmod: 2026-01-01}}\n---\n# {name}\n")
    (folder / "theme").mkdir()
    (folder / "theme" / "main.html").write_text("<html><head></head><body>{{ page.content }}</body></html>")
    for variant, written in VARIANTS.items():
        (folder / f"{variant}.yml").write_text(MKDOCS_YML.format(base=BASE, options=written))
    _mkdocs(folder, "before", contextlib.nullcontext)


def _mkdocs(folder: Path, variant: str, around: Around) -> Outcome:
    from mkdocs.__main__ import cli

    from sitemap_plugins.mkdocs.plugin import SitemapPlugin

    with _within(SitemapPlugin, "_publish", around), _captured() as said:
        try:
            cli.main(["build", "-f", str(folder / f"{variant}.yml")], standalone_mode=False)
        except (click.ClickException, SystemExit, click.Abort) as error:
            if isinstance(error.__context__, KeyboardInterrupt):
                raise KeyboardInterrupt from error
            return Outcome(
                failed=not isinstance(error, SystemExit) or error.code != 0, said=f"{said.getvalue()}{error}"
            )
    return Outcome(failed=False, said=said.getvalue())


MKDOCS: Final = Subject("mkdocs", "site", _prepare_mkdocs, _mkdocs)


def _prepare_sphinx(folder: Path) -> None:
    _write_documents(folder / "docs", "rst", lambda name: f":orphan:\n:sitemap_lastmod: 2026-01-01\n\n{name}\n=====\n")
    for variant, written in VARIANTS.items():
        (folder / variant).mkdir()
        (folder / variant / "conf.py").write_text(CONF_PY.format(base=BASE, options=written))
    _sphinx(folder, "before", contextlib.nullcontext)
    for variant in ("a", "b"):  # each of two builds at once has its own doctrees of the output
        shutil.copytree(folder / "trees-before", folder / f"trees-{variant}")


def _sphinx(folder: Path, variant: str, around: Around) -> Outcome:
    from sphinx.cmd.build import build_main

    from sitemap_plugins.sphinx.extension import SphinxHost

    folders = (folder / "docs", folder / "site")
    arguments = ["-q", "-c", str(folder / variant), "-d", str(folder / f"trees-{variant}"), *map(str, folders)]
    with _within(SphinxHost, "_publish", around), _captured() as said:
        failed = build_main(arguments) != 0
    return Outcome(failed=failed, said=said.getvalue())


SPHINX: Final = Subject("sphinx", "site", _prepare_sphinx, _sphinx)
SUBJECTS: Final = {each.name: each for each in (PUBLISH, MERGE, BUILD, DATES, MKDOCS, SPHINX)}


@contextlib.contextmanager
def _within(owner: Any, name: str, around: Around) -> Iterator[None]:
    """Run a method within a context."""
    method = getattr(owner, name)

    def run(*arguments: object) -> object:
        with around():
            return method(*arguments)

    with patch.object(owner, name, run):
        yield


@contextlib.contextmanager
def _captured() -> Iterator[io.StringIO]:
    with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
        yield said
