"""The rules on pages that are there twice: listed twice, listed in two forms, or competing with another version."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from sitemap_plugins.check.site import CheckedSite, ListedURL, listed_urls
from sitemap_plugins.findings.grouping import SITE, VERSIONS, Hit
from sitemap_plugins.pages import reason_in_markup
from sitemap_plugins.values.text import count_of
from sitemap_plugins.versions import choose_kept

# Pages that tools generate in each version; readers do not search for them.
_GENERATED: Final = (
    "search.html", "search/index.html", "genindex.html", "genindex/index.html", "py-modindex.html",
    "py-modindex/index.html", "modindex.html",
)  # fmt: skip
# Documenter.jl adds a noindex to the pages of old versions with this script, which search engines run.
_CLOSING_SCRIPT: Final = "assets/warner.js"


def check_twice(site: CheckedSite) -> Iterator[Hit]:
    """The pages that the announced sitemaps list more than once, or another sitemap alone (SM-LOC-08, SM-LOC-09)."""
    # Scripts of some themes read the file at the known place, while robots.txt announces others that list the same.
    by_name = {each.path for each in site.announced_sitemaps if each.announced_by == each.path}
    is_announced = any(each.announced_by not in by_name for each in site.announced_sitemaps)
    apart = {each.path for each in site.sitemaps.values() if not each.announced_by}
    apart |= by_name if is_announced else set()
    first: dict[tuple[str, str], ListedURL] = {}
    by_file: dict[tuple[str, str], ListedURL] = {}
    for each in filter(_has_url, (*site.listed, *listed_urls(site, announced=False))):
        where = each.sitemap if each.sitemap in apart else ""
        cause = VERSIONS if site.version_of(each.sitemap) else each.sitemap
        known = first.setdefault((where, each.loc), each)
        if known is not each:
            yield each.hit("listed-twice", cause, found=f"also in {known.sitemap}, line {known.line}")
        elif each.file:
            other = by_file.setdefault((where, each.file), each)
            if other is not each:
                found = f"also listed as {other.loc}, in {other.sitemap}, line {other.line}"
                yield each.hit("listed-in-two-forms", cause, found=found)


def _has_url(listed: ListedURL) -> bool:
    """Whether an entry has the URL of a page. Builds without a base URL write the same word everywhere."""
    return listed.loc.startswith(("http://", "https://"))


def check_versions(site: CheckedSite) -> Iterator[Hit]:
    """The folders of versions whose pages compete with those of the version to show (VER-01), one hit for each."""
    if not site.base_url or len(site.versions.versions) < 2:
        return
    pages: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for page, markup in site.readable_pages():
        folder = site.version_of(page.path)
        rest = page.path[len(folder) + 1 :]
        if not folder or rest in _GENERATED or rest.startswith(("_modules/", "_sources/", "_static/")):
            continue
        loc = site.loc_of(page.path)
        is_closed = reason_in_markup(markup, loc) or site.crawl_rules.disallowed(loc) or site.crawl_rules.noindex(loc)
        if not is_closed:
            pages[folder][rest] = loc
    for kept in choose_kept(site.versions).kept:
        others = [version for version in site.versions.in_language(kept.version.language) if version != kept.version]
        folders = {each.folder for each in others} | {alias.folder for each in others for alias in each.aliases}
        for folder in sorted(folders):
            shared = sorted(pages[folder].keys() & pages[kept.folder].keys())
            if shared and not site.tree.is_file(f"{folder}/{_CLOSING_SCRIPT}"):
                found = f"{count_of(len(shared), 'page')} may be indexed beside the same in {kept.folder}/"
                yield Hit(
                    rule="competing-versions",
                    cause=SITE,
                    url=pages[folder][shared[0]],
                    file=f"{folder}/{shared[0]}",
                    found=found,
                    expected=pages[kept.folder][shared[0]],
                )
