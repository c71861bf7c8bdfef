"""The rules on what the announced sitemaps list: other pages than a build of the same files, pages twice, and dates."""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import product
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from msgspec import structs

from sitemap_plugins.check.canonicals import change_of_spelling
from sitemap_plugins.check.hits import blocking_line, change_of, hit_at
from sitemap_plugins.check.serving import answer_of, host_of, may_be_answered
from sitemap_plugins.findings.catalogue import RULES
from sitemap_plugins.findings.grouping import SITE, VERSIONS, Hit
from sitemap_plugins.formats.paths import REDIRECTS, ROBOTS
from sitemap_plugins.model import LastMod, Markup
from sitemap_plugins.output.ownership import is_ours
from sitemap_plugins.pages.canonical import canonicals_of
from sitemap_plugins.pages.crawl_rules import Served
from sitemap_plugins.published.addresses import possible_bases
from sitemap_plugins.published.languages import find_folders
from sitemap_plugins.published.sitemaps import SitemapFile
from sitemap_plugins.published.tree import is_hidden
from sitemap_plugins.site.published_site import ListedURL, PublishedSite, Verdict, listed_urls
from sitemap_plugins.values.dates import is_future, moment_of, parse_lastmod
from sitemap_plugins.values.text import count_of, join_words
from sitemap_plugins.values.urls import is_unreachable, page_key, quote_path, root_of, spelling_key, usable_url

_DEPTH: Final = 4  # folders in the path of a wrong base URL, at most
_SOURCES: Final = (".md", ".mdx", ".markdown")
_FEW: Final = 10  # pages that may well have changed on one day
_SHARE: Final = 0.9
_DEAD: Final = {"listed-unwritten": "there is no such page", "listed-redirect": "it redirects"}
_BUILD: Final = timedelta(minutes=10)
_ONE_DAY: Final = timedelta(days=1)


def compare(site: PublishedSite) -> Iterator[Hit]:
    """The hits of all rules about what is listed."""
    yield from _wrong_base(site)
    known = (each for each in (*site.listed, *_linked(site)) if each.loc not in site.not_asked)
    yield from _grouped(site, _extras(site, known), SITE)
    yield from _grouped(site, _dead_in_versions(site), VERSIONS)
    yield from _grouped(site, _dead_in_languages(site), SITE)
    yield from _unlisted(site)
    yield from _hidden_noindex(site)


def _wrong_base(site: PublishedSite) -> Iterator[Hit]:
    """The sitemaps most of whose URLs lead to files of this site, but with another scheme, host or path before them."""
    for sitemap in _lists(site):
        others: dict[str, list[ListedURL]] = {}
        entries = [each for each in site.listed if each.sitemap == sitemap.path]
        for each in entries:
            other, is_meant = ("", False) if each.file or _is_sent(site, each) else _other_base(site, each.loc)
            if other and not is_meant:
                others.setdefault(other, []).append(each)
        base = max(sorted(others), key=lambda each: len(others[each]), default="")
        telling = [each for each in entries if each.loc != base]  # the home page has no path that could tell
        if base and len(others[base]) * 2 > len(telling) and not is_unreachable(base):
            change = change_of(base, site.base_url)
            for each in others[base]:
                yield hit_at(each, "base-url", change, found=each.loc, expected=site.base_url + each.loc[len(base) :])


def _lists(site: PublishedSite) -> Sequence[SitemapFile]:
    return [each for each in site.announced_sitemaps if each.kind in {"urlset", "text"}]


def _linked(site: PublishedSite) -> Sequence[ListedURL]:
    """The links to pages of this site in the announced feeds that a server sent, once each."""
    feeds = site.announced_sitemaps if site.served is not None else ()
    links = {link.loc: ListedURL(feed.path, *link, site.file_at(link.loc)) for feed in feeds for link in feed.links}
    return [each for loc, each in links.items() if site.below(loc) is not None]


