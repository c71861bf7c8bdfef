"""Behaviour of both hosts: the environment fails no build, and the same pages give the same bytes in a folder too."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sitemap_plugins.commands.main import main
from sitemap_plugins.record import parse_record

# Returns the site to build (a different one if its folder matters) and its configuration.
Prepare = Callable[[Any, Any, pytest.MonkeyPatch], tuple[Any, dict[str, object]]]


def write_pages(site: Any) -> None:
    suffix = "md" if site.host_url == "site_url" else "rst"
    site.pages(f"index.{suffix}", f"a.{suffix}")


def no_base_url(site: Any, _repository: Any, _monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, object]]:
    return site, {site.host_url: ""}


def no_git(site: Any, repository: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, object]]:
    empty = repository.path.with_name("no-programs")
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))
    return site.at(repository.path), {}


def no_repository(site: Any, _repository: Any, _monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, object]]:
    return site, {}


def no_commit(site: Any, repository: Any, _monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, object]]:
    return site.at(repository.path), {}


def shallow(site: Any, repository: Any, _monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, object]]:
    write_pages(site.at(repository.path))
    repository.commit("2026-01-01T00:00:00+00:00")
    repository.write("other.txt", "later")
    repository.commit("2026-01-02T00:00:00+00:00")
    clone = repository.path.with_name("clone")
    repository.git("clone", "--quiet", "--depth", "1", f"file://{repository.path}", str(clone))
    return site.at(clone), {}


def another_owner(site: Any, repository: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, object]]:
    write_pages(site.at(repository.path))
    repository.commit("2026-01-01T00:00:00+00:00")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    return site.at(repository.path), {}


def uncommitted_date(site: Any, repository: Any, _monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, object]]:
    later = site.at(repository.path)
    write_pages(later)
    repository.commit("2026-01-01T00:00:00+00:00")
    is_mkdocs = site.host_url == "site_url"
    head = "---\nsitemap_lastmod: 2026-03-01\n---\n# A\n" if is_mkdocs else ":sitemap_lastmod: 2026-03-01\n\nA\n==\n"
    later.write(f"docs/a.{'md' if is_mkdocs else 'rst'}", head)
    return later, {}


def below_a_path(site: Any, _repository: Any, _monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, object]]:
    return site, {site.host_url: "https://docs.example.org/project/"}


def read_the_docs(site: Any, _repository: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, object]]:
    monkeypatch.setenv("READTHEDOCS", "True")
    return site, {}


def everything_forbidden(
    site: Any, _repository: Any, _monkeypatch: pytest.MonkeyPatch
) -> tuple[Any, dict[str, object]]:
    is_mkdocs = site.host_url == "site_url"
    site.write("docs/robots.txt", "User-agent: *\nDisallow: /\n")
    return site, {} if is_mkdocs else {"html_extra_path": ["robots.txt"]}


def everything_excluded(site: Any, _repository: Any, _monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, object]]:
    return site, {"options": {"exclude": ["*"]}}


def home_excluded(site: Any, _repository: Any, _monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, object]]:
    return site, {"options": {"exclude": ["index.html"]}}


def preview(**environment: str) -> Prepare:
    def prepare(site: Any, _repository: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, object]]:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        return site, {}

    return prepare


PREVIEWS = {
    "Read the Docs": preview(READTHEDOCS="True", READTHEDOCS_VERSION_TYPE="external"),
    "Netlify": preview(NETLIFY="true", CONTEXT="deploy-preview"),
    "Vercel": preview(VERCEL="1", VERCEL_ENV="preview"),
    "GitLab CI": preview(GITLAB_CI="true", CI_PIPELINE_SOURCE="merge_request_event"),
    "GitHub Actions": preview(GITHUB_ACTIONS="true", GITHUB_REF="refs/pull/7/merge"),
}


@pytest.mark.parametrize(
    ("kind", "prepare", "line"),
    [
        pytest.param("no-base-url", no_base_url, "the site has no URL", id="no base URL"),
        pytest.param("no-git", no_git, "git is not installed", id="no git"),
        pytest.param("no-git", no_repository, "the documents are not in a git repository", id="no repository"),
        pytest.param("no-git", no_commit, "the repository has no commit yet", id="no commit"),
        pytest.param("no-git", another_owner, "the repository belongs to another user", id="another owner"),
        pytest.param("shallow", shallow, "2 pages have no date, because the clone is shallow", id="shallow clone"),
        pytest.param("uncommitted-date", uncommitted_date, "is later than the last commit", id="uncommitted date"),
        pytest.param("robots-below-root", below_a_path, "robots.txt has no effect below /project/", id="path"),
        pytest.param("robots-of-host", read_the_docs, "Read the Docs writes robots.txt itself", id="Read the Docs"),
        pytest.param(
            "robots-disallow-all", everything_forbidden, "blocks crawlers from the whole site", id="Disallow: /"
        ),
        pytest.param("no-pages", everything_excluded, "every page is left out", id="no pages"),
        pytest.param("home-left-out", home_excluded, "the home page https://docs.example.org/", id="no home page"),
        pytest.param("preview", PREVIEWS["Netlify"], "this is a preview on Netlify: ", id="preview"),
    ],
)
def test_a_problem_of_the_environment_is_one_line_and_fails_no_build(
    any_site: Any, repository: Any, monkeypatch: pytest.MonkeyPatch, kind: str, prepare: Prepare, line: str
) -> None:
    write_pages(any_site)
    site, config = prepare(any_site, repository, monkeypatch)
    if not any(site.docs.glob("index.*")):
        write_pages(site)
    options = config.pop("options", {})
    built = site.build(options, strict=True, **config)
    assert not built.failed
    assert built.warnings == []
    assert len(built.said("sitemap: ", line, level="info")) == 1
    # The option notes turns the note into a failure, or silences it.
    built = site.build(options | {"notes": {kind: "warning"}}, strict=True, **config)
    assert built.failed
    assert len(built.said("sitemap: ", line, level="warning")) == 1
    built = site.build(options | {"notes": {kind: "ignore"}}, strict=True, **config)
    assert not built.failed
    assert built.said(line) == []


def test_a_site_without_problems_gets_only_the_summary(any_site: Any, repository: Any) -> None:
    site = any_site.at(repository.path)
    write_pages(site)
    repository.commit("2026-01-01T00:00:00+00:00")
    built = site.build(strict=True)
    told = [
        text
        for text in built.said("sitemap: ", level="info")
        if "left out search" not in text and "genindex" not in text
    ]
    (summary,) = told
    assert summary.startswith("sitemap: sitemap.xml: 2 URLs, 2 with a date")


@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("options", [{}, {"expose": "created", "record": "site-record.json"}])
def test_in_a_shallow_clone_dates_are_right_or_missing_and_the_log_names_the_fix_for_the_service(
    any_site: Any,
    repository: Any,
    monkeypatch: pytest.MonkeyPatch,
    depth: int,
    options: dict[str, object],
) -> None:
    """The words for each service are tested in tests/session/test_deployment.py."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    suffix = "md" if any_site.host_url == "site_url" else "rst"
    whole = any_site.at(repository.path)
    repository.write(".gitignore", "output\ndoctrees\nsite\nconf.py\nmkdocs.yml\n")
    for day, name in enumerate(("index", "old", "a", "b"), 1):
        whole.pages(f"{name}.{suffix}")
        if suffix == "rst":
            whole.refer_to_all()
        repository.git("add", ".")
        repository.git("commit", "--quiet", "--message", name, when=f"2026-01-{day:02}T00:00:00+00:00")
    clone = repository.path.with_name("clone")
    repository.git("clone", "--quiet", "--depth", str(depth), f"file://{repository.path}", str(clone))
    right = whole.build(options, strict=True).days
    assert all(right.values())
    built = any_site.at(clone).build(options, strict=True)
    assert not built.failed, built.warnings
    assert built.days.keys() == right.keys()
    known = {path: day for path, day in built.days.items() if day}
    assert known.items() <= right.items()
    assert bool(known) == (depth > 1)
    (line,) = built.said("no date, because the clone is shallow", level="info")
    assert line.endswith("to get the whole history, set fetch-depth: 0 for actions/checkout")


