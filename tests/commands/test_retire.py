"""Retiring old versions: which pages change and how, what is refused, and that all changes can be undone."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from sitemap_plugins.commands.main import main
from sitemap_plugins.html.head import read_markup
from sitemap_plugins.html.head_editing import restore
from sitemap_plugins.output import writing
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import PAGE
from sitemap_plugins.versions.kept import choose_kept
from sitemap_plugins.versions.recognizing import recognize
from tests.builders import replace
from tests.published_root import OPEN

X = "https://x.org/"
NO_LINKS = os.name == "nt"
links = pytest.mark.skipif(NO_LINKS, reason="Windows lets few users make links")


def run(*arguments: str | Path) -> Result:
    """Run the command. An unhandled exception is raised here too."""
    return CliRunner().invoke(main, ["retire", *map(str, arguments)], catch_exceptions=False)


def retire(root: Path, *options: str) -> list[str]:
    """The output of a command that succeeds, without the blanks that only align columns."""
    result = run(root, *options)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return [" ".join(line.split()) for line in result.stdout.splitlines()]


def refusal(root: Path, *options: str) -> str:
    """The error message of a command that changes nothing."""
    before = contents(root)
    result = run(root, *options)
    assert result.exit_code == 1
    assert contents(root) == before
    return result.stderr.splitlines()[-1]


def contents(root: Path) -> dict[str, bytes]:
    """Every file below a folder, including drafts and hidden files."""
    files = [path for path in root.rglob("*") if not path.is_dir() and not path.is_symlink()]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def times(root: Path) -> dict[str, int]:
    return {path: (root / path).stat().st_mtime_ns for path in contents(root)}


def page(canonical: str | None, head: str = "", body: str = "text") -> bytes:
    link = f'<link rel="canonical" href="{canonical}">' if canonical is not None else ""
    return f"<html><head><title>a</title>{link}{head}</head><body><main>{body}</main></body></html>".encode()


def deploy(root: Path, name: str, pages: Mapping[str, bytes] | tuple[str, ...] = ("", "a/", "b/")) -> None:
    """Publish a version as mike does."""
    shutil.rmtree(root / name, ignore_errors=True)
    if not isinstance(pages, Mapping):
        pages = {f"{each}index.html": page(f"{X}{name}/{each}") for each in pages}
    for path, content in pages.items():
        (root / name / path).parent.mkdir(parents=True, exist_ok=True)
        (root / name / path).write_bytes(content)
    file = root / "versions.json"
    listed = json.loads(file.read_bytes()) if file.exists() else []
    if name not in [each["version"] for each in listed]:
        listed.append({"version": name, "title": name, "aliases": []})
    file.write_text(json.dumps(listed))


def canonical(root: Path, path: str) -> str | None:
    (found,) = read_markup((root / path).read_bytes()).canonicals or (None,)
    return found


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Two old versions, the first with a page that was removed later, and the newest."""
    root = tmp_path / "site"
    deploy(root, "1.0", ("", "a/", "old/"))
    deploy(root, "2.0", ("", "a/", "old/"))
    deploy(root, "3.0", ("", "a/", "b/"))
    return root


@pytest.mark.parametrize("ending", [".xhtml", ".htm", ".page"])
def test_pages_with_any_ending_are_retired(ending: str, tmp_path: Path) -> None:
    """The last one is known only by what Sphinx writes for its scripts. The changed pages are still well-formed XML."""
    root = tmp_path / "site"
    options = f"const DOCUMENTATION_OPTIONS = {{ FILE_SUFFIX: '{ending}' }}".encode()
    for name in ("1.0", "2.0"):
        pages = {
            f"{path}{ending}": b'<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head>'
            b'<title>a</title><link rel="canonical" href="%s"/></head><body/></html>'
            % f"{X}{name}/{path}{ending}".encode()
            for path in ("index", "a", "b/c")
        }
        deploy(root, name, pages | {"_static/documentation_options.js": options})
    before = contents(root)
    assert "1.0 3 3 3 0 0 0 0 0" in retire(root)
    for path in ("index", "a", "b/c"):
        assert canonical(root, f"1.0/{path}{ending}") == f"{X}2.0/{path}{ending}"
        etree.fromstring((root / f"1.0/{path}{ending}").read_bytes())
    assert retire(root)[-1] == "nothing to change"
    assert retire(root, "--undo")[-1] == "restored: 3 pages of 6"
    assert contents(root) == before
    if not NO_LINKS:
        (root / "2.0" / f"d{ending}").symlink_to(f"../1.0/a{ending}")
        assert f"1.0/a{ending} is the same file as 2.0/d{ending}, by a link" in refusal(root)


