"""What every host does around the line: find the base URL and the dates, publish, and say what there is to say."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import structs

from sitemap_plugins.announcing import ROBOTS
from sitemap_plugins.conversion import Mistake, shown
from sitemap_plugins.deployment import Deployment, preview_at
from sitemap_plugins.enrich.entries import FindFiles, enrich
from sitemap_plugins.enrich.git_dates import GitDates
from sitemap_plugins.enrich.git_history import NO_FILE, DateRules
from sitemap_plugins.enrich.lastmod import DatesOf
from sitemap_plugins.model import Adjuster, Dated, FileDate, Language, Note, Page, Site
from sitemap_plugins.notes import Level, level_of
from sitemap_plugins.output import Result
from sitemap_plugins.own_files import OthersFiles
from sitemap_plugins.pipeline import build, summarize
from sitemap_plugins.settings import Settings
from sitemap_plugins.urls import InvalidURLError, page_key, parse_base_url
from sitemap_plugins.writing import try_to_write

if TYPE_CHECKING:
    from sitemap_plugins.formats.evidence import EvidenceRules

NOWHERE: Final = "http://localhost/"
"""Where the pages of a site without a URL are, to be dated all the same."""


class Publication(msgspec.Struct, frozen=True, kw_only=True):
    """What was published, if anything: ``summary`` is None when there is no sitemap.

    ``written`` are the paths of the files that are ours now, whether they have changed or not.
    """

    result: Result
    notes: tuple[Note, ...]
    summary: str | None
    written: tuple[str, ...] = ()


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
        name = deployment.canonical_variable if written in {"", "/"} else host_option
        message = f"no sitemap was written, because {name} {candidate!r} {error}"
        return None, [Note(kind="no-base-url", message=message)]


def make_site(  # noqa: PLR0913  # what the host knows of it
    base_url: str,
    deployment: Deployment,
    git: GitDates | None,
    *,
    languages: Iterable[Language] = (),
    default_language: str | None = None,
    name: str = "",
    feeds: Iterable[str] = (),
) -> Site:
    """The site as of the newest moment that is known.

    That is ``SOURCE_DATE_EPOCH`` or the newest commit, whichever is later: what is committed has come, although builds
    are often told an earlier, fixed date to be reproducible.
    """
    moments = [moment for moment in (deployment.as_of, git and git.newest) if moment]
    return Site(
        base_url=base_url,
        as_of=max(moments, default=None),
        preview=deployment.preview or preview_at(base_url),
        robots_owner=deployment.robots_owner,
        unshallow=deployment.unshallow,
        languages=tuple(languages),
        default_language=default_language,
        name=name,
        feeds=tuple(feeds),
    )


def dates_of_modification(files: Iterable[str]) -> Mapping[str, FileDate]:
    """When each file on disk was written last, to the second: the ``lastmod`` source ``mtime``."""
    return {file: _date_of_modification(file) for file in files}


def _date_of_modification(file: str) -> FileDate:
    try:
        return FileDate(when=datetime.fromtimestamp(Path(file).stat().st_mtime_ns // 10**9, UTC))
    except (OSError, OverflowError, ValueError):
        return FileDate(when=None, reason=NO_FILE)


def date_rules(settings: Settings, directory: str | os.PathLike[str]) -> tuple[DateRules, list[Mistake]]:
    """How git is to be read, with the author's files in ``directory``, and a mistake for each that is not there."""
    names = settings.git.ignore_revs.files
    files = {name: os.path.join(directory, name) for name in names or ()}  # noqa: PTH118  # as everywhere git is read
    missing = [name for name, file in files.items() if not os.path.isfile(file)]  # noqa: PTH113  # which knows all names
    message = f"in {os.fspath(directory)} there is no file"
    rules = DateRules(
        date=settings.git.date,
        follow_renames=settings.git.follow_renames,
        ignore_revs=None if names is None else tuple(file for name, file in files.items() if name not in missing),
    )
    return rules, [Mistake("git.ignore_revs", f"{message} {shown(name)}") for name in missing]