def test_a_commit_that_changed_most_pages_is_named_once(any_site: Any, repository: Any) -> None:
    site = any_site.at(repository.path)
    suffix = "md" if any_site.host_url == "site_url" else "rst"
    names = [f"{name}.{suffix}" for name in ("index", "a", "b", "c", "d", "e", "f")]
    site.pages(*names)
    if suffix == "rst":
        site.refer_to_all()
    repository.commit("2026-01-01T00:00:00+00:00")
    assert not site.build(strict=True).said("dates 7 of 7 pages"), "the commit added them"
    for name in names:
        with (site.docs / name).open("a") as file:
            file.write("\nMore.\n")
    commit = repository.commit("2026-02-01T00:00:00+00:00")
    built = site.build(strict=True)
    assert not built.failed
    assert len(built.said(f"commit {commit[:10]} of 2026-02-01 dates 7 of 7 pages", level="info")) == 1
    repository.write(".git-blame-ignore-revs", f"# reformatted\n{commit}\n")
    assert set(site.build(strict=True).days.values()) == {"2026-02-01"}, "the file is not committed"
    repository.git("add", ".git-blame-ignore-revs")
    repository.git("commit", "--quiet", "--message", "ignore it", when="2026-02-02T00:00:00+00:00")
    again = site.build(strict=True)
    assert not again.said("of 7 pages")
    assert set(again.days.values()) == {"2026-01-01"}
    assert set(site.build({"git": {"ignore_revs": False}}).days.values()) == {"2026-02-01"}
    assert not site.build({"git": {"ignore_revs": False, "bulk_share": 1}}).said("of 7 pages")