def _other_base(site: PublishedSite, loc: str) -> tuple[str, bool]:
    """The beginning of a URL elsewhere that is followed by the path of a file of this site; empty if there is none.

    The second value tells whether the URL is one of the site on purpose: on a host of its own for a language, which the
    page itself names, or for the sitemaps of other sites.
    """
    is_meant = loc.startswith(site.other_roots)
    bases = [*possible_bases(loc)]
    own = len([step for step in urlsplit(site.base_url).path.split("/") if step])
    for base, rest in (*bases[own : own + 1], *bases[:_DEPTH]):
        # The home page has no path that could tell.
        if rest and base != site.base_url and (file := site.file_of(rest)):
            canonicals = canonicals_of(site.markup_of(file) or Markup(), loc)
            return base, is_meant or any(page_key(each) == page_key(loc) for each in canonicals)
    return "", is_meant


def _extras(site: PublishedSite, listed: Iterable[ListedURL]) -> Iterator[Hit]:
    host = host_of(site)
    for each in listed:
        path = site.below(each.loc)
        if path is None:
            yield from _elsewhere(site, each)
        elif not _is_sent(site, each):
            yield from _without_file(site, each)
        elif (each.file or "").lower().endswith(_SOURCES):
            yield hit_at(each, "markdown-listed", SITE, found=each.file or "")
        elif verdict := site.verdict_at(each.loc, each.file):
            yield from _left_out(site, each, verdict)
        elif site.crawl_rules.disallowed(each.loc):  # a file that is no page
            yield from _left_out(site, each, Verdict("robots"))
        elif why := site.unclear.get(each.file or ""):
            yield hit_at(each, "listed-untranslated", "", found=why)
        elif host and each.file and (answer := answer_of(host, path, each.file)):
            status, there = answer
            rule, does = ("unwritten", "not found") if status == "missing" else ("redirect", "redirects")
            expected = site.base_url + quote_path(there)
            cause = change_of_spelling(each.loc.partition("?")[0], expected)
            yield hit_at(each, f"listed-{rule}", cause, found=f"{does} on {host}", expected=expected)


def _dead_in_versions(site: PublishedSite) -> Iterator[Hit]:
    """A hit for each URL without a page in the sitemaps of versions that nothing announces: people submit them.

    They may list redirects, and pages of other versions. With an alias as mike's canonical version, the URLs of the
    pages of an old version are those of the alias, which has moved on.
    """
    for each in listed_urls(site, announced=False):
        if own := site.version_of(each.sitemap):
            path = site.below(each.loc)
            other = site.version_of(path or "")
            if path is None:
                yield from _elsewhere(site, each, in_version=True)
            elif other not in {own, ""} and site.file_of(f"{own}{path[len(other) :]}"):
                continue
            elif each.file is None and not site.crawl_rules.redirected(each.loc):
                yield from _without_file(site, each)


def _dead_in_languages(site: PublishedSite) -> Iterator[Hit]:
    """A hit for each URL that has no page, or redirects, in the sitemaps of languages that nothing announces."""
    languages = find_folders(site.pages.values(), {})
    others = (each for each in listed_urls(site, announced=False) if not site.version_of(each.sitemap))
    for hit in _extras(site, (each for each in others if posixpath.dirname(each.sitemap) in languages)):
        if why := _DEAD.get(hit.rule):
            yield structs.replace(hit, rule="unannounced-urls", found=hit.found or why)


