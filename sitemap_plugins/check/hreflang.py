"""The rules on translations: the links in the announced sitemaps, and those in the heads of pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from urllib.parse import urljoin

from msgspec.structs import replace

from sitemap_plugins.check.findings import SITE, Hit
from sitemap_plugins.check.serving import may_be_answered
from sitemap_plugins.check.site import CheckedSite, ListedURL, below
from sitemap_plugins.model import X_DEFAULT, Alternate
from sitemap_plugins.pages import refused_by_markup
from sitemap_plugins.translations.comparison import disagreement, read_links
from sitemap_plugins.values.languages import InvalidLanguageError, parse_language, probably_meant
from sitemap_plugins.values.urls import page_key


def check_sitemap_links(site: CheckedSite) -> Iterator[Hit]:
    """The hits of the rules on ``xhtml:link`` (HL-02, HL-03, HL-06, HL-07, HL-10, HL-12)."""
    linking = [each for each in site.listed if each.entry.alternates]
    if not linking:
        return
    return_links = _return_links(site)
    targets: dict[str, str] = {}
    codes: dict[str, tuple[str, str] | None] = {}
    for each in linking:
        yield from _check_codes(each, codes)
        own = page_key(each.loc)
        others = {page_key(link.href): link.href for link in each.entry.alternates}
        if own not in others:
            yield each.hit("hreflang-self", each.sitemap, expected=each.loc)
        if not site.base_url:
            continue
        for key, href in others.items():
            if key == own:
                continue
            if key not in targets:
                targets[key] = _refused(site, href)
            if targets[key]:
                yield each.hit("hreflang-target", each.sitemap, found=f"{href}: {targets[key]}")
            elif href.startswith(site.base_url) and own not in return_links[key]:
                yield each.hit("hreflang-return", each.sitemap, found=href, expected=f"a link from {href}")


def _return_links(site: CheckedSite) -> defaultdict[str, set[str]]:
    """The pages that each page links to, by `page_key`, in any sitemap or in its head."""
    links: defaultdict[str, set[str]] = defaultdict(set)
    known: dict[int, frozenset[str]] = {}  # the entries of a cluster share one tuple
    for sitemap in site.state.sitemaps.values():
        for located in sitemap.entries:
            alternates = located.entry.alternates
            if alternates:
                if id(alternates) not in known:
                    known[id(alternates)] = frozenset(page_key(link.href) for link in alternates)
                links[page_key(located.entry.loc)] |= known[id(alternates)]
    for page, markup in site.readable_pages():
        if markup.hreflang:
            loc = site.loc_of(page.path)
            links[page_key(loc)] |= {page_key(href) for href in read_links(markup.hreflang, loc).values()}
    return links


def _check_codes(listed: ListedURL, codes: dict[str, tuple[str, str] | None]) -> Iterator[Hit]:
    """Hits for invalid codes, and for codes that name two pages. ``codes`` remembers the codes that were checked."""
    by_code: dict[str, Alternate] = {}
    for link in listed.entry.alternates:
        code = link.hreflang
        if code not in codes:
            codes[code] = _mistake_in(code)
        if mistake := codes[code]:
            yield listed.hit("language-code", code, found=f"hreflang={code!r} {mistake[0]}", expected=mistake[1])
        first = by_code.setdefault(code.lower(), link)
        if page_key(first.href) != page_key(link.href):
            yield listed.hit("language-code", f"{code} twice", found=f"{code}: {first.href} and {link.href}")


def _mistake_in(code: str) -> tuple[str, str] | None:
    """What is wrong with a code, as the end of a sentence, and the code that was probably meant; None if nothing."""
    if code.lower() == X_DEFAULT:
        return None
    try:
        parsed = parse_language(code)
    except InvalidLanguageError as error:
        return str(error), error.suggestion or ""
    # Search engines ignore codes with an underscore.
    if "_" in code:
        return f"is written with a hyphen: {parsed}", parsed
    if meant := probably_meant(parsed):
        return f"is valid, but probably {meant!r} is meant", meant
    return None


def _refused(site: CheckedSite, url: str) -> str:
    """Why a page of this site cannot be linked as a translation; empty if it can, or is on another site."""
    if not url.startswith(site.base_url):
        return ""
    path = site.state.file_at(url)
    if path is None:
        is_open = site.crawl_rules.redirected(url) or may_be_answered(site.state, below(site.state, url) or "")
        return "" if is_open else "there is no such file"
    page = site.state.pages.get(path)
    if page is None or page.markup is None:
        return ""
    refused = refused_by_markup(page.markup, url)
    return f"{refused[0]} ({refused[1]})" if refused else ""


def check_heads(site: CheckedSite) -> Iterator[Hit]:
    """Hits for heads with links to translations that do not link back, and for heads unlike the sitemap (HL-13)."""
    if not site.base_url:
        return
    yield from _one_way(site)
    for each in site.listed:
        page = site.state.pages.get(each.file or "")
        if not (each.entry.alternates and page and page.markup):
            continue
        alternates = [link for link in each.entry.alternates if link.hreflang.lower() != X_DEFAULT]
        # Whether there is a page for other languages is a matter of taste.
        own = [link for link in page.markup.hreflang if link[0].lower() != X_DEFAULT]
        if difference := disagreement(replace(page.markup, hreflang=tuple(own)), each.loc, alternates):
            yield Hit(rule="language-mismatch", cause=SITE, url=each.loc, file=page.path, found=difference)


def _one_way(site: CheckedSite) -> Iterator[Hit]:
    links: dict[str, set[str]] = {}
    hrefs: dict[tuple[str, str], str] = {}
    for page, markup in site.readable_pages():
        loc = site.loc_of(page.path)
        links[page.path] = set()
        for _, href in markup.hreflang:
            try:
                target = site.state.file_at(urljoin(loc, href))
            except ValueError:  # it is not a URL
                continue
            if target:
                links[page.path].add(target)
                hrefs[page.path, target] = href
    for path, targets in links.items():
        for target in sorted(targets):
            if target != path and target in links and path not in links[target]:
                yield Hit(
                    rule="hreflang-heads", cause=SITE, url=site.loc_of(path), file=path, found=hrefs[path, target]
                )
                break
