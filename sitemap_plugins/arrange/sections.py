"""The parts of a site that have sitemaps of their own: by URL or source, language, year, or as the page says itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from sitemap_plugins.conversion import and_so_many, listing
from sitemap_plugins.group_options import PageGroup, Section
from sitemap_plugins.languages import InvalidLanguageError, parse_language
from sitemap_plugins.model import Candidate, Note

REST = "pages"
"""What the part is called that holds all pages of no section."""


def divide(
    listed: Iterable[Candidate], sections: Mapping[str, Section]
) -> tuple[dict[str, list[Candidate]], list[Note]]:
    """The pages of each section by its name, that of the year included, in the order in which they were declared.

    What a page says itself comes first, then the first section that claims it; a note says which claim the same page.
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
            f"sections: {listing(claims)} all claim it, and it is in the first of them"
            if len(claims) > 2  # noqa: PLR2004  # of two, "both"
            else f"sections: {listing(claims)} both claim it, and it is in the first of them"
        )
        notes.append(Note(kind="section", page=example[claims], message=message + and_so_many(number - 1)))
    order = {name: number for number, name in enumerate([*sections, REST])}
    return dict(sorted(parts.items(), key=lambda part: (order[_declared(part[0], sections)], part[0]))), notes


def _by_year(candidate: Candidate, name: str, sections: Mapping[str, Section]) -> str:
    if name not in sections or sections[name].archive is None:
        return name
    return f"{name}-{candidate.published.year:04}" if candidate.published else f"{name}-undated"


def _declared(name: str, sections: Mapping[str, Section]) -> str:
    """The section that a part belongs to."""
    return name if name in sections or name == REST else name.rpartition("-")[0]


def is_in(candidate: Candidate, group: PageGroup) -> bool:
    """Whether the page is one of the group."""
    language = _code(candidate.page.language) if group.language is not None else ""
    return group.holds(candidate.path, candidate.page.name, language)


@cache
def _code(language: str) -> str:
    try:
        return parse_language(language)
    except InvalidLanguageError:
        return ""
