"""Finds the URL of the root in the URLs of its pages, and says why if it cannot be right."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from sitemap_plugins.published.addresses import file_at
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import HOST_FILE
from sitemap_plugins.values.urls import encode_host
from sitemap_plugins.versions.finding import MIKE, Found, Search
from sitemap_plugins.versions.names import read_name
from sitemap_plugins.versions.tree import RootSite, Version

_NEWEST: Final = 5
_PREFIX_DEPTH: Final = 3  # folders in mike's deploy_prefix
_CNAME: Final = "CNAME"


def infer_root_url(search: Search, root_site: RootSite | None, versions: Sequence[Version]) -> str | None:
    """The URL of the root for most new versions: their URL, without the folders of the version and its language.

    Old versions do not count: sites move, and old pages keep their former URLs. If no page gives a URL, a list of
    versions may.
    """
    names = {found.name for found in search.found.values()}
    urls: Counter[str] = Counter()
    if root_site and root_site.declared_url:
        urls[root_site.declared_url] += 1
    for version in _newest(versions):
        found = search.found[version.folder]
        url = found.sample.url or ""
        if f"/{found.folder}/" == unquote(urlsplit(url).path)[-len(found.folder) - 2 :]:
            urls["/".join(url.split("/")[: -2 - found.folder.count("/")]) + "/"] += 1
            continue
        steps = url.rstrip("/").split("/")
        if len(steps) > 3 and (unquote(steps[-1]) in names or read_name(unquote(steps[-1]))):
            steps.pop()
            if len(steps) > 3 and found.language and unquote(steps[-1]) in search.languages:
                steps.pop()
        urls["/".join((*steps, ""))] += 1
    return max(urls, key=lambda url: (urls[url], -len(url)), default=None) or search.listed_root


def doubt_root_url(url: str, tree: Tree, found: Iterable[Found]) -> str:
    """Why this cannot be the URL of the root, as the end of a sentence about it; empty if it can be."""
    parts = urlsplit(url)
    steps = parts.path.strip("/").split("/")
    if "//" in parts.path:
        return "has an empty folder in it (//)"
    hosts = _hosts(tree)
    if hosts and _bare(parts.netloc) not in hosts:
        return f"is not on {min(hosts)}, the host in {_CNAME}"
    found = [*found]
    name = unquote(steps[-1])
    if name and any(name in each.folder.split("/") for each in found):
        # A site can have such a URL, but more often its pages were built with the URL of one version.
        canonicals = [each for version in found for each in version.sample.canonicals]
        leading = sum(file_at(each, url, tree.is_file) is not None for each in canonicals)
        if hosts or leading * 2 < len(canonicals):
            return f"ends with the name of the folder {name}/, which is below ROOT"
    return ""


def _hosts(tree: Tree) -> set[str]:
    """The hosts in the file in which GitHub Pages and others keep the domain of the site at the root."""
    try:
        lines = (tree.read(_CNAME, HOST_FILE) or b"").decode(errors="replace").split()
    except OSError:
        return set()
    return {_bare(line.rpartition("://")[2].partition("/")[0]) for line in lines}


def _bare(host: str) -> str:
    with suppress(UnicodeError):
        host = encode_host(host)
    return host.lower().removeprefix("www.")


def _newest(versions: Sequence[Version]) -> Iterator[Version]:
    """The newest versions of each language, up to a limit, whose pages give a URL."""
    for language in dict.fromkeys(version.language for version in versions):
        with_url = (version for version in versions if version.language == language and version.declared_url)
        yield from islice(with_url, _NEWEST)


def missing_prefix(tree: Tree, found: Iterable[Found], root_url: str | None) -> Iterator[str]:
    """A remark if the root lies in folders that its URLs lack. mike does not add its prefix to ``site_url``."""
    if root_url is None or not any(MIKE in each.known_by for each in found):
        return
    path = Path(os.path.realpath(tree.root))
    # mike puts this file at the root of the branch.
    above = [path, *path.parents][: _PREFIX_DEPTH + 1]
    top = next((folder for folder in above if (folder / ".nojekyll").is_file()), path)
    prefix = path.relative_to(top).as_posix()
    if top != path and not unquote(urlsplit(root_url).path).endswith(f"/{prefix}/"):
        yield (
            f"the pages have URLs below {root_url}, but lie in {prefix}/: if that is mike's deploy_prefix, add it to "
            "site_url, because mike does not"
        )
