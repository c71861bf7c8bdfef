"""The line: collect → enrich → select → translate → group → write → announce, as a function of values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from sitemap_plugins.announcing import announce, is_served, vouching_notes
from sitemap_plugins.arrange.grouping import group
from sitemap_plugins.arrange.selection import select, unmatched
from sitemap_plugins.conversion import listing
from sitemap_plugins.enrich.entries import FindFiles, enrich
from sitemap_plugins.enrich.lastmod import DatesOf, bulk_notes, undated_notes
from sitemap_plugins.formats.robots import forbids_everything
from sitemap_plugins.model import X_DEFAULT, Adjuster, Alternate, Candidate, Dropped, Note, Page, Site
from sitemap_plugins.output import Arrangement, OutputFile, Result
from sitemap_plugins.rendering import measures, render, render_feeds, traits_of
from sitemap_plugins.settings import Settings
from sitemap_plugins.urls import root_of

if TYPE_CHECKING:
    from sitemap_plugins.arrange.crawl_rules import Refuse
    from sitemap_plugins.formats.evidence import EvidenceRules
    from sitemap_plugins.formats.sitemap_xml import Traits

_ABOUT_MEDIA = frozenset({"image", "video", "text"})


def build(  # noqa: PLR0913  # the site, and what the core may not fetch for itself
    site: Site,
    pages: Iterable[Page],
    settings: Settings,
    *,
    dates: Mapping[str, DatesOf] | None = None,
    find_files: FindFiles | None = None,
    adjust: Sequence[Adjuster] = (),
    robots_txt: bytes | None = None,
    evidence: Callable[[], EvidenceRules] | None = None,
    host_files: Mapping[str, bytes] | None = None,
    taken: Container[str] = (),
) -> Result:
    """The sitemaps of a site as files to be written, the pages that were left out, and notes for its author.

    ``dates`` tells the dates of source files, by the name of the ``lastmod`` source (``git``, ``mtime``).
    ``find_files`` tells what ``depends_on`` means. ``robots_txt`` is what the output directory holds under that name,
    ``host_files`` what under those of ``_headers`` and ``_redirects``. ``evidence`` is asked afterwards what is to be
    known of git to prove its dates. ``taken`` are the paths of files in the output directory that are not ours. Nothing
    is read or written here.
    """
    candidates, unusable, about_pages = enrich(site, pages, settings, dates or {}, find_files)
    by_robots = _refused_by_robots(site, robots_txt)
    refusals = [refuse for refuse in (by_robots, _refused_by_host(site, host_files)) if refuse]
    listed, left_out, about_selection = select(site, candidates, settings, adjust, unusable, refusals)
    about_pages = _about_listed(about_pages, listed)
    listed, about_languages = _translate(site, listed, (*unusable, *left_out), settings)
    arrangement, traits, about_groups = _group(site, listed, settings, taken)
    if arrangement.left_out:
        # Nobody may name as a translation what is not listed.
        large = [each for each in listed if each.entry.loc in arrangement.left_out]
        left_out += [Dropped(page=each.page, reason="too large") for each in large]
        alone = [_without_links(each) for each in listed if each.entry.loc not in arrangement.left_out]
        listed, _ = _translate(site, alone, (*unusable, *left_out), settings)
        arrangement, traits, _ = _group(site, listed, settings, taken)
    files = render(arrangement, settings, traits)
    feeds, announced, about_feeds = _feed(site, listed, settings, taken) if settings.feeds.files else ([], (), [])
    files += feeds
    if settings.evidence and evidence and files:
        from sitemap_plugins.formats.evidence import render_evidence  # noqa: PLC0415  # only where it is asked for

        content = render_evidence(listed, evidence(), settings.lastmod_format)
        files.append(OutputFile(path=settings.evidence, content=content))
    announced = (*arrangement.announced, *announced) if files else ()
    robots, about_robots = announce(site, announced, settings, robots_txt, by_robots)
    return Result(
        site=site,
        entries=tuple(candidate.entry for candidate in listed),
        sitemaps=arrangement.sitemaps,
        indexes=arrangement.indexes,
        announced=announced,
        files=(*files, *robots),
        dropped=(*unusable, *left_out),
        alternates=_by_output(listed, (*unusable, *left_out)),
        notes=(
            *unmatched(candidates, settings),
            *about_pages,
            *undated_notes(listed, site.unshallow),
            *bulk_notes(listed, settings.git.bulk_share),
            *about_selection,
            *about_languages,
            *_compare_dates(listed, settings),
            *about_groups,
            *([] if arrangement.sitemaps else [_nothing(unusable + left_out)]),
            *about_feeds,
            *_engines(listed, arrangement, settings),
            *vouching_notes(site, arrangement.cross_submitted, settings),
            *about_robots,
        ),
    )


def _about_listed(notes: Iterable[Note], listed: Iterable[Candidate]) -> list[Note]:
    """What there is to say of images and videos is nothing where the page is left out."""
    names = {candidate.page.name for candidate in listed}
    return [note for note in notes if note.kind not in _ABOUT_MEDIA or note.page in names]


def _without_links(candidate: Candidate) -> Candidate:
    return structs.replace(candidate, entry=replace(candidate.entry, alternates=()))


def _refused_by_robots(site: Site, robots_txt: bytes | None) -> Refuse | None:
    """What robots.txt keeps from crawlers, where it has an effect; a site that is closed as a whole is a draft."""
    if not robots_txt or b"disallow" not in robots_txt.lower() or not is_served(site) or forbids_everything(robots_txt):
        return None
    from sitemap_plugins.arrange.crawl_rules import refused_by_robots  # noqa: PLC0415  # few sites forbid anything

    return refused_by_robots(robots_txt)


def _refused_by_host(site: Site, files: Mapping[str, bytes] | None) -> Refuse | None:
    """What the hosting service keeps from crawlers; it reads these files at the root of the host only."""
    if not files or site.base_url != root_of(site.base_url):
        return None
    from sitemap_plugins.arrange.crawl_rules import refused_by_host  # noqa: PLC0415  # few sites have such files

    return refused_by_host(files)


def _translate(
    site: Site, listed: list[Candidate], dropped: Sequence[Dropped], settings: Settings
) -> tuple[list[Candidate], list[Note]]:
    """The candidates with their alternates. A site in one language does not even load what knows of languages."""
    if not site.languages and not any(each.page.translation or each.alternates for each in listed):
        return listed, []
    from sitemap_plugins.arrange.hreflang import translate  # noqa: PLC0415  # see above
    from sitemap_plugins.arrange.language_check import compare_with_pages  # noqa: PLC0415  # the same

    translated, notes = translate(site, listed, dropped, settings)
    return translated, [*notes, *compare_with_pages(translated, settings)]


def _group(
    site: Site, listed: Sequence[Candidate], settings: Settings, taken: Container[str]
) -> tuple[Arrangement, Traits, list[Note]]:
    """The arrangement, and what is known of the entries in it: to write others by these traits would lose something."""
    traits = traits_of(listed, settings)
    arrangement, notes = group(site, listed, settings, measures(settings, traits), taken)
    return arrangement, traits, notes


def _compare_dates(listed: Sequence[Candidate], settings: Settings) -> list[Note]:
    """What there is to say of the dates that pages show, on the sites on which they do."""
    if not any(each.page.shown or (each.page.markup and each.page.markup.modified) for each in listed):
        return []
    from sitemap_plugins.arrange.date_check import compare_shown_dates  # noqa: PLC0415  # see above

    return compare_shown_dates(listed, settings)


def _by_output(listed: Iterable[Candidate], dropped: Iterable[Dropped]) -> Mapping[str, tuple[Alternate, ...]]:
    """The alternates of every page by the file behind it; a page that is left out has none."""
    alternates: dict[str, tuple[Alternate, ...]] = {each.page.output: () for each in dropped if each.page.output}
    return alternates | {each.page.output: each.entry.alternates for each in listed if each.page.output}


def _feed(
    site: Site, listed: Sequence[Candidate], settings: Settings, taken: Container[str]
) -> tuple[list[OutputFile], tuple[str, ...], list[Note]]:
    """The feeds, and the addresses of those to announce; where there is one already, ours is not (SM-FEED-01)."""
    if site.preview:
        return [], (), []
    if site.feeds:
        message = f"the site has a feed already, {listing(site.feeds)}, which is announced instead of a second one"
        return [], site.feeds, [Note(kind="feed", message=message)]
    own = [path for path in settings.feeds.files if path in taken]
    notes = [Note(kind="own-sitemap", message=f"{path} is your own, so it was left alone") for path in own]
    if len(own) == len(settings.feeds.files):
        return [], (), notes
    files = [file for file in render_feeds(site, listed, settings) if file.path not in own]
    if not files:
        message = "no page has a date and a title, so there is no feed of what has changed"
        return [], (), [*notes, Note(kind="feed", message=message)]
    return files, tuple(site.base_url + file.path for file in files), notes


def _engines(listed: Sequence[Candidate], arrangement: Arrangement, settings: Settings) -> list[Note]:
    if not settings.engines:
        return []
    from sitemap_plugins.arrange.engines import engine_notes  # noqa: PLC0415  # only where it is asked for

    return engine_notes([candidate.entry for candidate in listed], arrangement, settings)


def _nothing(dropped: Sequence[Dropped]) -> Note:
    because = f"; left out: {_count_reasons(dropped)}; for example {_example(dropped)}" if dropped else ""
    return Note(kind="no-pages", message=f"no page is left to be listed, so no sitemap was written{because}")


def _count_reasons(dropped: Iterable[Dropped]) -> str:
    reasons = Counter(each.reason for each in dropped)
    return ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))


def _example(dropped: Sequence[Dropped]) -> str:
    """The first page that was left out for the most frequent reason."""
    reason, _ = Counter(each.reason for each in dropped).most_common(1)[0]
    example = next(each for each in dropped if each.reason == reason)
    return f"{example.page.name}: {reason}" + (f" ({example.detail})" if example.detail else "")


def describe(dropped: Dropped) -> str:
    """A page that was left out, and why, for a verbose build log."""
    return f"left out {dropped.page.name}: {dropped.reason}" + (f" ({dropped.detail})" if dropped.detail else "")


def summarize(result: Result) -> str:
    """One line for the build log: what was made, and what was left out and why."""
    entries = result.entries
    dated = sum(entry.lastmod is not None for entry in entries)
    declared = sum(link.declared and link.hreflang != X_DEFAULT for entry in entries for link in entry.alternates)
    omitted = _count_reasons(result.dropped)
    indexed = {sitemap.path for index in result.indexes for sitemap in index.sitemaps}
    names = ", ".join(
        [
            *(sitemap.path for sitemap in result.sitemaps if sitemap.path not in indexed),
            *(f"{index.path} ({_count(len(index.sitemaps), 'sitemap')})" for index in result.indexes),
        ]
    )
    urls = "1 URL" if len(entries) == 1 else f"{len(entries)} URLs"
    translated = sum(bool(entry.alternates) for entry in entries)
    languages = f", {translated} with translations" if translated else ""
    links = "1 link" if declared == 1 else f"{declared} links"
    unseen = f" ({links} to declared pages, which this build does not see)" if declared else ""
    return f"{names}: {urls}, {dated} with a date{languages}{unseen}" + (f"; left out: {omitted}" if omitted else "")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
