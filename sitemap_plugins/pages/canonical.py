"""Canonical links: whether they lead to the page itself, perhaps with another spelling, or to another page (CAN-02)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias
from urllib.parse import urljoin

from sitemap_plugins.model import Markup, Note, Page, Site
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.values.text import and_more_pages
from sitemap_plugins.values.urls import is_plain, normalize_url, page_key, spelling_key

IsPage: TypeAlias = Callable[[str], bool]
"""A function that tells whether a URL belongs to another page of the site."""


def canonicals_of(markup: Markup, loc: str) -> list[str]:
    """The absolute URLs of the canonical links of the page at ``loc``."""
    return [join(loc, href) for href in markup.canonicals]


def canonical_elsewhere(markup: Markup, loc: str, is_page: IsPage) -> str | None:
    """Where the canonical link of the page at ``loc`` leads, if that is another page, else None.

    If there are several links, one to the page itself is enough for None. ``https://example.org/a/`` for
    ``http://example.org/a.html`` is another spelling of the same page, unless the site also has a page there.
    """
    canonicals = canonicals_of(markup, loc)
    if not canonicals or any(is_same_page(each, loc) for each in canonicals):
        return None
    key = spelling_key(loc)
    is_spelling = any(spelling_key(each) == key and not is_page(each) for each in canonicals)
    return None if is_spelling else canonicals[0]


def choose_locs(site: Site, pages: Sequence[tuple[Page, str]], settings: Settings) -> list[str]:
    """Choose the URL to list for each of these pages, which are given with the URLs from the host.

    It is the host's URL, unless the canonical link spells it in another way that the server surely answers: the folder
    of the page's ``index.html``, or any spelling if the option ``follow_canonical`` is set. A URL that another page has
    or names is never used.
    """
    spellings = {
        at: found for at, (page, loc) in enumerate(pages) if (found := other_spelling(page.markup or Markup(), loc))
    }
    locs = [loc for _, loc in pages]
    if not spellings:
        return locs
    # How many pages have or name each URL.
    claims = Counter(page_key(loc) for loc in locs)
    claims.update(page_key(url) for at, url in spellings.items() if page_key(url) != page_key(locs[at]))
    for at, url in spellings.items():
        page, loc = pages[at]
        is_free = claims[page_key(url)] == 1 and url.startswith(page.base_url or site.base_url)
        is_answered = settings.follow_canonical or (not site.theme_reads_sitemap and _is_folder_of(page, loc, url))
        if is_free and is_answered:
            locs[at] = url
    return locs


def other_spelling(markup: Markup, loc: str) -> str | None:
    """The URL in the canonical link of the page at ``loc``, if it is another spelling of that URL."""
    canonicals = canonicals_of(markup, loc)
    if not canonicals or loc in canonicals:
        return None
    key = spelling_key(loc)
    return next((each for each in canonicals if spelling_key(each) == key), None)


def _is_folder_of(page: Page, loc: str, url: str) -> bool:
    """Whether a server answers ``url`` with the page, because the page is the ``index.html`` of that folder."""
    return (page.output or "").rpartition("/")[2] == "index.html" and url == loc.removesuffix("index.html") != loc


def spelling_notes(listed: Iterable[tuple[Page, str]], settings: Settings) -> Iterator[Note]:
    """A note on pages whose canonical link spells the listed URL in another way, and one if only the scheme differs."""
    others: list[tuple[Page, str, str]] = []
    schemes: list[tuple[Page, str, str]] = []
    for page, loc in listed:
        if url := other_spelling(page.markup or Markup(), loc):
            is_scheme = url.partition("://")[2] == loc.partition("://")[2]
            (schemes if is_scheme else others).append((page, loc, url))
    if schemes:
        page, loc, url = schemes[0]
        message = (
            f"the canonical link of {page.name}{and_more_pages(len(schemes) - 1)} is {url}, but the sitemap lists "
            f"{loc}: set the URL of the site, or the theme, to the scheme under which it is published"
        )
        yield Note(kind="base-url", message=message)
    if others:
        page, loc, url = others[0]
        cure = (
            "the other spelling is not below the base URL, or another page has it too"
            if settings.follow_canonical
            else "build the URLs that the theme writes (in Sphinx with the builder dirhtml, or html_link_suffix), "
            "or set follow_canonical: true if the server answers them"
        )
        message = (
            f"the canonical link of {page.name}{and_more_pages(len(others) - 1)} spells its URL {url}, but the "
            f"sitemap lists {loc}: {cure}"
        )
        yield Note(kind="canonical-spelling", message=message)


def superseded_notes(listed: Iterable[Page]) -> Iterator[Note]:
    """A note if the theme did not write the canonical links to another version that the build gave it."""
    unwritten = [
        page
        for page in listed
        if (url := page.superseded_by) and page.markup
        if not any(is_same_page(each, url) for each in canonicals_of(page.markup, page.loc))
    ]
    if unwritten:
        first = unwritten[0]
        message = (
            f"canonical_version_url: {first.name}{and_more_pages(len(unwritten) - 1)} has no canonical link to "
            f"{first.superseded_by}, because the theme writes another one, or none: let its template write the URL "
            "that the build gives it (page.canonical_url in MkDocs, pageurl in Sphinx)"
        )
        yield Note(kind="canonical-version", message=message)


def is_same_page(url: str, loc: str) -> bool:
    """Whether both URLs belong to the same page, see `page_key`."""
    return url == loc or page_key(url) == page_key(loc)


def join(loc: str, href: str) -> str:
    """The absolute URL of a link on the page at ``loc``, in its normal form."""
    if href == loc or is_plain(href):  # the usual cases
        return href
    try:
        return normalize_url(urljoin(loc, href))
    except ValueError:  # not a URL, so it does not lead to another page
        return loc
