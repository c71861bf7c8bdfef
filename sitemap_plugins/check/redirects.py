"""The rules on redirects, whatever makes them: where they lead, in how many steps, and to which anchor."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from html import unescape
from typing import Final, TypeAlias
from urllib.parse import quote, urlsplit

from msgspec.structs import replace

from sitemap_plugins.check.serving import host_of, is_beyond_redirects
from sitemap_plugins.findings.grouping import SITE, Hit
from sitemap_plugins.formats.paths import REDIRECTS
from sitemap_plugins.pages.crawl_rules import redirect_lines
from sitemap_plugins.published.folder_snapshot import redirects_in_files
from sitemap_plugins.published.redirects import NO_PAGE, Redirects, SiteBase, read_rules, stub_of, without_form
from sitemap_plugins.published.snapshot import MOST_REDIRECTS, Redirect, normalize
from sitemap_plugins.site.published_site import PublishedSite

_AnchorsOf: TypeAlias = Callable[[str], frozenset[str] | None]
_IN_VERSIONS: Final = "in versions"
_PLACEHOLDER: Final = re.compile(r":[A-Za-z]\w*|\*")
_TOP: Final = re.compile(r"[^/]+(?=/)|[^/.]+\Z")  # the first step of a path, if it is a folder
_NO_ANCHOR: Final = re.compile(r"top|.*[/!=].*", re.IGNORECASE | re.DOTALL)  # the top, a route, or words to search for
_ANCHOR: Final = re.compile(r"""\b(?:id|name)\s*=\s*(?:"([^"]*)|'([^']*)|([^\s"'>]+))""", re.IGNORECASE)


def check_redirects(site: PublishedSite, listed: Mapping[str, Redirect] = {}) -> Iterator[Hit]:
    """The hits of all rules on redirects. ``listed`` are those of a file outside of the site, by path."""
    base, root = SiteBase(site.base_url), urlsplit(site.base_url).path
    rules = read_rules(site.tree.host_files.get(REDIRECTS, b""), base)
    in_files = redirects_in_files(site.tree, base)[0].values()
    by_server = [each for path, each in listed.items() if "#" not in path]  # which sees no anchor
    others = {without_form(each.path): each for each in (*by_server, *in_files)}
    stubs = {
        page.path: found
        for page in site.pages.values()
        if page.markup and page.markup.refresh and not page.is_fragment
        if (found := stub_of(normalize(page.path), page.path, page.markup, None, base))
    }

    def find_next(target: str) -> Redirect | None:
        path = target.partition("#")[0]
        if _is_elsewhere(path):
            return None
        if file := site.file_of(path):
            return stubs.get(file)
        return None if rules.may_answer(path) else rules.by_rule(path) or others.get(without_form(path))

    anchors_of = cache(partial(_read_anchors, site))
    loops: set[frozenset[str]] = set()
    is_shared = site.is_at_root and host_of(site) == "GitHub Pages" and not listed
    for each in (*stubs.values(), *_of_rules(site, rules, base), *in_files, *by_server):
        way, loop = _follow(each, find_next)
        if loop and loop in loops:
            continue
        loops.add(loop)
        paths = (each.path, *(step.target for step in way))
        shown = " → ".join(f"{path if _is_elsewhere(path) else root + path:.200}" for path in paths)
        in_version = _IN_VERSIONS if site.version_of(each.by) else SITE
        for rule in ["redirect-dead"] if loop else _broken(site, rules, way, anchors_of, is_shared=is_shared):
            yield Hit(
                rule=rule,
                cause=in_version if each.by in stubs else each.by,
                url=base.url(each.path),
                file=each.by,
                line=each.line,
                found=shown,
                is_outside=listed.get(each.path) is each,
            )


def _of_rules(site: PublishedSite, rules: Redirects, base: SiteBase) -> Iterator[Redirect]:
    """The redirects of ``_redirects`` with one target each that are the first ones for their paths, in order."""
    lines = redirect_lines(site.tree.host_files.get(REDIRECTS, b"")) if site.is_at_root else ()
    for line, written, target, *_ in lines:
        path = base.path_of(written)
        first = None if path is None or _PLACEHOLDER.search(target) else rules.by_rule(path)
        if first and first.target == base.target(target):
            yield replace(first, line=line)


def _follow(first: Redirect, find_next: Callable[[str], Redirect | None]) -> tuple[list[Redirect], frozenset[str]]:
    """The redirects from a URL, one after the other, and the paths between which they lead in circles."""
    way = {without_form(first.path): first}
    last = first
    while found := find_next(last.target):
        path = without_form(found.path)
        if path in way or len(way) == MOST_REDIRECTS:
            paths = [*way]
            return [*way.values()], frozenset(paths[paths.index(path) if path in way else 0 :])
        way[path] = last = found
    return [*way.values()], frozenset()


def _is_elsewhere(target: str) -> bool:
    return "://" in target or NO_PAGE.match(target) is not None


def _broken(
    site: PublishedSite, rules: Redirects, way: Sequence[Redirect], anchors_of: _AnchorsOf, *, is_shared: bool
) -> Iterator[str]:
    """The rules that redirects, one after the other, break together.

    If the host ``is_shared`` with other sites of the same account, as on GitHub, these may be in any other top folder.
    """
    path = way[-1].target.partition("#")[0]
    file = None if _is_elsewhere(path) else site.file_of(path)
    old, new = (found[0] if (found := _TOP.match(each)) else "" for each in (way[0].path, path))
    is_known = file or _is_elsewhere(path) or rules.ignored or rules.may_answer(path)
    is_other = is_shared and new not in {"", old} and not site.version_of(path)
    if not (is_known or is_other or is_beyond_redirects(site, path)):
        yield "redirect-dead"
        return
    if len(way) > 1:
        # An alias is meant to lead on to the version that it stands for now.
        aliases = tuple(f"{alias.folder}/" for version in site.versions.versions for alias in version.aliases)
        if sum(not step.path.startswith(aliases) for step in way) > 1:
            yield "redirect-chain"
    anchor = next(filter(None, (step.target.partition("#")[2] for step in reversed(way))), "")
    if anchor and file and file in site.pages and not _NO_ANCHOR.fullmatch(anchor):
        anchors = anchors_of(file)
        if anchors is not None and anchors.isdisjoint({anchor, quote(anchor, errors="replace")}):
            yield "redirect-anchor"


def _read_anchors(site: PublishedSite, file: str) -> frozenset[str] | None:
    """All anchors of a page, also of what readers do not see; None if scripts make them, or it cannot be read."""
    verdict = site.verdict_at(site.loc_of(file), file)
    html = site.tree.html(file)
    if not html or "\ufffd" in html or (verdict and verdict.key == "application"):
        return None
    return frozenset(unescape("".join(found)) for found in _ANCHOR.findall(html))
