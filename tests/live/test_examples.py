"""The examples of the manual on a server: ``check`` finds there what it finds in a folder, or the rule says why not."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Literal

import pytest

from sitemap_plugins.check.checking import check
from sitemap_plugins.findings.catalogue import RULES, explain
from sitemap_plugins.findings.grouping import Finding
from sitemap_plugins.folder.configuration import Configuration, read_settings_of
from sitemap_plugins.live.fetching import Manners
from sitemap_plugins.live.fetching import Server as AskedServer
from sitemap_plugins.live.site import fetch_pages, read_sitemaps
from sitemap_plugins.published.sitemaps import find_sitemaps, sitemap_lines
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.site.published_site import PublishedSite, read_site
from tests.check.examples import BASE_URL, complete, statuses
from tests.check.sites import IN_FOLDERS, find, write
from tests.live.servers import Server, files_at

# The server is asked as a proxy, so it can have the URL of the examples, but not with TLS.
LIVE_URL = BASE_URL.replace("https:", "http:")
_LENGTH = 200  # of URLs that findings cut

Example = Mapping[str, str | Literal[False]]


def served_files(example: Example) -> dict[str, bytes]:
    """What a server sends of an example: its files, with the contents that the example says it sends."""
    files = complete(example)
    if b"/?" in files["sitemap.xml"]:  # an answer to a query does not say that it is the home page
        files["index.html"] = re.sub(rb"<link[^>]*>", b"", files["index.html"])
    sent = {path.removeprefix(BASE_URL): content for path, content in files.items() if path.startswith(BASE_URL)}
    return {
        path: content if path.endswith(".gz") else re.sub(rb"https(?=://[a-z.]*example\.org)", b"http", content)
        for path, content in (files | sent).items()
        if not path.startswith(BASE_URL)
    }


@pytest.fixture
def read_live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Example], PublishedSite]:
    """Reads an example from a server, to compare it with what was built: without the contents that a server sends."""

    def read(example: Example) -> PublishedSite:
        as_built = {path: content for path, content in example.items() if "://" not in path}
        at = {url.removeprefix(BASE_URL.rstrip("/")): status for url, status in statuses(example).items()}
        with ExitStack() as stack:
            server = stack.enter_context(Server.running(files_at(served_files(example), at)))
            monkeypatch.setenv("http_proxy", server.url)
            monkeypatch.delenv("no_proxy", raising=False)
            os.makedirs(folder := tmp_path / "live")
            asked = AskedServer(LIVE_URL, Manners(rate=0, pauses=(0,)))
            live = fetch_pages(read_sitemaps(LIVE_URL, str(folder), asked), asked)
            configuration = Configuration(root=str(folder))
            tree = Tree(write(tmp_path / "built", served_files(as_built)))
            found = find_sitemaps(tree, LIVE_URL, sitemap_lines(tree.robots)).values()
            built = [each for each in found if each.announced_by]
            site = read_site(str(folder), configuration, read_settings_of(configuration), live=live, built=built)
            site.sitemaps  # noqa: B018  # read them as long as the server runs
            return site

    return read


def normal(findings: tuple[Finding, ...]) -> list[object]:
    """The findings with the URL of the examples."""

    def text(value: str) -> str:
        return re.sub(r"http(?=://[a-z.]*example\.org)", "https", value).rstrip("…")[:_LENGTH]

    return [
        (each.rule, text(each.cause), [(text(hit.url), hit.file, hit.line, text(hit.expected)) for hit in each.hits])
        for each in findings
    ]


@pytest.mark.parametrize("which", ["bad", "good"])
@pytest.mark.parametrize("rule", [rule for rule in IN_FOLDERS if rule not in {"no-sitemap", "no-base-url"}])
def test_a_live_site_has_the_findings_of_its_folder(
    tmp_path: Path, read_live: Callable[[Example], PublishedSite], rule: str, which: str
) -> None:
    example = getattr(explain(rule), which)
    in_folder = find(tmp_path / "site", complete(example), with_project=False)
    found = check(read_live(example))
    assert [each for each in found if RULES[each.rule].needs_tree] == []
    hidden = {name for each in in_folder if RULES[each.rule].needs_tree for name in RULES[each.rule].hides}
    expected = [each for each in in_folder if not RULES[each.rule].needs_tree]
    assert normal(tuple(each for each in found if each.rule not in hidden)) == normal(tuple(expected))


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule not in IN_FOLDERS])
def test_the_examples_of_rules_about_servers(read_live: Callable[[Example], PublishedSite], rule: str) -> None:
    assert [each.rule for each in check(read_live(explain(rule).bad))] == [rule]


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule not in IN_FOLDERS])
def test_a_site_that_is_served_as_built_has_none(read_live: Callable[[Example], PublishedSite], rule: str) -> None:
    assert check(read_live(explain(rule).good)) == ()
