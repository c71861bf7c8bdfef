"""The languages of a site that are built elsewhere: their URLs, and the pages in their files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from sitemap_plugins.model import Language, Note
from sitemap_plugins.options import LanguageSite, Settings
from sitemap_plugins.reading import LANGUAGE_PAGES, read_file
from sitemap_plugins.values.languages import InvalidLanguageError, parse_language
from sitemap_plugins.values.urls import InvalidURLError, parse_base_url


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