def publish(  # noqa: PLR0913  # what the host collected
    site: Site,
    pages: Iterable[Page],
    settings: Settings,
    directory: str | os.PathLike[str],
    *,
    root: str | os.PathLike[str],
    git: GitDates | None = None,
    adjust: Sequence[Adjuster] = (),
    copied: Collection[str] = (),
    replaced: Collection[str] = (),
    earlier: Collection[str] = (),
) -> Publication:
    """Build the sitemaps of these pages and write them, and robots.txt, below ``directory``.

    ``root`` is the folder of the configuration, in which ``depends_on`` finds files. ``copied`` are the paths of files
    of the author's that the host has copied, ``replaced`` those of files that it has written itself and ours take the
    place of, ``earlier`` what the last build of ours has written. Nobody else's files are touched.
    """
    robots_txt, about_robots = _read_robots(Path(directory, ROBOTS))
    if about_robots:
        settings = msgspec.structs.replace(settings, robots=False)
    others = OthersFiles(directory, copied, replaced)
    result = build(
        site,
        pages,
        settings,
        dates=_dates(git),
        find_files=_finder(root),
        adjust=adjust,
        robots_txt=robots_txt,
        evidence=partial(_evidence_rules, git),
        host_files=_read_host_files(directory),
        taken=others,
    )
    notes = [*(about_git(git) if git else ()), *about_robots, *result.notes]
    contents = {file.path: file.content for file in result.files if file.path != ROBOTS}
    own = [path for path in contents if path in others]
    # Of two files that belong together the first is named, and none that would only have been removed.
    named = [path for path in own if contents[path] is not None and not (path.endswith(".gz") and path[:-3] in own)]
    notes += [Note(kind="own-sitemap", message=f"{path} is your own, so it was left alone") for path in named]
    kept = {ROBOTS, *own, *(f"{path}.gz" for path in own)}
    files = [file for file in result.files if file.path not in kept]
    configured = [*settings.filenames, *settings.feeds.files, *([settings.evidence] if settings.evidence else [])]
    if failed := try_to_write([*others.removals([*configured, *earlier], files), *files], directory):
        nothing = msgspec.structs.replace(result, sitemaps=(), indexes=(), announced=(), files=())
        return Publication(result=nothing, notes=(*notes, *failed), summary=None, written=tuple(earlier))
    notes += try_to_write([file for file in result.files if file.path == ROBOTS], directory)
    if settings.head_links:
        from sitemap_plugins.localizing import write_head_links  # noqa: PLC0415  # only where it is asked for

        notes += write_head_links(result.alternates, Path(directory))
    written = tuple(file.path for file in files if file.content is not None)
    summary = summarize(result) if result.sitemaps else None
    return Publication(result=result, notes=tuple(notes), summary=summary, written=written)


def date_pages(
    site: Site, pages: Iterable[Page], settings: Settings, git: GitDates | None, root: str | os.PathLike[str]
) -> dict[str, Dated]:
    """The date of each page by its name, as the sitemap will have it unless a hook changes it."""
    candidates, _, _ = enrich(site, pages, settings, _dates(git), _finder(root))
    return {candidate.page.name: candidate.dated for candidate in candidates}


def _finder(root: str | os.PathLike[str]) -> FindFiles:
    """Finds the files that authors name, each name once."""

    @cache
    def find(name: str) -> tuple[str, ...]:
        from sitemap_plugins.found_files import find_files  # noqa: PLC0415  # few sites name any

        return find_files(os.fspath(root), name)

    return find


def _dates(git: GitDates | None) -> Mapping[str, DatesOf]:
    return {"mtime": dates_of_modification, "git": git.dates_of} if git else {"mtime": dates_of_modification}


def _evidence_rules(git: GitDates | None) -> EvidenceRules:
    from sitemap_plugins.formats.evidence import EvidenceRules, evidence_rules  # noqa: PLC0415  # only where it is asked for

    return evidence_rules(git.rules, git.histories) if git else EvidenceRules(rules=DateRules(), sources=())


def about_git(git: GitDates) -> Iterator[Note]:
    """What there is to say of the repositories themselves."""
    if git.problem:
        yield Note(kind="no-git", message=git.problem)
    for complaint in git.complaints:
        yield Note(kind="ignore-revs", message=complaint)


def _read_robots(path: Path) -> tuple[bytes | None, list[Note]]:
    """The robots.txt in the output, None where there is none, and a note when it cannot be read."""
    try:
        return path.read_bytes() if path.is_file() else None, []
    except OSError as error:
        message = f"robots.txt could not be read, so it was left alone: {error.strerror or error}"
        return None, [Note(kind="unwritable", message=message)]


def _read_host_files(directory: str | os.PathLike[str]) -> dict[str, bytes]:
    """The files in the output by which hosting services know headers and redirects."""
    found: dict[str, bytes] = {}
    for name in ("_headers", "_redirects"):
        with suppress(OSError):
            found[name] = Path(directory, name).read_bytes()
    return found


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
            said.append((level, structs.replace(first, message=first.message + more)))
    return said
