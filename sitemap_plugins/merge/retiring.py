"""Decides where the pages of old versions lead: to the kept version, else to the newest release that has the page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit

from sitemap_plugins.formats.robots import RobotsTxt
from sitemap_plugins.html.head import FORBIDDING
from sitemap_plugins.merge.root import Place, content_folder
from sitemap_plugins.model import Markup
from sitemap_plugins.values.urls import encode_url, path_below, path_in
from sitemap_plugins.versions import Choice, Version, VersionTree, address_of, spellings


class VersionFolders(NamedTuple):
    """A version, where its pages are announced, and the folders with them: its own and those of its copies."""

    place: Place
    folders: tuple[str, ...]


class Roles(NamedTuple):
    """The versions of one language: those that stay as they are, the canonical one first, and the others.

    ``old`` are in the order of the tree, the newest first.
    """

    kept: tuple[VersionFolders, ...]
    old: tuple[VersionFolders, ...]

    @property
    def releases(self) -> tuple[Place, ...]:
        """Where the releases among the old versions are."""
        return tuple(each.place for each in self.old if each.place.version.stage == "release")

    @property
    def newest_old(self) -> VersionFolders | None:
        """The newest release that is not kept, else the newest of all versions that are not."""
        return next((each for each in self.old if each.place.version.stage == "release"), next(iter(self.old), None))


def roles_of(tree: VersionTree, choice: Choice) -> Iterator[Roles]:
    """Which versions are kept and which step back, by language."""
    for kept in choice.kept:
        stay = (kept.version, *kept.others)
        old = (version for version in tree.in_language(kept.version.language) if version not in stay)
        yield Roles(tuple(_located(tree, each) for each in stay), tuple(_located(tree, each) for each in old))


def _located(tree: VersionTree, version: Version) -> VersionFolders:
    base_url, folder = address_of(tree, version)
    place = Place(version, base_url or "", content_folder(tree, folder))
    copies = (alias.folder for alias in version.aliases if alias.kind == "copy")
    return VersionFolders(place, (*dict.fromkeys((version.real_folder, *copies)),))


class Goal(NamedTuple):
    """Where a page leads: the URL of a page, the place of its version, and its path below that place."""

    url: str
    place: Place
    path: str

    @property
    def full_path(self) -> str:
        """The path of the page below the root."""
        return path_in(self.place.folder, self.path)


class _Head(NamedTuple):
    """What matters here of a page: its own URL, and the path of another page of its version that it leads to."""

    url: str
    next: str | None
    is_redirect: bool
    is_indexable: bool


class Goals:
    """Where the pages of one language lead.

    ``pages`` are the paths of the pages below the folder of each place, by that folder. ``read`` gives what the head of
    a page said as it was built, by its path below the root, and None if it cannot be read. With ``only_kept`` a page
    that the kept versions lack leads nowhere.
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
        self._releases = roles.releases
        self._pages = pages
        self._read = read
        self._only_kept = only_kept
        self._heads: dict[tuple[str, str], _Head | None] = {}

    def find(self, place: Place, path: str) -> Goal | None:
        """Where a page of a version leads; None for a noindex.

        That is to the page of a kept version with the same path, else to that of the newest release that has one, else
        to itself. Pages with a noindex do not count, nor do pages of a kept version that name one of an old version by
        their canonical link; a redirect within a version is followed, as is a canonical link. So no goal has another
        goal: where it leads to is what the page there is retired to, if it is at all.
        """
        if self._only_kept:
            return self._find(self._kept, path)
        places = (*self._kept, *self._releases, place)
        return self._find(places, path) or Goal(plain_url(place, path), place, path)

    def is_kept(self, place: Place) -> bool:
        """Whether the version there stays as it is."""
        return place in self._kept

    def own_url(self, place: Place, path: str) -> str:
        """The URL by which a page calls itself, see `own_url`."""
        head = self._head(place, path)
        return head.url if head else plain_url(place, path)

    def has(self, goal: Goal) -> bool:
        """Whether the page is there."""
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
        """The paths that the pages with a path lead to, and themselves; each page once, whichever lead to it."""
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

    def _head(self, place: Place, path: str) -> _Head | None:
        key = (place.folder, path)
        if key not in self._heads:
            markup = self._read(path_in(place.folder, path))
            self._heads[key] = None if markup is None else self._understand(place, path, markup)
        return self._heads[key]

    def _understand(self, place: Place, path: str, markup: Markup) -> _Head:
        url = own_url(place, path, markup, self._pages[place.folder])
        target = _join(url, markup.refresh) if markup.refresh else url
        return _Head(
            url=url,
            next=_path_at(place.base_url, target, self._pages[place.folder]) if target else None,
            is_redirect=markup.refresh is not None,
            is_indexable=FORBIDDING.isdisjoint(markup.robots)
            and not (self.is_kept(place) and self._names_old(url, markup)),
        )

    def _names_old(self, url: str, markup: Markup) -> bool:
        """Whether a page at a URL has a canonical link to a page of an old version."""
        said = {link for href in markup.canonicals if (link := _join(url, href))}
        return any(_path_at(old.base_url, each, self._pages[old.folder]) for each in said for old in self._old)


def own_url(place: Place, path: str, markup: Markup, paths: Collection[str]) -> str:
    """The URL by which a page calls itself, if its canonical link names one of the ``paths`` of its version.

    Else it is the URL of the version and the path of the page, spelled as its canonical links spell it.
    """
    url = plain_url(place, path, markup.canonicals)
    if len(set(markup.canonicals)) == 1:
        said = _join(url, markup.canonicals[0])
        if said and _path_at(place.base_url, said, paths) is not None:
            return said
    return url


def plain_url(place: Place, path: str, canonicals: Sequence[str] = ()) -> str:
    """The URL of a page below that of its version, spelled as these canonical links spell it, wherever they lead."""
    ending = path.removesuffix("index.html") if f"/{path}".endswith("/index.html") else path
    for href in canonicals:
        try:
            said = unquote(urlsplit(href).path)
        except ValueError:
            continue
        ending = next((each for each in spellings(path) if said.endswith(f"/{each}")), ending)
    return place.base_url + quote(ending, errors="surrogateescape")


def _join(url: str, href: str) -> str | None:
    """Where a link on the page at a URL leads; None if that is no URL of a page."""
    try:
        return encode_url(urljoin(url, href))
    except ValueError:
        return None


def _path_at(base_url: str, url: str, paths: Collection[str]) -> str | None:
    """The path of the page that a server sends for a URL, if it is one of these below ``base_url``."""
    below = path_below(base_url, url) if base_url else None
    if below is None:
        return None
    # Many servers leave out .html and the slash behind a folder.
    candidates = [f"{below}index.html"] if below.endswith("/") else [below, f"{below}.html", f"{below}/index.html"]
    return next((each for each in candidates if each in paths), None)


def closing_rule(robots: RobotsTxt, url: str, goal: Goal | None) -> str | None:
    """The line that keeps search engines from the old page only, so that none sees that it has stepped back."""
    if not robots.keeps_out(url) or (goal and robots.keeps_out(goal.url)):
        return None
    return robots.disallowing(url, "Googlebot")
