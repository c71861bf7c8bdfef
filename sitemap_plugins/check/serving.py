"""What hosting services answer for each form of a page's URL, as far as that is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple
from urllib.parse import urlsplit

import msgspec

from sitemap_plugins.check.site import CheckedSite
from sitemap_plugins.formats.paths import CNAME, HOST_FILES, REDIRECTS
from sitemap_plugins.values.urls import normalize_url, quote_path

Form = Literal["page", "page.html", "page/", "folder", "folder/", "folder/index.html"]
"""The form of a URL: of a file such as ``page.html``, or of ``folder/index.html``."""

_Effect = Literal["served", "missing"] | Form

# Files in which servers are told to answer URLs that have no file. They are not read.
_SERVER_RULES: Final = (
    ".htaccess", "_worker.js", "_routes.json", "firebase.json", "netlify.toml", "now.json",
    "staticwebapp.config.json", "vercel.json", "web.config",
)  # fmt: skip
_JEKYLL: Final = "_config.yml"


class Service(msgspec.Struct, frozen=True):
    """A hosting service: the page that documents or observed its answers, and the answer for each form.

    An answer is ``served``, ``missing``, or the form to which it redirects. ``recognize`` tells whether a site is
    published there.
    """

    source: str
    answers: Mapping[Form, _Effect]
    recognize: Callable[[CheckedSite], bool]


def _has_host(site: CheckedSite, *suffixes: str) -> bool:
    return (urlsplit(site.base_url).hostname or "").endswith(suffixes)


def _is_on_github(site: CheckedSite) -> bool:
    """GitHub keeps the domain in CNAME; sites that moved to another service may still have the file."""
    moved = any(site.tree.is_file(name) for name in (*HOST_FILES, "vercel.json", "netlify.toml"))
    return _has_host(site, ".github.io") or (site.tree.is_file(CNAME) and not moved)


SERVICES: Final[Mapping[str, Service]] = {
    "GitHub Pages": Service(
        "https://github.com/slorber/trailing-slash-guide",
        {
            "page": "served",
            "page.html": "served",
            "page/": "missing",
            "folder": "folder/",
            "folder/": "served",
            "folder/index.html": "served",
        },
        _is_on_github,
    ),
    "Cloudflare Pages": Service(
        "https://developers.cloudflare.com/pages/configuration/serving-pages/",
        {
            "page": "served",
            "page.html": "page",
            "page/": "page",
            "folder": "folder/",
            "folder/": "served",
            "folder/index.html": "folder/",
        },
        lambda site: _has_host(site, ".pages.dev"),
    ),
}
"""The services with one answer for each form, whatever the author sets. Netlify, Vercel and others have settings."""


class Answer(NamedTuple):
    """What a service does instead of sending the page: it redirects to ``path``, or sends an error page.

    ``change`` is the change of the URL that leads to the page, as in ``+slash``.
    """

    status: Literal["redirects", "missing"]
    path: str
    change: str


def host_of(site: CheckedSite) -> str | None:
    """The service that a site is published on; None if it was asked, is not known, or has settings that decide."""
    if site.served is not None:
        return None
    return next((name for name, service in SERVICES.items() if service.recognize(site)), None)


def answer_of(host: str, path: str, file: str) -> Answer | None:
    """What the service does for a decoded path below the root, which leads to this file; None if it sends the file."""
    form = _form_of(path, file)
    if form is None or (effect := SERVICES[host].answers[form]) == "served":
        return None
    bare = path.rstrip("/").removesuffix("/index.html").removesuffix(".html")
    if effect == "missing":
        return Answer("missing", bare, "-slash")
    target = f"{bare}/" if effect == "folder/" else bare
    return Answer("redirects", target, f"{_ENDINGS[form]}→{_ENDINGS[effect]}")


_ENDINGS: Final[Mapping[Form, str]] = {
    "page": "no ending",
    "page.html": ".html",
    "page/": "slash",
    "folder": "no slash",
    "folder/": "slash",
    "folder/index.html": "index.html",
}


def _form_of(path: str, file: str) -> Form | None:
    """The form of a path that leads to a file; None for the home page, and for what is not a page."""
    if not path or not file.endswith(".html") or file == "index.html":
        return None
    if file.endswith("/index.html"):
        if path.endswith("/index.html"):
            return "folder/index.html"
        return "folder/" if path.endswith("/") else "folder"
    if path.endswith(".html"):
        return "page.html"
    return "page/" if path.endswith("/") else "page"


def may_be_answered(site: CheckedSite, path: str) -> bool:
    """Whether a server may answer a URL without a file: it was not asked, has rules of its own, or builds the page."""
    if site.served is not None:
        answer = site.served.get(normalize_url(site.base_url + quote_path(path)))
        return answer is None or not answer.is_gone
    if any(site.tree.is_file(name) for name in _SERVER_RULES):
        return True
    bare = path.rstrip("/").removesuffix(".html")
    sources = (f"{bare}{end}" for end in (".md", "/index.md", "/README.md"))
    if site.tree.is_file(_JEKYLL) and any(map(site.tree.is_file, sources)):
        return True
    redirects = site.tree.host_files.get(REDIRECTS, b"").decode(errors="replace").splitlines()
    return any(_matches(line.split("#")[0].split(), path) for line in redirects)


def _matches(words: list[str], path: str) -> bool:
    """Whether a rule of ``_redirects`` may be for a path: up to its first wildcard, if it has one."""
    if not words:
        return False
    plain = words[0].partition("*")[0].partition("/:")[0]
    return f"/{path}".startswith(plain) if plain != words[0] else f"/{path}".rstrip("/") == plain.rstrip("/")