def test_pages_link_the_kept_version_or_the_newest_one_that_has_them(site: Path) -> None:
    before = contents(site)
    assert retire(site) == [
        "version folder stage known by canonical",
        f"3.0 3.0 release versions.json {X}3.0/ (newest release)",
        "2.0 2.0 release versions.json",
        "1.0 1.0 release versions.json",
        "",
        "folder pages changed to kept to newest to itself noindex left alone not editable",
        "3.0 3 0 0 0 0 0 0 0",
        "2.0 3 2 2 0 1 0 0 0",
        "1.0 3 3 2 1 0 0 0 0",
        "0 canonical links lead to missing pages",
        "changed: 5 pages",
    ]
    assert canonical(site, "1.0/a/index.html") == f"{X}3.0/a/"
    assert canonical(site, "1.0/old/index.html") == f"{X}2.0/old/"
    after = contents(site)
    assert {path for path in after if after[path] != before[path]} == {
        *(f"{name}/{path}" for name in ("1.0", "2.0") for path in ("index.html", "a/index.html")),
        "1.0/old/index.html",
    }


def test_a_further_kept_version_whose_canonical_links_lead_to_missing_pages_is_named(site: Path) -> None:
    """VER-03: with mike's canonical_version, the pages of all versions have links to one."""
    kept = {f"{path}index.html": page(f"{X}3.0/{path}") for path in ("", "a/", "old/", "moved/")}
    deploy(site, "2.0", kept)
    (site / "3.0/moved").mkdir()
    (site / "3.0/moved/index.html").write_text(REDIRECT.format(url="../b/"))
    lines = retire(site, "--keep", "3.0", "--keep", "2.0")
    assert (
        f"danger: 2.0/moved/index.html has a canonical link to {X}3.0/moved/, which does not exist or redirects (and 1 "
        "more page), so search engines may show neither: build 2.0 with canonical links to itself (in Sphinx, "
        "set html_baseurl to its URL; with mike, set canonical_version to its name or one of its aliases)"
    ) in lines
    assert canonical(site, "1.0/old/index.html") == f"{X}1.0/old/"
    assert canonical(site, "1.0/a/index.html") == f"{X}3.0/a/"


def test_a_danger_is_about_the_pages_as_the_run_leaves_them(site: Path) -> None:
    """VER-03: the links of 1.0 are replaced, those of the kept version would stay."""

    def dangers(*command: str) -> list[str]:
        result = CliRunner().invoke(main, [*command, "--base-url", X], catch_exceptions=False)
        assert result.exit_code == 0
        return [line.partition(": ")[2] for line in result.output.splitlines() if line.startswith("danger: ")]

    nowhere = f"the pages of 1.0 have canonical links to {X}latest/1.0/, where no version is published"
    deploy(site, "1.0", {f"{each}index.html": page(f"{X}latest/1.0/{each}") for each in ("", "a/")})
    (site / "3.0/sitemap.xml").write_text(f"{OPEN}<url><loc>{X}3.0/</loc></url></urlset>")
    merge, both = ("merge", str(site)), ("merge", "--retire", str(site))
    assert (dangers(*merge), dangers(*both, "--dry-run")) == ([nowhere], [])
    assert [dangers("retire", str(site)) for _ in range(2)] == [[], []]
    assert (dangers(*merge), dangers(*both)) == ([], [])
    retire(site, "--undo")
    assert dangers(*merge) == [nowhere]
    assert nowhere in dangers("retire", str(site), "--keep", "1.0", "--force")


