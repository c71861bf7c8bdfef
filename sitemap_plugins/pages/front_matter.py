"""Read the sitemap's values from the front matter of pages, written as YAML, MyST or a field list."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from sitemap_plugins.html.head import FORBIDDING
from sitemap_plugins.model import LastMod, Note, Page
from sitemap_plugins.options.convert import BOOLEANS, convert_fields
from sitemap_plugins.options.settings import PageValues
from sitemap_plugins.options.types import Alternates, read_pairs
from sitemap_plugins.values.dates import lastmod_or_none
from sitemap_plugins.values.text import closest, short_repr

_PREFIX: Final = "sitemap_"
_BARE: Final = frozenset({"priority", "changefreq", "robots"})
_NAMES: Final = PageValues.__struct_fields__
_WILDCARDS: Final = 2  # in a glob; with more, a path that nearly matches can take minutes


def read_front_matter(page: Page) -> tuple[PageValues, list[Note]]:
    """Return the values in the page's front matter, and a note for each value that cannot be used.

    In order of precedence: the mapping ``sitemap:`` (or ``sitemap: false``), flat names such as ``sitemap_priority``,
    and the bare words ``priority``, ``changefreq`` and ``robots``. Other tools use the bare words too, so a wrong value
    there is ignored without a note.
    """
    words = {
        name: value
        for name, value in page.front_matter.items()
        if isinstance(name, str) and (name in _BARE or name.startswith("sitemap"))
    }
    if not words:  # nearly every page
        return PageValues(), []
    nested, notes = _nested(page)
    flat = {name.removeprefix(_PREFIX): value for name, value in words.items() if name.startswith(_PREFIX)}
    known = {name: flat[name] for name in flat if name in _NAMES}
    # A name such as sitemap_url may belong to another tool; one that is similar to ours is a typo.
    slips = {name: close for name in flat if name not in _NAMES and (close := closest(name, _NAMES))}
    notes += [
        _note(page, f"sitemap_{name}: unknown key; did you mean 'sitemap_{close}'?") for name, close in slips.items()
    ]
    bare: dict[str, object] = {name: words[name] for name in ("priority", "changefreq") if name in words}
    if _forbids_indexing(words.get("robots")):
        bare["exclude"] = True
    values, _ = convert_fields(bare, PageValues, lax=True)
    for written, where in ((known, "sitemap_"), (nested, "sitemap.")):
        converted, mistakes = convert_fields(written, PageValues, lax=True)
        slow = _slow_globs(converted)
        good = {name: value for name, value in converted.items() if name not in slow}
        values |= good | _good_alternates(written, converted)
        notes += [_note(page, f"{where}{mistake}") for mistake in mistakes]
        allowed = f"more than {_WILDCARDS} wildcards, which only a rule of the option pages may have"
        notes += [_note(page, f"{where}{name}: {short_repr(glob)} has {allowed}") for name, glob in slow.items()]
    return PageValues(**values), notes


def published_of(page: Page, values: PageValues) -> LastMod | None:
    """The date of publication: the value ``published``, or else ``date`` in the front matter.

    In Material's blog, ``date`` is a mapping with ``created``. Other tools use the word ``date`` too, so an invalid one
    is ignored without a note.
    """
    if values.published:
        return values.published.value
    written = page.front_matter.get("date")
    return lastmod_or_none(written.get("created") if isinstance(written, Mapping) else written)


def _slow_globs(values: Mapping[str, Any]) -> dict[str, str]:
    """The values with a glob that has too many wildcards, each with its first such glob."""
    globs = {"depends_on": values.get("depends_on", ()), "images": ()}
    if "images" in values:
        globs["images"] = values["images"].removed.patterns
    return {name: slow for name, each in globs.items() if (slow := next(filter(_is_slow, each), None))}


def _is_slow(glob: str) -> bool:
    return sum(1 if part == "**" else part.count("*") for part in glob.split("/")) > _WILDCARDS


def _good_alternates(written: Mapping[Any, object], converted: Mapping[str, object]) -> dict[str, object]:
    """The valid translations, if an invalid one among them made the whole value invalid."""
    value = written.get("alternates")
    if isinstance(value, str):
        value = read_pairs(value)
    if not isinstance(value, Mapping) or "alternates" in converted:
        return {}
    each = [convert_fields({"alternates": {name: page}}, PageValues, lax=True)[0] for name, page in value.items()]
    pairs = [pair for one in each for pair in one.get("alternates", {}).items()]
    numbers = Counter(code for code, _ in pairs)
    good = {code: page for code, page in pairs if numbers[code] == 1}
    return {"alternates": Alternates(good)} if good else {}


def _nested(page: Page) -> tuple[Mapping[Any, object], list[Note]]:
    """The ``sitemap`` mapping; ``sitemap: false`` means ``exclude: true``. MyST turns either of them into text."""
    written = page.front_matter.get("sitemap")
    value = _read_text(written) if isinstance(written, str) else written
    if value is None:
        return {}, []
    if isinstance(value, bool):
        return {"exclude": not value}, []
    if isinstance(value, Mapping):
        return value, []
    if isinstance(value, str) and value.lstrip().startswith("{"):
        return {}, [_note(page, f"sitemap: {short_repr(written)} is not JSON; write for example sitemap_priority: 0.8")]
    return {}, [
        _note(page, f"sitemap: {short_repr(written)} is not true, false or a mapping such as {{priority: 0.8}}")
    ]


def _read_text(text: str) -> object:
    word = text.strip().lower()
    if word in BOOLEANS or not word:
        return BOOLEANS.get(word)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _forbids_indexing(robots: object) -> bool:
    """Whether a bare ``robots`` has the token noindex; a substring is not enough, because other words contain it."""
    words = robots if isinstance(robots, list | tuple) else [robots]
    tokens = {token.strip().lower() for word in words if isinstance(word, str) for token in word.split(",")}
    return not tokens.isdisjoint(FORBIDDING)


def _note(page: Page, text: str) -> Note:
    return Note(kind="front-matter", page=page.name, message=f"{text} (it is ignored)")
