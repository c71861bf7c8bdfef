"""Decides where each page of an old version leads: to the canonical version, or else to the newest with the page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit

from sitemap_plugins.formats.robots import RobotsTxt
from sitemap_plugins.html.head import FORBIDDING
from sitemap_plugins.model import Markup
from sitemap_plugins.values.urls import encode_url, path_below, path_in
from sitemap_plugins.versions.kept import Choice, address_of
from sitemap_plugins.versions.places import Place, content_folder
from sitemap_plugins.versions.samples import ERROR_PAGE, spellings
from sitemap_plugins.versions.tree import Version, VersionTree


class VersionFolders(NamedTuple):
    """A version, as the place of its announced pages, and the folders with its pages: its own and those of copies."""

    place: Place
    folders: tuple[str, ...]


class Roles(NamedTuple):
    """The versions of one language: the kept ones, with the canonical one first, and the old ones, newest first.

    ``shown`` are the places whose pages search engines may show: the canonical version, then the other kept versions
    and the old releases, newest first.
    """

    kept: tuple[VersionFolders, ...]
    old: tuple[VersionFolders, ...]
    shown: tuple[Place, ...]

    @property
    def newest_old(self) -> VersionFolders | None:
        """The newest old release; without releases, the newest old version."""
        return next((each for each in self.old if each.place.version.stage == "release"), next(iter(self.old), None))


def roles_of(tree: VersionTree, choice: Choice) -> Iterator[Roles]:
    """The kept and the old versions of each language."""
    for kept in choice.kept:
        located = {version: _located(tree, version) for version in tree.in_language(kept.version.language)}
        canonical = located[kept.version]
        stay = (kept.version, *kept.others)
        others = (
            each.place
            for version, each in located.items()
            if each != canonical and (version in stay or version.stage == "release")
        )
        yield Roles(
            kept=tuple(located[version] for version in stay),
            old=tuple(each for version, each in located.items() if version not in stay),
            shown=(canonical.place, *others),
        )


def _located(tree: VersionTree, version: Version) -> VersionFolders:
    base_url, folder = address_of(tree, version)
    place = Place(version, base_url or "", content_folder(tree, folder))
    copies = (alias.folder for alias in version.aliases if alias.kind == "copy")
    return VersionFolders(place, (*dict.fromkeys((version.real_folder, *copies)),))


class Goal(NamedTuple):
    """The page that another page leads to: its URL, the place of its version, and its path below that place."""

    url: str
    place: Place
    path: str

    @property
    def full_path(self) -> str:
        """The path of the page below the root."""
        return path_in(self.place.folder, self.path)


class _PageFacts(NamedTuple):
    """The relevant facts about a page. ``next`` is the path of the page of its version that it leads to, if any."""

    url: str
    next: str | None
    is_redirect: bool
    is_indexable: bool


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
        self._kept = tuple(each.place for each in roles.kept)
        self._old = tuple(each.place for each in roles.old)
        self._shown = roles.shown
        self._pages = pages
        self._read = read
        self._only_kept = only_kept
        self._heads: dict[tuple[str, str], _PageFacts | None] = {}

    def find(self, place: Place, path: str) -> Goal | None:
        """The page that a page of a version leads to; None if it gets a noindex.

        It is the page with the same path in the canonical version, or else in the newest other kept version or release
        that has one, or else the page itself. Pages with a noindex do not count, nor do pages of the canonical version
        whose canonical link leads to an old version, nor pages of other kept versions whose canonical link leads to any
        other version. Redirects and canonical links within a version are followed. So goals form no chains: if the page
        at a goal is retired at all, it leads to the same goal.
        """
        if self._only_kept:
            return self._find([each for each in self._shown if self.is_kept(each)], path)
        places = (*self._shown, place)
        return self._find(places, path) or Goal(plain_url(place, path), place, path)

    def leads_away(self, place: Place, path: str) -> bool:
        """Whether a page of a version leads to another page."""
        goal = self.find(place, path)
        return goal is None or (goal.place.folder, goal.path) != (place.folder, path)

    def is_kept(self, place: Place) -> bool:
        """Whether the version at this place is kept."""
        return place in self._kept

    def own_url(self, place: Place, path: str) -> str:
        """The URL that a page declares for itself, see `own_url`."""
        head = self._head(place, path)
        return head.url if head else plain_url(place, path)

    def has(self, goal: Goal) -> bool:
        """Whether the page exists."""
        return goal.path in self._pages[goal.place.folder]

    def _find(self, places: Sequence[Place], path: str) -> Goal | None:
        seen: set[tuple[str, str]] = set()
        waiting = [self._steps(places, path, seen)]
        while waiting:
            step = next(waiting[-1], None)
            if isinstance(step, Goal):
                return step
            if step is None:
                waiting.pop()
            else:
                waiting.append(self._steps(places, step, seen))
        return None

    def _steps(self, places: Sequence[Place], path: str, seen: set[tuple[str, str]]) -> Iterator[str | Goal]:
        """For each place: the path that its page with this path leads to, then the page. Skips pages already seen."""
        for place in places:
            key = (place.folder, path)
            if path not in self._pages[place.folder] or key in seen:
                continue
            seen.add(key)
            head = self._head(place, path)
            if head is None or not head.is_indexable:
                continue
            if head.next not in {None, path}:
                yield head.next or ""
            if not head.is_redirect:
                yield Goal(head.url, place, path)

    def _head(self, place: Place, path: str) -> _PageFacts | None:
        key = (place.folder, path)
        if key not in self._heads:
            markup = self._read(path_in(place.folder, path))
            self._heads[key] = None if markup is None else self._make_head(place, path, markup)
        return self._heads[key]

    def _make_head(self, place: Place, path: str, markup: Markup) -> _PageFacts:
        url = own_url(place, path, markup, self._pages[place.folder])
        # A browser resolves the refresh against the address of the page, whatever its canonical link says.
        target = _join(plain_url(place, path, markup.canonicals), markup.refresh) if markup.refresh else url
        return _PageFacts(
            url=url,
            next=_path_at(place.base_url, target, self._pages[place.folder]) if target else None,
            is_redirect=markup.refresh is not None,
            is_indexable=FORBIDDING.isdisjoint(markup.robots)
            and not (self.is_kept(place) and self._names_another(place, url, markup)),
        )

    def _names_another(self, place: Place, url: str, markup: Markup) -> bool:
        """Whether the page of a kept version at this URL has a canonical link to a page that it should not have.

        For the canonical version, that is a page of an old version: its URL may be unknown here. For other kept
        versions, it is any page outside the version.
        """
        said = {link for href in markup.canonicals if (link := _join(url, href))}
        if place != self._kept[0]:
            return any(_path_at(place.base_url, each, self._pages[place.folder]) is None for each in said)
        return any(_path_at(old.base_url, each, self._pages[old.folder]) for each in said for old in self._old)

    def is_missing(self, url: str) -> bool:
        """Whether a URL is below the canonical version, which has no page there."""
        base_url, folder = self._kept[0].base_url, self._kept[0].folder
        is_below = bool(base_url) and path_below(base_url, url) is not None
        return is_below and _path_at(base_url, url, self._pages[folder]) is None

    def misled(self) -> Iterator[tuple[Place, str, str]]:
        """The pages of other kept versions whose canonical links lead to no content in the canonical version.

        For each, its place, its path below the place, and the URL of its canonical link, which is missing or redirects.
        """
        canonical = self._kept[0]
        for place in self._kept[1:]:
            for path in sorted(self._pages[place.folder]):
                if is_error_page(path):
                    continue
                markup = self._read(path_in(place.folder, path))
                if markup is None or markup.refresh or not FORBIDDING.isdisjoint(markup.robots):
                    continue
                url = plain_url(place, path, markup.canonicals)
                for said in filter(None, (_join(url, href) for href in markup.canonicals)):
                    if not canonical.base_url or path_below(canonical.base_url, said) is None:
                        continue
                    target = _path_at(canonical.base_url, said, self._pages[canonical.folder])
                    head = self._head(canonical, target) if target else None
                    if head is None or head.is_redirect:
                        yield place, path, said
                        break


def is_error_page(path: str) -> bool:
    """Whether a server shows this page in place of missing ones."""
    return path.rpartition("/")[2] == ERROR_PAGE


def own_url(place: Place, path: str, markup: Markup, paths: Collection[str]) -> str:
    """The canonical URL of a page, if it leads to one of the ``paths`` of its version.

    Otherwise, the URL of the version plus the path of the page, spelled as in its canonical links.
    """
    url = plain_url(place, path, markup.canonicals)
    if len(set(markup.canonicals)) == 1:
        canonical = _join(url, markup.canonicals[0])
        if canonical and _path_at(place.base_url, canonical, paths) is not None:
            return canonical
    return url


def plain_url(place: Place, path: str, canonicals: Sequence[str] = ()) -> str:
    """The URL of a version plus the path of a page, spelled as in these canonical links (``a/``, ``a.html``)."""
    ending = path.removesuffix("index.html") if f"/{path}".endswith("/index.html") else path
    for href in canonicals:
        try:
            linked_path = unquote(urlsplit(href).path)
        except ValueError:
            continue
        ending = next((each for each in spellings(path) if linked_path.endswith(f"/{each}")), ending)
    return place.base_url + quote(ending, errors="surrogateescape")


def _join(url: str, href: str) -> str | None:
    """The URL that a link on the page at ``url`` leads to; None if it is not the URL of a page."""
    try:
        return encode_url(urljoin(url, href))
    except ValueError:
        return None


def _path_at(base_url: str, url: str, paths: Collection[str]) -> str | None:
    """The path of the page that a server sends for a URL, if it is one of these paths below ``base_url``."""
    below = path_below(base_url, url) if base_url else None
    if below is None:
        return None
    # Many servers allow URLs without .html, or without the slash after a folder.
    candidates = [f"{below}index.html"] if below.endswith("/") else [below, f"{below}.html", f"{below}/index.html"]
    return next((each for each in candidates if each in paths), None)


def blocking_line(robots: RobotsTxt, url: str, goal: Goal | None) -> str | None:
    """The line of robots.txt that blocks an old page but not its goal, so that search engines miss the change."""
    if not robots.disallows(url) or (goal and robots.disallows(goal.url)):
        return None
    return robots.disallow_line(url, "Googlebot")
