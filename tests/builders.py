"""Settings, pages and candidates for tests, with suitable defaults."""

import dataclasses
import importlib.util
import json
import os
import signal
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints
from urllib.parse import urlsplit

import msgspec
import pytest

from sitemap_plugins.formats.page_list import PageListFile
from sitemap_plugins.formats.robots import RobotsTxt
from sitemap_plugins.html.main_part import MainPart
from sitemap_plugins.model import Candidate, Entry, Page, Result, Site
from sitemap_plugins.options.settings import Settings, read_settings
from sitemap_plugins.options.types import PlainName
from sitemap_plugins.output.ownership import FORMATS
from sitemap_plugins.pages.crawl_rules import CrawlRules
from sitemap_plugins.pipeline import announce_files, choose, make_files
from sitemap_plugins.published.snapshot import FolderKind, Redirect, Snapshot, SnapshotPage
from sitemap_plugins.session.host import Host, HostOptions
from sitemap_plugins.session.lifecycle import BuildSession, Report

_T = TypeVar("_T")


def replace(value: _T, **changes: Any) -> _T:
    """Return a copy of a dataclass or struct with these changes, like `copy.replace` in Python 3.13."""
    make: Any = msgspec.structs.replace if isinstance(value, msgspec.Struct) else dataclasses.replace
    return make(value, **changes)


def as_json(value: Any) -> Any:
    """What an editor reads in a file in which MkDocs reads a date, or a key that is not text."""
    if isinstance(value, Mapping):
        return {str(name): as_json(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(each) for each in value]
    return value.isoformat() if isinstance(value, date) else value


def refuse_to_open(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make this file unreadable for the user who runs the test."""
    open_file = os.open

    def refuse(name: Any, *arguments: Any, **options: Any) -> int:
        if name == path or name == str(path):
            raise PermissionError(13, "Permission denied", str(path))
        return open_file(name, *arguments, **options)

    monkeypatch.setattr(os, "open", refuse)


def refuse_to_list(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make this folder impossible to list, as if it had no permissions."""
    scandir = os.scandir

    def scan(folder: Any = ".") -> Any:
        if not isinstance(folder, int) and Path(folder) == path:
            raise PermissionError(13, "Permission denied", str(folder))
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", scan)


def load_program(path: Path) -> Any:
    """A program of this repository that belongs to no package, as a module."""
    spec: Any = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def build_in_folder(
    site: Site,
    pages: Iterable[Page],
    settings: Settings,
    *,
    robots_txt: bytes | None = None,
    host_files: Mapping[str, bytes] | None = None,
    named: Mapping[str, Collection[str]] | None = None,
    files_of_media: Collection[str] | None = None,
    taken: Collection[str] = (),
    page_list: PageListFile | None = None,
    **about: Any,
) -> Result:
    """Like `sitemap_plugins.build`, also with what a session knows of the output folder."""
    robots = None if robots_txt is None else RobotsTxt(robots_txt)
    rules = CrawlRules.at(site, robots, host_files)
    chosen = choose(site, pages, settings, rules, named=named, **about)
    of_folder: Any = {"files_of_media": files_of_media, "taken": taken, "page_list": page_list}
    result, _ = make_files(site, chosen, settings, rules, **of_folder)
    return announce_files(result, settings, robots)


def long_text(about: str) -> str:
    """Text that is long enough for git to recognize a rename, and that no other file has by chance."""
    return f"content of {about}\n" * 25


def open_test_session(
    settings: Settings, root: str | os.PathLike[str], report: Report = lambda _level, _note: None, **host: Any
) -> BuildSession:
    """A session with these settings, for a host with these values."""
    return BuildSession(Host(**host), HostOptions(settings=settings), root=root, report=report)


def options(**written: object) -> Settings:
    """The settings for these options, which must be valid."""
    settings, mistakes = read_settings(written)
    assert not mistakes
    return settings


def options_with_files() -> dict[str, object]:
    """Every option that adds files to a build, turned on; files are named after their options."""
    hints = get_type_hints(Settings)
    return {each.option: turned_on(each.option, hints[each.option]) for each in FORMATS if each.option != "filename"}


def options_turned_on() -> dict[str, object]:
    """Every option that can be turned on, except the name of the sitemap."""
    hints = get_type_hints(Settings)
    written = {name: turned_on(name, hints[name]) for name in Settings.__struct_fields__ if name != "filename"}
    return {name: value for name, value in written.items() if not read_settings({name: value})[1]}


def turned_on(name: str, hint: Any) -> object:
    """What turns on an option of this type: a file name, a mapping with the files in it, or else true."""
    for part in filter(lambda part: isinstance(part, type), (hint, *get_args(hint))):
        if issubclass(part, PlainName):
            return name + part.ENDINGS[0]
        if issubclass(part, msgspec.Struct):
            hints = get_type_hints(part)
            files = {field: turned_on(field, hints[field]) for field in part.__struct_fields__}
            return {field: file for field, file in files.items() if isinstance(file, str)}
    return True


def candidate(loc: str, *, name: str = "", entry: Entry | None = None, **values: Any) -> Candidate:
    """A candidate for the page at ``loc``; its path is the part of the URL after the host.

    ``values`` are fields of the candidate, or of its page if the candidate has no such field.
    """
    own = {field: values.pop(field) for field in [*values] if field in Candidate.__struct_fields__}
    path = own.pop("path", urlsplit(loc).path.removeprefix("/") or "index.html")
    page = Page(loc=loc, name=name or loc, **values)
    return Candidate(page=page, path=path, entry=entry or Entry(loc=loc), **own)


def install(place: Path, origin: Path | Mapping[str, object] | None, files: Mapping[str, str]) -> Path:
    """Install these files as the distribution pkg 1.0 into a folder of packages, as pip does.

    They come from the folder ``origin``, from what it says as ``direct_url.json``, or else from an index.
    """
    about = place / "pkg-1.0.dist-info"
    about.mkdir(parents=True, exist_ok=True)
    (about / "direct_url.json").unlink(missing_ok=True)
    if origin is not None:
        written = {"dir_info": {}, "url": origin.as_uri()} if isinstance(origin, Path) else origin
        (about / "direct_url.json").write_text(json.dumps(written))
    (about / "RECORD").write_text("".join(f"{name},sha256=x,1\n" for name in [*files, "pkg-1.0.dist-info/RECORD"]))
    for name, content in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(content.encode())
    return place


def snapshot(
    *paths: str,
    name: str = "site",
    redirects: dict[str, str] | None = None,
    folders: dict[str, FolderKind] | None = None,
    contents: dict[str, MainPart] | None = None,
    **facts: object,
) -> Snapshot:
    """A snapshot of a site with pages at these paths."""
    return Snapshot(
        name=name,
        base_url=facts.pop("base_url", "https://docs.example.org/"),  # type: ignore[arg-type]
        pages={path: SnapshotPage(path=path) for path in paths},
        redirects={path: Redirect(path=path, target=target) for path, target in (redirects or {}).items()},
        folders=folders or {},
        read_content=(contents or {}).get,
        **facts,  # type: ignore[arg-type]
    )


@contextmanager
def interruptible() -> Iterator[None]:
    """Start processes that an interrupt ends, although a shell that runs tests in the background makes all ignore it."""
    ignored = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, ignored)
