"""Reads the redirects of a published site, in all forms that count; pure, except `add_redirects`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import msgspec
from msgspec.structs import replace

from sitemap_plugins.formats.paths import REDIRECTS
from sitemap_plugins.html.head import read_relocations
from sitemap_plugins.model import Markup
from sitemap_plugins.pages.crawl_rules import RedirectRules
from sitemap_plugins.published.snapshot import Redirect, Snapshot, normalize
from sitemap_plugins.reading import REDIRECT_FILE, read_file
from sitemap_plugins.values.text import short_repr
from sitemap_plugins.values.urls import LOC_LENGTH, file_path, is_local, path_in, quote_path, root_of

_REDIRECT_JSON: Final = "redirect.json"  # in which the script of Zensical finds redirects from anchors
_VERCEL_JSON: Final = "vercel.json"
PATH_SAFE: Final = "/:@!$&'()*+,;=~"  # RFC 3986: pchar and "/"
_SOMEWHERE: Final = "http://localhost/"
_WORDS: Final = 2  # in each line of a list
_STATUSES: Final = (301, 302, 303, 307, 308)
_PATTERN: Final = re.compile(r"[:*(){}\\?+]")  # in a source of Vercel
_COMMENT: Final = re.compile(r"(?<!\S)#")
# A path may contain a colon, too.
NO_PAGE: Final = re.compile(
    r"(?:about|blob|data|file|javascript|mailto|tel|vbscript):|(?!https?:)[a-z][a-z0-9+.-]*://", re.IGNORECASE
)
_FROM_ROOT: Final = re.compile(r"/|https?:", re.IGNORECASE)
_IGNORED: Final = re.compile(r"[\x00-\x1f]+")  # by browsers, even inside a URL


def encode_path(path: str) -> str:
    """A decoded path as in a URL, with its fragment."""
    bare, hash_sign, fragment = path.partition("#")
    return quote_path(bare, PATH_SAFE) + hash_sign + quote_path(fragment, PATH_SAFE + "?")


class RedirectError(ValueError):
    """A file of redirects is invalid; the message is a sentence about it."""


class SiteBase(msgspec.Struct, frozen=True):
    """Where a site is: turns the URLs in its files into paths below its base, and back.

    ``base_url`` is its URL, or a local one that stands for it.
    """

    base_url: str

    @classmethod
    def of(cls, base_url: str | None) -> Self:
        """The base of a site whose URL may be unknown."""
        return cls(base_url or _SOMEWHERE)

    @property
    def known_url(self) -> str | None:
        """The URL of the site, if it is known."""
        return None if is_local(self.base_url) else self.base_url

    def url(self, path: str) -> str:
        """The URL of a decoded path, with its fragment."""
        return self.base_url + encode_path(path)

    def path(self, url: str) -> str | None:
        """The decoded path of a URL below the base, with its fragment; None if it is elsewhere."""
        bare, fragment = urldefrag(url)
        parts, base = urlsplit(bare), urlsplit(self.base_url)
        if parts.scheme not in {"http", "https"} or parts.netloc.lower() != base.netloc:
            return None
        path = file_path(self.base_url, f"{root_of(self.base_url)}{parts.path.lstrip('/')}")
        return None if path is None else with_fragment(normalize(path), unquote(fragment))

    def path_of(self, href: str) -> str | None:
        """The path that a link on the home page leads to; None if it is not below the base.

        A link without a scheme may be decoded. It begins at the root of the host if it begins with a slash.
        """
        try:
            return self.path(urljoin(self.base_url, _as_link(href)))
        except ValueError:
            return None

    def target(self, href: str, here: str = "") -> str:
        """What `Redirect.target` says of a link on the page at the path ``here``."""
        link = _as_link(_IGNORED.sub("", href).strip()[:LOC_LENGTH])
        if NO_PAGE.match(link):
            return link
        try:
            url = urljoin(self.url(here), link)
            path = self.path(url)
        except ValueError:
            return link
        return url if path is None else path


def _as_link(written: str) -> str:
    """A link that cannot be taken for one with a scheme, even if the first folder in its path has a colon."""
    is_whole = "://" in written.partition("#")[0] or written.startswith(("/", "#", "?")) or NO_PAGE.match(written)
    return written if is_whole else f"./{written}"


def with_fragment(path: str, fragment: str) -> str:
    """A path or URL with a fragment, if there is one."""
    return f"{path}#{fragment}" if fragment else path


def stub_of(path: str, file: str, markup: Markup, page: bytes | None, base: SiteBase) -> Redirect | None:
    """The redirect of a page that only leads to another one; None if it has content of its own.

    ``page`` is the content of its file if that is so short that it may be nothing but a script. The script only counts
    if the canonical link leads to the same page, because a script may only redirect under some condition.
    """
    # The page of a folder may be listed without the slash, but servers add it before they send the page.
    here = path_in(path, "") if f"/{file}".endswith("/index.html") and not path.endswith("/") else path
    if markup.refresh:
        return _redirect(path, base.target(markup.refresh, here), file)
    if page and markup.canonicals:
        canonical = base.target(markup.canonicals[0], here)
        for href in read_relocations(page):
            target = base.target(href, here)
            if target.partition("#")[0] == canonical.partition("#")[0]:
                return _redirect(path, target, file)
    return None


def _redirect(path: str, target: str, by: str, line: int = 0) -> Redirect | None:
    """The redirect from one page or anchor to another; None if both are the same, or an anchor on the same page."""
    there = target if "#" in path else target.partition("#")[0]
    return None if without_form(there) == without_form(path) else Redirect(path=path, target=target, by=by, line=line)


def without_form(path: str) -> str:
    """A path as hosting services compare it with the paths in their rules."""
    return normalize(path).rstrip("/")


class Redirects(msgspec.Struct, frozen=True):
    """Redirects: ``by_path`` has those from single paths, and ``by_rule`` finds those of rules with wildcards, too.

    ``may_answer`` tells whether a rule may serve a page for a path, and ``ignored`` is the number of unread rules.
    """

    by_path: dict[str, Redirect]
    by_rule: Callable[[str], Redirect | None]
    may_answer: Callable[[str], bool]
    ignored: int


def read_rules(content: bytes, base: SiteBase) -> Redirects:
    """The redirects of ``_redirects``, whose paths begin at the root of the host."""
    rules = RedirectRules(content)

    def by_rule(path: str) -> Redirect | None:
        written = rules.target_of(base.url(path))
        return None if written is None else _redirect(path, base.target(written), REDIRECTS)

    sources = sorted({path for each in rules.paths if (path := base.path_of(each)) is not None})
    by_path = {path: found for path in sources if (found := by_rule(path))}
    return Redirects(by_path, by_rule, lambda path: rules.may_answer(base.url(path)), rules.ignored)


def read_redirect_json(content: bytes, base: SiteBase) -> dict[str, Redirect]:
    """The redirects in the file of Zensical, with anchors on both sides. Raises `RedirectError`."""
    table = _parse(content)
    if not isinstance(table, dict) or not all(isinstance(target, str) for target in table.values()):
        raise RedirectError("it is not a table of redirects as Zensical writes it")
    pairs = ((base.path_of(source), base.target(target)) for source, target in table.items())
    return {
        path: Redirect(path=path, target=target, by=_REDIRECT_JSON)
        for path, target in pairs
        if path is not None and path != target
    }


def read_vercel_json(content: bytes, base: SiteBase) -> dict[str, Redirect]:
    """The redirects of single paths in the configuration of Vercel. Raises `RedirectError`."""
    settings = _parse(content)
    rows = settings.get("redirects", []) if isinstance(settings, dict) else None
    if not isinstance(rows, list):
        raise RedirectError("it is not a configuration of Vercel")
    found: dict[str, Redirect] = {}
    for row in rows:
        match row:
            case {"source": str(source), "destination": str(target)} if source.startswith("/"):
                is_for_all = not row.get("has") and not row.get("missing") and not _PATTERN.search(source)
                path = base.path_of(source) if is_for_all and row.get("statusCode", 308) in _STATUSES else None
                if path is not None and (redirect := _redirect(path, base.target(target, path), _VERCEL_JSON)):
                    found.setdefault(path, redirect)
    return found


READERS: Final = {_VERCEL_JSON: read_vercel_json, _REDIRECT_JSON: read_redirect_json}
"""How each file at the root of a site is read that has redirects of single URLs; the last one takes precedence."""


def _parse(content: bytes) -> Any:
    try:
        return json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise RedirectError("it is not valid JSON") from None


def add_redirects(snapshot: Snapshot, file: Path) -> tuple[Snapshot, list[str]]:
    """Add the redirects in a list, see `read_redirect_list`, to those that a site has itself, which take precedence.

    Raises OSError.
    """
    found, problems = read_redirect_list(read_file(file, REDIRECT_FILE), SiteBase.of(snapshot.base_url), str(file))
    redirects = found | dict(snapshot.redirects)
    return replace(snapshot, redirects=redirects, unknown=snapshot.unknown - {"redirects"}), problems


def read_redirect_list(content: bytes, base: SiteBase, name: str) -> tuple[dict[str, Redirect], list[str]]:
    """The redirects in a file with one ``FROM TO`` a line, and a message for each line that is not one.

    FROM is a path from the root of the host or a URL; TO may also be a path below the base, without a slash at the
    beginning. ``#`` after white space begins a comment.
    """
    found: dict[str, Redirect] = {}
    problems: list[str] = []
    for number, line in enumerate(content.decode("utf-8-sig", errors="replace").splitlines(), 1):
        words = _COMMENT.split(line)[0].split()
        if not words:
            continue
        path = base.path_of(words[0])
        if why := _mistake(words, path, base, found):
            problems.append(f"{name}, line {number}: {why}")
        elif path is not None and (redirect := _redirect(path, base.target(words[1]), name, number)):
            found[path] = redirect
    return found, problems


def _mistake(words: Sequence[str], path: str | None, base: SiteBase, earlier: Container[str]) -> str:
    if len(words) != _WORDS:
        written = short_repr(" ".join(words))
        return f"{written} is not a redirect; write the old path, a space and the new path, and nothing else"
    source, target = words
    if "*" in source:
        return f"{source:.200} has a wildcard; write a line for each page"
    if path is None or not _FROM_ROOT.match(source):
        host_path = f"{urlsplit(base.base_url).path}{source.lstrip('/'):.200}"
        hint = "" if "://" in source else f"; a path begins at the root of the host: {host_path}"
        site = base.known_url or "the URL of the site, which is unknown"
        why = f"is not below {site}" if _FROM_ROOT.match(source) else "does not begin with a slash"
        return f"{source:.200} {why}{hint}"
    if NO_PAGE.match(target):
        return f"{target:.200} is not the URL of a page"
    return f"an earlier line already redirects {source:.200}" if path in earlier else ""
