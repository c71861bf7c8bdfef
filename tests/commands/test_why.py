"""The command that explains one page of a site."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from sitemap_plugins.formats.sitemap_xml import MARK, NAMESPACE
from tests.check.examples import complete
from tests.check.sites import write
from tests.commands.test_check import HOME, NOINDEX, X, run
from tests.conftest import Repository

LINK = f'<xhtml:link rel="alternate" hreflang="{{}}" href="{X}2/"/>'
NOT_READ = "nothing that was read leaves it out; not read: its source and the options (add --project)"
NOT_FOUND = "its source was not found: its edit link leads to"
NONE = "translations: none"
TWO_VERSIONS = '[{"version": "2", "title": "2", "aliases": []}, {"version": "1", "title": "1", "aliases": []}]'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site with pages that something is to be said about."""
    files = {
        "robots.txt": f"User-agent: *\nDisallow: /private/\n\nSitemap: {X}sitemap.xml\n",
        "sitemap.xml": f"{HOME}\n<url><loc>{X}a/</loc><lastmod>2026-03-01</lastmod></url>",
        "a/index.html": NOINDEX,
        "private/index.html": "",
        "old/index.html": f'<meta http-equiv="refresh" content="0; url={X}a/">',
        "moved/index.html": "",
        "_redirects": "# moved pages\n/moved/ /a/ 301\n",
        "versions.json": TWO_VERSIONS,
        "1/index.html": f'<link rel="canonical" href="{X}2/">',
        "2/index.html": f'<link rel="canonical" href="{X}2/">',
        "2/sitemap.xml": f"<url><loc>{X}2/</loc>{LINK.format('en')}{LINK.format('x-default')}</url>",
    }
    return write(tmp_path / "site", complete(files))


ANSWERS = {
    "/": ["file: index.html", "listed: sitemap.xml:3 (announced by robots.txt)", NONE, NOT_READ,
          "canonical link: to itself", "robots meta tag: none"],
    "/a/": ["file: a/index.html", "listed: sitemap.xml:4 (announced by robots.txt), with the date 2026-03-01", NONE,
            "a build would leave it out: noindex (robots meta tag: noindex)", "canonical link: none",
            "robots meta tag: noindex", "check finds: listed-noindex"],
    "/private/": ["file: private/index.html", "listed: by no sitemap",
                  "a build would leave it out: disallowed by robots.txt (/private/)", "canonical link: none",
                  "robots meta tag: none", "blocked by robots.txt:2: Disallow: /private/"],
    "/old/": ["file: old/index.html", "listed: by no sitemap", f"a build would leave it out: redirect ({X}a/)",
              "canonical link: none", "robots meta tag: none", f"redirects to: {X}a/"],
    "/moved/": ["file: moved/index.html", "listed: by no sitemap",
                "a build would leave it out: redirect (by _redirects, /moved/)", "canonical link: none",
                "robots meta tag: none", "blocked by _redirects:2: /moved/"],
    "/1/": ["file: 1/index.html", "listed: by no sitemap", f"a build would leave it out: canonical elsewhere ({X}2/)",
            f"canonical link: {X}2/", "robots meta tag: none", "version: 1 (release), not 2, the one to show"],
    "/2/": ["file: 2/index.html", "listed: 2/sitemap.xml:3 (not announced)", f"translations: en {X}2/, x-default {X}2/",
            NOT_READ, "canonical link: to itself", "robots meta tag: none",
            "version: 2 (release), which search engines should show"],
}  # fmt: skip


@pytest.mark.parametrize("path", ANSWERS)
def test_the_answer_has_everything_that_decides_about_a_page(path: str, site: Path) -> None:
    lines = run("why", path, site).stdout.splitlines()
    assert lines == [X + path.lstrip("/"), *ANSWERS[path]]


@pytest.mark.parametrize("asked", [f"{X}a/", f"{X}a/index.html", "a/index.html", "a/", "a", "site/a/index.html"])
def test_a_page_can_be_named_in_several_ways(
    asked: str, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "file: a/index.html" in run("why", asked, site).stdout


def test_the_path_of_a_url_may_contain_that_of_the_site(site: Path) -> None:
    lines = run("why", "/docs/a/", site, "--base-url", f"{X}docs/").stdout.splitlines()
    assert lines[:2] == [f"{X}docs/a/", "file: a/index.html"]


def test_a_listed_url_without_a_file_is_explained(site: Path) -> None:
    (site / "a/index.html").unlink()
    assert run("why", f"{X}a/", site).stdout.splitlines() == [
        f"{X}a/",
        "file: none",
        "listed: sitemap.xml:4 (announced by robots.txt), with the date 2026-03-01",
        NONE,
        "check finds: listed-unwritten",
    ]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("privat/index.html", "there is no page privat/index.html in the site; did you mean private/index.html?"),
        (f"{X}gone/", f"{X}gone/ is not on this site: there is no such file, and no sitemap lists it"),
        ("https://other.example.net/", f"https://other.example.net/ is not on this site, which is published at {X}"),
    ],
)
def test_an_unknown_page_is_an_error(asked: str, message: str, site: Path) -> None:
    assert run("why", asked, site, status=1).stderr == f"Error: {message}\n"


