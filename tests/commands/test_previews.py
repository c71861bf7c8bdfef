"""Folders with previews of changes are never the site: no command lists, keeps, changes or misses them."""

from __future__ import annotations

import json
import shutil
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


def listed(folder: str = "", *more: str) -> Files:
    urls = [f"{X}{folder}{name}" for name in (*NAMES, *more)]
    return {f"{folder}sitemap.xml": sitemap_of({url: {} for url in urls})}


def findings(folder: Path, *options: str) -> dict[str, list[tuple[str, str]]]:
    """The files of the findings of ``check`` on previews, listing and versions, by rule, each with what was found."""
    report = ask("check", folder, "--level", "info", *options)
    return {
        each["rule"]: [(hit["file"], hit["found"] or "") for hit in each["hits"]]
        for each in report["findings"]
        if each["rule"] not in {"robots-without-sitemap", "no-base-url"}
    }


PREVIEW = "pr-preview/pr-5251/"
LEFT = {**site(), **listed()}
OPEN = [(f"{PREVIEW}index.html", "3 pages may be indexed")]
HOST_FILE = "/pr-preview/*\n  X-Robots-Tag: noindex\n"
BLOCK = f"User-agent: *\nDisallow: /pr-preview/\nSitemap: {X}sitemap.xml\n"

# The files, and what `check` finds.
CHECKED: dict[str, tuple[Files, dict[str, list[tuple[str, str]]]]] = {
    "no sitemap": ({**LEFT, **site(PREVIEW)}, {"preview-indexable": OPEN}),
    "another name": ({**LEFT, **site("PR_7/")}, {"preview-indexable": [("PR_7/index.html", "3 pages may be indexed")]}),
    "its own sitemap": ({**LEFT, **site(PREVIEW), **listed(PREVIEW)}, {"preview-indexable": OPEN}),
    "an error page": ({**LEFT, **site(PREVIEW), **site(PREVIEW, ("404.html",))}, {"preview-indexable": OPEN}),
    "two previews": (
        {**LEFT, **site("pr-1/"), **site("pr-2/", ("", "a.html"))},
        {
            "preview-indexable": [
                ("pr-1/index.html", "3 pages may be indexed"), ("pr-2/index.html", "2 pages may be indexed")
            ]
        },
    ),
    "noindex": ({**LEFT, **site(PREVIEW, head=NOINDEX), **listed(PREVIEW)}, {}),
    "one page without noindex": (
        {**LEFT, **site(PREVIEW, head=NOINDEX), **site(PREVIEW, ("b.html",))},
        {"preview-indexable": [(OPEN[0][0], "1 page may be indexed")]},
    ),
    "noindex by the host": ({**LEFT, **site(PREVIEW), "_headers": HOST_FILE}, {}),
    "canonical links to the site": ({**LEFT, **site(PREVIEW, base=X)}, {}),
    "canonical links to a page of the site that is not there yet": (
        {**LEFT, **site(PREVIEW, (*NAMES, "new.html"), base=X)}, {}
    ),
    "canonical links inside the preview": (
        {**LEFT, **site(PREVIEW), f"{PREVIEW}b.html": page(f"{X}{PREVIEW.rstrip('/')}")}, {"preview-indexable": OPEN}
    ),
    "blocked": ({**LEFT, **site(PREVIEW), "robots.txt": BLOCK}, {}),
    "blocked, with noindex": ({**LEFT, **site(PREVIEW, head=NOINDEX), "robots.txt": BLOCK}, {}),
    "listed": (
        {**site(), **listed("", f"{PREVIEW}a.html"), **site(PREVIEW, head=NOINDEX)},
        {"listed-preview": [("sitemap.xml", "")]},
    ),
    "its sitemap is announced": (
        {**LEFT, **site("pr-1/", head=NOINDEX), **listed("pr-1/"), "robots.txt": f"Sitemap: {X}pr-1/sitemap.xml\n"},
        {"listed-preview": [("pr-1/sitemap.xml", "")] * 3},
    ),
    "nothing else": (
        {f"pr-{at}/{name}": page() for at in (1, 2) for name in ("index.html", *map("{}.html".format, range(9 + at)))},
        {
            "preview-indexable": [
                ("pr-1/index.html", "11 pages may be indexed"), ("pr-2/index.html", "12 pages may be indexed")
            ]
        },
    ),
    "beside a development version": (
        {**LEFT, **site("dev/"), **listed("dev/"), **site("pull595/")},
        {
            "competing-versions": [("dev/a.html", "3 pages may be indexed beside the same at the root")],
            "preview-indexable": [("pull595/index.html", "3 pages may be indexed")],
        },
    ),
    "beside two development versions, one of them with noindex": (
        {**LEFT, **site("main/"), **listed("main/"), **site("next/", head=NOINDEX), **listed("next/")},
        {"competing-versions": [("main/a.html", "3 pages may be indexed beside the same at the root")]},
    ),
    "inside a version": (
        {**site("stable/"), **site("stable/pr-1/"), "index.html": '<meta http-equiv="refresh" content="0; url=stable/">'},
        {"preview-indexable": [("stable/pr-1/index.html", "3 pages may be indexed")]},
    ),
    "a version at the root": (
        {
            **LEFT, **site("1.0/"),
            "switcher.json": json.dumps([{"version": "2.0", "url": X}, {"version": "1.0", "url": f"{X}1.0/"}]),
        },
        {},
    ),
    "a development version alone": ({**site(names=("",)), **site("dev/"), **listed("dev/")}, {}),
}  # fmt: skip