def test_canonical_links_to_missing_pages_are_counted_and_mended_except_in_the_kept_version(tmp_path: Path) -> None:
    """A few pages were built with a wrong URL, and the others with none."""
    wrong = f"{X}3.0//"
    for name in ("1.0", "2.0", "3.0"):
        heads = {"": f"{wrong}{name}/", "a/": None, "b/": None, "c/": None}
        deploy(tmp_path, name, {f"{path}index.html": page(url) for path, url in heads.items()})
    before = contents(tmp_path)
    assert refusal(tmp_path) == (
        f"Error: the pages have URLs below {wrong}, which has an empty folder in it (//): set --base-url, or use --as "
        "noindex"
    )
    lines = retire(tmp_path, "--base-url", X.removesuffix("/"))
    assert lines[-2:] == [
        "danger: 1 canonical link leads to a missing page (before: 3)",
        (
            f"danger: 3.0/index.html has a canonical link to {wrong}3.0/, which does not exist or redirects, so search "
            "engines may show neither: build 3.0 with canonical links to itself (in Sphinx, set html_baseurl to its "
            "URL; with mike, set canonical_version to its "
            "name or one of its aliases)"
        ),
    ]
    assert canonical(tmp_path, "1.0/a/index.html") == f"{X}3.0/a/"
    # No page leads to the one that names a missing page.
    assert canonical(tmp_path, "1.0/index.html") == canonical(tmp_path, "2.0/index.html") == f"{X}2.0/"
    retire(tmp_path, "--undo")
    assert contents(tmp_path) == before


def test_a_kept_version_that_names_another_url_is_refused(site: Path) -> None:
    """Its pages may have moved, or ``--base-url`` is wrong: canonical links to them would not be followed."""
    message = refusal(site, "--base-url", "https://y.org/")
    assert message.startswith(
        "Error: most pages of 3.0 have canonical links that lead to no page of it, so search engines may show neither: "
        f"3.0/index.html to {X}3.0/; 3.0/a/index.html to {X}3.0/a/; 3.0/b/index.html to {X}3.0/b/. Build 3.0 with "
    )
    retire(site, "--base-url", "https://y.org/", "--force")
    assert canonical(site, "1.0/a/index.html") == "https://y.org/2.0/a/"


def test_noindex(site: Path) -> None:
    retire(site, "--as", "noindex")
    markup = read_markup((site / "1.0/a/index.html").read_bytes())
    assert (markup.robots, markup.canonicals) == ({"noindex"}, (f"{X}1.0/a/",))
    retire(site, "--without-counterpart", "noindex")
    found = [read_markup((site / f"1.0/{path}/index.html").read_bytes()) for path in ("a", "old")]
    assert [(each.robots, *each.canonicals) for each in found] == [(set(), f"{X}3.0/a/"), ({"noindex"}, f"{X}1.0/old/")]


def test_a_noindex_needs_no_url(tmp_path: Path) -> None:
    for name in ("1.0", "2.0"):
        deploy(tmp_path, name, {"index.html": page(None)})
    assert "contains the URL" in refusal(tmp_path)
    retire(tmp_path, "--as", "noindex")
    assert read_markup((tmp_path / "1.0/index.html").read_bytes()).robots == {"noindex"}


