"""MkDocs: a site with several versions, deployed by mike, and pages whose canonical links lead to another version."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

BASE = "https://docs.example.org/"
LATEST = {"alias_type": "copy", "canonical_version": "latest"}
# mike has no module that ``python -m`` can run.
MIKE = "import sys; from mike.driver import main; sys.exit(main())"
OWN_BLOCK = re.compile(r"<!-- links: sitemap-plugins -->\n(.+?)<!-- end of links -->\n", re.DOTALL)


def below(place: str, *paths: str) -> list[str]:
    return [f"{BASE}{place}{path}" for path in paths]


def canonicals(html: str) -> list[str]:
    """The targets of the canonical links of a page."""
    links = [link for link in re.findall("<link [^>]*>", html) if re.search("rel=.?canonical", link)]
    return [re.search('href="([^"]*)"', link)[1] for link in links]


class Versions:
    """A repository with a site, and the content of the branch ``gh-pages``, written by mike."""

    def __init__(self, site: Any, repository: Any) -> None:
        self.site = site
        self.repository = repository
        repository.git("config", "user.name", "A Writer")
        repository.git("config", "user.email", "writer@example.org")

    def deploy(self, *arguments: str, mike: Mapping[str, object] | None = None) -> list[str]:
        """Build a version, commit it and return the plugin's output. ``mike`` are options of mike's own plugin.

        Without these options mike puts its plugin before all others; with them it comes last here.
        """
        plugins = ["sitemap", *([{"mike": mike}] if mike else [])]
        config = {"site_name": "Sample", "site_url": BASE, "theme": {"name": "mkdocs"}, "plugins": plugins}
        self.site.write("mkdocs.yml", json.dumps(config))
        self.site.write(".gitignore", "/site/\n")
        self.repository.commit("2026-03-01T10:00:00+00:00")
        # mike runs the host's command that it finds first.
        programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            [sys.executable, "-c", MIKE, "deploy", *arguments],
            cwd=self.repository.path,
            env=os.environ | {"PATH": programs},
            check=False,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert done.returncode == 0, done.stdout
        return [text for line in done.stdout.splitlines() for _, found, text in [line.partition("sitemap: ")] if found]

    @property
    def names(self) -> list[str]:
        return self.repository.git("ls-tree", "-r", "--name-only", "gh-pages").splitlines()

    def read(self, name: str) -> str:
        return self.repository.git("show", f"gh-pages:{name}")

    @property
    def sitemaps(self) -> dict[str, list[str]]:
        """The URLs in each sitemap in the branch, by folder."""
        names = [name for name in self.names if name.endswith("sitemap.xml")]
        return {name.removesuffix("sitemap.xml"): re.findall("<loc>(.+?)</loc>", self.read(name)) for name in names}


@pytest.fixture
def versions(mkdocs_site: Any, repository: Any) -> Versions:
    """A site without any deployed version."""
    return Versions(mkdocs_site.at(repository.path), repository)


@pytest.mark.parametrize(
    ("alias_type", "alias", "content", "folders"),
    [
        ("copy", "latest/index.html", f'<link rel="canonical" href="{BASE}1.2/">', ["1.2/", "latest/"]),
        ("symlink", "latest", "1.2", ["1.2/"]),
        ("redirect", "latest/index.html", "url=../1.2/", ["1.2/"]),
    ],
    ids=["copy", "symlink", "redirect"],
)
def test_an_alias_and_its_number_are_not_both_listed(
    versions: Versions, alias_type: str, alias: str, content: str, folders: list[str]
) -> None:
    """VER-02: mike builds once, below the number, so every copy of the sitemap lists that version."""
    versions.site.pages("index.md", "guide.md")
    said = versions.deploy("--alias-type", alias_type, "1.2", "latest")
    assert content in versions.read(alias)
    assert versions.sitemaps == dict.fromkeys(folders, below("1.2/", "", "guide/"))
    assert said[-1] == "sitemap.xml: 2 URLs, 2 with a date; left out: 1 error page"
    assert said[0].startswith(
        "robots.txt has no effect below /1.2/; version 1.2 is one of several: set mike's canonical_version"
    )


def test_with_a_canonical_version_no_page_of_another_is_listed(versions: Versions) -> None:
    """VER-01, VER-02."""
    versions.site.pages("index.md", "old.md")
    first = versions.deploy("1.0", mike=LATEST)
    versions.site.docs.joinpath("old.md").unlink()
    versions.site.pages("new.md")
    second = versions.deploy("1.2", "latest", mike=LATEST)
    newest = below("latest/", "", "new/")
    assert versions.sitemaps == {"1.0/": below("latest/", "", "old/"), "1.2/": newest, "latest/": newest}
    # These are the canonical links of the pages, written by MkDocs and mike.
    assert canonicals(versions.read("1.0/old/index.html")) == below("latest/", "old/")
    assert canonicals(versions.read("1.2/new/index.html")) == below("latest/", "new/")
    # No version announces its own sitemap. That of 1.0 lists a page that 1.2 no longer has.
    for said in (first, second):
        assert said[0].endswith(
            "after mike deploy, run sitemap-plugins merge --retire --branch gh-pages, which writes the sitemap "
            "at the root, with the pages of one version, and announces it"
        )
        assert [text for text in said if "Sitemap: " in text] == []
    assert {f"{loc.removeprefix(BASE)}index.html" for loc in newest} <= set(versions.names)


IN_THE_PAGE = """\
def on_post_page(output, page, config):
    link = f'<link rel="canonical" href="{page.canonical_url}">'
    assert link in output
    return output.replace(link, link.replace("/1.2/", "/latest/")) if "gone" not in page.meta else output
