"""What is known about a site as it was published at one time: its pages with their contents, and where URLs lead."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from sitemap_plugins.html.main_part import MainPart
from sitemap_plugins.published.addresses import served
from sitemap_plugins.published.languages import FolderKind
from sitemap_plugins.values.text import short_repr
from sitemap_plugins.values.urls import file_path

_STEPS: Final = 4  # shown of a loop
MOST_REDIRECTS: Final = 20  # browsers follow no more (Fetch, HTTP-redirect fetch)
_SCHEMES: Final = frozenset({"http", "https"})
# What tools generate beside the pages: indexes, source code and timings (Sphinx), posts that are not published (ablog).
_AUXILIARY: Final = re.compile(
    r"(?:.*/)?(?:genindex(?:-[^/]+)?|(?:[^/]+-)?modindex|sg_execution_times|(?:_modules|_static|blog/drafts)(?:/.*)?)"
    r"(?:/|\.html?)?"
)
# Lists of pages (Material, ablog, sphinx-tags), and the later pages of a list.
_LIST: Final = re.compile(
    r"(?:.*/)?(?:page/\d+|archive/\d{4}(?:/\d+)?|_tags(?:/.*)?"
    r"|blog/(?:archive|author|category|language|location|tag)(?:/.*)?)(?:/|\.html?)?"
)
_LATER: Final = re.compile(r"(?P<list>|.*/)page/\d+(?:/|\.html?)?")

Fact: TypeAlias = Literal["unlisted", "redirects", "documents", "texts", "anchors"]
"""What may be unknown in a snapshot: pages outside the sitemap, redirects, and the sources, texts, anchors of pages."""


class SnapshotPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page that counts: ``path`` is the decoded path of its URL below the base, empty for the home page.

    ``document`` is the path of its source from the top of the repository, and ``made_of`` are the paths of the other
    files that it is made of, if they are known. ``is_listed`` tells whether it belongs in the sitemap. ``file`` is the
    path of its file below the root of a folder, empty for other snapshots. ``commit`` is the one that was built when
    the page was last published, if that is known and is not the commit of the whole snapshot.
    """

    path: str
    title: str = ""
    document: str | None = None
    made_of: tuple[str, ...] = ()
    is_listed: bool = True
    file: str = ""
    commit: str | None = None

    @property
    def is_list(self) -> bool:
        """Whether a tool generates the page as a list of others, which changes with every new page."""
        return self.document is None and is_list(self.path)


def is_list(path: str) -> bool:
    """Whether a path is one of those where tools generate lists of pages."""
    return _LIST.fullmatch(path) is not None


def is_auxiliary(path: str) -> bool:
    """Whether a path is one of those where tools generate indexes and the like, which need no redirects."""
    return _AUXILIARY.fullmatch(path) is not None


class Redirect(msgspec.Struct, frozen=True, kw_only=True):
    """A redirect from a path below the base. ``target`` is another path there, or an absolute URL elsewhere.

    Both are decoded, and may end with a fragment. ``by`` is the file that redirects, and ``line`` its line in a list.
    """

    path: str
    target: str
    by: str = ""
    line: int = 0

    @property
    def is_elsewhere(self) -> bool:
        """Whether the target is not below the base."""
        return "://" in self.target


class Landing(msgspec.Struct, frozen=True, kw_only=True):
    """Where a URL leads: ``path`` is the path below the base, or the absolute URL elsewhere.

    ``problem`` is None if there is a page. If there are redirects, but they do not lead to a page, it completes the
    sentence "PATH …". If there is no redirect, it is empty.
    """

    path: str
    problem: str | None = None

    @property
    def is_found(self) -> bool:
        """Whether the URL leads to a page."""
        return self.problem is None


def normalize(path: str) -> str:
    """A decoded path without ``index.html``, because both lead to the same page."""
    return path.removesuffix("index.html") if path == "index.html" or path.endswith("/index.html") else path


