"""Whether the pages themselves agree with the sitemap on their languages and translations (HL-13)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import urljoin

from msgspec import structs

from sitemap_plugins.model import X_DEFAULT, Alternate, Candidate, Markup, Note
from sitemap_plugins.options import Settings
from sitemap_plugins.values.languages import InvalidLanguageError, agree, parse_language
from sitemap_plugins.values.text import and_more_pages
from sitemap_plugins.values.urls import page_key


def compare_with_pages(listed: Iterable[Candidate], settings: Settings) -> list[Note]:
    """A note for the pages that name another language or other translations than the sitemap does.

    Pages without alternates are not looked at, nor those that say nothing of the kind themselves. Where we write the
    links into the pages, they are those of the last build.
    """
    found: list[tuple[str, str]] = []
    for candidate in listed:
        markup, alternates = candidate.page.markup, candidate.entry.alternates
        if alternates and markup is not None:
            said = structs.replace(markup, hreflang=()) if settings.head_links else markup
            if difference := disagreement(said, candidate.entry.loc, alternates):
                found.append((candidate.page.name, difference))
    if not found:
        return []
    name, difference = found[0]
    return [Note(kind="language-mismatch", page=name, message=difference + and_more_pages(len(found) - 1))]


def disagreement(markup: Markup, loc: str, alternates: Iterable[Alternate]) -> str:
    """What a page says of its language and its translations that its alternates do not; empty if they agree.

    It names both: what the page says, and what the sitemap does.
    """
    links = list(alternates)
    own = next((link.hreflang for link in links if link.href == loc and link.hreflang != X_DEFAULT), None)
    if own and markup.language and not agree(markup.language, own):
        return f'its html element says lang="{markup.language}", and the sitemap {own}'
    if not markup.hreflang:
        return ""
    return _difference(read_links(markup.hreflang, loc), {link.hreflang: link.href for link in links})


def read_links(links: Iterable[tuple[str, str]], loc: str) -> dict[str, str]:
    """The translations that a page names in its head: the absolute URL by the code, of valid codes."""
    found: dict[str, str] = {}
    for written, href in links:
        try:
            code = X_DEFAULT if written.lower() == X_DEFAULT else parse_language(written)
            found.setdefault(code, urljoin(loc, href))
        except (InvalidLanguageError, ValueError):  # not a language, or not a URL
            continue
    return found


def _difference(head: Mapping[str, str], sitemap: Mapping[str, str]) -> str:
    """The first code, in order, for which the page and the sitemap do not say the same."""
    for code in sorted(head.keys() | sitemap.keys()):
        there, here = head.get(code), sitemap.get(code)
        is_same = there is not None and here is not None and page_key(there) == page_key(here)
        # A page without x-default in its head contradicts nothing.
        if not is_same and not (code == X_DEFAULT and there is None):
            listed = here or "nothing, since no such page is listed"
            return f"for {code} its head names {there or 'nothing'}, and the sitemap {listed}"
    return ""
