"""What servers answer: what is known of hosting services, and the rules on what a server answered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal
from urllib.parse import urlsplit

import msgspec

from sitemap_plugins.findings.grouping import SITE, Hit
from sitemap_plugins.formats.paths import CNAME, HOST_FILES, REDIRECTS
from sitemap_plugins.model import LastMod
from sitemap_plugins.pages.crawl_rules import Served
from sitemap_plugins.published.sitemaps import SitemapFile
from sitemap_plugins.reading import REDIRECT_FILE
from sitemap_plugins.site.published_site import PublishedSite
from sitemap_plugins.values.dates import format_lastmod
from sitemap_plugins.values.text import count_of, short_repr
from sitemap_plugins.values.urls import normalize_url, quote_path

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

_DIFFERENCES: Final = 3
_DIGITS: Final = 10


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


def leads_nowhere(site: PublishedSite, url: str) -> bool:
    """Whether a URL below the root has neither a file nor a redirect, and no server may answer it."""
    is_here = site.below(url) is None or site.file_at(url) is not None or site.crawl_rules.redirected(url)
    return not is_here and not may_be_answered(site, url)


def _matches(words: list[str], path: str) -> bool:
    """Whether a rule of ``_redirects`` may be for a path: up to its first wildcard, if it has one."""
    if not words:
        return False
    plain = words[0].partition("*")[0].partition("/:")[0]
    return f"/{path}".startswith(plain) if plain != words[0] else f"/{path}".rstrip("/") == plain.rstrip("/")


class Difference(msgspec.Struct, frozen=True):
    """A URL whose entry on the server is not the one that was built, and what is there and was built."""

    url: str
    found: str
    expected: str


def differences(live: Iterable[SitemapFile], built: Iterable[SitemapFile]) -> list[Difference]:
    """The URLs that only one side lists, or lists with another date. All else may differ: services change bytes."""
    here, there = (_dates(sorted(each, key=lambda sitemap: sitemap.path)) for each in (built, live))
    shown = ((url, _shown(there, url), _shown(here, url)) for url in sorted(here.keys() | there.keys()))
    return [Difference(*each) for each in shown if each[1] != each[2]]


def _dates(sitemaps: Iterable[SitemapFile]) -> dict[str, LastMod | None]:
    return {each.loc: each.entry.lastmod for sitemap in sitemaps for each in sitemap.entries}


def _shown(dates: dict[str, LastMod | None], url: str) -> str:
    if url not in dates:
        return "not listed"
    date = dates[url]
    return "no date" if date is None else format_lastmod(date, "datetime")


def check_served(site: PublishedSite) -> Iterator[Hit]:
    """The hits on answers that tell nothing, and on a server that sends an old state of the site."""
    served = site.served or {}
    problems = {url: answer for url, answer in sorted(served.items()) if answer.problem}
    checked = f"{len(served) - len(problems):,} of {count_of(len(served), 'URL')} checked"
    for url, answer in problems.items():
        target = short_repr(answer.target) if answer.target else ""
        yield Hit(rule="unanswered", cause=f"{answer.problem}; {checked}", url=url, found=target, key=answer.problem)
    if site.built is None:
        return
    found = differences(site.announced_sitemaps, site.built)
    answers = (served.get(site.base_url + quote_path(each.path), Served()) for each in site.announced_sitemaps)
    age = max((int(each.age) for each in answers if each.age.isdecimal() and len(each.age) < _DIGITS), default=0)
    cached = f"; a cache has kept the sitemap for {count_of(age, 'second')} (Age)" if age else ""
    cause = f"{count_of(len(found), 'difference')} from the built sitemap{cached}"
    for number, each in enumerate(found[:_DIFFERENCES], 1):
        more = max(0, len(found) - _DIFFERENCES) if number == _DIFFERENCES else 0
        yield Hit(
            rule="not-deployed",
            cause=cause,
            key=SITE,
            url=each.url,
            found=each.found,
            expected=each.expected,
            more=more,
        )