def path_of(base_url: str, loc: str) -> str | None:
    """The path of a page by its URL; None if it is not below the base URL."""
    path = file_path(base_url, loc)
    return None if path is None else normalize(path)


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """A site at one time. ``name`` is what messages call it, ``base_url`` its URL, None if it is not known.

    ``pages`` are the pages that count, by path: not error pages, nor what a tool generates beside the pages. The
    lists of pages that a tool generates count if the sitemap of the site has them.
    ``redirects`` are those from single paths, by path; ``redirect_by_rule`` finds the one of a rule with wildcards.
    ``files`` are the paths of all files below the root, without those that only redirect; None if they are not known.
    ``folders`` are the folders of versions, aliases and languages. ``is_version`` says that the site is itself in such
    a folder; its URL may end with another name, such as that of an alias. ``commit`` is the commit of the sources that
    was built. ``unknown`` is what is not known about the site, and ``problems`` are sentences about files that could
    not be used.

    ``gone`` are the pages and redirects, by path, that were published earlier and were already lost at this time.

    ``read_content`` reads the main part of the page at a path, and ``read_file`` the unchanged file at a path below the
    root; both return None if it is not known.
    """

    name: str
    base_url: str | None
    pages: Mapping[str, SnapshotPage]
    redirects: Mapping[str, Redirect] = {}
    redirect_by_rule: Callable[[str], Redirect | None] = lambda _path: None
    files: frozenset[str] | None = None
    folders: Mapping[str, FolderKind] = {}
    is_version: bool = False
    commit: str | None = None
    gone: Mapping[str, SnapshotPage | Redirect] = {}
    unknown: frozenset[Fact] = frozenset()
    problems: tuple[str, ...] = ()
    read_content: Callable[[str], MainPart | None] = lambda _path: None
    read_file: Callable[[str], bytes | None] = lambda _path: None

    def with_gone(self) -> Snapshot:
        """The site with what is ``gone``, because that stays lost until there is a page or a redirect."""
        pages = {path: each for path, each in self.gone.items() if isinstance(each, SnapshotPage)}
        redirects = {path: each for path, each in self.gone.items() if isinstance(each, Redirect)}
        return replace(self, pages={**pages, **self.pages}, redirects={**self.redirects, **redirects})

    def serves(self, path: str) -> bool:
        """Whether a page or a file is `served` for a path, without the redirects of the site."""
        path = normalize(path)
        if path in self.pages or (self.files is None and f"{path}/" in self.pages):
            return True
        return self.files is not None and served(path, self.files.__contains__) is not None

    def has_list_of(self, path: str) -> bool:
        """Whether a path is that of a later page of a list, such as ``blog/page/2/``, whose first page is found."""
        later = _LATER.fullmatch(path)
        first = later["list"].rstrip("/") if later else ""
        forms = (f"{first}/", first, f"{first}.html") if first else ("",)
        return later is not None and any(self.follow(form).is_found for form in forms)

    def redirect_from(self, path: str) -> Redirect | None:
        """The redirect from a path: that of a page, or of the first rule that matches.

        One from another spelling of the path counts, too, unless it leads to this path.
        """
        names = (path, f"{path}/", path.removesuffix("/"), normalize(path), f"{path}.html")
        found = filter(None, map(self.redirects.get, names))
        return next(
            (each for each in found if each.path == path or each.target != path), None
        ) or self.redirect_by_rule(path)

    def follow(self, path: str) -> Landing:
        """Where a decoded path below the base leads. Pages on other hosts are assumed to exist."""
        passed: list[str] = []
        while not self.serves(path):
            redirect = self.redirect_from(path)
            if redirect is None:
                return Landing(path=path, problem=f"redirects to /{path}, which does not exist" if passed else "")
            passed.append(path)
            path = redirect.target.partition("#")[0]
            if redirect.is_elsewhere:
                why = None if _is_page(path) else f"redirects to {short_repr(path)}, which is not a page"
                return Landing(path=path, problem=why)
            if path in passed:
                steps = " → ".join(f"/{each}" for each in (*passed, path)[:_STEPS])
                return Landing(path=path, problem=f"redirects in a loop: {steps}")
            if len(passed) > MOST_REDIRECTS:
                return Landing(path=path, problem=f"redirects more than {MOST_REDIRECTS} times")
        return Landing(path=path)


def _is_page(url: str) -> bool:
    try:
        return urlsplit(url).scheme.lower() in _SCHEMES
    except ValueError:
        return False


FACTS: Final[Mapping[Fact, str]] = {
    "unlisted": "pages outside the sitemap",
    "redirects": "redirects",
    "documents": "the sources of pages",
    "texts": "the texts of pages",
    "anchors": "anchors",
}
"""What may be unknown in a snapshot, in words."""
