"""Decides where each page of an old version leads: to the canonical version, or else to the newest with the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Final, Literal, TypeAlias
from urllib.parse import unquote, urlsplit

import msgspec

from sitemap_plugins.html.head import FORBIDDING
from sitemap_plugins.model import Markup
from sitemap_plugins.published.addresses import STYLES, URLStyle, base_of_page, meant, served, style_of, write_url
from sitemap_plugins.published.samples import ERROR_PAGE
from sitemap_plugins.values.urls import absolute_url, file_path, path_in, quote_path, usable_url
from sitemap_plugins.versions.kept import Choice, VersionPlace, place_of

_Form: TypeAlias = Literal["html", "directory"] | None


class Roles(msgspec.Struct, frozen=True):
    """The versions of one language: the kept ones, with the canonical one first, and the old ones, newest first.

    ``shown`` are the places whose pages search engines may show: the canonical version, then the other kept versions
    and the old releases, newest first.
    """

    kept: tuple[VersionPlace, ...]
    old: tuple[VersionPlace, ...]
    shown: tuple[VersionPlace, ...]

    @property
    def newest_old(self) -> VersionPlace | None:
        """The newest old release; without releases, the newest old version."""
        return next((each for each in self.old if each.version.stage == "release"), next(iter(self.old), None))


def roles_of(choice: Choice, language: str | None) -> Roles:
    """The kept and the old versions of a language."""
    kept = choice.in_language(language)
    places = {version: place_of(choice.versions, version) for version in choice.versions.in_language(language)}
    others = (
        place
        for version, place in places.items()
        if version != kept.version and (version in kept.others or version.stage == "release")
    )
    return Roles(
        kept=tuple(places[version] for version in kept.versions),
        old=tuple(place for version, place in places.items() if version not in kept.versions),
        shown=(places[kept.version], *others),
    )


def pages_in(folder: str, paths: Iterable[str]) -> dict[str, str]:
    """The pages in a folder: their ``paths`` below the root, by their paths relative to the folder."""
    start = len(path_in(folder, ""))
    return {path[start:]: path for path in paths}


class Goal(msgspec.Struct, frozen=True):
    """The page that another page leads to: its URL, its version's place, and its path below that and below the root."""

    url: str
    place: VersionPlace
    path: str
    full_path: str


class _PageFacts(msgspec.Struct, frozen=True):
    """The relevant facts about a page. ``next`` is the path of another page of its version that it leads to, if any."""

    url: str
    next: str | None
    is_redirect: bool
    is_indexable: bool
    is_astray: bool


_HEADS: Final = 1 << 14  # to remember, in a few MiB
_SAMPLE: Final = 50  # pages of a version whose canonical links show the form of its URLs, roughly


