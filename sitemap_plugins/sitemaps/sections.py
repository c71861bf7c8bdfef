"""Divide pages into sections with their own sitemaps: by URL, source, language, year, or front matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from sitemap_plugins.model import Candidate, Note
from sitemap_plugins.options import Section, is_in
from sitemap_plugins.values.text import and_more_pages, join_words

REST = "pages"
"""The name of the part for all pages without a section."""


def divide(
    listed: Iterable[Candidate], sections: Mapping[str, Section]
) -> tuple[dict[str, list[Candidate]], list[Note]]:
    """Return the pages by section, or by section and year, in the order of the option ``sections``, and notes.

    The section in a page's front matter comes first, then the first section that matches it. A note tells if several
    sections match.
    """
    parts: dict[str, list[Candidate]] = {}
    claimed: Counter[tuple[str, ...]] = Counter()
    example: dict[tuple[str, ...], str] = {}
    notes: list[Note] = []
    for candidate in listed:
        name = candidate.section
        if name is None:
            claims = tuple(each for each, section in sections.items() if is_in(candidate, section))
            name = claims[0] if claims else REST
            if len(claims) > 1:
                claimed[claims] += 1
                example.setdefault(claims, candidate.page.name)
        parts.setdefault(_by_year(candidate, name, sections), []).append(candidate)
    for claims, number in claimed.items():
        message = (
            f"sections: {join_words(claims)} all match it; the first one lists it"
            if len(claims) > 2
            else f"sections: {join_words(claims)} both match it; the first one lists it"
        )
        notes.append(Note(kind="section", page=example[claims], message=message + and_more_pages(number - 1)))
    order = {name: number for number, name in enumerate([*sections, REST])}
    return dict(sorted(parts.items(), key=lambda part: (order[_declared(part[0], sections)], part[0]))), notes


def _by_year(candidate: Candidate, name: str, sections: Mapping[str, Section]) -> str:
    if name not in sections or sections[name].archive is None:
        return name
    return f"{name}-{candidate.published.year:04}" if candidate.published else f"{name}-undated"


def _declared(name: str, sections: Mapping[str, Section]) -> str:
    """The section that a part belongs to."""
    return name if name in sections or name == REST else name.rpartition("-")[0]
