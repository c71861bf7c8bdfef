"""``sitemap-plugins merge`` on versions: the root lists the canonical pages, and everything else is unchanged."""

from __future__ import annotations

import gzip
import json
import shlex
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.formats.sitemap_reading import read_sitemap
from sitemap_plugins.html.head import read_markup
from sitemap_plugins.options.settings import Limits, Settings
from sitemap_plugins.published.addresses import file_at
from sitemap_plugins.published.tree import Tree
from tests.commands.test_merge import OPEN, X, changed, contents, refusal, run

PAGES = ("", "a/", "b/")


class Build(NamedTuple):
    """One published version: its folder, its pages, and the URL in its sitemap and canonical links."""

    folder: str
    pages: Sequence[str] = PAGES
    url: str | None = None
    lang: str = "en"
    head: str = ""
    lastmod: str = "2026-01-02"

    @property
    def base(self) -> str:
        return f"{X}{self.folder}/" if self.url is None else self.url


def publish(root: Path, *builds: Build) -> Path:
    for build in builds:
        for page in build.pages:
            path = root / build.folder / page / "index.html"
            path.parent.mkdir(parents=True, exist_ok=True)
            canonical = f'<link rel="canonical" href="{build.base}{page}">'
            path.write_text(f'<html lang="{build.lang}"><head>{canonical}{build.head}</head><p>{build.folder} {page}')
        urls = "".join(
            f"\n<url><loc>{build.base}{page}</loc><lastmod>{build.lastmod}</lastmod></url>" for page in build.pages
        )
        (root / build.folder / "sitemap.xml").write_text(f"{OPEN}{urls}\n</urlset>\n")
    return root


def announced(root: Path, name: str = "sitemap.xml") -> list[str]:
    content = (root / name).read_bytes()
    assert gzip.decompress((root / f"{name}.gz").read_bytes()) == content
    return [entry.loc for entry in read_sitemap(content)]