class Goals:
    """Finds where the pages of one language lead.

    ``pages`` maps the folder of each place to the paths of the pages below it. ``read`` takes the path of a page below
    the root and returns its markup as it was built, or None if it cannot be read. With ``only_kept``, pages that the
    kept versions lack lead nowhere.
    """

    def __init__(
        self,
        roles: Roles,
        pages: Mapping[str, Collection[str]],
        read: Callable[[str], Markup | None],
        *,
        only_kept: bool = False,
    ) -> None:
        self._kept = roles.kept
        self._shown = roles.shown
        self._pages = pages
        self._read = read
        self._only_kept = only_kept
        self._avoided: set[str] = set()
        self._heads: dict[tuple[str, str], _PageFacts | None] = {}
        self._form_in = cache(lambda folder: _form_of(pages[folder]))
        self._style_in = cache(self._read_style)
        self._shown_goals: dict[tuple[str, _Form], Goal] = {}

    def find(self, place: VersionPlace, path: str) -> Goal | None:
        """The page that a page of a version leads to; None if it gets a noindex.

        It is the page with the same path in the canonical version, or else in the newest other kept version or release
        that has one, or else the page itself. If the URLs of the two versions differ in their form, ``a.html`` and
        ``a/index.html`` are the same page. Pages with a noindex do not count, nor do pages of a kept version whose
        canonical link leads out of that version, or that have several to different pages. Redirects and canonical links
        within a version are followed. So goals form no chains: if the page at a goal is retired at all, it leads to the
        same goal.
        """
        goal = self._first(place, path)
        seen = {path_in(place.folder, path)}
        while goal and not self.is_kept(goal.place) and goal.full_path not in seen:
            seen.add(goal.full_path)
            goal = self._first(goal.place, goal.path)
        return goal

    def avoid(self, paths: Collection[str]) -> None:
        """Lead to none of these pages of old versions, given by their paths below the root, except from themselves."""
        self._avoided.update(paths)
        self._shown_goals.clear()

    def leads_away(self, place: VersionPlace, path: str) -> bool:
        """Whether a page of a version leads to another page."""
        goal = self.find(place, path)
        return goal is None or (goal.place.folder, goal.path) != (place.folder, path)

    def is_kept(self, place: VersionPlace) -> bool:
        """Whether the version at this place is kept."""
        return place in self._kept

    def is_astray(self, place: VersionPlace, path: str) -> bool:
        """Whether a page has a canonical link that leads to no page of its version."""
        head = self._head(place, path)
        return head is not None and head.is_astray

    def own_url(self, place: VersionPlace, path: str, markup: Markup) -> str:
        """The canonical URL of a page, if it leads to a page of its version.

        Otherwise, the URL of the version plus the path of the page, spelled as in its canonical links, or else in those
        of other pages.
        """
        url = plain_url(place, path, markup.canonicals, self._style_in(place.folder))
        if len(set(markup.canonicals)) == 1:
            canonical = join_url(url, markup.canonicals[0])
            if canonical and _path_at(place.base_url, canonical, self._pages[place.folder]) is not None:
                return canonical
        return url

    def has(self, goal: Goal) -> bool:
        """Whether the page exists."""
        return goal.path in self._pages[goal.place.folder]

    def _read_style(self, folder: str) -> URLStyle:
        """The form of URLs in the canonical links of a version, or else of the canonical version."""
        pages = sorted(self._pages[folder])
        heads = ((path, self._read(path_in(folder, path))) for path in pages[:: max(1, len(pages) // _SAMPLE)])
        named = ((path, url) for path, markup in heads if markup for url in markup.canonicals)
        stated = {path: url for path, url in named if base_of_page(url, path)}
        kept = self._shown[0].folder
        return style_of(stated) if stated or folder == kept else self._style_in(kept)

    def _first(self, place: VersionPlace, path: str) -> Goal | None:
        """The first page that counts, see `find`, which may lead to another one in turn."""
        other = other_form(path)
        # The form matters only if the version has exactly one of the two pages.
        form = None if other is None or other in self._pages[place.folder] else self._form_in(place.folder)
        goal = self._shown_goals.get((path, form))
        if goal is None:
            places = [each for each in self._shown if self.is_kept(each)] if self._only_kept else self._shown
            goal = self._search(places, place, path)
            if goal:  # a page with this path has the same target in other versions
                self._shown_goals[path, form] = goal
        if goal or self._only_kept:
            return goal
        url = plain_url(place, path, style=self._style_in(place.folder))
        return self._search((*self._shown, place), place, path) or Goal(url, place, path, path_in(place.folder, path))

    def _search(self, places: Sequence[VersionPlace], start: VersionPlace, wanted: str) -> Goal | None:
        """The page with a path of a version at the first place that has one, or the page that this one leads to."""
        seen: set[tuple[str, str]] = set()
        waiting = [(place, start, wanted) for place in reversed(places)]
        while waiting:
            place, start, wanted = waiting.pop()
            path = self._counterpart(place, start, wanted)
            if path is None or (place.folder, path) in seen:
                continue
            seen.add((place.folder, path))
            full_path = path_in(place.folder, path)
            head = self._head(place, path) if full_path not in self._avoided else None
            if head is None or not head.is_indexable:
                continue
            if head.next is not None:
                waiting += [(each, place, head.next) for each in reversed(places)]
            elif not head.is_redirect:
                return Goal(head.url, place, path, full_path)
        return None

    def _counterpart(self, place: VersionPlace, start: VersionPlace, path: str) -> str | None:
        """The path, at a place, of the page that has this path at another; its URLs may have another form."""
        if path in self._pages[place.folder]:
            return path
        other = other_form(path)
        if other is None or other not in self._pages[place.folder] or other in self._pages[start.folder]:
            return None
        return other if {self._form_in(place.folder), self._form_in(start.folder)} == {"html", "directory"} else None

    def _head(self, place: VersionPlace, path: str) -> _PageFacts | None:
        key = (place.folder, path)
        if key not in self._heads:
            if len(self._heads) >= _HEADS:
                self._heads.clear()
            markup = self._read(path_in(place.folder, path))
            self._heads[key] = None if markup is None else self._make_head(place, path, markup)
        return self._heads[key]

    def _make_head(self, place: VersionPlace, path: str, markup: Markup) -> _PageFacts:
        pages = self._pages[place.folder]
        url = self.own_url(place, path, markup)
        # A browser resolves the refresh against the address of the page, whatever its canonical link says.
        target = join_url(plain_url(place, path, markup.canonicals), markup.refresh) if markup.refresh else url
        leads_to = _path_at(place.base_url, target, pages) if target else None
        said = () if markup.refresh else (join_url(url, href) for href in markup.canonicals)
        named = {_path_at(place.base_url, each, pages) for each in said if each}
        is_astray = None in named
        return _PageFacts(
            url=url,
            next=leads_to if leads_to != path else None,
            is_redirect=markup.refresh is not None,
            # The links of old versions are replaced.
            is_indexable=FORBIDDING.isdisjoint(markup.robots)
            and not ((is_astray or len(named) > 1) and self.is_kept(place)),
            is_astray=is_astray,
        )

    def is_missing(self, url: str) -> bool:
        """Whether a URL is below the canonical version, which has no page there."""
        base_url, folder = self._kept[0].base_url, self._kept[0].folder
        below = file_path(base_url, url) if base_url else None
        return below is not None and meant(below, self._pages[folder].__contains__) is None


def other_form(path: str) -> str | None:
    """The path that the page behind this one has if URLs have the other form; None for a home page."""
    if path.endswith("/index.html"):
        return f"{path.removesuffix('/index.html')}.html"
    return None if path in {"index.html", ERROR_PAGE} else f"{path.removesuffix('.html')}/index.html"


def _form_of(paths: Iterable[str]) -> _Form:
    """The form of most URLs: ``a/`` (a directory) or ``a.html``; None if there are as many of both."""
    kinds = Counter(path.endswith("/index.html") for path in paths if path not in {"index.html", ERROR_PAGE})
    return None if kinds[True] == kinds[False] else "directory" if kinds[True] > kinds[False] else "html"


def is_error_page(path: str) -> bool:
    """Whether a server shows this page in place of missing ones."""
    return path.rpartition("/")[2] == ERROR_PAGE


def plain_url(place: VersionPlace, path: str, canonicals: Sequence[str] = (), style: URLStyle = STYLES["html"]) -> str:
    """The URL of a version plus the path of a page, spelled as in these canonical links (``a/``, ``a.html``)."""
    is_index = f"/{path}".endswith("/index.html")
    short = path.removesuffix("index.html" if is_index else ".html")
    url = write_url(path, place.base_url, style)
    for href in canonicals:
        try:
            linked_path = unquote(urlsplit(href).path)
        except ValueError:
            continue
        found = (each for each in (path, short, short.rstrip("/")) if linked_path.endswith(f"/{each}"))
        url = next((place.base_url + quote_path(each) for each in found), url)
    return url


def join_url(url: str, href: str) -> str | None:
    """The URL that a link on the page at ``url`` leads to; None if it is not the URL of a page."""
    joined = absolute_url(url, href)
    return None if joined is None else usable_url(joined)


def _path_at(base_url: str, url: str, paths: Collection[str]) -> str | None:
    """The path of the page that is `served` for a URL, if it is one of these paths below ``base_url``."""
    below = file_path(base_url, url) if base_url else None
    return None if below is None else served(below, paths.__contains__)
