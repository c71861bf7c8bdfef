"""Which pages are listed. Every page that is not has a reason that can be printed and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import chain
from pathlib import PurePath
from traceback import walk_tb
from urllib.parse import urljoin

from msgspec import structs

from sitemap_plugins.conversion import and_so_many, convert_fields, shown
from sitemap_plugins.enrich.entries import loc_length, locate
from sitemap_plugins.enrich.page_markup import FORBIDDING
from sitemap_plugins.model import (
    DROP,
    Adjuster,
    AdjustFunction,
    Candidate,
    Drop,
    Dropped,
    Entry,
    Markup,
    Note,
    Page,
    Site,
)
from sitemap_plugins.option_types import Globs
from sitemap_plugins.settings import PageValues, Settings
from sitemap_plugins.urls import LOC_LENGTH, InvalidURLError, page_key


def select(  # noqa: PLR0913, PLR0917  # the pages, and everybody who has a say
    site: Site,
    candidates: Iterable[Candidate],
    settings: Settings,
    adjusters: Sequence[Adjuster] = (),
    unusable: Sequence[Dropped] = (),
    refusals: Sequence[Callable[[str], tuple[str, str] | None]] = (),
) -> tuple[list[Candidate], list[Dropped], list[Note]]:
    """The candidates to list, in their order and as the hooks changed them, the pages left out, and what went wrong.

    ``unusable`` are the pages that were left out before. ``refusals`` know of a URL what files beside the pages keep
    from crawlers.
    """
    listed: dict[str, Candidate] = {}
    dropped: list[Dropped] = []
    notes: list[Note] = []
    length = loc_length(settings.engines)
    for candidate in candidates:
        page = candidate.page
        entry, refusal = candidate.entry, refuse(candidate, settings, site.as_of)
        if refusal is None:
            entry, refusal, found = adjust(candidate, adjusters, page.base_url or site.base_url, length)
            notes += found
        for refuse_url in refusals if refusal is None else ():
            refusal = refusal or refuse_url(entry.loc)
        if refusal:
            dropped.append(Dropped(page=page, reason=refusal[0], detail=refusal[1]))
            continue
        adjusted = candidate if entry is candidate.entry else structs.replace(candidate, entry=entry)
        first = listed.setdefault(entry.loc, adjusted)
        if first.page is not page:
            kept, other = first, adjusted
            if page.output is not None and page.output == first.page.output:
                # The host has written one over the other.
                kept, other = adjusted, first
                listed[entry.loc] = adjusted
            dropped.append(Dropped(page=other.page, reason="duplicate URL", detail=f"the same as {kept.page.name}"))
            message = f"it has the same URL as {kept.page.name}, {entry.loc}; only that is listed: rename one of them"
            notes.append(Note(kind="duplicate-url", page=other.page.name, message=message))
    return [*listed.values()], dropped, notes + _home_notes(site, listed, [*unusable, *dropped])


def refuse(candidate: Candidate, settings: Settings, as_of: datetime | None) -> tuple[str, str] | None:
    """Why a page is not to be listed, as reason and detail; None when it is.

    What the author says of a page comes first, then the options, then what the rendered page says to crawlers
    (CAN-01, CAN-02, CAN-05); nothing that anybody says lists a page that crawlers are told to ignore.
    """
    page = candidate.page
    if candidate.exclude:
        return "excluded", candidate.exclude_by
    if candidate.exclude is None and settings.exclude.matches(candidate.path):
        return "excluded", "by the option exclude"
    choice = settings.generated_pages
    if page.generated and choice is not None and not choice.matches(candidate.path):
        return "generated", "it has no source of its own; the option generated_pages can list it"
    return refused_by_markup(page.markup, candidate.entry.loc, as_of) if page.markup else None


def refused_by_markup(markup: Markup, loc: str, as_of: datetime | None) -> tuple[str, str] | None:
    """What the rendered page says against being listed under ``loc``, as reason and detail."""
    if forbidding := markup.robots & FORBIDDING:
        return "noindex", f"robots meta tag: {', '.join(sorted(forbidding))}"
    if any(_is_past(date, as_of) for date in markup.unavailable_after):
        return "noindex", "robots meta tag: unavailable_after"
    # A canonical link that leads to the page itself in another form is no reason; one of several is enough.
    canonicals = [_join(loc, href) for href in markup.canonicals]
    if canonicals and not any(_is_same_page(canonical, loc) for canonical in canonicals):
        return "canonical elsewhere", canonicals[0]
    if markup.refresh and not _is_same_page(target := _join(loc, markup.refresh), loc):
        return "redirect", target
    return None


def _join(loc: str, href: str) -> str:
    """Where a link of the page leads."""
    try:
        return urljoin(loc, href)
    except ValueError:  # it is no URL at all, and leads nowhere else
        return loc


def _is_same_page(url: str, loc: str) -> bool:
    return url == loc or page_key(url) == page_key(loc)


def _is_past(date: str, as_of: datetime | None) -> bool:
    if as_of is None:
        return False
    try:
        moment = datetime.fromisoformat(date)
    except ValueError:
        try:
            moment = parsedate_to_datetime(date)
        except (ValueError, OverflowError):
            return False
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) < as_of


def adjust(
    candidate: Candidate, adjusters: Sequence[Adjuster], base_url: str, length: int = LOC_LENGTH
) -> tuple[Entry, tuple[str, str] | None, list[Note]]:
    """The entry as the author's hooks leave it, or the reason for which one of them leaves the page out.

    Its URL may have ``length`` characters.
    """
    entry = candidate.entry
    page = candidate.page
    notes: list[Note] = []
    for name, function in adjusters:
        try:
            answer = _ask(function, entry, page, base_url, length)
        except ValueError as error:
            message = f"{name} {error}; the page is listed as it was"
            notes.append(Note(kind="hook", page=page.name, message=message))
            continue
        if answer is DROP:
            return entry, ("by a hook", name), notes
        entry = answer
    return entry, None, notes


def _ask(function: AdjustFunction, entry: Entry, page: Page, base_url: str, length: int) -> Entry | Drop:
    """What a hook makes of the entry. Raises ValueError, which says what it did instead."""
    try:
        answer = function(entry, page)
    except (Exception, SystemExit) as error:  # an author's function may raise anything
        message = f"raised {type(error).__name__}: {error}{_place_of(error)}"
        raise ValueError(message) from error
    if answer is None:
        return entry
    if answer is DROP:
        return DROP
    if isinstance(answer, Entry):
        return _checked(answer, base_url, length)
    message = f"returned {type(answer).__name__}, not an Entry, None or DROP"
    raise ValueError(message)


def _place_of(error: BaseException) -> str:
    """The file and line where it was raised, in brackets."""
    frames = [*walk_tb(error.__traceback__)]
    frame, line = frames[-1]
    return f" ({PurePath(frame.f_code.co_filename).name}, line {line})"


def unmatched(candidates: Sequence[Candidate], settings: Settings) -> list[Note]:
    """A note for each glob, rule and section that is for no page, and for what has no effect alone: mostly a slip."""
    idle = chain(
        _idle_globs(candidates, settings),
        _idle_rules(candidates, settings),
        _idle_groups(candidates, settings),
        _idle_options(candidates, settings),
    )
    return [Note(kind="unmatched", message=message) for message in idle]


def _idle_globs(candidates: Sequence[Candidate], settings: Settings) -> Iterator[str]:
    for pattern in settings.exclude.patterns:
        glob = Globs([pattern.removeprefix("!")])
        if not any(glob.matches(candidate.path) for candidate in candidates):
            yield f"exclude: {pattern!r} matches no page; globs see the path of the URL, such as guides/install/"
    for pattern in settings.files.patterns:
        glob = Globs([pattern.removeprefix("!")])
        if not any(glob.matches(each.page.output or "") for each in candidates):
            yield f"files: {pattern!r} matches no file in the output; globs see its path, such as downloads/a.pdf"


def _idle_rules(candidates: Sequence[Candidate], settings: Settings) -> Iterator[str]:
    for number, rule in enumerate(settings.pages):
        if not any(rule.applies(candidate.path, candidate.page.name) for candidate in candidates):
            yield f"pages[{number}]: the rule is for no page; match sees the path of the URL, source that of the file"


def _idle_groups(candidates: Sequence[Candidate], settings: Settings) -> Iterator[str]:
    if not settings.sections and not settings.news:
        return
    from sitemap_plugins.arrange.sections import is_in  # noqa: PLC0415  # few sites have either

    seen = "match sees the path of the URL, source that of the file"
    for name, section in settings.sections.items():
        if not any(each.section == name or is_in(each, section) for each in candidates):
            yield f"sections.{name}: no page is in it; {seen}"
    if settings.news and not any(each.news or is_in(each, settings.news) for each in candidates):
        yield f"news: no page is among them; {seen}"


def _idle_options(candidates: Sequence[Candidate], settings: Settings) -> Iterator[str]:
    if settings.image_hosts and not settings.images:
        yield "image_hosts: it has no effect without images: true"
    if settings.content_selector and not settings.reads_content:
        yield "content_selector: it has no effect without images, videos, feeds or news"
    if not settings.news and (said := [each.page.name for each in candidates if each.news]):
        yield f"news: true of {said[0]}{and_so_many(len(said) - 1)} has no effect without the option news"


def _checked(entry: Entry, base_url: str, length: int) -> Entry:
    """An author's entry as it can be written, its URL encoded. Raises ValueError, which says what is wrong with it."""
    try:
        loc, _ = locate(str(entry.loc), base_url, length)
    except InvalidURLError as error:
        message = f"gave it the URL {shown(entry.loc)}, which {error}"
        raise ValueError(message) from None
    if entry.alternates:
        message = "gave it alternates, which are found when it is known what is listed: name them in its front matter"
        raise ValueError(message)
    written = {name: getattr(entry, name) for name in ("lastmod", "changefreq", "priority")}
    converted, mistakes = convert_fields(written, PageValues)
    if mistakes:
        message = f"gave it {mistakes[0]}"
        raise ValueError(message)
    lastmod = converted["lastmod"].value if "lastmod" in converted else None
    if entry.news:
        message = "gave it news, which are found by the option news: name them there or in its front matter"
        raise ValueError(message)
    if entry.images or entry.videos:
        from sitemap_plugins.enrich.page_media import checked_media  # noqa: PLC0415  # few sites have any

        entry = checked_media(entry)
    return replace(entry, loc=loc, lastmod=lastmod)


def _home_notes(site: Site, listed: Iterable[str], dropped: Sequence[Dropped]) -> list[Note]:
    """A note when there are entries, but none for the home page."""
    locs = set(listed)
    if not locs or not locs.isdisjoint({site.base_url, site.base_url + "index.html"}):
        return []
    home = page_key(site.base_url)
    reasons = [f"{each.page.name}: {each.reason}" for each in dropped if page_key(each.page.loc) == home]
    because = f" ({reasons[0]})" if reasons else " (the site has none)"
    return [Note(kind="home-left-out", message=f"the home page {site.base_url} is not in the sitemap{because}")]
