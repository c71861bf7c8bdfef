"""The rules on links between pages: to the one that search engines should show, to versions and to translations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from msgspec.structs import replace

from sitemap_plugins.check.hits import change_of, hit_at
from sitemap_plugins.check.serving import leads_nowhere
from sitemap_plugins.findings.grouping import SITE, Hit
from sitemap_plugins.formats.paths import ERROR_PAGES, stem_of
from sitemap_plugins.html.head import FORBIDDING
from sitemap_plugins.html.main_part import TRANSLATION, read_prose, shared_prose
from sitemap_plugins.model import X_DEFAULT, Markup
from sitemap_plugins.pages.canonical import canonicals_of, other_spelling
from sitemap_plugins.pages.omit import noindex_in, reason_in_markup, wording_of
from sitemap_plugins.published.languages import without_links
from sitemap_plugins.published.samples import is_generated
from sitemap_plugins.published.site_url import BY_AUTHOR
from sitemap_plugins.site.published_site import ListedURL, PublishedSite
from sitemap_plugins.translations.hreflang import disagreement, in_several_languages, read_links
from sitemap_plugins.values.languages import code_of, primary_language
from sitemap_plugins.values.text import count_of, join_words
from sitemap_plugins.values.urls import absolute_url, is_local, normalize_url, page_key, path_in, spelling_key
from sitemap_plugins.versions.kept import choose_kept, is_covered_by_root

_NO_FILE: Final = "there is no such file"
_NO_LANGUAGE: Final = "without the language"
_SHOWN: Final = 3
# Documenter.jl adds a noindex to the pages of old versions with this script, which search engines run.
_CLOSING_SCRIPT: Final = "assets/warner.js"


class _Link(NamedTuple):
    """A canonical link: the path and URL of its page, its target, and the path of that below the root, if any.

    An absolute URL is shown as it is ``written`` on the page, where readers look for it.
    """

    file: str
    loc: str
    written: str
    target: str
    path: str | None


def check_canonicals(site: PublishedSite) -> Iterator[Hit]:
    """The hits of the rules on canonical links (CAN-02, CAN-03, CAN-09, HL-12, VER-03)."""
    links = [*_links(site)]
    yield from _other_site(site, links)
    targets = {link.file: site.file_at(link.target) for link in links}
    for link in links:
        if link.path is None:
            continue
        if (file := targets[link.file]) is None:
            if leads_nowhere(site, link.target):
                yield _hit(site, "canonical-target", link, _NO_FILE)
        elif file != link.file:
            if further := _further(site, file, targets):
                yield _hit(site, "canonical-chain", link, further)
            if why := _why_translation(site, link, file):
                yield _hit(site, "canonical-translation", link, why)
    yield from _contradictions(site)
    yield from _spellings(site)


def _links(site: PublishedSite) -> Iterator[_Link]:
    for path, loc, markup in site.readable_pages():
        if len(markup.canonicals) == 1 and markup.robots.isdisjoint(FORBIDDING):
            (target,) = canonicals_of(markup, loc)
            written = markup.canonicals[0]
            yield _Link(path, loc, written if "//" in written else target, target, site.below(target))


def _hit(site: PublishedSite, rule: str, link: _Link, found: str) -> Hit:
    """A hit on a page. One setting makes all links to the same version, or without a language, so that is the cause."""
    version = site.version_of(link.path or "")
    return Hit(
        rule=rule,
        cause=_NO_LANGUAGE if _loses_language(link) else f"{version}/" if version else SITE,
        url=link.loc,
        file=link.file,
        found=f"{link.written}: {found}",
    )


def _loses_language(link: _Link) -> bool:
    """Whether the link leads to the path of its own page, but without the folder of the language."""
    both = (link.file, link.path or "")
    path, rest = ([*filter(None, each.removesuffix("index.html").split("/"))] for each in both)
    lost = (step for at, step in enumerate(path) if path[:at] + path[at + 1 :] == rest)
    return any(code_of(step, only_known=True) for step in lost)


def _why_translation(site: PublishedSite, link: _Link, file: str) -> str:
    """What shows that a canonical link leads from a translation to the original, or the reverse; empty if it does not.

    A copy in the folder of a language has the text of the page that it is a copy of.
    """
    both = (link.file, file)
    languages = {primary_language(markup.language) for path in both if (markup := site.markup_of(path))}
    if not _loses_language(link) and ("" in languages or len(languages) < 2):
        return ""
    share = shared_prose(*(read_prose(site.tree.html(path) or "") for path in both))
    return f"they share {share:.0%} of their text" if share is not None and share < TRANSLATION else ""


def _further(site: PublishedSite, file: str, targets: dict[str, str | None]) -> str:
    """Where the target of a canonical link leads on, as the end of a sentence; empty if it stays."""
    markup = site.markup_of(file)
    if markup is None:
        return ""
    if markup.refresh:
        return f"it redirects to {markup.refresh}"
    return f"its canonical link leads to {markup.canonicals[0]}" if targets.get(file) not in {None, file} else ""


def _other_site(site: PublishedSite, links: list[_Link]) -> Iterator[Hit]:
    """The pages whose canonical links differ from their URLs only in the scheme or the host, if most are like that.

    If only the author names the host of the site, the paths may differ, too.
    """
    changes: dict[str, list[_Link]] = {}
    any_path = _is_named_by_author_only(site, links)
    for link in links:
        if link.path is None and (change := _change(link, any_path=any_path)):
            changes.setdefault(change, []).append(link)
    for change, found in sorted(changes.items()):
        if len(found) * 2 > len(links):
            for link in found:
                has_path = page_key(link.target).endswith(page_key(link.loc).removeprefix(site.base_url.rstrip("/")))
                yield Hit(
                    rule="base-url",
                    cause=change,
                    url=link.loc,
                    file=link.file,
                    found=f"canonical link {link.written}",
                    expected=link.loc if has_path else "",
                    scope="",
                )


def _is_named_by_author_only(site: PublishedSite, links: list[_Link]) -> bool:
    """Whether CNAME or ``--base-url`` names a host that no page and no sitemap names, and most pages lead to others."""
    if site.base is None or site.base.place not in BY_AUTHOR:
        return False
    pages = [*site.readable_pages()]
    indexable = sum(markup.robots.isdisjoint(FORBIDDING) for *_, markup in pages)
    if sum(link.path is None for link in links) * 2 <= indexable:
        return False
    named = (url for _, loc, markup in pages for url in canonicals_of(markup, loc))
    host = f"{urlsplit(site.base_url).netloc}/"
    return not any(url.partition("://")[2].startswith(host) for url in (*named, *(each.loc for each in site.listed)))


def _change(link: _Link, *, any_path: bool) -> str:
    """What distinguishes a canonical link from the page's own URL; empty if it leads to another page."""
    try:
        there, here = urlsplit(page_key(link.target)), urlsplit(page_key(link.loc))
    except ValueError:
        return ""
    if not there.netloc or not (any_path or (there.path, there.query) == (here.path, here.query)):
        return ""
    return change_of(f"{there.scheme}://{there.netloc}/", f"{here.scheme}://{here.netloc}/")


