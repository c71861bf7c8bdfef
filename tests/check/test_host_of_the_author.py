"""Pages and sitemaps that agree on a host are wrong if CNAME or ``--base-url`` names another one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import pytest
from msgspec import structs

from sitemap_plugins.check.checking import check
from sitemap_plugins.folder.configuration import Configuration, read_settings_of
from sitemap_plugins.site.published_site import read_site
from tests.check.examples import complete
from tests.check.sites import find, write

X = "https://docs.example.org/"
THERE = "https://me.github.io/proj/"


def site(canonicals: Mapping[str, str] = {}, **files: str | Literal[False]) -> dict[str, bytes]:  # it is not changed
    """Three pages below ``THERE``, and their sitemap, but with the CNAME of ``X``; and other canonical links or files."""
    links = {"index.html": THERE, "a.html": f"{THERE}a.html", "b.html": f"{THERE}b.html"}
    heads = {page: f'<link rel="canonical" href="{url}">' for page, url in {**links, **canonicals}.items()}
    sitemap = "\n".join(f"<url><loc>{url}</loc></url>" for url in links.values())
    return complete({**heads, "robots.txt": False, "sitemap.xml": sitemap, **files})


def test_pages_below_a_path_of_another_host(tmp_path: Path) -> None:
    (finding,) = find(tmp_path, site())
    assert (finding.rule, finding.cause) == ("base-url", "me.github.io→docs.example.org")
    assert sorted((hit.file, hit.found, hit.expected) for hit in finding.hits) == [
        ("a.html", f"canonical link {THERE}a.html", f"{X}a.html"),
        ("b.html", f"canonical link {THERE}b.html", f"{X}b.html"),
        ("index.html", f"canonical link {THERE}", X),
    ]


def test_the_option_counts_like_cname(tmp_path: Path) -> None:
    write(tmp_path, site(CNAME=False))
    configuration = Configuration(root=str(tmp_path))
    options = read_settings_of(configuration)
    assert check(read_site(str(tmp_path), configuration, options)) == ()
    options = structs.replace(options, settings=structs.replace(options.settings, base_url=X))
    assert [each.rule for each in check(read_site(str(tmp_path), configuration, options))] == ["base-url"]


def test_old_versions_lead_to_other_pages_there(tmp_path: Path) -> None:
    stable = dict.fromkeys(("index.html", "a.html", "b.html"), f"{THERE}stable/c.html")
    (finding,) = find(tmp_path, site(stable, **{"sitemap.xml": False}))
    assert [(hit.url, hit.expected) for hit in finding.hits if hit.file == "a.html"] == [(f"{X}a.html", "")]


@pytest.mark.parametrize(
    "files",
    [
        site({"a.html": f"{X}a.html"}),
        site({"a.html": "/a.html"}),
        site(**{"sitemap.xml": f"<url><loc>{X}a.html</loc></url>"}),
        site({"a.html": "https://de.example.org/a", "b.html": "https://fr.example.org/b"}, **{"sitemap.xml": False}),
        site(**{f"{name}.html": "" for name in "cdef"}),
    ],
    ids=["a canonical link", "a relative one", "a listed URL", "languages with hosts of their own", "few lead away"],
)
def test_one_of_the_facts_may_be_right(files: Mapping[str, bytes], tmp_path: Path) -> None:
    assert "base-url" not in {each.rule for each in find(tmp_path, files)}