def _elsewhere(site: PublishedSite, each: ListedURL, *, in_version: bool = False) -> Iterator[Hit]:
    """A hit for a URL that is not below that of the site. All versions are on one host, whatever old ones say."""
    bare = site.base_url.removesuffix("/")
    if each.loc.startswith(bare):
        folder = posixpath.dirname(each.sitemap)
        # The URL may be taken for a host, which has a slash at its end in the normal form.
        rests = (each.loc[len(bare) :], each.loc[len(bare) :].removesuffix("/"))
        for start, rest in product(dict.fromkeys(("", f"{folder}/" if folder else "")), rests):
            if site.file_of(unquote(f"{start}{rest}")):
                expected = f"{site.base_url}{quote_path(start)}{rest}"
                cause = f"no slash after {bare.partition('://')[2]}"
                yield hit_at(each, "listed-outside", cause, found=each.entry.loc, expected=expected)
                return
    is_preview = is_unreachable(each.loc) and not is_unreachable(site.base_url)
    is_judged_otherwise = is_preview or not usable_url(each.loc)
    is_web = each.loc.startswith(("http://", "https://"))
    if is_web and not is_judged_otherwise and (in_version or not _other_base(site, each.loc)[1]):
        yield hit_at(each, "listed-outside", urlsplit(each.loc).netloc, found=f"not below {site.base_url}")


def _is_sent(site: PublishedSite, each: ListedURL) -> bool:
    """Whether there is a page: a file, or what the server sends for this form of the URL, if it was asked for that."""
    return bool(each.file) if site.served is None else site.served.get(each.loc, Served()).is_sent


def _without_file(site: PublishedSite, each: ListedURL) -> Iterator[Hit]:
    answer = (site.served or {}).get(each.loc)
    rule = site.crawl_rules.redirected(each.loc)
    if rule and answer:
        cause = "loop" if answer.target == each.loc else change_of_spelling(each.loc, answer.target)
        yield hit_at(each, "listed-redirect", cause, found=f"by the server, {answer.status}", expected=answer.target)
    elif rule:
        yield hit_at(each, "listed-redirect", REDIRECTS, found=rule)
    elif site.served is not None and answer is None and site.crawl_rules.disallowed(each.loc):
        yield from _left_out(site, each, Verdict("robots"))
    elif not may_be_answered(site, each.loc):
        yield hit_at(each, "listed-unwritten", "", found=f"by the server, {answer.status}" if answer else "")


def _left_out(site: PublishedSite, each: ListedURL, verdict: Verdict) -> Iterator[Hit]:
    """A hit for a page that a build would leave out, if it is wrong to list it in a finished site."""
    rule = f"listed-{verdict.key}"
    if verdict.key == "robots":
        line, number = blocking_line(site, each.loc)
        yield hit_at(each, rule, line or SITE, found=f"{ROBOTS}, line {number}" if number else "")
    elif verdict.key == "redirect":
        by_host = verdict.detail.startswith(f"by {REDIRECTS}")
        cause, found, expected = (REDIRECTS, verdict.detail, "") if by_host else ("meta refresh", "", verdict.detail)
        yield hit_at(each, rule, cause, found=found, expected=expected)
    elif verdict.key == "canonical":
        yield hit_at(each, rule, "", expected=verdict.detail)
    elif rule in RULES:
        yield hit_at(each, rule, "", found=verdict.detail)


def _grouped(site: PublishedSite, hits: Iterable[Hit], key: str) -> Iterator[Hit]:
    """The hits, with a cause where they have none: the folder in which all of the same rule are, or else this one."""
    hits = [*hits]
    paths: defaultdict[str, list[str]] = defaultdict(list)
    for hit in hits:
        if not hit.cause:
            paths[hit.rule].append(site.below(hit.url) or "")
    causes = {rule: _common_folder(several) or key for rule, several in paths.items()}
    for hit in hits:
        yield hit if hit.cause else structs.replace(hit, cause=causes[hit.rule], key=key)


def _common_folder(paths: Iterable[str]) -> str:
    """The folder that all of these paths below the root are in; empty for the root."""
    folders = [f"/{posixpath.dirname(path.rstrip('/'))}" for path in paths]
    folder = posixpath.commonpath(folders or ["/"]).lstrip("/")
    return f"{folder}/" if folder else ""