@pytest.mark.parametrize("name", CHECKED)
def test_check_gives_no_advice_to_list_or_announce_a_preview(name: str, tmp_path: Path) -> None:  # PRE-01
    files, expected = CHECKED[name]
    assert findings(write(tmp_path, files), "--base-url", X) == expected


def test_below_a_path_robots_txt_blocks_no_preview(tmp_path: Path) -> None:
    base = "https://me.github.io/proj/"
    files = {**site(base=base), **site(PREVIEW, base=f"{base}{PREVIEW}"), "robots.txt": BLOCK}
    assert findings(write(tmp_path, files)) == {"preview-indexable": OPEN}


@pytest.mark.parametrize("marks", [{}, listed(PREVIEW), {"versions.json": '[{"version": "pr-preview/pr-5251"}]'}])
def test_build_leaves_previews_out_and_counts_them_together(marks: Files, tmp_path: Path) -> None:
    more = {f"{PREVIEW}404.html": page(), f"{PREVIEW}old.html": page(f"{X}a.html"), f"{PREVIEW}x.pdf": "", "y.pdf": ""}
    more |= {f"{PREVIEW}fr/index.html": page(), f"{PREVIEW}fr/sitemap.xml": sitemap_of({})}
    folder = write(tmp_path / "site", {**site(), **site(PREVIEW), **more, **marks})
    (tmp_path / "sitemap.toml").write_text('files = ["*.pdf"]')
    said = run("build", folder, "--project", tmp_path).output
    assert "sitemap.xml: 4 URLs, 0 with a date; left out: 6 preview pages" in said
    assert PREVIEW not in (folder / "sitemap.xml").read_text()


def test_a_build_of_the_folder_of_a_preview_is_a_build(tmp_path: Path) -> None:
    folder = write(tmp_path, {**site(), **site(PREVIEW)}) / PREVIEW
    assert "sitemap.xml: 3 URLs" in run("build", folder).output
    assert findings(folder) == {}


def test_a_redirect_to_versions_beside_a_preview_is_no_site(tmp_path: Path) -> None:
    home = {"index.html": '<!doctype html><meta http-equiv="refresh" content="0; url=1.0/">'}
    versions = {"versions.json": json.dumps([{"version": each, "aliases": []} for each in ("1.0", "pr-1")])}
    folder = write(tmp_path, {**home, **versions, **site("1.0/"), **site("pr-1/")})
    assert "contains versions that are built separately, such as 1.0: run" in refusal("build", folder, status=1)


def test_why_says_that_a_page_is_in_a_preview(tmp_path: Path) -> None:
    folder = write(tmp_path, {**LEFT, **site(PREVIEW), **listed(PREVIEW)})
    said = run("why", f"{PREVIEW}a.html", folder).output
    assert "listed: by no sitemap\na build would leave it out: preview page\ncanonical link: to itself\n" in said


@pytest.mark.parametrize("also", [{}, site("dev/"), site("pr-9/", head=NOINDEX)])
def test_a_deleted_preview_is_no_loss(also: Files, tmp_path: Path) -> None:
    more = {"pull595/old.html": '<!doctype html><meta http-equiv="refresh" content="0; url=../a.html">', **also}
    old, record = write(tmp_path / "old", {**site(), **site("pull595/"), **more}), tmp_path / "old/sitemap-record.json"
    (tmp_path / "sitemap.toml").write_text('record = "sitemap-record.json"')
    assert run("build", old, "--project", tmp_path).exit_code == 0
    record.rename(tmp_path / "record.json")
    new = shutil.copytree(old, tmp_path / "new")
    shutil.rmtree(new / "pull595")
    for before in (old, tmp_path / "record.json"):
        report = ask("diff", before, new)
        assert (report["findings"], report["added"]) == ([], [])
    assert ask("diff", new, old)["added"] == []
    (tmp_path / "sitemap.toml").write_text('previous_record = "record.json"\nrecord = "sitemap-record.json"')
    assert "gone" not in run("build", new, "--project", tmp_path).output


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
