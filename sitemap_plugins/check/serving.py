"""What hosting services answer for each form of a page's URL, as far as that is known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal
from urllib.parse import urlsplit

from sitemap_plugins.formats.paths import CNAME, HOST_FILES, REDIRECTS
from sitemap_plugins.reading import REDIRECT_FILE
from sitemap_plugins.site.published_site import PublishedSite
from sitemap_plugins.values.urls import normalize_url

_Answer = Literal["missing", "redirects"]

# Files in which servers are told to answer URLs that have no file. They are not read.
_SERVER_RULES: Final = (
    ".htaccess", "_worker.js", "_routes.json", "firebase.json", "netlify.toml", "now.json",
    "staticwebapp.config.json", "vercel.json", "web.config",
)  # fmt: skip
# What shows that these files have rules that `diff` does not follow.
_NO_REDIRECTS: Final = {
    "netlify.toml": re.compile(rb"\[\[\s*(?:redirects|edge_functions)"),
    "vercel.json": re.compile(
        rb'"(?:rewrites|routes|has|missing)"\s*:|"source"\s*:\s*"[^":*(){}\\?+]*+[:*(){}\\?+][^"]*+",\s*"[dps]'
    ),
}
_FUNCTIONS: Final = (".netlify/", "cdn-cgi/")  # of Netlify and Cloudflare
_JEKYLL: Final = "_config.yml"

SERVICES: Final[Mapping[str, Mapping[str, _Answer]]] = {
    # https://github.com/slorber/trailing-slash-guide
    "GitHub Pages": {"page/": "missing", "folder": "redirects"},
    # https://developers.cloudflare.com/pages/configuration/serving-pages/
    "Cloudflare Pages": dict.fromkeys(("page.html", "page/", "folder", "folder/index.html"), "redirects"),
}
"""What services answer, whatever the author sets, for the forms of the URLs of ``page.html`` and ``folder/index.html``.

For other forms, they send the page. Netlify, Vercel and others have settings.
"""


def host_of(site: PublishedSite) -> str | None:
    """The service that a site is published on; None if it was asked, is not known, or has settings that decide."""
    host = urlsplit(site.base_url).hostname or ""
    if site.served is not None:
        return None
    if host.endswith(".pages.dev"):
        return "Cloudflare Pages"
    # GitHub keeps the domain in CNAME; sites that moved to another service may still have the file.
    has_moved = any(site.tree.is_file(name) for name in (*HOST_FILES, "vercel.json", "netlify.toml"))
    is_on_github = host.endswith(".github.io") or (site.tree.is_file(CNAME) and not has_moved)
    return "GitHub Pages" if is_on_github else None


def answer_of(host: str, path: str, file: str) -> tuple[_Answer, str] | None:
    """What the service answers for a decoded path below the root instead of this file, and the path at which it is.

    None if it sends the file, and for the home page and what is not a page.
    """
    if not path or not file.endswith(".html") or file == "index.html":
        return None
    is_folder = file.endswith("/index.html")
    bare = path.rstrip("/").removesuffix("/index.html" if is_folder else ".html")
    form = ("folder" if is_folder else "page") + path[len(bare) :]
    answer = SERVICES[host].get(form)
    return (answer, f"{bare}/" if is_folder else bare) if answer else None


def may_be_answered(site: PublishedSite, url: str) -> bool:
    """Whether a server may answer a URL without a file: it was not asked, has rules of its own, or builds the page."""
    if site.served is not None:
        answer = site.served.get(normalize_url(url))
        return answer is None or not answer.is_gone
    path = site.below(url) or ""
    if any(site.tree.is_file(name) for name in _SERVER_RULES) or is_beyond_redirects(site, path):
        return True
    redirects = site.tree.host_files.get(REDIRECTS, b"").decode(errors="replace").splitlines()
    return any(_matches(line.split("#")[0].split(), path) for line in redirects)


def is_beyond_redirects(site: PublishedSite, path: str) -> bool:
    """Whether a server may answer a decoded path below the root by rules that are not redirects, or builds the page."""
    for name in filter(site.tree.is_file, _SERVER_RULES):
        pattern = _NO_REDIRECTS.get(name)
        if pattern is None or pattern.search(site.tree.try_to_read(name, REDIRECT_FILE) or b""):
            return True
    bare = path.rstrip("/").removesuffix(".html")
    sources = (f"{bare}{end}" for end in (".md", "/index.md", "/README.md"))
    return path.startswith(_FUNCTIONS) or (site.tree.is_file(_JEKYLL) and any(map(site.tree.is_file, sources)))


def _matches(words: list[str], path: str) -> bool:
    """Whether a rule of ``_redirects`` may be for a path: up to its first wildcard, if it has one."""
    if not words:
        return False
    plain = words[0].partition("*")[0].partition("/:")[0]
    return f"/{path}".startswith(plain) if plain != words[0] else f"/{path}".rstrip("/") == plain.rstrip("/")
