"""Make candidates for entries from pages: combine front matter, the rules of the option pages, and dates."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import structs

from sitemap_plugins.html.head import FORBIDDING
from sitemap_plugins.model import NO_FILE, Candidate, Dated, Entry, FileDate, LastMod, Note, Omitted, Page, Site
from sitemap_plugins.options.convert import BOOLEANS, convert_fields
from sitemap_plugins.options.settings import PageRule, PageValues, Settings
from sitemap_plugins.options.types import Alternates, read_pairs
from sitemap_plugins.pages.canonical import choose_locs
from sitemap_plugins.pages.lastmod import DatesOf, lastmod_of
from sitemap_plugins.pages.omit import omit
from sitemap_plugins.values.dates import lastmod_or_none
from sitemap_plugins.values.text import closest, did_you_mean, short_repr
from sitemap_plugins.values.urls import (
    LOC_LENGTH,
    InvalidURLError,
    encode_url,
    path_below,
    root_of,
    tracking_parameter,
    usable_url,
)

Files: TypeAlias = Mapping[str, Mapping[str, FileDate]]
"""The dates of files by their absolute paths, by the name of the ``lastmod`` source that they come from."""

_YANDEX_LENGTH: Final = 1024
_NOT_THERE: Final = (None, FileDate(when=None, reason=NO_FILE))

_PREFIX: Final = "sitemap_"
_BARE: Final = frozenset({"priority", "changefreq", "robots"})
_NAMES: Final = PageValues.__struct_fields__
_WILDCARDS: Final = 2  # in a glob; with more, a path that nearly matches can take minutes


class Draft(NamedTuple):
    """A page whose URL can be published, with the values of its front matter and of the rules for it.

    ``own`` has only the values from its front matter, ``values`` all of them. ``named`` are the files for each name
    in ``depends_on``.
    """

    page: Page
    loc: str
    path: str
    own: PageValues
    values: PageValues
    named: Mapping[str, Collection[str]]


def enrich(
    site: Site,
    pages: Iterable[Page],
    settings: Settings,
    dates: Mapping[str, DatesOf],
    named: Mapping[str, Collection[str]] | None = None,
) -> tuple[list[Candidate], list[Omitted], list[Note]]:
    """Return a candidate for each page, the pages that are left out, and notes; ``named`` is as in `draft_of`."""
    drafts: list[Draft] = []
    omitted: list[Omitted] = []
    notes: list[Note] = []
    for page in pages:
        if page.omit:
            omitted.append(omit(page, page.omit, page.omit_detail))
            continue
        draft, found = draft_of(page, site, settings, named)
        notes += found
        if isinstance(draft, Draft):
            drafts.append(draft)
        else:
            omitted.append(draft)
    notes += _outside_notes([each.page.loc for each in omitted if each.key == "outside"], site.base_url)
    locs = choose_locs(site, [(draft.page, draft.loc) for draft in drafts], settings)
    files = read_dates(drafts, settings, dates)
    candidates = []
    for draft, loc in zip(drafts, locs, strict=True):
        candidate, found = _candidate(site, draft._replace(loc=loc), settings, files)
        candidates.append(candidate)
        notes += _missing(draft, files) + found
    return candidates, omitted, notes


def draft_of(
    page: Page, site: Site, settings: Settings, named: Mapping[str, Collection[str]] | None = None
) -> tuple[Draft | Omitted, list[Note]]:
    """Return the draft of a page, or the reason why no sitemap can list it, and notes. The host's `omit` is ignored.

    ``named`` are the absolute paths of the files for each name or glob in ``depends_on``, which is ignored if
    ``named`` is None.
    """
    if settings.cross_submit:
        page = _with_base(page, site, settings.cross_submit)
    try:
        loc, path = locate(page.loc, page.base_url or site.base_url, loc_length(settings.engines))
    except OutsideError:
        return omit(page, "outside", page.loc), []
    except InvalidURLError as error:
        message = f"its URL {page.loc!r:.200} {error}; it is left out"
        return omit(page, "invalid-url", str(error)), [Note(kind="invalid-url", page=page.name, message=message)]
    own, notes = read_front_matter(page)
    if own.section is not None and own.section not in settings.sections:
        hint = did_you_mean(own.section, settings.sections)
        message = f"section: there is no section {own.section!r}{hint} (it is ignored)"
        notes.append(Note(kind="front-matter", page=page.name, message=message))
        own = structs.replace(own, section=None)
    values = merge_values(own, [rule for rule in settings.pages if rule.applies(path, page.name)])
    found = {} if named is None else {name: named[name] for name in values.depends_on or ()}
    if found:
        sources = dict.fromkeys([*page.sources, *(file for files in found.values() for file in files)])
        # The author says what the page is made of.
        page = structs.replace(page, sources=tuple(sources), included=(), unresolved="")
    return Draft(page, loc, path, own, values, found), notes


def read_dates(drafts: Iterable[Draft], settings: Settings, dates: Mapping[str, DatesOf]) -> Files:
    """The dates of all files that these pages are made of, from each source: all at once, to read a history once."""
    files = {file for draft in drafts for file in draft.page.sources}
    wanted = {"git", *settings.lastmod}
    return {name: of(files) for name, of in dates.items() if name in wanted}


def dated(draft: Draft, files: Files, settings: Settings, site: Site) -> tuple[Dated, list[Note]]:
    """Return the date of a page with its source, and notes, see `lastmod_of`."""
    written = draft.values.lastmod.value if draft.values.lastmod else None
    by_rule = draft.own.lastmod is None
    return lastmod_of(
        draft.page, written, settings.lastmod, files, site.as_of, by_rule=by_rule, has_commit=site.has_commit
    )


def _with_base(page: Page, site: Site, hosts: Collection[str]) -> Page:
    """The page, with its host's URL as its base if it is on one of the hosts of ``cross_submit`` (SM-XS-01)."""
    loc = usable_url(page.loc)
    is_elsewhere = page.base_url is None and loc and not loc.startswith(site.base_url) and root_of(loc) in hosts
    return structs.replace(page, base_url=root_of(loc)) if loc and is_elsewhere else page