def test_pages_left_alone_are_counted_with_an_example_of_each_reason(site: Path) -> None:
    unusual = {
        "404.html": page(None),
        "gone/index.html": page(None, '<meta http-equiv="refresh" content="0; url=../a/">'),
        "gone/too/index.html": page(None, '<meta http-equiv="refresh" content="0; url=../a/">'),
        "part/index.html": b"<p>text</p>",
        "secret/index.html": page(None, '<meta name="robots" content="noindex">'),
        "two/index.html": page(None).replace(b"<head>", b"<head></head><head>", 1),
        "wide/index.html": page(None).decode().encode("utf-16"),
    }
    for path, content in unusual.items():
        (site / "2.0" / path).parent.mkdir(parents=True, exist_ok=True)
        (site / "2.0" / path).write_bytes(content)
    lines = retire(site, "--force")
    assert "2.0 10 2 2 0 1 0 5 2" in lines
    assert lines[-8:-2] == [
        "left alone: 2.0/secret/index.html has a noindex of its own",
        "left alone: 2.0/part/index.html has no head",
        "left alone: 2.0/gone/index.html is a redirect (and 1 more page)",
        "left alone: 2.0/404.html is an error page",
        "could not be edited: 2.0/two/index.html has two heads",
        "could not be edited: 2.0/wide/index.html is encoded in UTF-16",
    ]
    after = contents(site)
    assert {path: after[f"2.0/{path}"] for path in unusual} == unusual