def _contradictions(site: PublishedSite) -> Iterator[Hit]:
    """The pages with canonical links to several pages, of which search engines use none. Each version has one cause."""
    for path, loc, markup in site.readable_pages():
        if len(markup.canonicals) < 2 or not markup.robots.isdisjoint(FORBIDDING):
            continue
        targets = {spelling_key(url): url for url in canonicals_of(markup, loc)}
        if len(targets) > 1:
            version = site.version_of(path)
            yield Hit(
                rule="several-canonicals",
                cause=f"{version}/" if version else SITE,
                url=loc,
                file=path,
                found=join_words([*targets.values()][:_SHOWN]),
            )


def _spellings(site: PublishedSite) -> Iterator[Hit]:
    """The listed pages whose canonical links spell their URLs in another way."""
    for each in site.listed:
        markup = site.markup_of(each.file)
        if not markup or markup.refresh or site.below(each.loc) is None:
            continue
        url = other_spelling(markup, each.loc)
        if url and site.below(url) is not None and not is_local(url):
            yield hit_at(each, "canonical-spelling", change_of_spelling(each.loc, url), found=each.loc, expected=url)


def change_of_spelling(loc: str, url: str) -> str:
    """How two spellings of a page's URL differ: ``slash→no slash``; `SITE` if they are not those of one page."""
    return f"{_ending(loc)}→{_ending(url)}" if spelling_key(loc) == spelling_key(url) else SITE


def _ending(url: str) -> str:
    path = urlsplit(url).path
    for end in ("index.html", ".html", ".htm"):
        if path.endswith(end):
            return end
    return "slash" if path.endswith("/") else "no slash"