def _unlisted(site: PublishedSite) -> Iterator[Hit]:
    """The pages that a build would list, but no sitemap does; not those of versions, which have their own sitemaps.

    Hidden pages may be listed or not: a build of a folder leaves them out, MkDocs and Sphinx write and list them. Our
    plugins for those two leave out pages for reasons that no file shows.
    """
    if not site.listed or site.is_by_plugin:
        return
    # Even if a sitemap has only the path of a page, which is a mistake with a rule of its own.
    root = root_of(site.base_url)
    written = {located.entry.loc for each in site.sitemaps.values() for located in each.entries}
    locs = {f"{root}{loc[1:]}" if loc.startswith("/") else loc for loc in written}
    listed = {site.file_at(loc) for loc in locs}
    keys = {spelling_key(loc) for loc in locs}
    # Some generators write each page twice, as page.html and page/index.html. The first of them stands for both.
    by_key = {spelling_key(loc): (path, loc) for path, loc in sorted(site.locs.items(), reverse=True)}
    missing = [
        (path, loc)
        for key, (path, loc) in by_key.items()
        if path not in listed and not is_hidden(path) and not site.version_of(path) and key not in keys
    ]
    cause = _common_folder(path for path, _ in missing) or SITE
    for path, loc in sorted(missing):
        yield Hit(rule="unlisted", cause=cause, key=SITE, url=loc, file=path)


def _hidden_noindex(site: PublishedSite) -> Iterator[Hit]:
    """The pages whose ``noindex`` crawlers do not see. A site that is blocked as a whole is not meant to be found."""
    if site.crawl_rules.disallow_line(site.base_url, "Googlebot"):
        return
    for path in (path for path, verdict in site.verdicts.items() if verdict.key == "noindex"):
        url = site.urls[path]
        line, number = blocking_line(site, url)
        if line:
            found = f"{ROBOTS}, line {number}: {line}"
            yield Hit(rule="hidden-noindex", cause=line, url=url, file=path, found=found)


def check_twice(site: PublishedSite) -> Iterator[Hit]:
    """The pages that the announced sitemaps list more than once, or another sitemap alone (SM-LOC-08, SM-LOC-09)."""
    # Scripts of some themes read the file at the known place, while robots.txt announces others that list the same.
    by_name = {each.path for each in site.announced_sitemaps if each.announced_by == each.path}
    is_announced = any(each.announced_by not in by_name for each in site.announced_sitemaps)
    apart = {each.path for each in site.sitemaps.values() if not each.announced_by}
    apart |= by_name if is_announced else set()
    first: dict[tuple[str, str], ListedURL] = {}
    by_file: dict[tuple[str, str], ListedURL] = {}
    for each in (*site.listed, *listed_urls(site, announced=False)):
        if not each.loc.startswith(("http://", "https://")):
            continue  # builds without a base URL write the same word everywhere
        where = each.sitemap if each.sitemap in apart else ""
        cause = VERSIONS if site.version_of(each.sitemap) else each.sitemap
        known = first.setdefault((where, each.loc), each)
        if known is not each:
            yield hit_at(each, "listed-twice", cause, found=f"also in {known.sitemap}, line {known.line}")
        elif each.file:
            other = by_file.setdefault((where, each.file), each)
            if other is not each:
                found = f"also listed as {other.loc}, in {other.sitemap}, line {other.line}"
                yield hit_at(each, "listed-in-two-forms", cause, found=found)


def check_dates(site: PublishedSite) -> Iterator[Hit]:
    """The hits of the rules on dates in sitemaps (SM-MOD-02, SM-MOD-03, SM-MOD-04)."""
    dated = {sitemap: dates for sitemap in site.sitemaps.values() if len(dates := _dates_in(sitemap)) >= _FEW}
    for sitemap, dates in dated.items():
        if proof := _proof_of_build(site, sitemap, dates):
            days = sorted({*map(_as_day, dates)})
            found = f"{count_of(len(dates), 'date')}, all {join_words(days)}; {proof}"
            yield Hit(rule="build-dates", cause=SITE, file=sitemap.path, found=found)
        day, number = Counter(map(_day_of, dates)).most_common(1)[0]
        if sitemap.announced_by and number >= _SHARE * len(dates):
            found = f"{number:,} of {count_of(len(dates), 'date')} are {day}"
            yield Hit(rule="one-date", cause=SITE, file=sitemap.path, found=found)
    yield from _future(site)
    yield from _other_than_own(site)


