"""Select the pages to list: apply the reasons in `omit` before and after the author's hooks, and list each URL once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import structs

from sitemap_plugins.model import Adjuster, Candidate, Note, Omitted, Site
from sitemap_plugins.options import Settings
from sitemap_plugins.pages.adjust import adjust
from sitemap_plugins.pages.canonical import spelling_notes, superseded_notes
from sitemap_plugins.pages.crawl_rules import CrawlRules
from sitemap_plugins.pages.entries import loc_length
from sitemap_plugins.pages.omit import AFTER, BEFORE, Subject, find_reason, omit
from sitemap_plugins.values.urls import page_key, spelling_key

_HOME: Final = ("", "index.html", "index.htm", "index")
"""The paths that the home page may have below the base URL."""


def select(
    site: Site,
    candidates: Iterable[Candidate],
    settings: Settings,
    adjusters: Sequence[Adjuster] = (),
    unusable: Sequence[Omitted] = (),
    crawl_rules: CrawlRules | None = None,
) -> tuple[list[Candidate], list[Omitted], list[Note]]:
    """Return the candidates to list, in their order and as the hooks changed them, the pages left out, and notes.

    ``unusable`` are the pages that an earlier step left out. If two pages have the same URL, the first one is listed
    (SM-LOC-09).
    """
    listed: dict[str, Candidate] = {}
    omitted: list[Omitted] = []
    notes: list[Note] = []
    length = loc_length(settings.engines)
    rules = crawl_rules or CrawlRules()
    candidates = [*candidates]
    keys: set[str] = set()

    def is_page(url: str) -> bool:
        if not keys:  # few sites need it
            keys.update(page_key(candidate.entry.loc) for candidate in candidates)
        return page_key(url) in keys

    for candidate in candidates:
        page = candidate.page
        subject = Subject(candidate, candidate.entry, site, settings, rules, is_page)
        found = find_reason(BEFORE, subject)
        if found is None:
            entry, hook, about_hooks = adjust(candidate, adjusters, page.base_url or site.base_url, length)
            notes += about_hooks
            found = ("hook", hook) if hook else find_reason(AFTER, structs.replace(subject, entry=entry))
            candidate = candidate if entry is candidate.entry else structs.replace(candidate, entry=entry)  # noqa: PLW2901  # the same page
        if found:
            omitted.append(omit(page, *found))
            continue
        first = listed.setdefault(candidate.entry.loc, candidate)
        if first.page is not page:
            kept, other = first, candidate
            if page.output is not None and page.output == first.page.output:
                # The host wrote the second page over the first one.
                kept, other = candidate, first
                listed[candidate.entry.loc] = candidate
            omitted.append(omit(other.page, "duplicate", f"the same as {kept.page.name}"))
            message = (
                f"it has the same URL as {kept.page.name}, {kept.entry.loc}; only that page is listed: rename one of "
                f"them"
            )
            notes.append(Note(kind="duplicate-url", page=other.page.name, message=message))
    notes += spelling_notes(((each.page, loc) for loc, each in listed.items()), settings)
    notes += superseded_notes(each.page for each in listed.values())
    return [*listed.values()], omitted, notes + _home_notes(site, listed, [*unusable, *omitted])


def _home_notes(site: Site, listed: Mapping[str, Candidate], omitted: Sequence[Omitted]) -> list[Note]:
    """A note if there are entries, but none for the home page, which a superseded version is not expected to list.

    A site may have no home page, unless its theme needs one.
    """
    spellings = {site.base_url + name for name in _HOME}
    if not listed or site.policy.canonical_version or not spellings.isdisjoint(listed):
        return []
    home = spelling_key(site.base_url)
    reasons = [f"{each.page.name}: listed as {loc}" for loc, each in listed.items() if each.page.loc in spellings]
    reasons += [f"{each.page.name}: {each.reason}" for each in omitted if spelling_key(each.page.loc) == home]
    if site.theme_reads_sitemap:
        why = "the theme uses it to find the root of the site, and search engines start there"
    elif reasons:
        why = "search engines start there"
    else:
        return []
    because = reasons[0] if reasons else "the site has none"
    message = f"the home page {site.base_url} is not in the sitemap ({because}): {why}"
    return [Note(kind="home-left-out", message=message)]
