"""Folders that are not sites, and files in them that are not pages: a clear message, and no half-written file."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.builders import refuse_to_open
from tests.commands.test_build import X, locs, page, run, write, write_pages
from tests.commands.test_merge import contents, refusal

OPEN = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
only_posix = pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="not possible on its disks")


def refuse_to_go_deeper(*_: object, **__: object) -> None:
    raise RecursionError


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


@pytest.fixture
def site(project: Path) -> Path:
    return write_pages(project / "public", "index.html", "a/index.html", "b/index.html")


class TestNoSite:
    def test_an_empty_folder(self, project: Path) -> None:
        (project / "public").mkdir()
        message = "Error: public has no page (.html, .htm or .xhtml); is it the folder that the site is built into?"
        assert refusal("build", "public", status=1) == message
        assert contents(project) == {}

    @pytest.mark.parametrize(
        ("configuration", "folder"),
        [
            ("mkdocs.yml", "."),
            ("zensical.toml", "."),
            ("docusaurus.config.ts", "."),
            ("hugo.toml", "."),
            ("docs/.vitepress/config.mts", "docs"),
            (".git/HEAD", "."),
        ],
    )
    def test_the_project_itself(self, site: Path, configuration: str, folder: str) -> None:
        project = site.parent
        write(project, {configuration: "", f"{folder}/node_modules/x/index.html": page()})
        before = contents(project)
        last = refusal("build", folder, status=1)
        assert last.endswith("so it is a project, not a site; name the folder that the site is built into")
        assert contents(project) == before

    def test_sources_that_are_nested_too_deeply(self, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(site.parent, {"mkdocs.yml": "site_name: x", "docs/index.md": "# x"})
        monkeypatch.setattr("sitemap_plugins.folder.generators.mkdocs.os.walk", refuse_to_go_deeper)
        assert refusal("build", "public", status=1) == "Error: the folders are nested too deeply to be read"

    def test_a_folder_of_versions(self, site: Path) -> None:
        listed = (
            '[{"version": "2.0", "title": "2.0", "aliases": []}, {"version": "1.0", "title": "1.0", "aliases": []}]'
        )
        write(
            site,
            {"versions.json": listed, "1.0/index.html": page(), "2.0/index.html": page(), "2.0/a/index.html": page()},
        )
        write(site, {"all.pdf": "", "2.0/all.pdf": ""})
        write(site.parent, {"sitemap.toml": 'files = ["**/*.pdf"]'})
        assert run("build", "public").exit_code == 0, "a separate site at the root"
        assert locs(site) == [f"{X}", f"{X}a/", f"{X}all.pdf", f"{X}b/"]
        for name in ("a/index.html", "b/index.html", "sitemap.xml"):
            (site / name).unlink()
        write(site, {"index.html": '<html><head><meta http-equiv="refresh" content="0; url=2.0/"></head></html>'})
        assert refusal("build", "public", status=1) == (
            "Error: public contains versions that are built separately, such as 2.0: run sitemap-plugins build on the "
            "folder of each, then sitemap-plugins merge on public"
        )
        assert not (site / "sitemap.xml").exists()

    def test_a_repository_with_a_data_file_named_config_can_be_a_site(self, site: Path) -> None:
        write(site, {".git/HEAD": "", "config.json": "{}", "config/index.html": page()})
        assert run("build", "public").exit_code == 0

    @pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root can read everything")
    def test_a_folder_without_permission(self, site: Path) -> None:
        (site / "a").chmod(0)
        try:
            assert "a: Permission denied" in refusal("build", status=1)
        finally:
            (site / "a").chmod(0o755)
        assert not (site / "sitemap.xml").exists()


class TestPages:
    """A file that is not a page, or cannot be read, does not keep other pages from being listed."""

    def test_html_without_a_head(self, site: Path) -> None:
        write(
            site, {"part.html": "<p>inserted by a script</p>", "empty.html": b"", "title.html": "<title>Short</title>"}
        )
        result = run("build")
        assert result.exit_code == 0
        assert locs(site) == [X, f"{X}a/", f"{X}b/", f"{X}title.html"]
        assert "left out: 2 fragments" in result.output

    def test_error_search_noindex_and_redirect_pages(self, site: Path) -> None:
        stub = page(f"{X}a/", head=f'<meta http-equiv="refresh" content="0; url={X}a/">')
        alone = page(head='<meta http-equiv="refresh" content="0; url=/a/">')
        files = {
            "404.html": page(f"{X}404.html"),
            "de/404.html": page(lang="de"),
            "old.html": stub,
            "alone.html": alone,
        }
        files |= {"500.html": page(), "500/index.html": page()}
        write(
            site, {**files, "search.html": page(), "hidden.html": page(head='<meta name="robots" content="noindex">')}
        )
        assert run("build").stdout.splitlines()[-2] == (
            "sitemap.xml: 3 URLs, 0 with a date; left out: 4 error pages, 1 noindex, 2 redirects, 1 search page"
        )
        assert locs(site) == [X, f"{X}a/", f"{X}b/"]

    def test_an_error_page_is_at_the_top_of_a_site_or_a_language(self, site: Path) -> None:
        at_top = ["404/index.html", "500.htm", "de/404/index.html"]
        pages = {path: page(lang=path[:2] if path.startswith("de/") else "en") for path in [*at_top, "de/index.html"]}
        write(site, pages | {"status/404/index.html": page(), "codes/500.html": page(), "4/404.html": page()})
        assert "left out: 3 error pages\n" in run("build").stdout
        assert locs(site) == [
            X,
            f"{X}4/404.html",
            f"{X}a/",
            f"{X}b/",
            f"{X}codes/500.html",
            f"{X}de/",
            f"{X}status/404/",
        ]

    def test_a_folder_with_a_sitemap_or_a_search_index_was_built_separately(self, site: Path) -> None:
        write(site, {f"{folder}/404.html": page() for folder in ("dev", "v1.0", "docs/old", "codes")})
        signs = ["dev/sitemap.xml", "v1.0/searchindex.js", "docs/old/searchindex-27eea930.js", "codes/search.js"]
        write(site, dict.fromkeys(signs, f"{OPEN}</urlset>"))
        assert "left out: 3 error pages\n" in run("build").stdout
        assert locs(site) == [X, f"{X}a/", f"{X}b/", f"{X}codes/404.html"]

    def test_pages_that_sphinx_generates_are_listed_on_request_only(self, site: Path) -> None:
        generated = ["genindex.html", "genindex-A.html", "py-modindex.html", "_modules/index.html", "_modules/a/b.html"]
        write(site, dict.fromkeys([*generated, "api/genindex.html"], page()) | {"_static/documentation_options.js": ""})
        assert "left out: 5 generated\n" in run("build").stdout
        assert locs(site) == [X, f"{X}a/", f"{X}api/genindex.html", f"{X}b/"]
        write(site.parent, {"sitemap.toml": 'generated_pages = ["_modules/**"]'})
        run("build")
        assert f"{X}_modules/a/b.html" in locs(site)
        assert f"{X}genindex.html" not in locs(site)

    @pytest.mark.parametrize("sign", ["jupyter-lite.json", "sb-manager/runtime.js"])
    def test_pages_of_applications_inside_a_site_are_not_listed(self, site: Path, sign: str) -> None:
        paths = ["app/index.html", "app/lab/index.html", "application/index.html"]
        write(site, dict.fromkeys(paths, page()) | {f"app/{sign}": "", f"app/lab/{sign}": ""})
        assert "left out: 2 application pages\n" in run("build").stdout
        assert locs(site) == [X, f"{X}a/", f"{X}application/", f"{X}b/"]
        write(site, {sign: ""})
        run("build")
        assert len(locs(site)) == 4  # the site itself may be an application

    def test_a_site_of_sphinx_is_named_with_its_extension(self, site: Path) -> None:
        write(site, {"_static/documentation_options.js": ""})
        result = run("build")
        assert "built by Sphinx\nwith Sphinx, enable the extension sitemap_plugins.sphinx" in result.stdout

    @pytest.mark.parametrize(
        ("generator", "left_out"), [("Doxygen 1.13.2", "1 search page"), ("Pelican", "1 draft"), ("Hugo 0.1", "")]
    )
    def test_folders_without_pages_depend_on_the_generator(self, site: Path, generator: str, left_out: str) -> None:
        head = f'<meta name="generator" content="{generator}">'
        write(site, dict.fromkeys(["index.html", "search/all_0.html", "drafts/new.html"], page(head=head)))
        result = run("build", "--base-url", X)
        assert f"built by {generator.partition(' ')[0]}\n" in result.stdout
        assert result.stdout.splitlines()[-2].partition("left out: ")[2] == left_out

    def test_two_pages_at_one_url(self, site: Path) -> None:
        write(site, {"a.html": page()})
        result = run("build", "--urls", "directory", "--strict")
        assert result.exit_code == 1
        assert (
            "it has the same URL as a.html, https://x.org/a/; only that page is listed: rename one of them"
            in result.stderr
        )
        assert locs(site) == [X, f"{X}a/", f"{X}b/"]

    def test_a_page_without_permission(self, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        refuse_to_open(site / "b" / "index.html", monkeypatch)
        result = run("build")
        assert result.exit_code == 0
        assert "b/index.html: " in result.output
        assert "Permission denied" in result.output
        assert locs(site) == [X, f"{X}a/", f"{X}b/"]

    @only_posix
    def test_links_in_circles_and_out_of_the_folder(self, site: Path, tmp_path: Path) -> None:
        write(tmp_path / "beside", {"secret.html": page(title="secret")})
        (site / "a" / "round").symlink_to(site)
        (site / "loop.html").symlink_to("loop.html")
        (site / "gone.html").symlink_to("nowhere.html")
        (site / "out.html").symlink_to(tmp_path / "beside" / "secret.html")
        (site / "outside").symlink_to(tmp_path / "beside")
        result = run("build")
        assert result.exit_code == 0
        # A server may send files from elsewhere, but their content is not read.
        assert locs(site) == [X, f"{X}a/", f"{X}b/", f"{X}out.html"]
        assert "out.html: the page was not read (a link on its path leads out of the output folder)" in result.stderr

    @only_posix
    def test_a_name_that_is_not_utf_8(self, site: Path) -> None:
        try:
            write(site, {os.fsdecode(b"caf\xe9.html"): page(), os.fsdecode(b"caf\xe9.pdf"): b""})
        except OSError:
            pytest.skip("this disk has no such names")
        (site.parent / "sitemap.toml").write_text("files = ['*.pdf']")
        result = run("build")
        assert result.exit_code == 0
        assert locs(site) == [X, f"{X}a/", f"{X}b/", f"{X}caf%E9.html", f"{X}caf%E9.pdf"]


class TestExistingSitemaps:
    def test_a_folder_of_that_name(self, site: Path) -> None:
        write(site, {"sitemap.xml/index.html": page()})
        before = contents(site)
        result = run("build")
        assert result.exit_code == 1
        assert "sitemap.xml could not be written: there is a folder with that name" in result.output
        assert contents(site) == before