def test_an_invalid_line_among_the_ignored_commits_is_information(any_site: Any, repository: Any) -> None:
    site = any_site.at(repository.path)
    write_pages(site)
    repository.write(".git-blame-ignore-revs", f"# comment\n{'0' * 40}\nabc123\n")
    repository.commit("2026-01-01T00:00:00+00:00")
    built = site.build(strict=True)
    assert not built.failed
    (line,) = built.said("line 3 of .git-blame-ignore-revs is not a full commit id: 'abc123'", level="info")
    assert line.endswith("'abc123'; it is ignored")
    assert set(built.days.values()) == {"2026-01-01"}


def test_several_invalid_lines_are_one_line_in_the_log(any_site: Any, repository: Any) -> None:
    site = any_site.at(repository.path)
    write_pages(site)
    repository.write(".git-blame-ignore-revs", "abc123\n# comment\nmain\nHEAD\n")
    repository.commit("2026-01-01T00:00:00+00:00")
    repository.write(".git-blame-ignore-revs", "")
    (line,) = site.build(strict=True).said(".git-blame-ignore-revs")
    words = "line 1 of .git-blame-ignore-revs is not a full commit id: 'abc123' (and 2 more lines); it is ignored"
    assert line == f"sitemap: {words}"


def test_a_missing_file_of_ignored_commits_is_a_mistake_in_the_options(any_site: Any) -> None:
    write_pages(any_site)
    built = any_site.build({"git": {"ignore_revs": "none.txt"}}, strict=True)
    assert built.failed
    assert built.said("git.ignore_revs", "there is no file 'none.txt'")


