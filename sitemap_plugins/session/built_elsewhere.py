"""What is built elsewhere: the other languages of the site, and its canonical version, each with its pages."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from sitemap_plugins.model import Language, Note
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.options.types import LanguageSite
from sitemap_plugins.reading import LANGUAGE_PAGES, read_file
from sitemap_plugins.values.languages import InvalidLanguageError, parse_language
from sitemap_plugins.values.urls import InvalidURLError, page_key, parse_base_url, spelling_key


class _UnreadError(ValueError):
    """Raised if a file cannot be read, which says nothing about the pages of the other build."""


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
        pages, is_unread = None, False
        if site.pages is not None and site.url != own_base_url:
            try:
                pages = _read_site_pages(site, directory)
            except ValueError as error:
                message = f"{site.pages} {error}, so no page is linked to its translation in {code}"
                notes.append(Note(kind="language-pages", message=f"languages.{code}.pages: {message}"))
                pages, is_unread = frozenset(), isinstance(error, _UnreadError)
        languages[code] = Language(code=code, base_url=site.url, pages=pages, is_unread=is_unread)
    for name, url in known.items():
        with suppress(InvalidLanguageError, InvalidURLError):
            code, base_url = parse_language(name), parse_base_url(url)
            if all(base_url != language.base_url for language in languages.values()):
                languages.setdefault(code, Language(code=code, base_url=base_url, same_paths=False))
    return [*languages.values()], notes


def _read_site_pages(site: LanguageSite, directory: str | os.PathLike[str]) -> frozenset[str]:
    """The pages of another build, from its file. Raises ValueError with a message to put after the file's name."""
    from sitemap_plugins.translations.inventory import read_pages

    try:
        content = read_file(Path(directory, site.pages or ""), LANGUAGE_PAGES)
    except (OSError, ValueError) as error:
        cause = error.strerror if isinstance(error, OSError) else error
        raise _UnreadError(f"cannot be read ({cause})") from None
    return read_pages(content, site.url)


class CanonicalVersion:
    """The version at ``base_url`` and the URLs of its pages, for a build of the version at ``own_base_url``."""

    def __init__(self, base_url: str, pages: Iterable[str], own_base_url: str) -> None:
        self.base_url = base_url
        self._own_base_url = own_base_url
        pages = sorted(pages)
        self._pages = {page_key(url): url for url in pages}
        self._spellings = {spelling_key(url): url for url in pages}
        self._has_html = any(url.endswith(".html") for url in pages)

    def counterpart(self, loc: str) -> str | None:
        """The page with the same path as our page at ``loc``; None if that version has no such page.

        ``guide.html`` and ``guide/`` are the same page only if the forms of the URLs differ between the versions: one
        version may have different pages at ``api.html`` and ``api/index.html``.
        """
        if not loc.startswith(self._own_base_url):
            return None
        url = self.base_url + loc.removeprefix(self._own_base_url)
        exact = self._pages.get(page_key(url))
        return exact if exact or url.endswith(".html") == self._has_html else self._spellings.get(spelling_key(url))


def read_canonical_version(
    settings: Settings, directory: str | os.PathLike[str], own_base_url: str
) -> tuple[CanonicalVersion | None, list[Note]]:
    """The version in the option ``canonical_version_url``; None if this is a build of it, or above all versions.

    A build on the author's machine, for example, is above all versions: their URLs begin with ``own_base_url``.
    ``directory`` is the configuration's folder.
    """
    option = settings.canonical_version_url
    # A site that uses both http and https in its URLs is one site.
    if option is None or option.url.partition("://")[2].startswith(own_base_url.partition("://")[2]):
        return None, []
    try:
        pages = _read_site_pages(option, directory)
    except ValueError as error:
        message = f"canonical_version_url.pages: {option.pages} {error}, so no canonical link is changed"
        return None, [Note(kind="canonical-version", message=message)]
    return CanonicalVersion(option.url, pages, own_base_url), []
