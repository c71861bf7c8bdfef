"""The canonical version of the site, if this build is of another one, and its counterparts of our pages."""

from __future__ import annotations

import os
from collections.abc import Iterable

from sitemap_plugins.model import Note
from sitemap_plugins.options import Settings
from sitemap_plugins.session.languages_elsewhere import read_site_pages
from sitemap_plugins.values.urls import page_key, spelling_key


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
    if option is None or _without_scheme(option.url).startswith(_without_scheme(own_base_url)):
        return None, []
    try:
        pages = read_site_pages(option, directory)
    except ValueError as error:
        message = f"canonical_version_url.pages: {option.pages} {error}, so no canonical link is changed"
        return None, [Note(kind="canonical-version", message=message)]
    return CanonicalVersion(option.url, pages, own_base_url), []


def _without_scheme(url: str) -> str:
    return url.partition("://")[2]
