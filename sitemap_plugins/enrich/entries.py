"""A page becomes the candidate for an entry: what its author, the rules and the dates say, put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from sitemap_plugins.enrich.front_matter import read_front_matter
from sitemap_plugins.enrich.lastmod import DateOf, lastmod_of
from sitemap_plugins.model import Candidate, Dropped, Entry, Note, Page, Site
from sitemap_plugins.settings import PageRule, PageValues, Settings
from sitemap_plugins.urls import LOC_LENGTH, InvalidURLError, encode_url, path_below


def enrich(
    site: Site, pages: Iterable[Page], settings: Settings, dates: Mapping[str, DateOf]
) -> tuple[list[Candidate], list[Dropped], list[Note]]:
    """A candidate for each page, the pages whose URL cannot be published, and what the authors should know."""
    candidates: list[Candidate] = []
    dropped: list[Dropped] = []
    notes: list[Note] = []
    outside: list[str] = []
    for page in pages:
        if page.omit:
            dropped.append(Dropped(page=page, reason=page.omit, detail=page.omit_detail))
            continue
        try:
            loc, path = locate(page.loc, page.base_url or site.base_url)
        except OutsideError:
            dropped.append(Dropped(page=page, reason="outside the base URL", detail=page.loc))
            outside.append(page.loc)
            continue
        except InvalidURLError as error:
            dropped.append(Dropped(page=page, reason="invalid URL", detail=str(error)))
            notes.append(
                Note(kind="invalid-url", page=page.name, message=f"its URL {page.loc!r:.200} {error}; it is left out")
            )
            continue
        candidate, found = _candidate(page, loc, path, settings, dates, site.as_of)
        candidates.append(candidate)
        notes += found
    return candidates, dropped, notes + _outside_notes(outside, site.base_url)


def _outside_notes(urls: Sequence[str], base_url: str) -> list[Note]:
    """One note for all pages that have a URL of their own elsewhere, as the languages of a site may have."""
    if not urls:
        return []
    pages = "1 page lies" if len(urls) == 1 else f"{len(urls)} pages lie"
    message = f"{pages} outside the base URL {base_url}, where its sitemap may list none: {urls[0]}"
    return [Note(kind="outside", message=message + (" …" if urls[1:] else ""))]


class OutsideError(InvalidURLError):
    """A good URL, but not one of this site."""


def locate(url: str, base_url: str) -> tuple[str, str]:
    """The encoded URL and its path below the base.

    Raises `InvalidURLError` when no sitemap can list the URL (SM-LOC-02, SM-LOC-03, SM-LOC-06), and `OutsideError` when
    one at the base cannot (SM-LOC-04, SM-LOC-05).
    """
    loc = encode_url(url)
    path = path_below(base_url, loc)
    if path is None:
        message = f"is not below the base URL {base_url}"
        raise OutsideError(message)
    if len(loc) > LOC_LENGTH:
        message = f"is {len(loc)} characters long, and {LOC_LENGTH} are allowed"
        raise InvalidURLError(message)
    return loc, path


def _candidate(  # noqa: PLR0913, PLR0917  # everything that an entry is made of
    page: Page, loc: str, path: str, settings: Settings, dates: Mapping[str, DateOf], as_of: datetime | None
) -> tuple[Candidate, list[Note]]:
    own, notes = read_front_matter(page)
    values = merge_values(own, [rule for rule in settings.pages if rule.applies(path, page.name)])
    written = values.lastmod.value if values.lastmod else None
    by_rule = own.lastmod is None
    lastmod, found, reason = lastmod_of(page, written, settings.lastmod, dates, as_of, by_rule=by_rule)
    entry = Entry(loc=loc, lastmod=lastmod, changefreq=values.changefreq, priority=values.priority)
    candidate = Candidate(
        page=page,
        path=path,
        entry=entry,
        alternates=values.alternates or {},
        exclude=values.exclude,
        exclude_by="by its front matter" if own.exclude is not None else "by a rule of the option pages",
        undated=reason,
    )
    return candidate, notes + found


def merge_values(own: PageValues, rules: Sequence[PageRule]) -> PageValues:
    """Value by value: the page's own, else that of the last rule that has one."""
    merged = {}
    for name in PageValues.__struct_fields__:
        for values in (own, *reversed(rules)):
            if (value := getattr(values, name)) is not None:
                merged[name] = value
                break
    return PageValues(**merged)