def test_an_unreadable_page_is_named_and_the_others_change(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (site / "1.0/a/index.html").write_bytes(page(None, body="x" * 2000))
    monkeypatch.setattr("sitemap_plugins.retire.retiring.PAGE", replace(PAGE, size=1000))
    result = run(site)
    assert result.exit_code == 1
    assert result.stderr.startswith("problem: 1.0/a/index.html could not be read, so it was left alone: ")
    assert canonical(site, "1.0/index.html") == f"{X}3.0/"


@pytest.mark.skipif(sys.platform in {"darwin", "win32"}, reason="such names are not possible there")
def test_pages_with_unusual_names(site: Path) -> None:
    for name in (b"std::vector.html", b"caf\xe9.html", b"50% & more.html"):
        (site / "2.0" / os.fsdecode(name)).write_bytes(page(None))
    lines = retire(site, "--force")
    assert "could not be edited: 2.0/std::vector.html has a name that some systems do not allow" in lines
    assert canonical(site, os.fsdecode(b"2.0/caf\xe9.html")) == f"{X}2.0/caf%E9.html"
    assert canonical(site, "2.0/50% & more.html") == f"{X}2.0/50%25%20%26%20more.html"


def test_a_dry_run_shows_examples_and_pages_that_differ_and_writes_nothing(site: Path) -> None:
    (site / "1.0/a/index.html").write_bytes(page(None, body="all that was said here before is another matter"))
    for name in ("2.0", "3.0"):
        (site / name / "a/index.html").write_bytes(page(None, body="what is said now"))
    before = times(site)
    lines = retire(site, "--dry-run")
    assert times(site) == before
    assert lines[-1] == "would change: 5 pages"
    assert f"1.0/old/index.html -> {X}2.0/old/" in lines
    assert [line for line in lines if line.startswith("different")] == [
        "different: 1.0/a/index.html leads to 3.0/a/index.html and shares 31% of its words"
    ]
    retire(site)
    before = times(site)
    assert retire(site, "--undo", "--dry-run", "--base-url", X)[0] == "would be restored: 5 pages of 9"
    assert times(site) == before


@links
@pytest.mark.parametrize("kind", ["folder", "file"])
def test_a_page_that_is_also_at_a_kept_url_is_not_changed(site: Path, kind: str) -> None:
    if kind == "folder":
        (site / "3.0/older").symlink_to("../1.0", target_is_directory=True)
    else:
        (site / "3.0/older.html").symlink_to("../1.0/a/index.html")
    message = refusal(site)
    assert re.search(r"1\.0/\S*index.html is the same file as 3\.0/older\S*, by a link", message)
    retire(site, "--keep", "3.0", "--keep", "1.0")
    assert canonical(site, "1.0/a/index.html") == f"{X}1.0/a/"


def test_a_hard_link_keeps_its_content(site: Path) -> None:
    (site / "3.0/older.html").hardlink_to(site / "1.0/a/index.html")
    before = (site / "3.0/older.html").read_bytes()
    retire(site)
    assert canonical(site, "1.0/a/index.html") == f"{X}3.0/a/"
    assert (site / "3.0/older.html").read_bytes() == before


def test_a_chain_of_redirects_ends(site: Path) -> None:
    for number in range(1500):
        link = f'<meta http-equiv="refresh" content="0; url=p{number + 1}.html">'
        (site / f"3.0/p{number}.html").write_text(f"<head><title>p</title>{link}</head>")
    (site / "1.0/p0.html").write_text("<head><title>p</title></head>")
    retire(site)
    assert canonical(site, "1.0/p0.html") == f"{X}1.0/p0.html"


# As mkdocs-redirects 1.2 writes it.
REDIRECT = """
<!doctype html>
<html lang="en">
<head>
    <meta charset="utf-8">
    <title>Redirecting...</title>
    <link rel="canonical" href="{url}">
    <script>var anchor=window.location.hash.substr(1);location.href="{url}"+(anchor?"#"+anchor:"")</script>
    <meta http-equiv="refresh" content="0; url={url}">
</head>
<body>
You're being redirected to a <a href="{url}">new destination</a>.
</body>
</html>
"""


def test_a_redirect_with_a_relative_canonical_link_is_followed(tmp_path: Path) -> None:
    deploy(tmp_path, "1.0", ("", "a/"))
    deploy(tmp_path, "2.0", {"index.html": page(f"{X}2.0/"), "b/a/index.html": page(f"{X}2.0/b/a/")})
    (tmp_path / "2.0/a").mkdir()
    (tmp_path / "2.0/a/index.html").write_text(REDIRECT.format(url="../b/a/#values"))
    retire(tmp_path)
    assert canonical(tmp_path, "1.0/a/index.html") == f"{X}2.0/b/a/"


def test_a_noindex_that_is_added_later_counts(site: Path) -> None:
    retire(site)
    path = site / "1.0/a/index.html"
    path.write_bytes(path.read_bytes().replace(b"</head>", b'<meta name="robots" content="noindex"></head>'))
    retire(site)
    assert b"sitemap-plugins:retired" not in path.read_bytes()


def test_a_canonical_link_that_is_not_a_url_counts_as_leading_elsewhere(site: Path) -> None:
    (site / "1.0/odd.html").write_text('<head><title>o</title><link rel="canonical" href="https://[x"></head>')
    retire(site, "--as", "noindex")
    assert b"https://[x" not in (site / "1.0/odd.html").read_bytes()


@links
def test_links_are_not_followed(site: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.html"
    outside.write_bytes(page(None))
    (site / "2.0/link.html").symlink_to(outside)
    (site / "1.0/same.html").symlink_to("index.html")
    (site / "latest").symlink_to("3.0", target_is_directory=True)
    (site / "1.0/more").symlink_to("../2.0", target_is_directory=True)
    before = contents(site)
    assert "left alone: 2.0/link.html is a link to another file (and 1 more page)" in retire(site)
    assert (outside.read_bytes(), (site / "2.0/link.html").is_symlink()) == (page(None), True)
    assert {path for path, content in contents(site).items() if content != before[path] and path[:2] == "3."} == set()
    retire(site, "--undo")
    assert (site / "1.0/same.html").is_symlink()
    assert contents(site) == before


def test_rules_of_robots_txt_that_are_not_read_are_a_danger(site: Path) -> None:
    rules = "".join(f"Disallow: /*/{number}/\n" for number in range(1_002))
    (site / "robots.txt").write_text(f"User-agent: *\n{rules}")
    assert retire(site)[-1] == (
        "danger: robots.txt has too many rules with wildcards: 2 after the first 1,000 were not read, so search "
        "engines may never see the change of pages that they block"
    )


def test_a_robots_txt_that_blocks_an_old_version_is_refused(site: Path) -> None:
    robots = site / "robots.txt"
    robots.write_text("User-agent: *\nDisallow: /1.0/\nDisallow: /*/old/\n")
    assert refusal(site) == (
        f"Error: robots.txt keeps search engines from {X}1.0/ (and 1 more page), so they would never see the "
        'change: remove "Disallow: /1.0/"'
    )
    assert refusal(site, "--as", "noindex").endswith('remove "Disallow: /*/old/"; "Disallow: /1.0/"')
    robots.write_text("User-agent: Slowbot\nDisallow: /\n\nUser-agent: *\nDisallow: /*/a/\n")
    retire(site)


def test_a_robots_txt_that_no_crawler_reads_is_ignored(tmp_path: Path) -> None:
    for name in ("1.0", "2.0"):
        deploy(tmp_path, name, {"index.html": page(f"{X}project/{name}/")})
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow: /project/1.0/\n")
    retire(tmp_path)
    assert canonical(tmp_path, "1.0/index.html") == f"{X}project/2.0/"


def test_a_kept_version_with_few_pages_is_refused(site: Path) -> None:
    deploy(site, "4.0", ("",))
    assert refusal(site) == (
        "Error: 4.0 is kept and has 1 page, but 3.0 has 3: is it complete? Use --keep 3.0, or --force to continue anyway"
    )
    retire(site, "--force")
    assert canonical(site, "3.0/a/index.html") == f"{X}3.0/a/"


def test_a_development_version_can_have_many_more_pages(site: Path) -> None:
    deploy(site, "dev", ("", *(f"{number}/" for number in range(9))))
    retire(site)
    assert canonical(site, "dev/index.html") == f"{X}3.0/"
    assert canonical(site, "dev/1/index.html") == f"{X}dev/1/"


def test_a_site_at_the_root_is_kept_without_the_versions_below_it(tmp_path: Path) -> None:
    for folder in ("", "1.0/"):
        deploy(tmp_path, folder or ".", {f"{each}index.html": page(f"{X}{folder}{each}") for each in ("", "a/")})
    (tmp_path / "versions.json").unlink()
    switcher = [{"version": "2.0", "url": X, "preferred": True}, {"version": "1.0", "url": f"{X}1.0/"}]
    (tmp_path / "switcher.json").write_text(json.dumps(switcher))
    lines = retire(tmp_path)
    assert lines[-4:-2] == [". 2 0 0 0 0 0 0 0", "1.0 2 2 2 0 0 0 0 0"]
    assert lines[-1] == "changed: 2 pages"
    assert canonical(tmp_path, "1.0/a/index.html") == f"{X}a/"


def test_versions_must_not_link_each_other(site: Path) -> None:
    deploy(site, "2.0", {"index.html": page(f"{X}3.0/"), "a/index.html": page(f"{X}3.0/a/")})
    assert f"the pages of 2.0 have canonical links to {X}3.0/, which is 3.0: if those led back" in refusal(
        site, "--keep", "2.0"
    )


@pytest.mark.parametrize(
    "options",
    [
        ("--undo", "--keep", "3.0"),
        ("--undo", "--force"),
        ("--undo", "--max-changes", "3"),
        ("--undo", "--all"),
        ("--as", "noindex", "--without-counterpart", "noindex"),
    ],
)
def test_options_that_exclude_each_other(site: Path, options: tuple[str, ...]) -> None:
    result = run(site, *options)
    assert result.exit_code == 2
    assert "cannot be combined with" in result.stderr or "can only be combined with" in result.stderr


def test_no_versions(tmp_path: Path) -> None:
    beginning = f"Error: no versions were found below {tmp_path}: run the command on the folder above them, or "
    assert refusal(tmp_path) == f"{beginning}set --layout"
    layout = "docs/{version}"
    assert refusal(tmp_path, "--layout", layout) == f"{beginning}correct --layout {layout!r}, which no folder matches"


def test_a_run_that_was_killed_is_completed(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = tempfile.mkdtemp(dir=site.parent)
    shutil.copytree(site, expected, dirs_exist_ok=True)
    retire(Path(expected))
    monkeypatch.setattr("sitemap_plugins.retire.retiring._BATCH", 0)
    real, calls = os.replace, iter(range(3))

    def replace(source: str, target: str) -> None:
        if next(calls, None) is None:
            raise KeyboardInterrupt
        real(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", replace)
        patch.setattr(os, "unlink", lambda *_, **__: None)  # temporary files cannot be removed
        assert run(site).exit_code == 130
    assert any(writing._PREFIX in path for path in contents(site))
    pages = {path: content for path, content in contents(site).items() if path.endswith(".html")}
    assert any(restore(content) != content for content in pages.values())
    retire(site)
    assert contents(site) == contents(Path(expected))


NAMES = ("1.0", "2.0", "3.0", "dev")
PATHS = ("index.html", "a/index.html", "b.html", "404.html")
OWN = "(own)"
HEADS = ("", "", '<meta name="robots" content="noindex">', '<meta http-equiv="refresh" content="0; url=./">')
CANONICALS = (OWN, OWN, OWN, None, *(f"{X}{name}/{path}" for name in (*NAMES, "stable") for path in ("a/", "b.html")))
pages = st.one_of(
    st.none(),
    st.just(page(OWN)),
    st.builds(page, st.sampled_from(CANONICALS), st.sampled_from(HEADS)),
    st.sampled_from([b"<title>a</title><p>b", b"<p>no head"]),
)


@st.composite
def deployments(draw: st.DrawFn) -> tuple[str, dict[str, bytes]]:
    """A version and its pages, most of them with canonical links to themselves."""
    name = draw(st.sampled_from(NAMES))
    found = {path: draw(pages) for path in PATHS} | {"index.html": page(OWN)}
    return name, {
        path: content.replace(OWN.encode(), f"{X}{name}/{path.removesuffix('index.html')}".encode())
        for path, content in found.items()
        if content is not None
    }


runs = st.sampled_from(
    [
        [],
        ["--keep", "1.0"],
        ["--keep", "2.0", "--keep", "dev"],
        ["--as", "noindex"],
        ["--without-counterpart", "noindex"],
    ]
)


def kept_folders(built: Mapping[str, bytes], root: Path, options: list[str]) -> list[str]:
    """The folders of the versions that stay unchanged, derived from the pages as they were built."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        for path, content in built.items():
            (fresh / path).parent.mkdir(parents=True, exist_ok=True)
            (fresh / path).write_bytes(content)
        shutil.copy(root / "versions.json", fresh)
        choice = choose_kept(recognize(Tree(fresh)), options[1::2] if "--keep" in options else [])
    return [version.folder for kept in choice.kept for version in (kept.version, *kept.others)]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(deployments(), runs), min_size=2, max_size=5))
def test_any_sequence_of_deployments_and_runs(
    steps: list[tuple[tuple[str, dict[str, bytes]], list[str]]],
) -> None:
    """VER-03: kept pages are as built, links lead to pages, another run changes nothing, and all can be undone."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        built: dict[str, bytes] = {}
        for (name, new), options in steps:
            deploy(root, name, new)
            built = {path: content for path, content in built.items() if not path.startswith(f"{name}/")}
            built |= {f"{name}/{path}": content for path, content in new.items()}
            known = {path.split("/")[0] for path in built}
            if not known.issuperset(options[1::2]) and "--keep" in options:
                continue
            if "if those led back" in run(root, "--force", *options).stderr:
                continue
            after = {path: content for path, content in contents(root).items() if path != "versions.json"}
            for kept in kept_folders(built, root, options):
                assert [path for path in after if path.startswith(f"{kept}/") and after[path] != built[path]] == []
            for path, content in after.items():
                assert restore(content) == built[path]
                if content != built[path] and (canonicals := read_markup(content).canonicals):
                    target = canonicals[0].removeprefix(X)
                    assert (f"{target}index.html" if target.endswith("/") else target) in built
            stamps = times(root)
            assert "nothing to change" in retire(root, "--force", *options)
            assert times(root) == stamps
        retire(root, "--undo")
        assert {path: content for path, content in contents(root).items() if path != "versions.json"} == built
