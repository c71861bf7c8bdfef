"""Check that pages and sitemap agree on languages and translations (HL-13)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from urllib.parse import urljoin

from sitemap_plugins.model import X_DEFAULT, Alternate, Candidate, Markup, Note
from sitemap_plugins.values.languages import InvalidLanguageError, agree, parse_language, primary_language
from sitemap_plugins.values.text import and_more_pages
from sitemap_plugins.values.urls import page_key


def compare_with_pages(listed: Iterable[Candidate]) -> Iterator[Note]:
    """A note on the pages whose language or hreflang links differ from the sitemap.

    Pages without alternates, or without such values in their HTML, are not compared.
    """
    found: list[tuple[str, str]] = []
    for candidate in listed:
        markup, alternates = candidate.page.markup, candidate.entry.alternates
        if alternates and markup and (difference := disagreement(markup, candidate.entry.loc, alternates)):
            found.append((candidate.page.name, difference))
    if found:
        name, difference = found[0]
        yield Note(kind="language-mismatch", page=name, message=difference + and_more_pages(len(found) - 1))


def disagreement(markup: Markup, loc: str, alternates: Iterable[Alternate]) -> str:
    """How a page's language or hreflang links differ from its alternates, or an empty string if they agree.

    The text names the value of the page and the value of the sitemap.
    """
    links = list(alternates)
    own = next((link.hreflang for link in links if link.href == loc and link.hreflang != X_DEFAULT), None)
    if own and markup.language and not agree(markup.language, own):
        return f'its html element has lang="{markup.language}", but the sitemap has {own}'
    if not markup.hreflang:
        return ""
    head, sitemap = read_links(markup.hreflang, loc), {link.hreflang: link.href for link in links}
    for code in sorted(head.keys() | sitemap.keys()):
        there, here = head.get(code), sitemap.get(code)
        is_same = there is not None and here is not None and page_key(there) == page_key(here)
        # A page may omit x-default.
        if not is_same and not (code == X_DEFAULT and there is None):
            is_default = code == X_DEFAULT
            why = "no x_default is set for these pages" if is_default else "no listed page is known as that translation"
            listed = here or f"nothing, because {why}"
            return f"for {code} its head names {there or 'nothing':.200}, but the sitemap names {listed:.200}"
    return ""


def in_several_languages(links: Iterable[Alternate]) -> dict[str, list[str]]:
    """The pages that are linked in several languages, by `page_key`, with the codes (HL-11); invalid ones are ignored.

    Two countries or scripts of one language are not two languages.
    """
    named: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for link in links:
        if language := primary_language(link.hreflang):
            named[page_key(link.href)][link.hreflang] = language
    return {key: [*codes] for key, codes in named.items() if len({*codes.values()}) > 1}


def read_links(links: Iterable[tuple[str, str]], loc: str) -> dict[str, str]:
    """The absolute URLs of the hreflang links in a page's head, by language code; invalid links are ignored."""
    found: dict[str, str] = {}
    for written, href in links:
        try:
            code = X_DEFAULT if written.lower() == X_DEFAULT else parse_language(written)
            found.setdefault(code, urljoin(loc, href))
        except (InvalidLanguageError, ValueError):  # not a language, or not a URL
            continue
    return found