def _dates_in(sitemap: SitemapFile) -> list[LastMod]:
    return [each.entry.lastmod for each in sitemap.entries if each.entry.lastmod is not None]


def _proof_of_build(site: PublishedSite, sitemap: SitemapFile, dates: list[LastMod]) -> str:
    """What proves that all dates are the time of the build, as the end of a sentence; empty if nothing does."""
    when = sitemap.packed.when if sitemap.packed else None
    # MkDocs writes the newest of the dates into the header, at midnight, so that proves nothing.
    if sitemap.packed and when and when.time() != time() and all(_is_at(each, when) for each in dates):
        return f"{sitemap.packed.path} was written at {when:%Y-%m-%d %H:%M:%S} UTC"
    # A commit may be a few minutes older than the build, but then all pages that it changed have one time.
    is_rendering = len({*dates}) > 1 and all(isinstance(each, datetime) for each in dates)
    if sitemap.written and is_rendering and all(_is_at(each, sitemap.written) for each in dates):
        # So may the commits from which our builds take dates, unless the author wants other dates.
        others = {"mtime", "page"} & {*site.options.settings.lastmod} if "lastmod" in site.project.options else ()
        if others or not is_ours(Path(site.tree.place(sitemap.path))):
            return f"{sitemap.path} was written at {sitemap.written:%Y-%m-%d %H:%M:%S} UTC"
    return ""


def _is_at(lastmod: LastMod, when: datetime) -> bool:
    if isinstance(lastmod, datetime):
        return timedelta() <= when - lastmod <= _BUILD
    return lastmod == when.date()


def _day_of(lastmod: LastMod) -> date:
    if not isinstance(lastmod, datetime):
        return lastmod
    try:
        return lastmod.astimezone(UTC).date()
    except OverflowError:  # in UTC, it is after the last day that Python can represent
        return lastmod.date()


def _as_day(lastmod: LastMod) -> str:
    return f"{_day_of(lastmod):%Y-%m-%d}"


def _future(site: PublishedSite) -> Iterator[Hit]:
    """The dates that are later than the files that have them. A checkout sets any time: then commits must tell, too."""
    dated = [each for each in site.listed if each.entry.lastmod is not None]
    written = [each.written for each in _lists(site)]
    written += [each.packed.when for each in _lists(site) if each.packed]
    now = max(filter(None, written), default=None)
    future = [each for each in dated if each.entry.lastmod and is_future(each.entry.lastmod, now)]
    place = "in a file that was written on"
    if len(future) * 2 > len(dated):
        now, place = site.as_of, "but the last commit, or SOURCE_DATE_EPOCH, is of"
        future = [each for each in future if each.entry.lastmod and is_future(each.entry.lastmod, now)]
    for each in future:
        yield hit_at(each, "future-date", SITE, found=f"{each.entry.lastmod}, {place} {now:%Y-%m-%d}")


def _other_than_own(site: PublishedSite) -> Iterator[Hit]:
    """The pages that give another date of their last change than the sitemap, unless that looks like a build's."""
    for each in site.listed:
        markup = site.markup_of(each.file)
        if not markup or each.entry.lastmod is None or each.file in site.with_build_date:
            continue
        try:
            own = {parse_lastmod(text) for text in markup.modified}
        except ValueError:
            continue
        listed = moment_of(each.entry.lastmod)
        if own and all(abs(moment_of(value) - listed) > _ONE_DAY for value in own):
            found = f"the sitemap has {_as_day(each.entry.lastmod)}, the page {', '.join(sorted(map(_as_day, own)))}"
            yield hit_at(each, "shown-date", SITE, found=found)