def test_a_glob_in_depends_on_that_matches_no_file_fails_a_strict_build(any_site: Any) -> None:
    write_pages(any_site)
    built = any_site.build({"pages": [{"source": "a.*", "depends_on": "none/*.csv"}]}, strict=True)
    assert built.failed
    assert built.said("there is no file 'none/*.csv'", level="warning")


@pytest.mark.parametrize("lastmod", [["git"], ["git", "mtime"]])
@pytest.mark.parametrize("level", ["ignore", "warning"])
def test_a_missing_file_in_depends_on_is_reported(
    any_site: Any, repository: Any, lastmod: list[str], level: str
) -> None:
    site = any_site.at(repository.path)
    write_pages(site)
    repository.commit("2026-01-01T00:00:00+00:00")
    options = {"lastmod": lastmod, "pages": [{"source": "a.*", "depends_on": "../none.csv"}]}
    built = site.build(options | {"notes": {"depends-on": level}}, strict=True)
    assert built.failed == (level == "warning")
    assert len(built.said("there is no file '../none.csv'", level="warning")) == (level == "warning")


def test_a_sparse_checkout_lacks_files_but_no_dates(any_site: Any, repository: Any) -> None:
    whole = any_site.at(repository.path)
    write_pages(whole)
    if whole.host_url != "site_url":
        whole.refer_to_all()
    repository.write("data/a.csv", "1")
    repository.write("data/deep/b.csv", "1")
    repository.commit("2026-01-01T00:00:00+00:00")
    repository.write("data/deep/b.csv", "2")
    repository.commit("2026-01-05T00:00:00+00:00")
    clone = repository.path.with_name("clone")
    repository.git("clone", "--quiet", "--sparse", f"file://{repository.path}", str(clone))
    repository.git("-C", str(clone), "sparse-checkout", "set", "docs")
    site = any_site.at(clone)
    assert not (clone / "data").exists()
    up = "" if site.host_url == "site_url" else "../"  # from the folder of the configuration
    for name, day in (("data/a.csv", "2026-01-01"), ("data/deep/b.csv", "2026-01-05")):
        for path in (clone / "site", clone / "output", clone / "doctrees"):
            shutil.rmtree(path, ignore_errors=True)
        built = site.build({"pages": [{"source": "a.*", "depends_on": f"{up}{name}"}]}, strict=True)
        assert not built.failed, built.warnings
        assert sorted(built.days.values()) == ["2026-01-01", day]


def test_a_file_whose_name_looks_like_a_glob_is_found(any_site: Any, repository: Any) -> None:
    site = any_site.at(repository.path)
    write_pages(site)
    if site.host_url != "site_url":
        site.refer_to_all()
    repository.write("src/[slug]/a.tsx", "one")
    repository.write("src/s/a.tsx", "one")
    repository.commit("2026-01-01T00:00:00+00:00")
    repository.write("src/[slug]/a.tsx", "two")
    repository.commit("2026-01-05T00:00:00+00:00")
    up = "" if site.host_url == "site_url" else "../"
    built = site.build({"pages": [{"source": "a.*", "depends_on": f"{up}src/[slug]/a.tsx"}]}, strict=True)
    assert not built.failed, built.warnings
    assert sorted(built.days.values()) == ["2026-01-01", "2026-01-05"]


def test_the_last_record_is_read_before_its_folder_is_emptied(mkdocs_site: Any, repository: Any) -> None:
    site = mkdocs_site.at(repository.path)
    write_pages(site)
    repository.commit("2026-01-01T00:00:00+00:00")
    options = {"record": "record.json"}
    options["previous_record"] = str(site.build(options, strict=True).output / "record.json")
    (site.docs / "a.md").unlink()
    repository.commit("2026-01-02T00:00:00+00:00")
    assert site.build(options, strict=True).said("1 published page is gone: a/", level="info")