def check_versions(site: PublishedSite) -> Iterator[Hit]:
    """The previews that may be indexed, and the folders of versions whose pages compete with those of the version to
    show, or of the root (VER-01, PRE-01), one hit for each.
    """
    yield from _indexable_previews(site)
    choice = choose_kept(site.versions)
    covered = [kept for kept in choice.kept if is_covered_by_root(site.tree, site.versions, kept)]
    if len(site.versions.versions) < 2 and not covered:
        return
    pages: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for path, loc, markup in site.readable_pages():
        folder = site.version_of(path)
        rest = path[len(path_in(folder, "")) :]
        if not (folder or covered) or is_generated(rest):
            continue
        if not reason_in_markup(markup, loc) and not _is_blocked(site, loc):
            pages[folder][rest] = loc
    for kept in choice.kept:
        shown, where = ("", "at the root") if kept in covered else (kept.folder, f"in {kept.folder}/")
        inside = site.versions.in_language(kept.version.language)
        others = [each for each in inside if each != kept.version or kept in covered]
        folders = {each.folder for each in others} | {alias.folder for each in others for alias in each.aliases}
        for folder in sorted(folders):
            shared = sorted(pages[folder].keys() & pages[shown].keys())
            if shared and not site.tree.is_file(f"{folder}/{_CLOSING_SCRIPT}"):
                yield Hit(
                    rule="competing-versions",
                    cause=SITE,
                    url=pages[folder][shared[0]],
                    file=f"{folder}/{shared[0]}",
                    found=f"{count_of(len(shared), 'page')} may be indexed beside the same {where}",
                    expected=pages[shown][shared[0]],
                )


def _is_blocked(site: PublishedSite, loc: str) -> bool:
    """Whether robots.txt or the host files keep search engines from a page."""
    return bool(site.crawl_rules.disallowed(loc) or site.crawl_rules.noindex(loc))


def _indexable_previews(site: PublishedSite) -> Iterator[Hit]:
    pages = [*site.readable_pages(in_previews=True)]
    for preview in site.versions.previews:
        start = f"{preview}/"
        number = 0
        for path, loc, markup in (each for each in pages if each[0].startswith(start)):
            leads_out = not all(f"{site.below(url)}/".startswith(start) for url in canonicals_of(markup, loc))
            is_closed = noindex_in(markup, None) is not None or leads_out or _is_blocked(site, loc)
            number += not is_closed and stem_of(path[len(start) :]) not in ERROR_PAGES
        if number:
            file = f"{start}index.html"
            found = f"{count_of(number, 'page')} may be indexed"
            yield Hit(rule="preview-indexable", cause=SITE, url=site.loc_of(file), file=file, found=found)


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
            if key == own or site.below(href) is None or normalize_url(href) in site.not_asked:
                continue  # elsewhere, or beyond the limit for a server
            if key not in targets:
                targets[key] = _reason_not_to_link(site, href)
            if targets[key]:
                yield hit_at(each, "hreflang-target", each.sitemap, found=f"{href}: {targets[key]}")
            # Translations cannot link back to a page that is not one of its own translations.
            elif own in others and own not in return_links[key]:
                yield hit_at(each, "hreflang-return", each.sitemap, found=href, expected=f"a link from {href}")


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
        return _NO_FILE if leads_nowhere(site, url) else ""
    refused = reason_in_markup(site.markup_of(path) or Markup(), url)
    return f"{wording_of(refused[0])} ({refused[1]})" if refused else ""


def check_heads(site: PublishedSite) -> Iterator[Hit]:
    """Hits for heads that link to missing translations, or one way, or unlike the sitemap (HL-03, HL-12, HL-13)."""
    yield from _useless_links(site)
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


def _useless_links(site: PublishedSite) -> Iterator[Hit]:
    """A hit for each page whose head links to a translation that does not exist, or else to one without a link back."""
    links = {
        path: {
            target: href
            for _, href in markup.hreflang
            if (url := absolute_url(loc, href)) and ((target := site.file_at(url)) or leads_nowhere(site, url))
        }
        for path, loc, markup in site.readable_pages()
    }
    for path, targets in links.items():
        one_way = [each for each in targets if each and each != path and path not in links.get(each, (path,))]
        found = f"{targets[None]}: {_NO_FILE}" if None in targets else targets[min(one_way)] if one_way else ""
        if found:
            yield Hit(rule="hreflang-heads", cause=SITE, url=site.loc_of(path), file=path, found=found)
