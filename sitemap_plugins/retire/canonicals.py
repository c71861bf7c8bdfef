"""Follows canonical links to the files behind them: those that a run writes, and those that pages have anyway."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from sitemap_plugins.html.head import FORBIDDING, read_markup
from sitemap_plugins.model import Markup
from sitemap_plugins.published.addresses import served
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.retire.editing import PageEdit
from sitemap_plugins.retire.outcome import Counts, PageOutcome
from sitemap_plugins.values.text import and_more_pages
from sitemap_plugins.values.urls import file_path, path_in
from sitemap_plugins.versions.goals import join_url, plain_url
from sitemap_plugins.versions.kept import VersionPlace

ADVICE: Final = (
    "with canonical links to itself (in Sphinx, set html_baseurl to its URL; with mike, set canonical_version to its "
    "name or one of its aliases)"
)
"""How to build a version that is kept; follows "build 1.0"."""


class Failure(NamedTuple):
    """A canonical link that must not be written, as the end of the sentence "the link … "."""

    outcome: PageOutcome
    why: str


class Canonicals:
    """Follows the canonical links of pages below a root to files; URLs of other sites are not followed."""

    def __init__(self, tree: Tree, root_url: str | None, places: Iterable[VersionPlace]) -> None:
        self._tree = tree
        # Versions may have hosts of their own.
        self._bases = {root_url: ""} if root_url else {}
        for each in places:
            if each.base_url and not self._base(each.base_url):
                self._bases[each.base_url] = each.folder
        self._before = self._after = 0
        self._misled: defaultdict[str, list[str]] = defaultdict(list)

    @property
    def counts(self) -> Counts:
        """The pages counted so far."""
        return Counts(self._before, self._after)

    @property
    def dangers(self) -> Iterator[str]:
        """Sentences on the kept versions counted so far with links to pages that do not exist or redirect."""
        for name, found in self._misled.items():
            yield (
                f"{found[0]}, which does not exist or redirects{and_more_pages(len(found) - 1)}, so search engines may "
                f"show neither: build {name} {ADVICE}"
            )

    def count(self, edit: PageEdit, place: VersionPlace, below: str, *, is_kept: bool) -> None:
        """Count a page whose path below ``place`` is given. What the run itself writes is not counted, but checked."""
        outcome = edit.outcome
        if outcome.url and not outcome.is_changed:
            return
        markup = read_markup(edit.before)
        links = self._links(markup, place, below)
        self._before += None in links.values()
        if outcome.url:
            return
        if outcome.is_changed:
            markup = read_markup(edit.after)
            links = self._links(markup, place, below)
        self._after += None in links.values()
        if is_kept and FORBIDDING.isdisjoint(markup.robots):
            misled = (url for url, path in links.items() if path is None or self._redirects(path, outcome.path))
            if url := next(misled, None):
                self._misled[place.version.label].append(f"{outcome.path} has a canonical link to {url:.200}")

    def failures(self, outcomes: Collection[PageOutcome]) -> Iterator[Failure]:
        """The links that would lead to no file, to a redirect, or to a page that names another URL as its own."""
        written = {each.path: each.url for each in outcomes if each.url}
        why_not: dict[str, str] = {}
        for each in outcomes:
            if not each.url:
                continue
            why = why_not.get(each.url)
            if why is None:
                why = self._why_not(each, written)
                if each.goal != each.path:  # most pages share their target with pages of other versions
                    why_not[each.url] = why
            if why:
                yield Failure(each, why)

    def _why_not(self, outcome: PageOutcome, written: Mapping[str, str]) -> str:
        if (path := self._path_at(outcome.url)) is None or not self._is_same(path, outcome.goal):
            return "does not exist"
        if outcome.path == outcome.goal:
            return ""
        if own := written.get(outcome.goal):
            return "" if own == outcome.url else f"would get a canonical link to {own}"
        markup = self._tree.built_markup(outcome.goal)
        if markup is None or markup.refresh:
            return "cannot be read" if markup is None else "redirects"
        others = (join_url(outcome.url, href) for href in markup.canonicals)
        other = next((each for each in others if each and each != outcome.url and not self._leads_to(each, path)), None)
        return f"has a canonical link to {other}" if other else ""

    def _redirects(self, path: str, but: str) -> bool:
        markup = self._tree.built_markup(path) if path != but else None
        return markup is not None and markup.refresh is not None

    def _links(self, markup: Markup, place: VersionPlace, below: str) -> Mapping[str, str | None]:
        """The canonical links of a page that lead below the root, each with the path of the file behind it, if any."""
        own = plain_url(place, below, markup.canonicals)
        urls = (join_url(own, href) for href in markup.canonicals if not markup.refresh)
        return {url: self._path_at(url) for url in urls if url and self._base(url)}

    def _base(self, url: str) -> str | None:
        return next((base for base in self._bases if url.startswith(base)), None)

    def _path_at(self, url: str) -> str | None:
        """The path of the file that is `served` for a URL; None if there is none."""
        if (base := self._base(url)) is None:
            return None
        folder, below = self._bases[base], file_path(base, url)
        return None if below is None else served(path_in(folder, below), self._tree.is_file)

    def _leads_to(self, url: str, path: str) -> bool:
        there = self._path_at(url)
        return there is not None and self._is_same(there, path)

    def _is_same(self, path: str, other: str) -> bool:
        return path == other or self._tree.real_path(path) == self._tree.real_path(other)