def test_the_record_names_the_source_of_a_page_and_the_file_that_dates_it(any_site: Any, repository: Any) -> None:
    site = any_site.at(repository.path)
    write_pages(site)
    if site.host_url != "site_url":
        site.refer_to_all()
    repository.write("data.csv", "1")
    first = repository.commit("2026-01-01T00:00:00+00:00")
    repository.write("data.csv", "2")
    head = repository.commit("2026-01-05T00:00:00+00:00")
    suffix, up = ("md", "") if site.host_url == "site_url" else ("rst", "../")
    options = {"record": "record.json", "pages": [{"source": "a.*", "depends_on": f"{up}data.csv"}]}
    built = site.build(options, strict=True)
    record = parse_record(built.read("record.json"))
    assert {page.document: page.path for page in record.pages} == {
        f"docs/index.{suffix}": f"docs/index.{suffix}",
        f"docs/a.{suffix}": "data.csv",
    }
    assert {page.commit for page in record.pages} == {first, head}
    assert record.head == head


@pytest.mark.parametrize("service", PREVIEWS)
def test_a_preview_is_not_announced(
    any_site: Any, repository: Any, monkeypatch: pytest.MonkeyPatch, service: str
) -> None:
    write_pages(any_site)
    PREVIEWS[service](any_site, repository, monkeypatch)
    built = any_site.build()
    assert not built.has("robots.txt")
    # The scripts of MkDocs' themes read the sitemap; those of Sphinx's themes do not.
    assert built.has("sitemap.xml") == (any_site.host_url == "site_url")


