"""Behaviour of both hosts: the environment fails no build, and the same pages give the same bytes in a folder too."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

from sitemap_plugins.commands.main import main
from sitemap_plugins.record.site_record import parse_record

# Returns the site to build (a different one if its folder matters) and its configuration.
Prepare = Callable[[Any, Any, pytest.MonkeyPatch], tuple[Any, dict[str, object]]]


def write_pages(site: Any) -> None:
    site.pages(f"index.{site.suffix}", f"a.{site.suffix}")


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


def copy_in_an_ignored_folder(
    site: Any, repository: Any, _monkeypatch: pytest.MonkeyPatch
) -> tuple[Any, dict[str, object]]:
    write_pages(site.at(repository.path))
    repository.commit("2026-01-01T00:00:00+00:00")
    repository.write(".tox/.gitignore", "*\n")  # as tox 4 writes it
    return site.at(repository.path / ".tox/copy"), {}


def shallow(site: Any, repository: Any, _monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, object]]:
    write_pages(site.at(repository.path))
    repository.commit("2026-01-01T00:00:00+00:00")
    repository.write("other.txt", "later")
    repository.commit("2026-01-02T00:00:00+00:00")
    clone = repository.path.with_name("clone")
    repository.git("clone", "--quiet", "--depth", "1", f"file://{repository.path}", str(clone))
    return site.at(clone), {}


def uncommitted_date(site: Any, repository: Any, _monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, object]]:
    later = site.at(repository.path)
    write_pages(later)
    repository.commit("2026-01-01T00:00:00+00:00")
    is_mkdocs = site.host_url == "site_url"
    head = "---\nsitemap_lastmod: 2026-03-01\n---\n# A\n" if is_mkdocs else ":sitemap_lastmod: 2026-03-01\n\nA\n==\n"
    later.write(f"docs/a.{'md' if is_mkdocs else 'rst'}", head)
    return later, {}


def read_the_docs(site: Any, _repository: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, object]]:
    monkeypatch.setenv("READTHEDOCS", "True")
    return site, {}


def everything_forbidden(
    site: Any, _repository: Any, _monkeypatch: pytest.MonkeyPatch
) -> tuple[Any, dict[str, object]]:
    is_mkdocs = site.host_url == "site_url"
    site.write("docs/robots.txt", "User-agent: *\nDisallow: /\n")
    return site, {} if is_mkdocs else {"html_extra_path": ["robots.txt"]}


def preview(site: Any, _repository: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, object]]:
    """A preview on Netlify; tests/session/test_deployment.py has the other services."""
    monkeypatch.setenv("NETLIFY", "true")
    monkeypatch.setenv("CONTEXT", "deploy-preview")
    return site, {}


@pytest.mark.parametrize(
    ("prepare", "line"),
    [
        pytest.param(no_base_url, "the site has no URL", id="no base URL"),
        pytest.param(no_git, "git is not installed", id="no git"),
        pytest.param(no_repository, "the documents are not in a git repository", id="no repository"),
        pytest.param(no_commit, "the repository has no commit yet", id="no commit"),
        pytest.param(
            copy_in_an_ignored_folder,
            "2 pages have no date, because git ignores their sources, such as .tox/copy/docs/",
            id="copy in an ignored folder",
        ),
        pytest.param(shallow, "2 pages have no date, because the clone is shallow", id="shallow clone"),
        pytest.param(uncommitted_date, "is later than the last commit", id="uncommitted date"),
        pytest.param(read_the_docs, "Read the Docs writes robots.txt itself", id="Read the Docs"),
        pytest.param(everything_forbidden, "blocks crawlers from the whole site", id="Disallow: /"),
        pytest.param(preview, "this is a preview on Netlify: ", id="preview"),
    ],
)
def test_a_problem_of_the_environment_is_one_line_and_fails_no_build(
    any_site: Any, repository: Any, monkeypatch: pytest.MonkeyPatch, prepare: Prepare, line: str
) -> None:
    write_pages(any_site)
    site, config = prepare(any_site, repository, monkeypatch)
    if not any(site.docs.glob("index.*")):
        write_pages(site)
    options = config.pop("options", {})
    built = site.build_strictly(options, **config)
    assert built.warnings == []
    assert len(built.said("sitemap: ", line, level="info")) == 1


@pytest.mark.parametrize(
    ("prepare", "kind", "line"),
    [
        (no_repository, "no-git", "the documents are not in a git repository"),
        (no_base_url, "no-base-url", "no sitemap was written, because the site has no URL"),
        (shallow, "shallow", "2 pages have no date, because the clone is shallow"),
    ],
)
def test_the_option_notes_turns_a_note_into_a_failure_or_silences_it(
    any_site: Any, repository: Any, monkeypatch: pytest.MonkeyPatch, prepare: Prepare, kind: str, line: str
) -> None:
    write_pages(any_site)
    site, config = prepare(any_site, repository, monkeypatch)
    built = site.build({"notes": {kind: "warning"}}, strict=True, **config)
    assert built.failed
    assert len(built.said("sitemap: ", line, level="warning")) == 1
    built = site.build_strictly({"notes": {kind: "ignore"}}, **config)
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


def test_a_commit_that_changed_most_pages_is_named_once(any_site: Any, repository: Any) -> None:
    site = any_site.at(repository.path)
    names = [f"{name}.{any_site.suffix}" for name in ("index", "a", "b", "c", "d", "e", "f")]
    site.pages(*names)
    site.refer_to_all()
    repository.commit("2026-01-01T00:00:00+00:00")
    assert not site.build(strict=True).said("dates 7 of 7 pages"), "the commit added them"
    for name in names:
        with (site.docs / name).open("a") as file:
            file.write("\nMore.\n")
    commit = repository.commit("2026-02-01T00:00:00+00:00")
    built = site.build_strictly()
    assert len(built.said(f"commit {commit[:10]} of 2026-02-01 dates 7 of 7 pages", level="info")) == 1
    assert not site.build({"git": {"bulk_share": 1}}).said("of 7 pages")


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


def test_a_theme_with_a_script_that_reads_the_sitemap_gets_one_in_a_preview(
    sphinx_site: Any, repository: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_pages(sphinx_site)
    sphinx_site.write("docs/themes/sphinx_immaterial/theme.conf", "[theme]\ninherit = basic\nstylesheet = basic.css\n")
    preview(sphinx_site, repository, monkeypatch)
    built = sphinx_site.build(html_theme="sphinx_immaterial", html_theme_path=["themes"], strict=True)
    assert built.paths == ["a.html", "index.html"]
    assert not built.has("robots.txt")


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
