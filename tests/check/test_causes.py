"""One mistake at many places is one finding with a lasting fingerprint, such as a host that is not the author's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import pytest
from msgspec import structs

from sitemap_plugins.check.checking import check
from sitemap_plugins.folder.configuration import Configuration, read_settings_of
from sitemap_plugins.formats.problems import Problem, Problems
from sitemap_plugins.site.published_site import read_site
from tests.check.examples import complete
from tests.check.sites import find, write

X = "https://docs.example.org/"


def canonical(path: str) -> str:
    return f'<link rel="canonical" href="{X}{path}">'


def test_canonical_links_without_the_folder_of_the_language_have_one_cause(tmp_path: Path) -> None:
    files = {
        "versions.json": '[{"version": "dev", "title": "dev", "aliases": []}]',
        "en/a/index.html": canonical("a/"),
        "de/b.html": canonical("b.html"),
        "dev/en/a/index.html": canonical("dev/a/"),
        "dev/c/index.html": canonical("dev/gone/"),
    }
    findings = [each for each in find(tmp_path, complete(files)) if each.rule == "canonical-target"]
    assert [(each.cause, sorted(hit.file for hit in each.hits)) for each in findings] == [
        ("dev/", ["dev/c/index.html"]),
        ("without the language", ["de/b.html", "dev/en/a/index.html", "en/a/index.html"]),
    ]


def test_canonical_links_from_translations_to_originals_have_one_cause_in_each_version(tmp_path: Path) -> None:
    def page(language: str, text: str, link: str = "") -> str:
        return f'<html lang="{language}"><head>{canonical(link) if link else ""}</head><body>{text * 9}</body></html>'

    english, german = "<p>All settings have a default.</p>", "<p>Alle Einstellungen haben einen Vorgabewert.</p>"
    files = {
        "versions.json": '[{"version": "dev", "title": "dev", "aliases": []}]',
        "a.html": page("en", english),
        "de/a.html": page("en", german, "a.html"),  # the theme has lang="en" in all languages
        "en/b.html": page("en", english),
        "de/b.html": page("de", german, "en/b.html"),
        "dev/en/a.html": page("en", english),
        "dev/de/a.html": page("de", german, "dev/en/a.html"),
        "de/c.html": page("de", english + "<p>Alle haben einen.</p>", "a.html"),
    }
    findings = [each for each in find(tmp_path, complete(files)) if each.rule == "canonical-translation"]
    assert [(each.cause, [(hit.file, hit.found) for hit in each.hits]) for each in findings] == [
        ("dev/", [("dev/de/a.html", f"{X}dev/en/a.html: they share 0% of their text")]),
        ("the site", [("de/b.html", f"{X}en/b.html: they share 0% of their text")]),
        ("without the language", [("de/a.html", f"{X}a.html: they share 0% of their text")]),
    ]


def test_canonical_links_with_another_scheme_and_host_name_both_urls(tmp_path: Path) -> None:
    links = {f"{name}.html": f'<link rel="canonical" href="http://old.example.net/{name}.html">' for name in "abc"}
    (finding,) = [each for each in find(tmp_path, complete(links)) if each.rule == "base-url"]
    assert finding.cause == "http://old.example.net/→https://docs.example.org/"


def test_a_finding_is_the_same_when_some_of_its_places_are_fixed(tmp_path: Path) -> None:
    entries = [f"<url><loc>{X}{path}</loc></url>" for path in ("", "a/x/1/", "a/x/2/", "a/3/", "b/4/")]
    before: list[str] = []
    causes: list[str] = []
    for last in (5, 4, 3):
        (finding,) = find(tmp_path, complete({"sitemap.xml": "\n".join(entries[:last])}))
        before.append(finding.fingerprint)
        causes.append(finding.cause)
    assert len({*before}) == 1
    assert causes == ["the site", "a/", "a/x/"]


def test_of_too_many_problems_the_first_of_each_cause_is_kept_and_all_are_counted() -> None:
    problems = Problems(3)
    for line, cause in enumerate("aabaabca", 1):
        problems.add(Problem(kind="language-code", line=line, column=1, cause=cause))
    assert [(each.line, each.cause, each.more) for each in problems.kept] == [
        (1, "a", 0),
        (2, "a", 3),
        (3, "b", 1),
        (7, "c", 0),
    ]


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
