"""Finds the pages that are copies of the original, not translations of it, by their text (HL-12)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Final

from msgspec import structs

from sitemap_plugins.html.main_part import TRANSLATION, read_prose, shared_prose
from sitemap_plugins.model import X_DEFAULT, Note, Page
from sitemap_plugins.translations.hreflang import read_links
from sitemap_plugins.values.languages import agree, primary_language
from sitemap_plugins.values.tasks import Track, untracked
from sitemap_plugins.values.text import and_more_pages
from sitemap_plugins.values.urls import page_key

_COPY: Final = 0.9  # of the text of a copy is the same
_SURE: Final = 3  # translations, or a tenth of the pages, show that the text of a language is really compared


def find_copies(
    pages: Sequence[Page],
    read: Callable[[str], str | None],
    default: str | None,
    track: Track = untracked,
    *,
    compare_all: bool = False,
) -> tuple[dict[str, Page], list[Note]]:
    """The pages to leave out as copies, by their output, and notes on those that may be copies.

    Only pages that are ``generated``, that is, without a known source, are compared with their original in another
    language. It is the page that a head names as ``x-default``, or else the translation in the language ``default``. If
    there is none, nothing is compared, or with ``compare_all``, all translations. ``read`` returns the HTML of a page.
    """
    by_key = {page_key(page.loc): page for page in pages}
    clusters: defaultdict[str, list[Page]] = defaultdict(list)
    for page in pages:
        clusters[page.translation].append(page)
    clusters.pop("", None)
    prose = cache(lambda path: read_prose(read(path) or ""))
    shares: defaultdict[tuple[str, str], list[tuple[float, Page, Page]]] = defaultdict(list)
    for cluster in track(clusters.values(), "comparing translations"):
        for page, original in _pairs(cluster, by_key, default, compare_all=compare_all):
            languages = page.language, original.language
            if page.generated and len({*map(primary_language, languages)}) > 1:
                share = shared_prose(prose(page.output), prose(original.output))
                if share is not None:
                    shares[languages].append((share, page, original))
        prose.cache_clear()
    copies: dict[str, Page] = {}
    notes: list[Note] = []
    for (code, other), compared in shares.items():
        alike = [(page, original) for share, page, original in compared if share >= _COPY]
        if sum(share < TRANSLATION for share, *_ in compared) >= min(_SURE, len(compared) / 10):
            for page, original in alike:
                detail = f"it has the text of {original.output}"
                copies[page.output or ""] = structs.replace(page, omit="untranslated", omit_detail=detail)
        elif alike:
            page, original = alike[0]
            message = (
                f"it has the same text as {original.output}{and_more_pages(len(alike) - 1)}; hardly any page in {code} "
                f"differs from the one in {other}, so it is not clear whether these are copies: translate them, or "
                "leave them out of the sitemap"
            )
            notes.append(Note(kind="untranslated", page=page.output, message=message))
    return copies, notes


def _pairs(
    cluster: Sequence[Page], by_key: Mapping[str, Page], default: str | None, *, compare_all: bool
) -> Iterator[tuple[Page, Page]]:
    """The pages to compare, each with the one that may be its original."""
    heads = (read_links(page.markup.hreflang, page.loc) for page in cluster if page.markup)
    named = (by_key.get(page_key(links.get(X_DEFAULT, ""))) for links in heads)
    in_default = (page for page in cluster if default and agree(page.language, default))
    if original := next(filter(None, (*named, *in_default)), None):
        yield from ((page, original) for page in cluster if page is not original)
    elif compare_all:
        yield from ((page, first) for first, page in combinations(cluster, 2))