def _missing(draft: Draft, dates: Files) -> list[Note]:
    """A note for each name in ``depends_on`` that matches no file."""
    message = "depends_on: there is no file {!r} (relative to the folder of the configuration)"
    return [
        Note(kind="depends-on", page=draft.page.name, message=message.format(name))
        for name, files in draft.named.items()
        if not files or (dates and all(known.get(file) in _NOT_THERE for known in dates.values() for file in files))
    ]


def _outside_notes(urls: Sequence[str], base_url: str) -> Iterator[Note]:
    """One note for all pages whose URLs are outside the base URL, as those of another language may be."""
    if urls:
        pages = "1 page is" if len(urls) == 1 else f"{len(urls)} pages are"
        message = f"{pages} outside the base URL {base_url}; its sitemap may list only URLs below it: {urls[0]}"
        yield Note(kind="outside", message=message + (" …" if urls[1:] else ""))


class OutsideError(InvalidURLError):
    """Raised if a URL is valid but not below the base URL of the site."""


def loc_length(engines: Collection[str]) -> int:
    """The most characters that all of these search engines allow in a URL."""
    return _YANDEX_LENGTH if "yandex" in engines else LOC_LENGTH


def locate(url: str, base_url: str, length: int = LOC_LENGTH) -> tuple[str, str]:
    """Return the encoded URL, of at most ``length`` characters, and its path below the base.

    Raises `InvalidURLError` if no sitemap can list the URL (SM-LOC-02, SM-LOC-03, SM-LOC-06, SM-LOC-12), and
    `OutsideError` if a sitemap at the base URL cannot (SM-LOC-04, SM-LOC-05).
    """
    loc = encode_url(url)
    if parameter := tracking_parameter(loc):
        raise InvalidURLError(f"has the parameter {parameter}, which identifies visitors, not pages")
    path = path_below(base_url, loc)
    if path is None:
        raise OutsideError(f"is not below the base URL {base_url}")
    if len(loc) > length:
        whom = " by Yandex" if length < LOC_LENGTH else ""
        raise InvalidURLError(f"is {len(loc)} characters long; at most {length} are allowed{whom}")
    return loc, path


def _candidate(site: Site, draft: Draft, settings: Settings, files: Files) -> tuple[Candidate, list[Note]]:
    page, loc, path, own, values, _ = draft
    date, notes = dated(draft, files, settings, site)
    entry = Entry(loc=loc, lastmod=date.lastmod, changefreq=values.changefreq, priority=values.priority)
    named_media: frozenset[str] = frozenset()
    if page.content or values.images or values.videos:
        from sitemap_plugins.pages.media import media_of

        media = media_of(page, loc, values, page.base_url or site.base_url, settings)
        entry = replace(entry, images=media.images, videos=media.videos)
        notes += media.notes
        named_media = media.named
    candidate = Candidate(
        page=page,
        path=path,
        entry=entry,
        alternates=values.alternates or {},
        exclude=values.exclude,
        exclude_by="by its front matter" if own.exclude is not None else "by a rule of the option pages",
        dated=date,
        section=values.section,
        published=published_of(page, values),
        news=values.news,
        named_media=named_media,
    )
    return candidate, notes


def merge_values(own: PageValues, rules: Sequence[PageRule]) -> PageValues:
    """Merge values: each is the page's own, or else the one from the last rule that sets it."""
    merged: dict[str, Any] = {}
    for values in (*rules, own):
        merged |= {name: value for name in PageValues.__struct_fields__ if (value := getattr(values, name)) is not None}
    return PageValues(**merged)


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