def merge(root: Path, *arguments: str) -> list[str]:
    """Merge twice, since a second run must change nothing; return the output with single spaces."""
    result = run("merge", root, *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "nothing to change" in run("merge", root, *arguments).stdout.splitlines()
    return [" ".join(line.split()) for line in result.stdout.splitlines()]


def urls(version: str, pages: Iterable[str] = PAGES) -> list[str]:
    return [f"{X}{version}/{page}" for page in pages]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three releases, a pre-release and a development version."""
    path = publish(
        tmp_path / "site",
        Build("1.0", ("", "a/", "old/")),
        Build("2.0", ("", "a/", "b/", "older/")),
        Build("3.0", lastmod="2026-03-04T05:06:07+00:00"),
        Build("4.0rc1"),
        Build("dev"),
    )
    (path / "index.html").write_text('<meta http-equiv="refresh" content="0; url=3.0/">')
    return path


def test_the_root_lists_the_canonical_version(root: Path) -> None:
    before = contents(root)
    assert merge(root) == [
        "version folder stage known by canonical",
        "dev dev development folder name",
        "4.0rc1 4.0rc1 pre-release folder name",
        f"3.0 3.0 release folder name {X}3.0/ (newest release)",
        "2.0 2.0 release folder name",
        "1.0 1.0 release folder name",
        "(no version) . redirects to 3.0/ home page",
        "3.0: 3 pages listed at the root",
        "dev: 3 pages in its own sitemap; not announced",
        "4.0rc1: 3 pages in its own sitemap; not announced",
        "2.0: 4 pages in its own sitemap; not announced",
        "1.0: 3 pages in its own sitemap; not announced",
        "changed: sitemap.xml, sitemap.xml.gz, robots.txt",
    ]
    assert changed(before, contents(root)) == {"sitemap.xml", "sitemap.xml.gz", "robots.txt"}
    assert announced(root) == urls("3.0")
    assert "<lastmod>2026-03-04T05:06:07" in (root / "sitemap.xml").read_text()
    assert f"Sitemap: {X}sitemap.xml\n" in (root / "robots.txt").read_text()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--keep", "2.0"], urls("2.0", ("", "a/", "b/", "older/"))),
        (["--versions", "newest:2"], [*urls("2.0", ("", "a/", "b/", "older/")), *urls("3.0")]),
        (["--with-removed"], [f"{X}1.0/old/", f"{X}2.0/older/", *urls("3.0")]),
        (["--keep", "2.0", "--versions", "newest:1"], [*urls("2.0", ("", "a/", "b/", "older/")), *urls("3.0")]),
        (
            ["--versions", "all"],
            [
                *urls("1.0", ("", "a/", "old/")),
                *urls("2.0", ("", "a/", "b/", "older/")),
                *urls("3.0"),
                *urls("4.0rc1"),
                *urls("dev"),
            ],
        ),
    ],
)
def test_which_versions_are_listed(root: Path, arguments: list[str], expected: list[str]) -> None:
    merge(root, *arguments)
    assert announced(root) == sorted(expected)


@pytest.mark.parametrize("option", ["--with-removed", "--versions=all", "--versions=newest:2"])
def test_a_version_to_list_without_a_sitemap_is_named_with_the_command_that_writes_one(root: Path, option: str) -> None:
    (root / "2.0/sitemap.xml").unlink()
    result = run("merge", root, option)
    command = f"sitemap-plugins build {shlex.quote(f'{root}/2.0')} --base-url {X}2.0/ writes one"
    message = f"problem: 2.0 has no usable sitemap, so its pages are not listed: {command}\n"
    assert (result.exit_code, result.stderr) == (1, message)
    assert set(urls("3.0")) <= {*announced(root)}
    merge(root)  # the kept version alone needs one


def test_a_page_that_has_moved_in_the_kept_version_is_not_a_removed_one(tmp_path: Path) -> None:
    root = publish(tmp_path, Build("1.0", ("", "a/", "old/")), Build("2.0", ("", "reference/a/")))
    link = "../reference/a/"
    (root / "2.0/a").mkdir()
    (root / "2.0/a/index.html").write_text(
        f'<link rel="canonical" href="{link}"><meta http-equiv="refresh" content="0; url={link}">'
    )
    lines = merge(root, "--with-removed")
    assert "1.0: 1 page that no newer version has listed at the root" in lines
    assert announced(root) == [f"{X}1.0/old/", *urls("2.0", ("", "reference/a/"))]


@pytest.fixture
def canonical_stable(tmp_path: Path) -> Path:
    """Three releases as mike publishes them with ``canonical_version: stable``: all list the URLs of the newest."""
    stable = f"{X}stable/"
    root = publish(
        tmp_path / "site",
        Build("1.0", ("", "a/", "old/"), stable, lastmod="2025-01-01"),
        Build("2.0", ("", "a/", "older/"), stable, lastmod="2025-02-02"),
        Build("3.0", ("", "b/"), stable),
    )
    shutil.copytree(root / "3.0", root / "stable")
    listed = [
        {"version": name, "title": name, "aliases": ["stable"] * (name == "3.0")} for name in ("3.0", "2.0", "1.0")
    ]
    (root / "versions.json").write_text(json.dumps(listed))
    return root


def test_pages_of_old_versions_need_retire_if_their_canonical_links_lead_nowhere(canonical_stable: Path) -> None:
    result = run("merge", canonical_stable, "--with-removed")
    assert result.exit_code == 1
    assert result.stderr == (
        f"problem: 2.0/a/index.html has a canonical link to {X}stable/a/, which does not exist, so it was not listed "
        "(and 2 more pages): mike's canonical_version writes such links, and sitemap-plugins retire corrects them; run "
        "it, and then this command again\n"
    )
    assert announced(canonical_stable) == urls("stable", ("", "b/"))


def test_a_page_that_its_author_points_to_a_renamed_one_needs_nothing(tmp_path: Path) -> None:
    root = publish(tmp_path, Build("1.0", ("", "old-name/")), Build("2.0", ("", "new-name/")))
    page = root / "1.0/old-name/index.html"
    page.write_text(page.read_text().replace(f"{X}1.0/old-name/", f"{X}2.0/new-name/"))
    merge(root, "--versions", "all")
    assert announced(root) == [f"{X}1.0/", *urls("2.0", ("", "new-name/"))]


def test_a_further_kept_version_is_not_one_that_retire_corrects(canonical_stable: Path) -> None:
    run("retire", canonical_stable, "--keep", "stable", "--keep", "2.0")
    result = run("merge", canonical_stable, "--keep", "stable", "--keep", "2.0", "--versions", "all")
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_page_that_only_a_further_kept_version_has_is_listed_there(tmp_path: Path) -> None:
    root = publish(tmp_path, Build("1.0", ("", "x/")), Build("2.0", ("",)), Build("dev", ("", "x/")))
    merge(root, "--keep", "2.0", "--keep", "dev", "--with-removed")
    assert announced(root) == [f"{X}2.0/", f"{X}dev/x/"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], []),
        (["--with-removed"], [f"{X}1.0/old/", *urls("2.0", ("a/", "older/"))]),
        (["--versions", "newest:2"], urls("2.0", ("a/", "older/"))),
    ],
)
def test_pages_that_only_old_versions_have_are_listed_below_the_urls_of_these(
    canonical_stable: Path, arguments: list[str], expected: list[str]
) -> None:
    assert run("retire", canonical_stable).exit_code == 0
    own = {name: content for name, content in contents(canonical_stable).items() if "/" in name}
    merge(canonical_stable, *arguments)
    assert announced(canonical_stable) == [*expected, *urls("stable", ("", "b/"))]
    dates = {
        entry.loc: str(entry.lastmod)[:10] for entry in read_sitemap((canonical_stable / "sitemap.xml").read_bytes())
    }
    assert dates.get(f"{X}2.0/older/", "2025-02-02") == "2025-02-02"
    assert dates.get(f"{X}1.0/old/", "2025-01-01") == "2025-01-01"
    assert {name: content for name, content in contents(canonical_stable).items() if "/" in name} == own


def test_after_the_next_release_one_run_brings_the_root_up_to_date(root: Path) -> None:
    merge(root)
    publish(root, Build("3.1", ("", "new/")))
    assert "changed: sitemap.xml, sitemap.xml.gz" in merge(root)
    assert announced(root) == urls("3.1", ("", "new/"))


def test_unneeded_parts_of_the_sitemap_are_removed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(root)
    with monkeypatch.context() as patch:
        patch.setattr("sitemap_plugins.merge.root.Settings", partial(Settings, limit=Limits(urls=1)))
        merge(root)
    parts = {name for name in contents(root) if "/" not in name and name.startswith("sitemap-")}
    assert len(parts) >= 6  # including a .gz for each
    closed = root / "3.0/index.html", root / "3.0/a/index.html", root / "3.0/b/index.html"
    texts = [page.read_text() for page in closed]
    for page in closed:
        page.write_text("<meta name=robots content=noindex>")
    assert run("merge", root, "--keep", "3.0").stdout.splitlines()[-1] == "nothing to change"
    for page, text in zip(closed, texts, strict=True):
        page.write_text(text)
    own = min(parts)
    (root / own).write_text(f"{OPEN}<url><loc>{X}3.0/</loc></url></urlset>")
    parts -= {own}
    assert run("merge", root, "--dry-run").stdout.splitlines()[-1].count("sitemap-") == len(parts)
    merge(root)
    assert changed(before, contents(root)) == {"sitemap.xml", "sitemap.xml.gz", "robots.txt", own}
    assert announced(root) == urls("3.0")


def test_a_version_without_a_sitemap_is_recognized_if_the_root_has_one(root: Path) -> None:
    (root / "1.0/sitemap.xml").unlink()
    first = merge(root)
    assert merge(root)[:-1] == first[:-1]
    assert any(line.startswith("1.0 1.0 release") for line in first)


def test_only_existing_indexable_pages_are_listed(tmp_path: Path) -> None:
    root = publish(tmp_path, Build("1.0"), Build("2.0", ("", "a/", "b/", "gone/", "closed/", "moved/")))
    (root / "2.0/gone/index.html").unlink()
    (root / "2.0/closed/index.html").write_text('<title>c</title><meta name="robots" content="noindex">')
    (root / "2.0/moved/index.html").write_text(f'<title>m</title><link rel="canonical" href="{X}1.0/a/">')
    lines = merge(root)
    assert announced(root) == urls("2.0")
    assert "listed by the versions but missing: 1" in lines
    assert any(line.startswith("left out: 2 (1 canonical elsewhere, 1 noindex), such as 2.0/closed/") for line in lines)


OWN = '<meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.7">'


@pytest.mark.parametrize(
    ("paths", "beside", "danger"),
    [
        pytest.param(["", "3.0/", "3.0/b/index.html"], urls("3.0", ["a/"]), "", id="some pages of the kept version"),
        pytest.param(["", *(f"3.0/{path}" for path in PAGES)], [], "", id="all its pages"),
        pytest.param(
            ["", "3.0/", "2.0/", "2.0/older/", "1.0/old/"],
            urls("3.0", ["a/", "b/"]),
            f"danger: sitemap.xml lists 3 pages of versions that are not kept, such as {X}2.0/: run sitemap-plugins build ",
            id="old versions",
        ),
        pytest.param(["", "3.0.html", "2.0-news/"], urls("3.0"), "", id="a landing page"),
    ],
)
def test_pages_in_the_root_s_own_sitemap_are_not_listed_again(
    root: Path, paths: Sequence[str], beside: Sequence[str], danger: str
) -> None:
    before = contents(publish(root, Build("", ("",), X, head=OWN)))
    merge(root)
    assert changed(before, contents(root)) == {"sitemap-versions.xml", "sitemap-versions.xml.gz", "robots.txt"}
    locs = "".join(f"<url><loc>{X}{path}</loc></url>" for path in paths)
    (root / "sitemap.xml").write_text(own := f"{OPEN}{locs}</urlset>")
    lines = merge(root)
    assert (root / "sitemap.xml").read_text() == own
    assert (root / "sitemap-versions.xml").exists() == (root / "sitemap-versions.xml.gz").exists() == bool(beside)
    assert not beside or announced(root, "sitemap-versions.xml") == beside
    robots = (root / "robots.txt").read_text()
    assert f"Sitemap: {X}sitemap.xml\n" in robots
    assert (f"Sitemap: {X}sitemap-versions.xml\n" in robots) is bool(beside)
    dangers = [line for line in lines if line.startswith("danger: sitemap.xml lists")]
    assert dangers == ([danger + shlex.quote(str(root))] if danger else [])


@pytest.mark.parametrize(
    ("target", "options", "leads_to"),
    [
        pytest.param("1.0/a/", (), "1.0", id="an old version"),
        pytest.param(f"{X}latest/", ("--retire",), "latest", id="an alias of one"),
        pytest.param("dev/", ("--keep", "2.0"), "dev", id="a development version"),
        pytest.param("3.0/", (), "", id="the kept version"),
        pytest.param("stable/", (), "", id="an alias of it"),
        pytest.param("latest/", ("--keep", "3.0", "--keep", "2.0"), "", id="another kept version"),
        pytest.param("fr/", (), "", id="a language"),
    ],
)
def test_a_home_page_that_redirects_to_a_version_that_is_not_kept_is_a_danger(
    root: Path, target: str, options: tuple[str, ...], leads_to: str
) -> None:
    shutil.copytree(root / "3.0", root / "stable")
    shutil.copytree(root / "2.0", root / "latest")
    publish(root, Build("fr/3.0", lang="fr"), Build("fr/2.0", lang="fr"))
    (root / "fr/index.html").write_text('<meta http-equiv="refresh" content="0; url=3.0/">')
    (root / "index.html").write_text(f'<meta http-equiv="refresh" content="0; url={target}">')
    wanted = "2.0" if options == ("--keep", "2.0") else "3.0"
    danger = (
        f"danger: the home page at ROOT redirects to {leads_to}/, which search engines should not show: let it "
        f"redirect to {wanted}/ (with mike: mike set-default {wanted})"
    )
    lines = [line for line in merge(root, *options) if "the home page at ROOT" in line]
    assert lines == ([danger] if leads_to else [])


def test_the_author_s_sitemap_and_crawl_rules_at_the_root_are_kept(root: Path) -> None:
    (root / "sitemap.xml").write_text("<urlset/>")
    (root / "robots.txt").write_text("User-agent: *\nDisallow: /3.0/b/\n")
    merge(root)
    assert (root / "sitemap.xml").read_text() == "<urlset/>"
    assert announced(root, "sitemap-versions.xml") == urls("3.0", ("", "a/"))
    assert (root / "robots.txt").read_text().startswith("User-agent: *\nDisallow: /3.0/b/\n")


def test_a_sitemap_of_one_version_that_the_author_announces_is_named(root: Path) -> None:
    (root / "robots.txt").write_text(f"Sitemap: {X}2.0/sitemap.xml\nSitemap: {X}blog/sitemap.xml\n")
    assert next(line for line in merge(root) if line.startswith("note: robots")) == (
        f"note: robots.txt announces {X}2.0/sitemap.xml, the sitemap of one version: remove that line"
    )
    assert f"Sitemap: {X}2.0/sitemap.xml" in (root / "robots.txt").read_text()


def test_what_a_killed_run_left_in_any_folder_is_removed(root: Path) -> None:
    left = root / "1.0/old/.sitemap-plugins-0123456789abcdef-0.new"
    left.write_text("")
    run("merge", root, "--dry-run")
    assert left.exists()
    run("merge", root)
    assert not left.exists()


@pytest.mark.parametrize("leftover", ["", "an empty sitemap"])
def test_only_the_kept_version_needs_a_sitemap(tmp_path: Path, leftover: str) -> None:
    """Without URLs in the pages, as in versions built without ``site_url``."""
    for name in ("1.0", "2.0"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text("<html lang=en><head><title>a</title></head></html>")
        (tmp_path / name / "search.json").write_text("{}")
    if leftover:
        (tmp_path / "2.0/sitemap.xml").write_text(f"{OPEN}</urlset>")
    assert refusal("merge", tmp_path, status=1) == (
        f"Error: no page or sitemap contains the URL of {tmp_path}: set --base-url, or build the versions with their "
        "URLs (site_url, html_baseurl)"
    )
    first = "remove 2.0/sitemap.xml, and " if leftover else ""
    assert refusal("merge", tmp_path, "--base-url", X, status=1).endswith(
        f" Only the kept version needs a sitemap: {first}sitemap-plugins build {shlex.quote(str(tmp_path / '2.0'))} --base-url {X}2.0/ "
        "writes one"
    )
    (tmp_path / "2.0/sitemap.xml").unlink(missing_ok=True)
    assert run("build", tmp_path / "2.0", "--base-url", f"{X}2.0/").exit_code == 0
    merge(tmp_path, "--base-url", X)
    assert announced(tmp_path) == [f"{X}2.0/"]


class TestWithRetire:
    """``merge --retire`` does what both commands do, one after the other, or nothing."""

    def test_both_are_done(self, root: Path, tmp_path: Path) -> None:
        separate = shutil.copytree(root, tmp_path / "separate")
        retired = run("retire", separate).stdout.splitlines()
        merged = run("merge", separate).stdout.splitlines()
        lines = run("merge", root, "--retire").stdout.splitlines()
        assert contents(root) == contents(separate)
        assert [*lines] == [*retired, "", *(line for line in merged if line not in retired)]
        assert [line for line in run("merge", root, "--retire").stdout.splitlines() if "change" in line] == [
            next(line for line in retired if line.startswith("folder")),
            "nothing to change",
            "nothing to change",
        ]

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (("--retire", "--max-changes", "3"), "Error: 11 pages would change, which is more than --max-changes 3"),
            (("--retire", "--pattern", "x.xml"), "Error: there is no usable sitemap in "),
            (("--max-changes", "3"), "Error: --max-changes and --force are about the pages that --retire changes"),
            (("--force",), "Error: --max-changes and --force are about the pages that --retire changes"),
        ],
    )
    def test_nothing_changes_if_one_of_them_refuses(self, root: Path, options: tuple[str, ...], message: str) -> None:
        before = contents(root)
        result = run("merge", root, *options)
        assert result.exit_code
        assert result.stderr.splitlines()[-1].startswith(message)
        assert contents(root) == before

    def test_a_dry_run_does_not_ask_for_what_it_would_do(self, canonical_stable: Path) -> None:
        options = ("--retire", "--with-removed", "--force")
        dry = run("merge", canonical_stable, *options, "--dry-run")
        assert dry.exit_code == 0, dry.output
        assert "note: pages whose canonical links --retire would correct are not yet counted as listed\n" in dry.stdout
        assert "not yet counted" not in run("merge", canonical_stable, *options).stdout

    def test_a_kept_version_with_few_pages_can_be_forced(self, root: Path) -> None:
        publish(root, Build("5.0", ("",)))
        assert refusal("merge", root, "--retire", status=1).endswith("or --force to continue anyway")
        assert run("merge", root, "--retire", "--force").exit_code == 0


def test_of_many_versions_only_the_most_important_ones_are_shown(tmp_path: Path) -> None:
    for number in range(19):
        publish(tmp_path, Build(f"1.{number}"))
    assert len([line for line in merge(tmp_path) if line.startswith("1.")]) == 2 * 19
    publish(tmp_path, Build("2.0rc1"), Build("main"))
    (tmp_path / "1.3/a/index.html").unlink()
    lines = merge(tmp_path, "--keep", "1.5")
    assert [line.partition(" ")[0] for line in lines] == [
        "version", "main", "1.18", "1.5", "and", "1.5:", "main:", "1.18:", "18", "changed:", "danger:",
    ]  # fmt: skip
    assert lines[4] == "and 18 more versions: 1 pre-release, 17 release (--all shows each)"
    assert lines[8] == "18 more versions: 54 pages in their own sitemaps, 1 of which do not exist; not announced"
    lines = [" ".join(line.split()) for line in run("retire", tmp_path, "--keep", "1.5").stdout.splitlines()]
    assert lines[8:11] == ["main 3 3 3 0 0 0 0 0", "1.18 3 3 3 0 0 0 0 0", "18 more 53 53 53 0 0 0 0 0"]
    assert len(run("merge", tmp_path, "--all").stdout.splitlines()) > 2 * 21


def test_an_unreadable_robots_txt_is_left_alone(root: Path) -> None:
    content = b"Disallow: /\n" * 500_000
    (root / "robots.txt").write_bytes(content)
    result = run("merge", root)
    assert result.exit_code == 1
    assert "problem: robots.txt could not be read, so it was left alone" in result.stderr
    assert announced(root) == urls("3.0")
    assert (root / "robots.txt").read_bytes() == content


def test_languages_are_joined_in_the_kept_version_only(tmp_path: Path) -> None:
    root = publish(
        tmp_path,
        *(Build(f"{lang}/{version}", lang=lang) for lang in ("en", "fr", "de") for version in ("1.0", "2.0", "3.0")),
    )
    before = contents(root)
    assert any(line.endswith("x-default: none") for line in run("merge", root, "--dry-run").stdout.splitlines())
    merge(root, "--x-default", "en")
    kept = {f"{lang}/3.0/sitemap.xml" for lang in ("en", "fr", "de")}
    assert changed(before, contents(root)) == kept | {"sitemap.xml", "sitemap.xml.gz", "robots.txt"}
    entries = read_sitemap((root / "sitemap.xml").read_bytes())
    assert [entry.loc for entry in entries] == sorted(
        f"{X}{lang}/3.0/{page}" for lang in ("de", "en", "fr") for page in PAGES
    )
    for entry in entries:
        page = entry.loc.partition("3.0/")[2]
        assert [(link.hreflang, link.href) for link in entry.alternates] == [
            *((lang, f"{X}{lang}/3.0/{page}") for lang in ("de", "en", "fr")),
            ("x-default", f"{X}en/3.0/{page}"),
        ]
    own = {entry.loc: entry.alternates for name in kept for entry in read_sitemap((root / name).read_bytes())}
    assert own == {entry.loc: entry.alternates for entry in entries}


def links(root: Path) -> dict[str, dict[str, str]]:
    """The links of each page in the sitemap at the root, by language code."""
    entries = read_sitemap((root / "sitemap.xml").read_bytes())
    return {entry.loc: {link.hreflang: link.href for link in entry.alternates} for entry in entries}


def test_the_versions_outside_language_folders_are_in_the_language_of_their_pages(tmp_path: Path) -> None:
    root = publish(
        tmp_path,
        *(Build(version) for version in ("3.12", "3.13")),
        *(Build(f"fr/{version}", lang="fr") for version in ("3.12", "3.13")),
        *(Build(f"pt-br/{version}", lang="pt-BR") for version in ("3.12", "3.13")),
    )
    (root / "3.13/b/index.html").write_text("<html lang=fr><head></head>")
    output = merge(root)
    assert "en 3.13 html lang 3 2 0 0 1" in output
    assert "pages in several languages: 3; links: 28 (before: 0); x-default: en" in output
    homes = {"en": "", "fr": "fr/", "pt-BR": "pt-br/", "x-default": ""}
    for page in ("", "a/"):
        own = {code: f"{X}{folder}3.13/{page}" for code, folder in homes.items()}
        assert [links(root)[loc] for loc in set(own.values())] == [own] * 3
    assert not links(root)[f"{X}3.13/b/"]


@pytest.mark.parametrize(
    ("lang", "why"),
    [
        ("", "have no html lang"),
        ("FR", 'say lang="FR", and fr/2.0/ is in fr too'),
        ("jp", 'say lang="jp", which is not a language code'),
    ],
)
def test_versions_outside_language_folders_whose_language_is_unknown_are_named(
    tmp_path: Path, lang: str, why: str
) -> None:
    builds = [Build(f"{code}/{version}", lang=code) for code in ("de", "fr") for version in ("1.0", "2.0")]
    root = publish(tmp_path, Build("1.0", lang=lang), Build("2.0", lang=lang), *builds)
    output = merge(root)
    assert any(line.startswith(f"note: the pages in 2.0/ {why}") for line in output)
    assert "pages in several languages: 3; links: 12 (before: 0); x-default: none" in output
    assert not links(root)[f"{X}2.0/"]
    named = merge(root, *(f"--language={each}" for each in ("en=2.0", "de=de/2.0", "fr=fr/2.0")))
    assert [line for line in named if "were not linked" in line] == []
    assert links(root)[f"{X}fr/2.0/a/"] == {
        "en": f"{X}2.0/a/",
        "de": f"{X}de/2.0/a/",
        "fr": f"{X}fr/2.0/a/",
    }


def test_languages_are_joined_at_the_urls_of_an_alias_that_is_a_link(tmp_path: Path) -> None:
    bases = {"en": "", "fr": "fr/"}
    for code, base in bases.items():
        url = f"{X}{base}stable/"
        publish(tmp_path, *(Build(f"{base}{version}", url=url, lang=code) for version in ("1.0", "2.0")))
        (tmp_path / base / "stable").symlink_to("2.0")
    merge(tmp_path)
    own = {code: f"{X}{base}stable/a/" for code, base in bases.items()}
    assert links(tmp_path)[own["fr"]] == own | {"x-default": own["en"]}


def test_a_layout_that_only_the_option_describes(tmp_path: Path) -> None:
    root = publish(tmp_path, Build("docs/release-a"), Build("docs/release-b"))
    merge(root, "--layout", "docs/release-{version}", "--keep", "a")
    assert announced(root) == urls("docs/release-a")


def test_versions_with_names(tmp_path: Path) -> None:
    """Likeness makes no versions; the author names them, and those that are releases."""
    pages = ("", *(f"p{number}/" for number in range(9)))
    root = publish(tmp_path, *(Build(name, pages) for name in ("foxy", "humble", "jazzy", "rolling")))
    note = (
        "foxy/, humble/, jazzy/ and rolling/ share most of their pages: if they are versions, use --layout '{version}', "
        "and --releases for the names of releases"
    )
    assert f"note: {note}" in run("merge", root).stdout.splitlines()
    refused = run("retire", root)
    assert (refused.exit_code, refused.stderr.endswith(f"or set --layout; {note}\n")) == (1, True)
    named = ("--layout", "{version}", "--releases", "jazzy, humble,foxy")
    merge(root, *named)
    assert announced(root) == urls("jazzy", pages)
    merge(root, *named, "--versions", "newest:2")
    assert announced(root) == [*urls("humble", pages), *urls("jazzy", pages)]
    assert "changed: 30 pages" in run("merge", root, *named, "--retire").stdout.splitlines()
    assert run("retire", root, "--undo", "--releases", "jazzy").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--keep", "3.1"], 2, "there is no version '3.1'; did you mean '3.0'?"),
        (["--releases", "3.0, 3.1"], 2, "Invalid value for --keep or --releases: there is no version '3.1'"),
        (["--layout", "{version}{lang}"], 2, "'{version}{lang}' needs something between {version} and {lang}"),
        (["--layout", "x/{version}"], 1, "or correct --layout"),
        (["--versions", "newest:0"], 2, "'newest:0' is not canonical, newest:N (N is 1 or more) or all"),
    ],
)
def test_impossible_arguments_are_refused(root: Path, arguments: list[str], status: int, message: str) -> None:
    before = contents(root)
    assert message in refusal("merge", root, *arguments, status=status)
    assert contents(root) == before


def test_a_version_on_another_host_is_refused(tmp_path: Path) -> None:
    root = publish(tmp_path, Build("1.0"), Build("2.0"), Build("3.0", url="https://v3.example.org/"))
    assert refusal("merge", root, "--keep", "3.0", status=1) == (
        f"Error: 3.0 is published at https://v3.example.org/, which is not below {X}: a sitemap at the root of one host "
        "cannot list the pages of another; merge the folder of each host separately"
    )


def test_canonical_links_of_the_kept_version_to_a_redirect_are_refused_by_both_commands(tmp_path: Path) -> None:
    """What mike publishes after a switch to ``alias_type: redirect`` with ``canonical_version``."""
    root = publish(tmp_path, Build("1.0", url=f"{X}stable/"), Build("2.0", url=f"{X}stable/"))
    for page in PAGES:
        path = root / "stable" / page / "index.html"
        path.parent.mkdir(parents=True)
        path.write_text(f'<meta http-equiv="refresh" content="0; url={X}2.0/{page}">')
    before = contents(root)
    results = [run(command, root) for command in ("merge", "retire")]
    assert [(result.exit_code, result.stdout) for result in results] == [(1, ""), (1, "")]
    assert {result.stderr for result in results} == {
        (
            f"Error: the pages of 2.0 have canonical links to {X}stable/, which redirects, so that search engines may list "
            "neither: with mike, use alias_type symlink or copy, or remove canonical_version, and deploy 2.0 again\n"
        )
    }
    assert contents(root) == before


def test_an_unusable_list_is_named_and_the_rest_is_merged(root: Path) -> None:
    (root / "versions.json").write_text('[{"version": "1.0"')
    result = run("merge", root)
    assert result.exit_code == 1
    assert "problem: versions.json is not JSON" in result.stderr
    assert announced(root) == urls("3.0")


BUILDS = st.lists(
    st.builds(
        Build,
        folder=st.sampled_from(["1.0", "1.1", "2.0", "2.0rc1", "dev", "stable", "latest", "fr/1.0", "fr/2.0"]),
        pages=st.lists(st.sampled_from(["", "a/", "b/", "c/"]), min_size=1, unique=True),
        url=st.sampled_from([None, None, f"{X}stable/", f"{X}2.0/"]),
        lang=st.just("en"),
        lastmod=st.just("2026-01-02"),
        head=st.sampled_from(["", "", "", '<meta name="robots" content="noindex">']),
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda build: build.folder,
)


@given(
    builds=BUILDS,
    missing=st.lists(st.integers(0, 20)),
    arguments=st.sampled_from([[], ["--with-removed"], ["--versions", "newest:2"], ["--versions", "all"]]),
)
def test_listed_pages_exist_are_indexable_and_are_listed_once(
    builds: list[Build], missing: list[int], arguments: list[str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = publish(Path(folder), *builds)
        pages = sorted(root.rglob("index.html"))
        for number in missing:
            if number < len(pages):
                pages[number].unlink(missing_ok=True)
        before = contents(root)
        run("merge", root, *arguments)
        after = contents(root)
        assert changed(before, after) <= {"sitemap.xml", "sitemap.xml.gz", "robots.txt"} | {
            f"{build.folder}/sitemap.xml" for build in builds
        }
        if not (root / "sitemap.xml").exists():
            return
        locs = announced(root)
        assert len(locs) == len(set(locs))
        for loc in locs:
            file = file_at(loc, X, Tree(root).is_file)
            assert file
            markup = read_markup((root / file).read_bytes())
            assert not markup.robots
            assert set(markup.canonicals) == {loc}
        run("merge", root, *arguments)
        assert contents(root) == after


def test_rules_of_robots_txt_that_are_not_read_are_noted(root: Path) -> None:
    rules = "".join(f"Disallow: /*/{number}/\n" for number in range(1_001))
    (root / "robots.txt").write_text(f"User-agent: *\n{rules}")
    assert (
        "note: robots.txt has too many rules with wildcards: 1 after the first 1,000 were not read, so pages that they "
        "keep from crawlers may be listed"
    ) in merge(root)
