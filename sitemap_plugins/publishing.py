"""What every host does around the line: find the base URL, import the author's hooks, publish."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import msgspec

from sitemap_plugins.deployment import Deployment
from sitemap_plugins.enrich.git_history import History
from sitemap_plugins.enrich.lastmod import DateOf
from sitemap_plugins.formats.sitemap_xml import MARK
from sitemap_plugins.localizing import write_head_links
from sitemap_plugins.model import (
    Adjuster,
    Drop,
    Entry,
    FileDate,
    Language,
    Note,
    OutputFile,
    Page,
    Result,
    Site,
)
from sitemap_plugins.notes import Level, level_of
from sitemap_plugins.option_types import Hook
from sitemap_plugins.pipeline import ROBOTS, build, summarize
from sitemap_plugins.settings import Settings
from sitemap_plugins.urls import InvalidURLError, page_key, parse_base_url
from sitemap_plugins.writing import try_to_write

_MARK_WITHIN = 400  # bytes from the beginning of the file


@dataclass(frozen=True, kw_only=True, slots=True)
class Publication:
    """What was published, if anything: ``summary`` is None when there is no sitemap."""

    result: Result
    notes: tuple[Note, ...]
    summary: str | None


def find_base_url(
    settings: Settings, deployment: Deployment, *, host_url: str | None, host_option: str
) -> tuple[str | None, list[Note]]:
    """The site's base URL: the option, else the host's own, else the hosting service's; and a note when there is none.

    ``""`` and ``/`` say "none" in every host. ``host_option`` is what the host calls its setting (``site_url``).
    """
    written = (host_url or "").strip()
    if settings.base_url:
        differs = written not in {"", "/"} and page_key(written) != page_key(settings.base_url)
        message = (
            f"the sitemap has the URLs of the option base_url, {settings.base_url}, "
            f"but the pages call themselves by {host_option}, {written}: set only one of them"
        )
        return settings.base_url, [Note(kind="base-url", message=message)] if differs else []
    candidate = deployment.canonical_url if written in {"", "/"} else written
    if candidate is None:
        message = (
            f"no sitemap was written, because the site has no URL: set {host_option} to where it will be published"
        )
        return None, [Note(kind="no-base-url", message=message)]
    try:
        return parse_base_url(candidate), []
    except InvalidURLError as error:
        name = "READTHEDOCS_CANONICAL_URL" if written in {"", "/"} else host_option
        message = f"no sitemap was written, because {name} {candidate!r} {error}"
        return None, [Note(kind="no-base-url", message=message)]


def make_site(
    base_url: str,
    deployment: Deployment,
    histories: Iterable[History],
    *,
    languages: Iterable[Language] = (),
    default_language: str | None = None,
) -> Site:
    """The site as of the newest moment that is known.

    That is ``SOURCE_DATE_EPOCH`` or the newest commit, whichever is later: what is committed has come, although builds
    are often told an earlier, fixed date to be reproducible.
    """
    moments = [moment for moment in (deployment.as_of, *(history.newest for history in histories)) if moment]
    return Site(
        base_url=base_url,
        as_of=max(moments, default=None),
        preview=deployment.preview,
        robots_owner=deployment.robots_owner,
        languages=tuple(languages),
        default_language=default_language,
    )


def import_hook(hook: Hook, directory: str | os.PathLike[str]) -> Adjuster:
    """The author's function, imported with ``directory`` (that of the configuration) first on the path.

    Raises ValueError, with a message for people, when it cannot be imported or called.
    """
    if not isinstance(hook.target, tuple):
        return Adjuster(hook.name, hook.target)
    module_name, function_name = hook.target
    folder = os.fspath(directory)
    try:
        with _first_on_path(folder):
            function = getattr(importlib.import_module(module_name), function_name)
    except (Exception, SystemExit) as error:  # an author's module may raise anything while it is imported
        message = f"{hook.name} cannot be imported: {type(error).__name__}: {error}"
        raise ValueError(message) from error
    if not callable(function):
        message = f"{hook.name} is not a function"
        raise ValueError(message)  # noqa: TRY004  # a mistake in an option, like any other

    def call(entry: Entry, page: Page) -> Entry | Drop | None:
        with _first_on_path(folder):  # the function may have imports of its own
            return cast("Entry | Drop | None", function(entry, page))

    return Adjuster(hook.name, call)


@contextmanager
def _first_on_path(directory: str) -> Iterator[None]:
    sys.path.insert(0, directory)
    try:
        yield
    finally:
        with suppress(ValueError):  # the author's module may have tidied up
            sys.path.remove(directory)


def date_of_modification(source: str) -> FileDate:
    """When the file on disk was written last, to the second: the ``lastmod`` source ``mtime``."""
    try:
        return FileDate(when=datetime.fromtimestamp(Path(source).stat().st_mtime_ns // 10**9, UTC))
    except (OSError, OverflowError, ValueError):
        return FileDate(when=None, reason="no such file")


def publish(  # noqa: PLR0913  # what the host collected
    site: Site,
    pages: Iterable[Page],
    settings: Settings,
    directory: str | os.PathLike[str],
    *,
    histories: Sequence[History] = (),
    adjust: Sequence[Adjuster] = (),
) -> Publication:
    """Build the sitemaps of these pages and write them, and robots.txt, below ``directory``."""
    dates: Mapping[str, DateOf] = {"mtime": date_of_modification} | ({"git": date_in(histories)} if histories else {})
    about_git = [
        Note(kind="no-git", message=f"{what} have no date from git: {history.problem}")
        for what, history in zip(["the pages", *["their catalogues"] * len(histories)], histories, strict=False)
        if history.problem
    ][:1]
    robots_txt, about_robots = _read_robots(Path(directory, ROBOTS))
    if about_robots:
        settings = msgspec.structs.replace(settings, robots=False)
    result = build(site, pages, settings, dates=dates, adjust=adjust, robots_txt=robots_txt)
    notes = [*about_git, *about_robots, *result.notes]
    own = [each.path for each in result.sitemaps[1:] if _is_foreign(Path(directory, each.path))]
    notes += [Note(kind="own-sitemap", message=f"{path} is your own, so it was left alone") for path in own]
    kept = {ROBOTS, *own, *(f"{path}.gz" for path in own)}
    sitemaps = [file for file in result.files if file.path not in kept]
    is_empty = any(note.kind == "no-pages" for note in result.notes)
    if failed := try_to_write(_stale(settings, directory) if is_empty else sitemaps, directory):
        return Publication(result=replace(result, sitemaps=(), files=()), notes=(*notes, *failed), summary=None)
    notes += try_to_write([file for file in result.files if file.path == ROBOTS], directory)
    if settings.head_links:
        notes += write_head_links(result.alternates, Path(directory))
    return Publication(result=result, notes=tuple(notes), summary=summarize(result) if result.sitemaps else None)


def date_in(histories: Iterable[History]) -> DateOf:
    """The date of a file from the history of the innermost directory that it lies in."""
    inner, *others = sorted(histories, key=lambda history: len(history.directory), reverse=True)
    if not others:
        return inner.date_of
    within = date_in(others)
    folder = inner.directory.rstrip(os.sep) + os.sep
    return lambda source: inner.date_of(source) if source.startswith(folder) else within(source)


def _read_robots(path: Path) -> tuple[bytes | None, list[Note]]:
    """The robots.txt in the output, None where there is none, and a note when it cannot be read."""
    try:
        return path.read_bytes() if path.is_file() else None, []
    except OSError as error:
        message = f"robots.txt could not be read, so it was left alone: {error.strerror or error}"
        return None, [Note(kind="unwritable", message=message)]


def is_ours(path: Path) -> bool:
    """Whether the file is a sitemap that this package has written, and nobody else's."""
    try:
        with path.open("rb") as file:
            return MARK.encode() in file.read(_MARK_WITHIN)
    except OSError:
        return False


def _is_foreign(path: Path) -> bool:
    return path.is_file() and not is_ours(path)


def _stale(settings: Settings, directory: str | os.PathLike[str]) -> list[OutputFile]:
    """Without pages there is no sitemap, and one of an earlier build of ours would be wrong."""
    is_there = is_ours(Path(directory, settings.filename))
    return [OutputFile(path=name, content=None) for name in settings.filenames] if is_there else []


def heard(notes: Iterable[Note], settings: Settings) -> list[tuple[Level, Note]]:
    """The notes that are to be spoken, each with the level at which the host is to log it.

    What is the same for many pages, as when a hook raises, is said of the first of them, with the number of the others.
    """
    alike: dict[tuple[str, str], list[Note]] = {}
    for note in notes:
        alike.setdefault((note.kind, note.message), []).append(note)
    said: list[tuple[Level, Note]] = []
    for first, *others in alike.values():
        if (level := level_of(first.kind, settings.notes)) != "ignore":
            more = f" (and so for {len(others)} more page{'s' if others[1:] else ''})" if others and first.page else ""
            said.append((level, replace(first, message=first.message + more)))
    return said