@pytest.mark.parametrize(
    "environment",
    [
        {"NETLIFY": "true", "CONTEXT": "production"},
        {"VERCEL": "1", "VERCEL_ENV": "production"},
        {"GITLAB_CI": "true", "CI_PIPELINE_SOURCE": "push"},
        {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request", "GITHUB_REF": "refs/heads/main"},
        {"CF_PAGES": "1", "CF_PAGES_BRANCH": "main"},
    ],
)
def test_the_production_site_is_announced(
    any_site: Any, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    write_pages(any_site)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    built = any_site.build(strict=True)
    assert b"Sitemap: https://docs.example.org/sitemap.xml\n" in built.read("robots.txt")


def test_a_theme_with_a_script_that_reads_the_sitemap_gets_one_in_a_preview(
    sphinx_site: Any, repository: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_pages(sphinx_site)
    sphinx_site.write("docs/themes/sphinx_immaterial/theme.conf", "[theme]\ninherit = basic\nstylesheet = basic.css\n")
    PREVIEWS["Netlify"](sphinx_site, repository, monkeypatch)
    built = sphinx_site.build(html_theme="sphinx_immaterial", html_theme_path=["themes"], strict=True)
    assert built.paths == ["a.html", "index.html"]
    assert not built.has("robots.txt")


def test_both_hosts_report_the_same_about_depends_on(mkdocs_site: Any, sphinx_site: Any, repository: Any) -> None:
    documents = {
        "docs/index.md": "# Home\n",
        "docs/a.md": "---\norphan: true\nsitemap_depends_on: {up}data/one.csv\n---\n# A\n",
        "docs/b.md": "---\norphan: true\nsitemap:\n  depends_on: ['{up}data/*.csv', '{up}more']\n---\n# B\n",
        "docs/c.md": "---\norphan: true\n---\n# C\n",
        "docs/d.md": "---\norphan: true\nsitemap_lastmod: 2026-01-02\nsitemap_depends_on: {up}data/one.csv\n---\n# D\n",
    }
    days = {"one.csv": "03", "two.csv": "04"}
    results = []
    # Paths that pages depend on start at the folder of the configuration, and conf.py is in another folder.
    for site, folder, up in ((mkdocs_site, "mkdocs", ""), (sphinx_site, "sphinx", "../")):
        own = type(repository)(repository.path.with_name(f"{folder}-repository"))
        here = site.at(own.path)
        for name, content in documents.items():
            own.write(name, content.replace("{up}", up))
        own.write(".gitignore", "conf.py\nmkdocs.yml\nsite\noutput\ndoctrees\n")
        own.commit("2026-01-01T00:00:00+00:00")
        for name, day in days.items():
            own.write(f"data/{name}", day)
            own.commit(f"2026-01-{day}T00:00:00+00:00")
        own.write("more/deep/file.txt", "deep")
        own.commit("2026-01-05T00:00:00+00:00")
        rule = {"source": "c.md", "depends_on": f"{up}data/two.csv, {up}data/one.csv"}
        options = {"pages": [rule], "gzip": True}
        if folder == "mkdocs":
            built = here.build(options, exclude_docs="conf.py", strict=True)
        else:
            here.extensions.append("myst_parser")
            built = here.build(options, builder="dirhtml", strict=True)
        assert not built.failed, built.warnings
        results.append([built.read(name) for name in ("sitemap.xml", "sitemap.xml.gz", "robots.txt")])
        assert built.days == {
            "": "2026-01-01",
            "a/": "2026-01-03",
            "b/": "2026-01-05",
            "c/": "2026-01-04",
            "d/": "2026-01-02",
        }
    assert results[0] == results[1]


DOCUMENTS = {
    "docs/index.md": "# Home\n",
    "docs/guide/index.md": "---\nsitemap:\n  priority: 0.8\n  changefreq: weekly\n---\n# Guide\n",
    "docs/é b.md": "---\nsitemap_lastmod: 2026-01-05\n---\n# Other\n",
    "docs/hidden.md": "---\nsitemap: false\n---\n# Hidden\n",
    "docs/new.md": "# Never committed\n",
}


@pytest.mark.parametrize("options", [{}, {"lastmod_format": "date", "pages": [{"source": "new.md", "priority": 0.1}]}])
def test_the_same_pages_give_the_same_bytes(
    mkdocs_site: Any, sphinx_site: Any, repository: Any, options: dict[str, object]
) -> None:
    both = [site.at(repository.path) for site in (mkdocs_site, sphinx_site)]
    for name, content in DOCUMENTS.items():
        repository.write(name, content)
    repository.git("add", ".", ":!docs/new.md")
    repository.git("commit", "--quiet", "--message", "all", when="2026-01-07T08:09:10-05:00")
    mkdocs, sphinx = both
    sphinx.extensions.append("myst_parser")
    names = ("sitemap.xml", "sitemap.xml.gz", "robots.txt")
    from_mkdocs = mkdocs.build(options | {"gzip": True}, exclude_docs="conf.py")
    from_sphinx = sphinx.build(options | {"gzip": True}, builder="dirhtml")
    assert from_mkdocs.paths == ["", "%C3%A9%20b/", "guide/", "new/"]
    expected = {name: from_mkdocs.read(name) for name in names}
    assert {name: from_sphinx.read(name) for name in names} == expected
    # The folder that MkDocs built, without the plugin's own files, with the same options in its mkdocs.yml.
    for name in names:
        (from_mkdocs.output / name).unlink()
    result = CliRunner().invoke(main, ["build", "--project", str(mkdocs.root)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert {name: from_mkdocs.read(name) for name in names} == expected


# A program that imports the whole public API and then prints which of these modules are loaded.
IMPORTS = """\
import sys

import sitemap_plugins

engine = sorted({{"msgspec", "pathspec", "selectolax"}} & set(sys.modules))
assert not engine, engine
if {is_used}:
    for name in sitemap_plugins.__all__:
        getattr(sitemap_plugins, name)
names = {{"click", "docutils", "httpx", "mkdocs", "protego", "pydantic", "rich", "sphinx"}}
print(sorted(names & set(sys.modules)))
"""


@pytest.mark.parametrize("is_used", [False, True])
def test_importing_the_package_imports_no_host(tmp_path: Path, is_used: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTS.format(is_used=is_used)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONWARNINGS": "error"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "[]\n"


STUB = '<meta http-equiv="refresh" content="0; url=index.html">'
# Tools for redirects write their pages at the end of the build.
HOOK = f"""
def on_post_build(config):
    for name in config.extra["stubs"]:
        (Path(config.site_dir) / name).write_text({STUB!r})
"""
EXTENSION = f"""
def write(app, exception):
    for name in stubs:
        (Path(app.outdir) / name).write_text({STUB!r})
def setup(app):
    app.connect("build-finished", write)
"""


def test_both_hosts_say_the_same_about_lost_pages_and_redirects(any_site: Any, repository: Any) -> None:
    site = any_site.at(repository.path)
    write_pages(site)
    suffix = "md" if site.host_url == "site_url" else "rst"
    config: dict[str, Any] = {}
    if suffix == "md":
        site.write("hook.py", f"from pathlib import Path\n{HOOK}")
        config = {"hooks": ["hook.py"], "use_directory_urls": False}
    else:
        site.refer_to_all()

    def build(stubs: list[str]) -> Any:
        site.code = f"from pathlib import Path\nstubs = {stubs}\n{EXTENSION}"
        own = {"extra": {"stubs": stubs}} if suffix == "md" else {}
        return site.build(options, strict=True, **config, **own)

    repository.commit("2026-01-01T00:00:00+00:00")
    options: dict[str, object] = {"record": "record.json", "notes": {"gone": "warning"}}
    before = build(["old.html"])
    assert before.warnings == []
    assert b'{"from":"old.html","to":""}' in before.read("record.json")
    previous = site.write("previous.json", before.read("record.json"))
    options["previous_record"] = str(previous)
    shutil.rmtree(before.output)  # Sphinx keeps the pages of removed documents
    (site.docs / f"a.{suffix}").unlink()
    repository.commit("2026-01-02T00:00:00+00:00")
    built = build([])
    assert built.failed
    cure = f"add redirects; to print them, run sitemap-plugins diff {previous} SITE"
    for words in ("1 published page is gone: a.html", "1 published redirect is gone: old.html"):
        assert built.said(f"sitemap: {previous}: {words}; {cure}", level="warning")
    built = build(["old.html", "a.html"])
    assert not built.failed
    assert built.warnings == []


def published_elsewhere(site: Any) -> dict[str, object]:
    """The option for the record of a deployment with a page that no build has."""
    base = "https://docs.example.org/"
    record = {"version": 1, "date": "committer", "follow_renames": True, "base": base}
    record |= {"repositories": {}, "pages": [{"loc": f"{base}lost/"}]}
    return {"previous_record": str(site.write("previous.json", json.dumps(record)))}


LOST = "1 published page is missing from this build: lost/; without git, the reason is unknown"


def test_previews_of_sphinx_are_compared_too(sphinx_site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    write_pages(sphinx_site)
    monkeypatch.setenv("READTHEDOCS_VERSION_TYPE", "external")
    options = published_elsewhere(sphinx_site) | {"record": "record.json"}
    built = sphinx_site.build(options, html_baseurl="https://docs--7.org.readthedocs.build/en/7/", strict=True)
    assert built.said(LOST, level="info")
    assert not built.has("sitemap.xml")
    assert not built.has("record.json")


def test_builds_of_a_part_of_the_site_and_local_previews_are_not_compared(any_site: Any) -> None:
    write_pages(any_site)
    options = published_elsewhere(any_site)
    parts: list[dict[str, Any]]
    if any_site.host_url == "site_url":
        languages = [{"locale": name, "name": name, "default": name == "en"} for name in ("en", "fr")]
        plugin = {"i18n": {"docs_structure": "suffix", "languages": languages, "build_only_locale": "en"}}
        parts = [{"command": "serve"}, {"plugins": [plugin]}]
    else:
        parts = [{"builder": "singlehtml"}]
    for part in parts:
        assert not any_site.build(options, **part).said("missing from this build")
    assert any_site.build(options).said(LOST, level="info")
