"""Select the pages to list: apply reasons and hooks, list each URL once, and note options that match no page."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from traceback import walk_tb
from typing import Final

from msgspec import structs

from sitemap_plugins.model import (
    DROP,
    Adjuster,
    AdjustFunction,
    Candidate,
    Drop,
    Entry,
    Markup,
    Note,
    Omitted,
    Page,
    Site,
)
from sitemap_plugins.options.convert import convert_fields
from sitemap_plugins.options.settings import PageValues, Settings, facts_of_options
from sitemap_plugins.options.types import Globs
from sitemap_plugins.pages.canonical import other_spelling, spelling_notes, superseded_notes
from sitemap_plugins.pages.crawl_rules import CrawlRules
from sitemap_plugins.pages.entries import loc_length, locate
from sitemap_plugins.pages.omit import AFTER, BEFORE, Subject, find_reason, needs_content, omit
from sitemap_plugins.values.text import and_more_pages, closest, join_words, short_repr
from sitemap_plugins.values.urls import (
    LOC_LENGTH,
    InvalidURLError,
    encode_url,
    page_key,
    path_below,
    spelling_key,
    usable_url,
)

_HOME: Final = ("", "index.html", "index.htm", "index")
"""The paths that the home page may have below the base URL."""

_FEW: Final = 5  # pages; a smaller number says nothing
_SHARE: Final = 10  # at least one page in ten has to remain
_SUSPICIOUS: Final = {"canonical": "canonical links", "redirect": "redirects"}

_SEEN: Final = "match is for the path of the URL, source for the path of the source file"


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
    notes += _home_notes(site, listed, [*unusable, *omitted])
    return [*listed.values()], omitted, notes


def _home_notes(site: Site, listed: Mapping[str, Candidate], omitted: Sequence[Omitted]) -> Iterator[Note]:
    """A note if there are entries, but none for the home page, which a superseded version is not expected to list.

    A site may have no home page, unless its theme needs one.
    """
    spellings = {site.base_url + name for name in _HOME}
    if not listed or site.policy.canonical_version or not spellings.isdisjoint(listed):
        return
    home = spelling_key(site.base_url)
    reasons = [f"{each.page.name} is listed as {loc}" for loc, each in listed.items() if each.page.loc in spellings]
    reasons += [f"{out.page.name} is left out: {out.reason}" for out in omitted if spelling_key(out.page.loc) == home]
    if reasons or site.theme_reads_sitemap:
        because = reasons[0] if reasons else "the site has none"
        use = "the theme uses it to find the root of the site, and " if site.theme_reads_sitemap else ""
        problem = f"the home page {site.base_url} is not in the sitemap, although {use}search engines start there"
        yield Note(kind="home-left-out", message=f"{problem} ({because})")


def adjust(
    candidate: Candidate, adjusters: Sequence[Adjuster], base_url: str, length: int = LOC_LENGTH
) -> tuple[Entry, str | None, list[Note]]:
    """Return the entry as the hooks changed it, the name of the hook that left the page out, or None, and notes.

    The entry's URL may have at most ``length`` characters.
    """
    entry = candidate.entry
    page = candidate.page
    notes: list[Note] = []
    for name, function in adjusters:
        try:
            answer = _call(function, entry, page, base_url, length)
        except ValueError as error:
            message = f"{name} {error}; the page is listed as it was"
            notes.append(Note(kind="hook", page=page.name, message=message))
            continue
        if answer is DROP:
            return entry, name, notes
        entry = answer
    return entry, None, notes


def _call(function: AdjustFunction, entry: Entry, page: Page, base_url: str, length: int) -> Entry | Drop:
    """Call a hook with the entry. Raises ValueError if it fails or returns a wrong value; the message says how."""
    try:
        answer = function(entry, page)
    except (Exception, SystemExit) as error:  # an author's function may raise anything
        frame, line = [*walk_tb(error.__traceback__)][-1]
        place = f"{PurePath(frame.f_code.co_filename).name}, line {line}"
        raise ValueError(f"raised {type(error).__name__}: {error} ({place})") from error
    if answer is None:
        return entry
    if answer is DROP:
        return DROP
    if isinstance(answer, Entry):
        return _checked(answer, base_url, length)
    raise ValueError(f"returned {type(answer).__name__}, not an Entry, None or DROP")


def _checked(entry: Entry, base_url: str, length: int) -> Entry:
    """The entry that a hook returned, with its URL encoded. Raises ValueError if it cannot be written."""
    try:
        loc, _ = locate(str(entry.loc), base_url, length)
    except InvalidURLError as error:
        raise ValueError(f"gave it the URL {short_repr(entry.loc)}, which {error}") from None
    if entry.alternates:
        raise ValueError("gave it alternates, which are determined later: set them in its front matter")
    written = {name: getattr(entry, name) for name in ("lastmod", "changefreq", "priority")}
    converted, mistakes = convert_fields(written, PageValues)
    if mistakes:
        raise ValueError(f"gave it {mistakes[0]}")
    lastmod = converted["lastmod"].value if "lastmod" in converted else None
    if entry.news:
        raise ValueError("gave it news, which it cannot set: use the option news or its front matter")
    if entry.images or entry.videos:
        from sitemap_plugins.pages.media import checked_media

        entry = checked_media(entry)
    return replace(entry, loc=loc, lastmod=lastmod)


def unread_notes(listed: Iterable[Candidate]) -> Iterator[Note]:
    """A note on each page whose HTML was not read, or only in part."""
    for candidate in listed:
        page = candidate.page
        if page.unread:
            message = f"the page was not read ({page.unread}), so it is listed even if it says noindex"
            yield Note(kind="unread", page=page.name, message=message)
        elif cut := next((read.cut for read in (page.markup, page.content) if read and read.cut), ""):
            message = f"the page was parsed {cut}; it is listed, and what follows is ignored"
            yield Note(kind="partly-read", page=page.name, message=message)


def lost_pages_notes(site: Site, listed: Collection[Candidate], omitted: Sequence[Omitted]) -> list[Note]:
    """A note if less than a tenth of at least five pages remain, because the others lead to pages that do not exist.

    They count if they lead to URLs below the base that no page has, or all to the same URL. A page that leads to
    another host or another version does not count, because that is intended.
    """
    leading = [
        each
        for each in omitted
        if each.key in _SUSPICIOUS and each.detail.startswith(each.page.base_url or site.base_url)
    ]
    if not _is_suspicious(len(listed), len(leading)):
        return []
    pages = [*(each.page for each in listed), *(each.page for each in omitted)]
    built = {spelling_key(page.loc) for page in pages}
    lost = [each for each in leading if spelling_key(each.detail) not in built]
    if len({page_key(each.detail) for each in leading}) == 1:
        lost = leading
    if not _is_suspicious(len(listed), len(lost)):
        return []
    first = lost[0]
    kept = "" if listed else "; no sitemap was written"
    message = (
        f"{len(lost)} of {len(listed) + len(lost)} pages are left out because their {_SUSPICIOUS[first.key]} lead "
        f"to URLs that this build does not have, or all to the same one, such as {first.page.name} to "
        f"{first.detail:.200}{kept}: correct them in the theme, or correct the URL of the site"
    )
    return [Note(kind="lost-pages", message=message)]


def _is_suspicious(listed: int, lost: int) -> bool:
    """Whether there are enough pages, and so few of them remain that it is hardly intended."""
    return listed + lost >= _FEW and listed * _SHARE < listed + lost


def unmatched_notes(candidates: Sequence[Candidate], settings: Settings) -> list[Note]:
    """A note for each glob, rule and section that matches no page, and each option that has no effect here."""
    checks = (_unused_globs, _unused_rules, _unused_groups, _unused_options)
    return [Note(kind="unmatched", message=message) for check in checks for message in check(candidates, settings)]


def untranslated_candidates(site: Site, omitted: Sequence[Omitted]) -> Iterator[Candidate]:
    """The pages that are left out because they are not translated: options are written for all languages of a site."""
    for page in (each.page for each in omitted if each.page.omit == "untranslated"):
        loc = usable_url(page.loc)
        if loc and (path := path_below(page.base_url or site.base_url, loc)):
            yield Candidate(page=page, path=path, entry=Entry(loc=loc))


def _unused_globs(candidates: Sequence[Candidate], settings: Settings) -> Iterator[str]:
    taken_back = [pattern for pattern in settings.exclude.patterns if pattern.startswith("!")]
    if taken_back and len(taken_back) == len(settings.exclude.patterns):
        yield f"exclude: {taken_back[0]!r} re-includes what an earlier glob excludes, but there is none"
        return
    for pattern in settings.exclude.patterns:
        glob = Globs((pattern.removeprefix("!"),))
        if any(glob.matches(candidate.path) for candidate in candidates):
            continue
        source = next((each for each in candidates if glob.matches(each.page.name)), None)
        if source:
            yield (
                f"exclude: {pattern!r} matches no page, only the source file {source.page.name}; globs match the path "
                f"of the URL: write {source.path!r}, or a rule of pages with source and exclude: true"
            )
        else:
            close = closest(pattern, (each.path for each in candidates))
            example = f"; did you mean '{close}'?" if close else ", such as guides/install/"
            yield f"exclude: {pattern!r} matches no page; globs match the path of the URL{example}"
    for pattern in settings.files.patterns:
        glob = Globs((pattern.removeprefix("!"),))
        if not any(glob.matches(each.page.output or "") for each in candidates):
            yield f"files: {pattern!r} matches no file in the output; globs match its path, such as downloads/a.pdf"
    for pattern in settings.generated_pages.named if settings.generated_pages else ():
        glob = Globs((pattern.removeprefix("!"),))
        if not any(each.page.generated and glob.matches(each.path) for each in candidates):
            yield f"generated_pages: {pattern!r} matches no page without a source file; globs match the path of the URL"


def _unused_rules(candidates: Sequence[Candidate], settings: Settings) -> Iterator[str]:
    for number, rule in enumerate(settings.pages):
        if not any(rule.applies(candidate.path, candidate.page.name) for candidate in candidates):
            yield f"pages[{number}]: the rule matches no page; {_SEEN}{_source_hint(rule.source, candidates)}"


def _source_hint(source: Globs | None, candidates: Sequence[Candidate]) -> str:
    """How to write a glob for source files that begins with the folder of the documents, or has backslashes."""
    for pattern in source.patterns if source else ():
        written = pattern.replace("\\", "/")
        while written.strip("/"):
            glob = Globs((written,))
            if any(glob.matches(each.page.name) for each in candidates):
                if written == pattern:  # the rest of the rule does not match
                    return ""
                return f", relative to the folder of the documents, with slashes: write {written!r}"
            written = written.partition("/")[2]
    return ""


def _unused_groups(candidates: Sequence[Candidate], settings: Settings) -> Iterator[str]:
    if not settings.sections and not settings.news:
        return
    for name, section in settings.sections.items():
        if not any(each.section == name or section.holds(each) for each in candidates):
            yield f"sections.{name}: it matches no page; {_SEEN}{_source_hint(section.source, candidates)}"
    if settings.news and not any(each.news or settings.news.holds(each) for each in candidates):
        asked = settings.news.language and settings.news.publication_language is None
        mistaken = "; to set the language of the publication, use publication_language" if asked else ""
        yield f"news: it matches no page; {_SEEN}{_source_hint(settings.news.source, candidates)}{mistaken}"


def _unused_options(candidates: Sequence[Candidate], settings: Settings) -> Iterator[str]:
    for name, each in facts_of_options().items():
        if each.needs and getattr(settings, name) and not getattr(settings, each.needs.partition(":")[0]):
            yield f"{name}: it has no effect without {each.needs}"
    if settings.content_selector and not needs_content(settings):
        readers = [name for name, each in facts_of_options().items() if each.reads_content]
        yield f"content_selector: it has no effect without {join_words(readers, 'or')}"
    if settings.follow_canonical and not any(
        other_spelling(each.page.markup or Markup(), encode_url(each.page.loc)) for each in candidates
    ):
        yield "follow_canonical: it has no effect, because the canonical links are the same as the URLs of the host"
    if not settings.news and (named := [each.page.name for each in candidates if each.news]):
        yield f"news: true in {named[0]}{and_more_pages(len(named) - 1)} has no effect without the option news"
