"""Folders with previews of changes are never the site: no command lists, keeps, changes or misses them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.commands.test_address import ask, page, write
from tests.commands.test_merge import contents, refusal, run
from tests.published_root import sitemap_of

X = "https://docs.example.org/"
NAMES = ("", "a.html", "b.html")
NOINDEX = '<meta name="robots" content="noindex">'

Files = Mapping[str, str]


def site(folder: str = "", names: tuple[str, ...] = NAMES, head: str = "", base: str | None = None) -> Files:
    """The pages of a build in a folder, with canonical links below a URL, by default its own, or with another head."""
    base = f"{X}{folder}" if base is None else base
    return {
        f"{folder}{name or 'index.html'}": page("" if head else f"{base}{name}").replace("</head>", f"{head}</head>")
        for name in names
    }


def listed(folder: str = "") -> Files:
    urls = [f"{X}{folder}{name}" for name in NAMES]
    return {f"{folder}sitemap.xml": sitemap_of({url: {} for url in urls})}


PREVIEW = "pr-preview/pr-5251/"


VERSIONED: dict[str, tuple[Files, str]] = {
    "stable": ({**site("stable/"), **listed("stable/"), **site("1.0/"), **site("dev/")}, "stable"),
    "latest": ({**site("latest/"), **listed("latest/"), **site("1.0/")}, "latest"),
    "a number": ({**site("2.0/"), **listed("2.0/"), **site("1.0/")}, "2.0"),
    "a development version alone": ({**site("dev/"), **listed("dev/")}, "dev"),
    "one below a landing page": (
        {
            **site("dev/"), **listed("dev/"), "index.html": page(),
            **{f"{folder}{name}.html": page() for folder in ("", "dev/") for name in ("404", "search", "genindex")},
        },
        "dev",
    ),
    "one with a single page, below another": ({**site("dev/", ("",)), **listed("dev/"), "index.html": page()}, "dev"),
    "one below a redirect": (
        {**site("dev/"), **listed("dev/"), **site(), "index.html": '<meta http-equiv="refresh" content="0; url=dev/">'},
        "dev",
    ),
    "one below pages without a home page": ({**site("dev/"), **listed("dev/"), **site(names=("a.html",))}, "dev"),
    "one with other pages than the root": (
        {**site("dev/", ("", "a.html", "c.html", "d.html")), **listed("dev/"), **site()}, "dev",
    ),
    "a pre-release called preview": ({**site("preview/"), **listed("preview/")}, "preview"),
}  # fmt: skip


@pytest.mark.parametrize("name", VERSIONED)
def test_what_is_kept_beside_previews_stays_the_same(name: str, tmp_path: Path) -> None:
    files, kept = VERSIONED[name]
    previews = {**site("pr-1/", base=X), **listed("pr-1/"), **site("previews/PR7/"), **listed("previews/PR7/")}
    folder = write(tmp_path / "with", {**files, **previews})
    before = contents(folder)
    alone, beside = (ask("merge", each, "--retire") for each in (write(tmp_path / "without", files), folder))
    assert [each["folder"] for each in beside["versions"] if each["is_kept"]] == [kept]
    assert sorted(beside["remarks"]) == sorted([*alone["remarks"], "2 previews, such as pr-1"])
    assert {**beside, "remarks": alone["remarks"]} == alone
    after = contents(folder)
    assert {path: after[path] for path in previews} == {path: before[path] for path in previews}
    assert b"pr-1" not in after["sitemap.xml"]
    has_danger = f"{kept} is kept, but is a" in "".join(beside["dangers"])
    assert has_danger == (kept in {"dev", "preview"})


def test_previews_are_one_line_whatever_lists_them(tmp_path: Path) -> None:
    files = {**site("2.0/"), **listed("2.0/"), **site("1.0/")}
    for number in range(1195, 1220):
        files |= site(f"previews/PR{number}/")
    folder = write(tmp_path, files)
    names = ["2.0", "1.0", *(f"previews/PR{number}" for number in range(1195, 1198))]
    (folder / "versions.json").write_text(json.dumps([{"version": each, "aliases": []} for each in names]))
    for options in ((), ("--layout", "{version}")):
        lines = run("merge", folder, "--dry-run", *options).output.splitlines()
        assert [line for line in lines if "PR" in line] == ["left out: 25 previews, such as previews/PR1195"]
    said = refusal("retire", folder, "--layout", "previews/{version}", status=1)
    assert said.endswith("which no folder matches; left out: 25 previews, such as previews/PR1195")


ONLY = {**site("pr-2672/"), **listed("pr-2672/"), **site("pr-2704/"), **listed("pr-2704/")}
WHY = (
    "has only previews, such as pr-2672, which search engines should not show: publish the site itself there, or keep "
    "one with --keep pr-2672"
)


@pytest.mark.parametrize("command", ["merge", "retire"])
@pytest.mark.parametrize("options", [(), ("--layout", "{version}"), ("--dry-run",)])
def test_nothing_but_previews_is_refused(command: str, options: tuple[str, ...], tmp_path: Path) -> None:
    folder = write(tmp_path / "site", ONLY)
    before = contents(folder)
    assert refusal(command, folder, *options, status=1) == f"Error: {folder} {WHY}"
    assert contents(folder) == before


def test_a_preview_that_the_author_names_is_kept(tmp_path: Path) -> None:
    folder = write(tmp_path, ONLY)
    report = ask("merge", folder, "--keep", "pr-2704")
    assert [each["folder"] for each in report["versions"]] == ["pr-2704"]
    assert [(each["folder"], each["pages"]) for each in report["listed"]] == [("pr-2704", 3)]
    assert report["remarks"][0] == "1 preview, such as pr-2672"
    assert report["dangers"] == ["pr-2704 is kept, but is a development version"]
    assert ask("merge", folder, "--keep", "pr-2704")["changed"] == []
    nested = write(tmp_path / "nested", {**site("previews/PR7/"), **site("previews/PR8/"), **site("1.0/")})
    report = ask("retire", nested, "--keep", "PR8", "--dry-run")
    assert [(each["folder"], each["is_kept"]) for each in report["versions"]] == [
        ("previews/PR8", True), ("1.0", False)
    ]  # fmt: skip


def test_languages_are_merged_without_those_of_previews(tmp_path: Path) -> None:
    def both(start: str) -> Files:
        pages = {f"{start}{code}/index.html": page().replace("lang=en", f"lang={code}") for code in ("en", "fr")}
        maps = {f"{start}{code}/sitemap.xml": sitemap_of({f"{X}{start}{code}/": {}}) for code in ("en", "fr")}
        return {**pages, **maps}

    folder = write(tmp_path, {**both(""), **both(PREVIEW), f"{PREVIEW}index.html": page(), "index.html": page()})
    report = ask("merge", folder)
    assert {each["folder"] for each in report["languages"]} == {"en", "fr"}
    assert report["changed"] == ["en/sitemap.xml", "fr/sitemap.xml", "robots.txt"]
    assert report["remarks"][-1] == "left out: 1 preview, such as pr-preview/pr-5251"


BESIDE = (
    "the site at the root has most pages of dev, and no version is a release, so search engines should show the root, "
    "and there is nothing to merge or retire: give dev/ a noindex if it has none, or keep it with --keep dev"
)
ROOT: dict[str, Files] = {
    "indexable": {**site(), **listed(), **site("dev/"), **listed("dev/")},
    "with noindex": {**site(), **listed(), **site("dev/", head=NOINDEX), **listed("dev/")},
    "half of the pages": {**site(names=("", "a.html")), **site("dev/"), **listed("dev/")},
    "beside a preview": {**site(), **site("dev/"), **listed("dev/"), **site("pull595/"), **listed("pull595/")},
    "with a preview in it": {
        **site(), **site("dev/"), **listed("dev/"), **site("dev/pr-1/", (*NAMES, *map("{}.html".format, range(3))))
    },
    "beside another development version": {**site(), **site("dev/"), **listed("dev/"), **site("canary/", ("",))},
}  # fmt: skip


@pytest.mark.parametrize("command", ["merge", "retire", "merge --retire"])
@pytest.mark.parametrize("name", ROOT)
def test_a_site_at_the_root_is_shown_instead_of_a_development_version(name: str, command: str, tmp_path: Path) -> None:
    folder = write(tmp_path, ROOT[name])
    before = contents(folder)
    assert refusal(*command.split(), folder, status=1) == f"Error: {BESIDE}"
    assert contents(folder) == before
    report = ask(*command.split(), folder, "--keep", "dev")
    assert [each["folder"] for each in report["versions"] if each["is_kept"]] == ["dev"]


def test_the_preview_beside_a_release_does_not_matter_to_the_root(tmp_path: Path) -> None:
    """A release, even an old one, is kept as before."""
    folder = write(tmp_path, {**site(), **site("dev/"), **listed("dev/"), **site("1.0/"), **listed("1.0/")})
    report = ask("merge", folder)
    assert [each["folder"] for each in report["versions"] if each["is_kept"]] == ["1.0"]


def test_the_sitemap_of_a_site_in_a_folder_with_previews_stays(tmp_path: Path) -> None:
    """As it lists only pages in ``docs``, it might be taken for that of versions in ``docs``."""
    folder = write(tmp_path, {**site("docs/"), **site("docs/pr-1/"), **site(names=("",), head=NOINDEX)})
    assert run("build", folder, "--base-url", X).exit_code == 0
    own = (folder / "sitemap.xml").read_bytes()
    write(folder, {**site("1.0/"), **listed("1.0/")})
    assert "sitemap-versions.xml" in ask("merge", folder)["changed"]
    assert (folder / "sitemap.xml").read_bytes() == own