def test_what_conf_py_excludes_is_known_if_it_is_a_literal(site: Path, tmp_path: Path) -> None:
    (tmp_path / "conf.py").write_text("sitemap_options = {'exclude': ['new/']}", encoding="ascii")
    (site / "new").mkdir()
    (site / "new/index.html").write_text("<title>New</title>", encoding="ascii")
    verdict = run("why", "/new/", site, "--project", tmp_path).stdout.splitlines()[3]
    assert verdict == "a build would leave it out: excluded (by the option exclude)"


def test_with_the_project_the_answer_has_the_source_and_its_date(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write("docs/a.md", "# A")
    repository.write("mkdocs.yml", f"site_name: x\nsite_url: {X}\n")
    commit = repository.commit("2026-03-10T12:00:00+00:00")
    write(repository.path / "site", complete({"a/index.html": '<meta name="generator" content="mkdocs-1.6.1">'}))
    monkeypatch.chdir(repository.path)
    assert "\na build would list it\n" in run("why", "docs/a.md").stdout
    answer = json.loads(run("why", "docs/a.md", "--format", "json").stdout)
    assert (answer["url"], answer["file"], answer["source"]) == (f"{X}a/", "a/index.html", "docs/a.md")
    assert (answer["lastmod"], answer["commit"], answer["dated_by"]) == ("2026-03-10T12:00:00+00:00", commit, "git")


@pytest.mark.parametrize(
    ("page", "link", "why"),
    [
        ("b/", "", "its source was not found: it has no edit link, and no document makes this URL"),
        ("b/", "Other/site/edit/main/docs/b.md", f"{NOT_FOUND} Other/site, no remote of this repository"),
        ("b/", "Owner/Docs/edit/main/docs/b.md", f"{NOT_FOUND} docs/b.md, which does not exist"),
        ("b/", "owner/docs/edit/main/docs/%1B[2Jb.md", f"{NOT_FOUND} docs/[2Jb.md, which does not exist"),
        ("blog/category/news/", "", "made of other pages"),
        ("page/2/", "Other/site/edit/main/docs/b.md", "made of other pages"),
        ("a/", "", None),
    ],
)
def test_with_the_project_the_answer_says_why_there_is_no_source(
    page: str, link: str, why: str | None, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.git("remote", "add", "origin", "https://github.com/owner/docs.git")
    repository.write("docs/a.md", "# A")
    repository.write("mkdocs.yml", f"site_name: x\nsite_url: {X}\n")
    repository.commit("2026-03-10T12:00:00+00:00")
    mkdocs = '<meta name="generator" content="mkdocs-1.6.1">'
    link = f'{mkdocs}</head><a href="{link and f"https://github.com/{link}"}">Edit</a>'
    page += "index.html"
    write(repository.path / "site", complete({"sitemap.xml": HOME, "a/index.html": mkdocs, page: link}))
    monkeypatch.chdir(repository.path)
    said = run("why", f"/{page}", "site", "--project", ".").stdout.splitlines()
    assert [line for line in said if line.startswith("source: ")] == [
        f"source: none ({why})" if why else "source: docs/a.md"
    ]
    assert not any(line.startswith("source: ") for line in run("why", f"/{page}", "site").stdout.splitlines())
    (repository.path / "site" / "sitemap.xml").unlink()
    built = run("build", "site", "--project", ".", "-v").output
    assert (f"no date {page}: {why}" in built) is bool(why)


@pytest.fixture
def sphinx_project(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of Sphinx whose pages link to their sources, with one that its field list leaves out."""
    repository.git("remote", "add", "origin", "https://example.org/a/b.git")
    repository.write("docs/a.rst", "A\n=\n")
    repository.write("docs/old.rst", ":sitemap_exclude: true\n\nOld\n===\n")
    repository.write("docs/other.rst", "Other\n=====\n")
    repository.commit("2026-03-10T12:00:00+00:00")
    link = '</head><a href="https://example.org/a/b/edit/main/docs/{}.rst">'
    files = {f"{name}.html": link.format(name) for name in ("a", "old")}
    files |= {"other.html": "", "_static/documentation_options.js": ""}
    write(repository.path / "_build/html", complete({"sitemap.xml": HOME, **files}))
    monkeypatch.chdir(repository.path)
    return repository.path


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [
        ("docs/old.rst", "a build would leave it out: excluded (by its front matter)"),
        ("docs/a.rst", "nothing that was read leaves it out; not read: most options in conf.py, which is not run"),
        (
            "/other.html",
            "nothing that was read leaves it out; not read: its source and most options in conf.py, which is not run",
        ),
    ],
)
@pytest.mark.usefixtures("sphinx_project")
def test_nothing_is_claimed_about_what_sphinx_alone_reads(asked: str, verdict: str) -> None:
    assert verdict in run("why", asked).stdout.splitlines()


@pytest.mark.usefixtures("sphinx_project")
def test_whether_a_document_of_sphinx_makes_a_page_is_not_known() -> None:
    assert "source: none (its source was not found: it has no edit link)" in run("why", "/other.html").stdout


@pytest.mark.usefixtures("sphinx_project")
def test_a_source_whose_page_is_unknown_is_no_missing_page() -> None:
    message = "it is unknown which page is made from docs/other.rst: give the URL of the page, or its file in the site"
    more = "; with the option record, the next build will tell"
    assert run("why", "docs/other.rst", status=1).stderr == f"Error: {message}{more}\n"


@pytest.mark.parametrize("folder", [".", "docs"])
def test_a_source_of_sphinx_is_found_in_the_record(
    sphinx_project: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [{"loc": X, "document": "docs/index.rst"}, {"loc": f"{X}other.html", "document": "docs/other.rst"}]
    values = {"date": "committer", "follow_renames": True, "base": X, "repositories": {}, "pages": pages}
    record = {"by": "written by sitemap-plugins", "version": 1, **values}
    site = sphinx_project / "_build/html"
    (site / "site-record.json").write_text(json.dumps(record), encoding="ascii")
    monkeypatch.chdir(sphinx_project / folder)
    asked = os.path.relpath(sphinx_project / "docs/other.rst")
    lines = run("why", asked, site, "--project", sphinx_project).stdout.splitlines()
    assert lines[:2] == [f"{X}other.html", "file: other.html"]
    assert "not read: its source and" in lines[3]
    assert f"source: {asked.replace(os.sep, '/')}" in lines
    assert "source: " not in run("why", "/other.html", site).stdout  # without the project
    old = os.path.relpath(sphinx_project / "docs/conf.py")
    (sphinx_project / "docs/conf.py").touch()
    error = run("why", old, site, "--project", sphinx_project, status=1).stderr
    assert error.endswith("conf.py: give the URL of the page, or its file in the site\n")


@pytest.mark.usefixtures("sphinx_project")
def test_a_page_that_its_field_list_leaves_out_may_be_unlisted() -> None:
    found = run("check", "_build/html", "--project", ".").stdout
    assert "a.html" in found
    assert "old.html" not in found


@pytest.mark.parametrize(
    ("files", "asked"),
    [
        ({"a.html": '<meta name="generator" content="mkdocs-1.6.1">'}, "/a.html"),
        ({"_static/documentation_options.js": "", "de/b.html": ""}, "/de/b.html"),
    ],
)
@pytest.mark.parametrize("options", [(), ("--project", ".")])
def test_what_our_plugin_left_out_is_not_called_listed(
    files: dict[str, str], asked: str, options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitemap = f'<?xml version="1.0"?>\n{MARK}\n<urlset xmlns="{NAMESPACE}">{HOME}</urlset>'
    site = write(tmp_path / "site", complete({"sitemap.xml": sitemap, **files}))
    monkeypatch.chdir(tmp_path)
    answer = run("why", asked, site, *options).stdout.splitlines()
    assert answer[3] == (
        "it is not in the sitemap that the build wrote; if it is a page of that build, the log with -v says why"
    )
    assert not answer[-1].startswith("check finds")
    assert "it is not in the sitemap" not in run("why", "/", site, *options).stdout


def test_the_defaults_of_the_generator_count(tmp_path: Path) -> None:
    files = {"genindex.html": "", "_static/documentation_options.js": ""}
    answer = run("why", "/genindex.html", write(tmp_path, complete(files))).stdout
    assert "a build would leave it out: generated (Sphinx makes it of other pages; the option" in answer


def test_json_has_the_same_answer(site: Path) -> None:
    answer = json.loads(run("why", "/a/", site, "--format", "json").stdout)
    assert answer["listed"] == [
        {
            "sitemap": "sitemap.xml",
            "line": 4,
            "column": 6,
            "announced_by": "robots.txt",
            "loc": f"{X}a/",
            "lastmod": "2026-03-01",
        }
    ]
    assert json.loads(run("why", "/2/", site, "--format", "json").stdout)["translations"]["x-default"] == f"{X}2/"
    assert (answer["left_out"], answer["detail"], answer["findings"]) == (
        "noindex",
        "robots meta tag: noindex",
        ["listed-noindex"],
    )