"""
IN_THE_CONTEXT = """\
def on_page_context(context, page, config, nav):
    if "gone" not in page.meta:
        page.canonical_url = page.canonical_url.replace("/1.2/", "/latest/")
"""


@pytest.mark.parametrize("hook", [IN_THE_PAGE, IN_THE_CONTEXT], ids=["link", "canonical_url"])
def test_pages_that_point_to_another_version_are_left_out(mkdocs_site: Any, hook: str) -> None:
    """VER-01."""
    mkdocs_site.pages("index.md", "a.md", gone="---\ngone: true\n---\n# Only in 1.2\n")
    mkdocs_site.write("pointing.py", hook)
    built = mkdocs_site.build_strictly(site_url=f"{BASE}1.2/", hooks=["pointing.py"])
    assert canonicals(built.read("a/index.html").decode()) == below("latest/", "a/")
    assert canonicals(built.read("gone/index.html").decode()) == below("1.2/", "gone/")
    assert built.locs == below("1.2/", "gone/")
    assert built.said("sitemap.xml: 1 URL, ", "2 canonical elsewhere", "1 error page", level="info")
    assert built.said(f"left out a.md: canonical elsewhere ({BASE}latest/a/)", level="debug")


@pytest.mark.parametrize("options", [{}, {"head_links": True}])
def test_no_canonical_link_is_written(
    mkdocs_site: Any, monkeypatch: pytest.MonkeyPatch, options: Mapping[str, object]
) -> None:
    """VER-03: if a build adds no links, none of ours leads to a page that another version lacks."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")  # MkDocs writes the time of the build into the home page
    languages = [{"locale": "en", "name": "English", "default": True}, {"locale": "fr", "name": "Français"}]
    plugins = [{"i18n": {"docs_structure": "folder", "languages": languages}}]
    mkdocs_site.pages("en/index.md", "en/a.md", "fr/index.md", "fr/a.md")

    def pages(options: Mapping[str, object]) -> dict[str, str]:
        built = mkdocs_site.build(options, plugins=plugins, site_url=f"{BASE}1.2/")
        return {path.relative_to(built.output).as_posix(): path.read_text() for path in built.output.rglob("*.html")}

    before, after = pages({"enabled": False}), pages(options)
    assert {name: OWN_BLOCK.sub("", html) for name, html in after.items()} == before
    assert {name: canonicals(html) for name, html in after.items()} == {
        "404.html": [],
        "index.html": below("1.2/", ""),
        "a/index.html": below("1.2/", "a/"),
        "fr/index.html": below("1.2/", "fr/"),
        "fr/a/index.html": below("1.2/", "fr/a/"),
    }
    links = [line for html in after.values() for block in OWN_BLOCK.findall(html) for line in block.splitlines()]
    assert [line.startswith('<link rel="alternate" hreflang="') for line in links] == [True] * (12 if options else 0)
