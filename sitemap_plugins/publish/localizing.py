"""Reads the languages of a site, and writes links to translations and feeds into the heads of pages."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from sitemap_plugins.model import Alternate, FeedLink, Language, Note, OutputFile
from sitemap_plugins.options import LanguageSite, Settings
from sitemap_plugins.publish.writing import try_to_change, would_change, write
from sitemap_plugins.reading import LANGUAGE_PAGES, PAGE, read_file
from sitemap_plugins.values.languages import InvalidLanguageError, parse_language
from sitemap_plugins.values.urls import InvalidURLError, parse_base_url

_BATCH: Final = 4 << 20  # bytes of pages in memory at a time, exceeded only by the last page


def read_languages(
    settings: Settings, directory: str | os.PathLike[str], known: Mapping[str, str], *, own_base_url: str = ""
) -> tuple[list[Language], list[Note]]:
    """The languages of the site: first the ones in the option, each with the pages that its file lists.

    ``known`` are the URLs of languages that the host knows, by its names for them. An author's ``alternates`` may be
    below these URLs, but pages with the same path are not assumed there. ``directory`` is the configuration's folder.
    The file of the language at ``own_base_url`` is not read, because the build knows those pages.
    """
    languages: dict[str, Language] = {}
    notes: list[Note] = []
    for code, site in settings.languages.items():
        pages = None
        if site.pages is not None and site.url != own_base_url:
            try:
                pages = read_site_pages(site, directory)
            except ValueError as error:
                message = f"languages.{code}.pages: {site.pages} {error}, so no alternate is in {code}"
                notes.append(Note(kind="language-pages", message=message))
                pages = frozenset()
        languages[code] = Language(code=code, base_url=site.url, pages=pages)
    for name, url in known.items():
        with suppress(InvalidLanguageError, InvalidURLError):
            code, base_url = parse_language(name), parse_base_url(url)
            if all(base_url != language.base_url for language in languages.values()):
                languages.setdefault(code, Language(code=code, base_url=base_url, same_paths=False))
    return [*languages.values()], notes


def read_site_pages(site: LanguageSite, directory: str | os.PathLike[str]) -> frozenset[str]:
    """The pages of another build, from its file. Raises ValueError with a message to put after the file's name."""
    from sitemap_plugins.translations import PagesError, read_pages

    try:
        return read_pages(read_file(Path(directory, site.pages or ""), LANGUAGE_PAGES), site.url)
    except PagesError:
        raise
    except (OSError, ValueError) as error:
        cause = error.strerror if isinstance(error, OSError) else error
        raise ValueError(f"cannot be read ({cause})") from None


def write_head_links(
    alternates: Mapping[str, tuple[Alternate, ...]],
    directory: Path,
    feeds: Collection[FeedLink] = (),
    *,
    dry_run: bool = False,
) -> tuple[list[str], list[Note]]:
    """Write links to translations and feeds into the heads of pages, a few pages at a time.

    ``alternates`` has all files that may have links; only HTML files get links to feeds. A ``dry_run`` writes nothing.
    Returns the paths of the pages that changed, or would change, and notes.
    """
    from sitemap_plugins.html.head_links import OwnLinksError, insert_links

    own: list[str] = []
    changed: list[str] = []
    notes: list[Note] = []
    files: list[OutputFile] = []
    size = 0

    def finish_batch() -> None:
        paths, failed = try_to_change(would_change if dry_run else write, files, directory)
        changed.extend(paths)
        notes.extend(failed)

    for path in sorted(alternates):
        linked = feeds if path.endswith((".html", ".htm")) else ()
        try:
            page = read_file(directory / path, PAGE, inside=directory)
        except OSError as error:
            notes.append(Note(kind="unwritable", message=f"{path} could not be read: {error.strerror or error}"))
            continue
        try:
            content = insert_links(page, alternates[path], linked)
        except OwnLinksError:
            own.append(path)
            content = insert_links(page, (), linked)
        files.append(OutputFile(path=path, content=content))
        size += len(content)
        if size > _BATCH:
            finish_batch()
            files, size = [], 0
    finish_batch()
    if own:
        more = f" and {len(own) - 1} more pages have" if own[1:] else " has"
        message = f"head_links: {own[0]}{more} hreflang links already, so none were added there"
        notes.append(Note(kind="head-links", message=message))
    return changed, notes
