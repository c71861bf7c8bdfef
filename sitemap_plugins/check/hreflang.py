"""The rules on translations: the links in the announced sitemaps, and those in the heads of pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec.structs import replace

from sitemap_plugins.check.hits import hit_at
from sitemap_plugins.check.serving import may_be_answered
from sitemap_plugins.findings.grouping import SITE, Hit
from sitemap_plugins.model import X_DEFAULT, Markup
from sitemap_plugins.pages.omit import reason_in_markup, wording_of
from sitemap_plugins.site.published_site import ListedURL, PublishedSite
from sitemap_plugins.translations.copies import without_links
from sitemap_plugins.translations.hreflang import disagreement, in_several_languages, read_links
from sitemap_plugins.values.languages import code_of
from sitemap_plugins.values.text import join_words
from sitemap_plugins.values.urls import absolute_url, normalize_url, page_key


def check_sitemap_links(site: PublishedSite) -> Iterator[Hit]:
    """The hits of the rules on ``xhtml:link`` (HL-02, HL-03, HL-11, HL-12)."""
    linking = [each for each in site.listed if each.entry.alternates]
    if not linking:
        return
    return_links = _return_links(site)
    targets: dict[str, str] = {}
    for each in linking:
        own = page_key(each.loc)
        others = {page_key(link.href): link.href for link in each.entry.alternates}
        if own not in others:
            yield hit_at(each, "hreflang-self", each.sitemap, expected=each.loc)
        yield from _several_languages(each)
        if not site.base_url:
            continue
        for key, href in others.items():
            if key == own or not _is_known(site, href):
                continue
            if key not in targets:
                targets[key] = _reason_not_to_link(site, href)
            if targets[key]:
                yield hit_at(each, "hreflang-target", each.sitemap, found=f"{href}: {targets[key]}")
            # Translations cannot link back to a page that is not one of its own translations.
            elif own in others and own not in return_links[key]:
                yield hit_at(each, "hreflang-return", each.sitemap, found=href, expected=f"a link from {href}")


def _is_known(site: PublishedSite, url: str) -> bool:
    """Whether a URL is one of this site, and not beyond the limit for a server."""
    return site.below(url) is not None and normalize_url(url) not in site.not_asked


def _several_languages(each: ListedURL) -> Iterator[Hit]:
    hrefs = {page_key(link.href): link.href for link in each.entry.alternates} | {page_key(each.loc): "itself"}
    for key, codes in in_several_languages(each.entry.alternates).items():
        yield hit_at(each, "several-languages", each.sitemap, found=f"{hrefs[key]} as {join_words(codes)}")


def _return_links(site: PublishedSite) -> defaultdict[str, set[str]]:
    """The pages that each page links to, by `page_key`, in any sitemap or in its head."""
    links: defaultdict[str, set[str]] = defaultdict(set)
    known: dict[int, frozenset[str]] = {}  # the entries of a cluster share one tuple
    for sitemap in site.sitemaps.values():
        for located in sitemap.entries:
            alternates = located.entry.alternates
            if alternates:
                if id(alternates) not in known:
                    known[id(alternates)] = frozenset(page_key(link.href) for link in alternates)
                links[page_key(located.entry.loc)] |= known[id(alternates)]
    for _, loc, markup in site.readable_pages():
        if markup.hreflang:
            links[page_key(loc)] |= {page_key(href) for href in read_links(markup.hreflang, loc).values()}
    return links


def _reason_not_to_link(site: PublishedSite, url: str) -> str:
    """Why a page of this site cannot be linked as a translation; empty if it can."""
    path = site.file_at(url)
    if path is None:
        is_open = site.crawl_rules.redirected(url) or may_be_answered(site, url)
        return "" if is_open else "there is no such file"
    refused = reason_in_markup(site.markup_of(path) or Markup(), url)
    return f"{wording_of(refused[0])} ({refused[1]})" if refused else ""


def check_heads(site: PublishedSite) -> Iterator[Hit]:
    """Hits for heads with links to translations that do not link back, and for heads unlike the sitemap (HL-13)."""
    yield from _one_way(site)
    verdicts = site.verdicts.items()
    copies = {page_key(site.urls[path]) for path, verdict in verdicts if verdict.key == "untranslated"}
    copies -= {page_key(link.href) for each in site.listed for link in each.entry.alternates}
    for each in site.listed:
        written = site.markup_of(each.file)
        if not (each.entry.alternates and each.file and written):
            continue
        # Invalid codes have their own rule, and whether there is a page for other languages is a matter of taste.
        alternates = [link for link in each.entry.alternates if code_of(link.hreflang)]
        own = tuple(link for link in written.hreflang if link[0].lower() != X_DEFAULT)
        markup = without_links(replace(written, hreflang=own), each.loc, copies)
        if difference := disagreement(markup, each.loc, alternates):
            yield Hit(rule="language-mismatch", cause=SITE, url=each.loc, file=each.file, found=difference)


def _one_way(site: PublishedSite) -> Iterator[Hit]:
    links = {
        path: {
            target: href
            for _, href in markup.hreflang
            if (url := absolute_url(loc, href)) and (target := site.file_at(url))
        }
        for path, loc, markup in site.readable_pages()
    }
    for path, targets in links.items():
        one_way = [each for each in targets if each != path and path not in links.get(each, (path,))]
        if one_way:
            found = targets[min(one_way)]
            yield Hit(rule="hreflang-heads", cause=SITE, url=site.loc_of(path), file=path, found=found)
