"""Commands on a branch: where they work, what they print, and that they give the same result as on a folder."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from sitemap_plugins.commands.target import Target, takes_target
from sitemap_plugins.values.progress import Track
from tests.commands.test_merge import OPEN, refusal, run
from tests.conftest import Repository

LANGUAGES = {"": "en", "fr/": "fr"}


def build(root: Path, base: str) -> None:
    for folder, lang in LANGUAGES.items():
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / "index.html").write_text(f'<html lang="{lang}"><head></head></html>')
        (root / folder / "sitemap.xml").write_text(f"{OPEN}\n<url><loc>{base}{folder}</loc></url>\n</urlset>\n")


@pytest.fixture
def clone(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A clone as the current folder, with a branch that has two published sites, and its remote."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "A Writer")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "writer@example.org")
    repository.git("switch", "--quiet", "--orphan", "gh-pages")
    build(repository.path, "https://x.org/")
    build(repository.path / "docs", "https://x.org/docs/")
    repository.commit("2026-01-01T00:00:00Z")
    repository.git("switch", "--quiet", "--orphan", "main")
    repository.write("README.md", "sources")
    repository.commit("2026-01-01T00:00:00Z")
    remote = tmp_path / "remote.git"
    repository.git("clone", "--quiet", "--bare", str(repository.path), str(remote))
    repository.git("remote", "add", "origin", str(remote))
    monkeypatch.chdir(repository.path)
    return repository


def test_versions_are_retired_and_merged_in_one_commit(clone: Repository) -> None:
    clone.git("switch", "--quiet", "gh-pages")
    for name in ("1.0", "2.0"):
        clone.write(f"{name}/index.html", f'<head><link rel="canonical" href="https://x.org/{name}/"></head>')
        clone.write(f"{name}/sitemap.xml", f"{OPEN}\n<url><loc>https://x.org/{name}/</loc></url>\n</urlset>\n")
    before = clone.commit("2026-01-01T00:00:00Z")
    clone.git("switch", "--quiet", "main")
    assert run("merge", "--retire", "--branch", "gh-pages").exit_code == 0
    assert clone.git("log", "--format=%s", f"{before}..gh-pages") == (
        "Retire the pages of old versions and update the sitemaps"
    )
    assert clone.git("diff", "--name-only", before, "gh-pages").split() == [
        "1.0/index.html",
        "robots.txt",
        "sitemap-versions.xml",
        "sitemap-versions.xml.gz",
    ]
    assert run("merge", "--retire", "--branch", "gh-pages", "--max-changes", "0", "--keep", "1.0").exit_code == 1


def test_a_branch_gets_the_same_result_as_a_folder(clone: Repository, tmp_path: Path) -> None:
    folder = tmp_path / "published"
    clone.git("worktree", "add", "--quiet", str(folder), "gh-pages")
    there = run("merge", folder / "docs")
    expected = {name: (folder / name).read_bytes() for name in ("docs/sitemap.xml", "docs/fr/sitemap.xml")}
    clone.git("worktree", "remove", "--force", str(folder))
    result = run("merge", "docs", "--branch", "gh-pages")
    commit = clone.git("rev-parse", "gh-pages")
    assert result.exit_code == there.exit_code == 0
    assert result.stderr == ""
    assert result.stdout == f"{there.stdout}committed to gh-pages: {commit[:10]}\n"
    assert clone.git("diff", "--name-only", "gh-pages^", "gh-pages").split() == sorted(expected)
    assert all(
        clone.git("cat-file", "blob", f"gh-pages:{name}") == text.decode().strip() for name, text in expected.items()
    )
    assert clone.git("log", "-1", "--format=%s", "gh-pages") == "Update the sitemaps"
    assert clone.git("status", "--porcelain") == ""


def test_a_second_run_makes_no_commit(clone: Repository) -> None:
    assert run("merge", "--branch", "gh-pages").exit_code == 0
    before = clone.git("rev-parse", "gh-pages")
    result = run("merge", "--branch", "gh-pages", ".")
    assert result.stdout.splitlines()[-2:] == ["nothing to change", "nothing to commit to gh-pages"]
    assert clone.git("rev-parse", "gh-pages") == before


def test_a_dry_run_shows_the_changes_and_makes_none(clone: Repository) -> None:
    before = clone.git("for-each-ref")
    result = run("merge", "docs", "--branch", "gh-pages", "--push", "--dry-run")
    assert result.stdout.splitlines()[-1] == "would change: sitemap.xml, fr/sitemap.xml"
    assert clone.git("for-each-ref") == before


@pytest.mark.parametrize("push", [["--push"], ["--push", "origin"], ["--push=origin"]])
def test_the_branch_is_pushed_on_request(clone: Repository, push: list[str]) -> None:
    result = run("merge", *push, "--branch=gh-pages")
    assert result.stdout.splitlines()[-1] == "pushed gh-pages to origin"
    pushed = clone.git("ls-remote", "origin", "refs/heads/gh-pages").split()[0]
    assert pushed == clone.git("rev-parse", "gh-pages")
    again = run("merge", *push, "--branch=gh-pages")
    assert again.stdout.splitlines()[-2:] == ["nothing to change", "nothing to commit to gh-pages"]


def test_problems_are_named_as_in_a_folder(clone: Repository) -> None:
    clone.git("switch", "--quiet", "gh-pages")
    clone.write("docs/fr/sitemap.xml", "<urlset")
    clone.commit("2026-01-01T00:00:00Z")
    clone.git("switch", "--quiet", "main")
    result = run("merge", "docs", "--branch", "gh-pages")
    assert result.exit_code == 1
    assert result.stderr.startswith("problem: fr/sitemap.xml ")


@pytest.mark.usefixtures("clone")
@pytest.mark.parametrize("root", ["gone", "../x", "index.html", "docs/..", os.path.abspath(os.sep)])
def test_a_root_that_is_not_a_folder_of_the_branch_is_refused(root: str) -> None:
    expected = f"Error: Invalid value for 'ROOT': there is no folder {root} in gh-pages"
    assert refusal("merge", root, "--branch", "gh-pages") == expected


@pytest.mark.usefixtures("clone")
def test_errors_name_the_branch_and_not_a_temporary_folder() -> None:
    assert refusal("merge", "docs", "--branch=gh-pages", "--pattern=x.xml", status=1) == (
        f"Error: there is no usable sitemap in {os.path.join('gh-pages', 'docs')} (files x.xml): "
        "build the site with a sitemap first"
    )
    assert refusal("merge", "--branch=gh-pages", "--language=en=.", "--language=de=de") == (
        "Error: Invalid value for '--language': there is no folder de below gh-pages; FOLDER is relative to ROOT"
    )


def test_errors_from_git_are_messages(clone: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clone.git("fetch", "--quiet", "origin")
    clone.git("branch", "--quiet", "-D", "gh-pages")
    assert refusal("merge", "--branch", "gh-pages", status=1) == (
        "Error: there is no local branch gh-pages; fetch it: git fetch origin gh-pages:gh-pages"
    )
    shutil.rmtree(clone.path / ".git")
    assert "is not in a git repository" in refusal("merge", "--branch", "gh-pages", status=1)
    monkeypatch.chdir(tmp_path)
    assert refusal("merge", "--push") == "Error: --push works only with a branch; add --branch"


def test_another_command_needs_a_few_lines(clone: Repository) -> None:
    @click.command()
    @takes_target
    def write(target: Target) -> None:
        def act(root: str, track: Track) -> int:
            return sum(Path(root, name).write_text(name) for name in track(["new"], "writing"))

        result, outcome = target.work(act, "Write it", dry_run=False, quiet=False)
        click.echo([result, *(outcome.lines() if outcome else [])])

    outcome = CliRunner().invoke(write, ["docs", "--branch", "gh-pages"], catch_exceptions=False)
    commit = clone.git("rev-parse", "gh-pages")
    assert outcome.stdout == f"[3, 'committed to gh-pages: {commit[:10]}']\n"
    assert clone.git("cat-file", "blob", "gh-pages:docs/new") == "new"
