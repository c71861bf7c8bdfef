"""Commands on a branch: where they work, what they print, and that they give the same result as on a folder."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from sitemap_plugins.commands.main import main
from sitemap_plugins.commands.terminal import ProgressBar
from tests.commands.test_merge import OPEN, X, refusal, run
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


@pytest.mark.usefixtures("clone")
def test_the_progress_bar_begins_with_the_site_or_the_branch(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    class Recorder(ProgressBar):
        def __init__(self, what: str, *, quiet: bool) -> None:
            said.append(what)
            super().__init__(what, quiet=quiet)

    monkeypatch.setattr("sitemap_plugins.commands.root.ProgressBar", Recorder)
    run("merge", ".")
    run("merge", "--branch", "gh-pages")
    assert said == ["reading the site", "reading gh-pages"]


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
    assert [
        (name, text)
        for name, text in expected.items()
        if clone.git("cat-file", "blob", f"gh-pages:{name}") != text.decode().strip()
    ] == []
    assert clone.git("log", "-1", "--format=%s", "gh-pages") == "Update the sitemaps"
    assert clone.git("status", "--porcelain") == ""


def test_a_dry_run_shows_the_changes_and_makes_none(clone: Repository) -> None:
    before = clone.git("for-each-ref")
    result = run("merge", "docs", "--branch", "gh-pages", "--push", "--dry-run")
    assert result.stdout.splitlines()[-1] == "would change: sitemap.xml, fr/sitemap.xml"
    assert clone.git("for-each-ref") == before


@pytest.mark.parametrize("push", [["--push"], ["-p", "-r", "origin"]])
def test_the_branch_is_pushed_on_request(clone: Repository, push: list[str]) -> None:
    """``--push`` takes no value, so what follows it is the folder."""
    result = run("merge", *push, ".", "--branch=gh-pages")
    assert result.stdout.splitlines()[-1] == "pushed gh-pages to origin"
    pushed = clone.git("ls-remote", "origin", "refs/heads/gh-pages").split()[0]
    assert pushed == clone.git("rev-parse", "gh-pages")
    again = run("merge", *push, "--branch=gh-pages")
    done = ["nothing to change", "nothing to commit to gh-pages"]
    assert again.stdout.splitlines()[-2:] == done
    theirs = clone.git("commit-tree", "gh-pages^{tree}", "-p", "gh-pages", "-m", "theirs")
    clone.git("push", "--quiet", "origin", f"{theirs}:gh-pages")
    behind = run("merge", *push, "--branch=gh-pages")
    assert behind.stdout.splitlines()[-3:] == [done[0], "gh-pages now also has newer commits of others", done[1]]
    assert clone.git("rev-parse", "gh-pages") == theirs
    for remote in ("origin", None):
        options = ("--branch=gh-pages", "--x-default=none", "--format=json")
        found = json.loads(run("merge", *push, *options).stdout)
        commit = clone.git("rev-parse", "gh-pages") if remote else None
        assert (found["branch"], found["commit"], found["pushed_to"]) == ("gh-pages", commit, remote)


@pytest.mark.usefixtures("clone")
@pytest.mark.parametrize("root", ["gone", "../x", "index.html", "docs/..", os.path.abspath(os.sep)])
def test_a_root_that_is_not_a_folder_of_the_branch_is_refused(root: str) -> None:
    expected = f"Error: Invalid value: there is no folder {root} in gh-pages"
    assert refusal("merge", root, "--branch", "gh-pages") == expected


@pytest.mark.usefixtures("clone")
def test_errors_name_the_branch_and_not_a_temporary_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    assert refusal("merge", "docs", "--branch=gh-pages", "--pattern=x.xml", status=1) == (
        f"Error: there is no usable sitemap in {os.path.join('gh-pages', 'docs')} (files x.xml): "
        "build the site with a sitemap first"
    )
    assert refusal("merge", "--branch=gh-pages", "--language=en=.", "--language=de=de") == (
        "Error: Invalid value for '--language': there is no folder de below gh-pages; FOLDER is relative to ROOT"
    )

    def vanish(folder: str, *_: object, **__: object) -> None:
        raise FileNotFoundError(2, "No such file or directory", f"{folder}/gone")

    monkeypatch.setattr("sitemap_plugins.commands.merge.merge_folder", vanish)
    assert refusal("merge", "--branch=gh-pages", status=1) == "Error: gh-pages/gone: No such file or directory"


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
    assert refusal("merge", ".", "-m", "x") == "Error: --message works only with a branch; add --branch"
    assert refusal("retire", "-b", "gh-pages", "-r", "x") == (
        "Error: --remote is where --push pushes the branch; add --push"
    )


def test_the_commit_has_the_message_of_the_author(clone: Repository) -> None:
    assert run("merge", "docs", "-b", "gh-pages", "-m", "Languages: ✓").exit_code == 0
    assert clone.git("log", "-1", "--format=%B", "gh-pages") == "Languages: ✓"


class TestCompletion:
    """What a shell suggests; it asks by variables that click reads."""

    def suggestions(self, *words: str) -> list[str]:
        variables = {
            "_MAIN_COMPLETE": "zsh_complete",
            "COMP_WORDS": " ".join(["main", *words]),
            "COMP_CWORD": str(len(words)),
        }
        result = CliRunner().invoke(main, [], prog_name="main", env=variables)
        lines = result.stdout.strip().splitlines()
        return [f"{kind} {name}".strip() for kind, name in zip(lines[::3], lines[1::3], strict=True)]

    def test_branches_and_remotes(self, clone: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        clone.git("branch", "gh/pages")
        assert self.suggestions("merge", "--branch", "gh") == ["plain gh-pages", "plain gh/pages"]
        assert self.suggestions("retire", "--branch", "gh-pages", "--push", "-r", "o") == ["plain origin"]
        monkeypatch.chdir(tmp_path)
        assert self.suggestions("merge", "--branch", "gh") == []

    @pytest.mark.skipif(os.name == "nt", reason="Windows keeps the current folder of a process")
    def test_a_current_folder_that_no_longer_exists(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        tmp_path.rmdir()
        assert self.suggestions("merge", "--branch", "gh") == []

    def test_folders_and_files(self) -> None:
        assert self.suggestions("merge", "si") == ["dir si"]
        assert self.suggestions("merge", "--branch", "gh-pages", "do") == []
        assert self.suggestions("check", "--baseline", "pl") == ["file pl"]
        assert self.suggestions("build", "si") == ["dir si"]

    def test_options_and_commands(self) -> None:
        assert self.suggestions("") == [f"plain {name}" for name in main.list_commands(click.Context(main))]
        assert "plain --without-counterpart" in self.suggestions("retire", "--w")
        assert self.suggestions("retire", "--format", "j") == ["plain json"]


@pytest.mark.parametrize("option", [[], ["--with-removed"]], ids=["error", "problem"])
def test_a_version_on_the_branch_gets_its_sitemap_as_the_message_says(clone: Repository, option: list[str]) -> None:
    """Whatever the folder of the branch's copy is called."""
    clone.git("switch", "--quiet", "gh-pages")
    for name in ("1.0", "2.0"):
        clone.write(f"a b/{name}/index.html", f'<head><link rel="canonical" href="{X}a%20b/{name}/"></head>')
    if option:
        clone.write("a b/2.0/sitemap.xml", f"{OPEN}<url><loc>{X}a%20b/2.0/</loc></url></urlset>")
    clone.commit("2026-01-01T00:00:00Z")
    clone.git("switch", "--quiet", "main")
    merge = ("merge", "a b", "--branch", "gh-pages", "--base-url", f"{X}a%20b/", *option)
    version = "1.0" if option else "2.0"
    command = f"sitemap-plugins build 'a b/{version}' --branch gh-pages --base-url {X}a%20b/{version}/"
    assert refusal(*merge, status=1).endswith(f": {command} writes one")
    assert run(*shlex.split(command)[1:]).exit_code == 0
    result = run(*merge)
    assert result.exit_code == 0, result.output
    assert "2.0: 1 page listed at the root" in result.stdout


class TestBuild:
    """``build --branch`` writes what mike cannot: it builds with Zensical and commits in one step."""

    @pytest.fixture
    def deployed(self, clone: Repository) -> Repository:
        """Two versions on the branch, as mike and Zensical leave them; the newer one is the work tree's."""
        clone.write("zensical.toml", f'[project]\nsite_name = "x"\nsite_url = "{X}"\n')
        clone.write("docs/index.md", "# Home")
        clone.commit("2026-02-01T00:00:00Z")
        self.deploy(clone, "1.0")
        clone.write("docs/a.md", "# A")
        clone.commit("2026-03-01T00:00:00Z")
        self.deploy(clone, "2.0", "latest")
        return clone

    def deploy(self, clone: Repository, version: str, *copies: str, message: str = "") -> None:
        """What ``mike deploy`` of the fork for Zensical commits."""
        names = [path.stem for path in (clone.path / "docs").glob("*.md")]
        urls = {"" if name == "index" else f"{name}/": f"{X}{version}/" for name in sorted(names, reverse=True)}
        message = message or f"Deployed {clone.git('rev-parse', '--short', 'HEAD')} to {version} with Zensical 0.0.73"
        clone.git("switch", "--quiet", "gh-pages")
        for folder in (version, *copies):
            for url, base in urls.items():
                head = f'<meta name="generator" content="zensical-0.0.73"><link rel="canonical" href="{base}{url}">'
                clone.write(f"{folder}/{url}index.html", f"<html lang=en><head>{head}</head></html>")
            locs = "".join(f"<url><loc>{base}{url}</loc></url>" for url, base in urls.items())
            clone.write(f"{folder}/sitemap.xml", f"{OPEN}{locs}</urlset>")
        listed = json.loads((clone.path / "versions.json").read_text()) if version != "1.0" else []
        listed.insert(0, {"version": version, "title": version, "aliases": copies})
        clone.write("versions.json", json.dumps(listed))
        clone.commit("2026-03-02T00:00:00Z", message)
        clone.git("switch", "--quiet", "main")

    def dates(self, clone: Repository, path: str) -> dict[str, str]:
        content = clone.git("cat-file", "blob", f"gh-pages:{path}")
        return dict(re.findall(rf"<loc>{X}(.*?)</loc>(?:<lastmod>(.{{10}}))?", content))

    def test_the_version_and_its_copies_get_dates_in_one_commit_and_merge_lists_them(
        self, deployed: Repository
    ) -> None:
        note = "check out the sources that it was built from, run sitemap-plugins build 2.0 --branch gh-pages, and then"
        assert note in run("merge", "--branch", "gh-pages").stdout
        before = deployed.git("rev-parse", "gh-pages")
        result = run("build", "2.0", "--branch", "gh-pages", "--push")
        commit = deployed.git("rev-parse", "gh-pages")
        assert result.exit_code == 0
        assert result.stdout.splitlines() == [
            f"2 HTML files in {os.path.join('gh-pages', '2.0')}, built by Zensical",
            f"URL: {X}2.0/, from the canonical links of the pages",
            "sources: found for 2 of 2 files, in docs",
            "sitemap.xml: 2 URLs, 2 with a date",
            "changed: 2.0/sitemap.xml, latest/sitemap.xml",
            f"committed to gh-pages: {commit[:10]}",
            "pushed gh-pages to origin",
        ]
        about_robots, replaced = result.stderr.splitlines()
        assert about_robots.startswith("info: robots.txt has no effect below /2.0/; sitemap-plugins merge writes the ")
        assert replaced == "info: replaced sitemap.xml, which Zensical wrote (2 URLs)"
        assert deployed.git("log", "--format=%s", f"{before}..gh-pages") == "Write the sitemap of 2.0"
        expected = {"2.0/": "2026-02-01", "2.0/a/": "2026-03-01"}
        assert self.dates(deployed, "2.0/sitemap.xml") == self.dates(deployed, "latest/sitemap.xml") == expected
        merged = run("merge", "--branch", "gh-pages")
        assert "has no dates" not in merged.stdout
        assert self.dates(deployed, "sitemap-versions.xml") == expected

    @pytest.mark.parametrize("name", ["2.0", "latest/"])
    def test_a_second_run_commits_nothing(self, deployed: Repository, name: str) -> None:
        run("build", name, "--branch", "gh-pages", "-m", "Dates", "-q")
        assert deployed.git("log", "-1", "--format=%s", "gh-pages") == "Dates"
        again = run("build", name, "--branch", "gh-pages")
        assert again.stdout.splitlines()[-2:] == ["nothing to change", "nothing to commit to gh-pages"]

    def test_a_dry_run_commits_nothing(self, deployed: Repository) -> None:
        before = deployed.git("rev-parse", "gh-pages")
        result = run("build", "2.0", "--branch", "gh-pages", "--dry-run", "-q")
        assert result.output == "would change: 2.0/sitemap.xml, latest/sitemap.xml\n"
        assert deployed.git("rev-parse", "gh-pages") == before

    def test_an_older_version_needs_its_own_sources(self, deployed: Repository) -> None:
        head = deployed.git("rev-parse", "--short", "HEAD")
        older = deployed.git("rev-parse", "--short", "HEAD~1")
        assert refusal("build", "1.0", "--branch", "gh-pages", status=1) == (
            f"Error: 1.0 on gh-pages was built from {older}, but HEAD is {head}, so the dates would be wrong: "
            f"check out {older}, or deploy 1.0 again"
        )
        deployed.git("switch", "--quiet", "--detach", "HEAD~1")
        assert run("build", "1.0", "--branch", "gh-pages").exit_code == 0
        assert self.dates(deployed, "1.0/sitemap.xml") == {"1.0/": "2026-02-01"}

    def test_a_message_that_names_no_revision_is_mentioned(self, deployed: Repository) -> None:
        self.deploy(deployed, "3.0", message="Version 3")
        assert run("build", "3.0", "--branch", "gh-pages").stderr.splitlines()[0] == (
            "info: no commit message on gh-pages says from which revision 3.0 was built, so HEAD is assumed"
        )

    def test_with_strict_a_warning_keeps_the_branch_as_it_is(self, deployed: Repository) -> None:
        deployed.write("sitemap.toml", 'notes = {taken-over = "warning"}')
        before = deployed.git("rev-parse", "gh-pages")
        result = run("build", "2.0", "--branch", "gh-pages", "--strict", "--push", "-q")
        assert (result.exit_code, result.stderr.splitlines()[-2:]) == (
            1,
            ["warning: replaced sitemap.xml, which Zensical wrote (2 URLs)", "Error: --strict: 1 warning"],
        )
        assert deployed.git("rev-parse", "gh-pages") == before

    def test_a_retired_version_is_left_as_it_is(self, deployed: Repository) -> None:
        run("retire", "--branch", "gh-pages")
        deployed.git("switch", "--quiet", "--detach", "HEAD~1")
        before = deployed.git("rev-parse", "gh-pages")
        result = run("build", "1.0", "--branch", "gh-pages", "-q")
        assert (result.exit_code, result.stderr.splitlines()[-1]) == (1, "Error: no sitemap was written")
        assert f"canonical elsewhere ({X}2.0/)" in result.stderr
        assert deployed.git("rev-parse", "gh-pages") == before

    @pytest.mark.parametrize(
        ("folder", "status", "message"),
        [
            ("3.0", 1, "there is no folder 3.0 in gh-pages; did you mean '2.0'?"),
            ("..", 1, "there is no folder .. in gh-pages; valid names are 2.0, 1.0 and latest"),
            ("x/2.0", 2, "Invalid value: there is no folder x in gh-pages"),
            ("docs/en", 1, "there is no folder en in gh-pages/docs; valid names are fr"),
            ("docs/fr/en", 1, "there is no folder en in gh-pages/docs/fr"),
        ],
    )
    @pytest.mark.usefixtures("deployed")
    def test_other_folders_are_refused(self, folder: str, status: int, message: str) -> None:
        assert refusal("build", folder, "--branch", "gh-pages", status=status) == f"Error: {message}"

    def test_a_site_without_versions_is_built_too(self, deployed: Repository) -> None:
        deployed.git("switch", "--quiet", "gh-pages")
        (deployed.path / "docs/sitemap.xml").unlink()
        deployed.commit("2026-03-03T00:00:00Z")
        deployed.git("switch", "--quiet", "main")
        result = run("build", "docs", "--branch", "gh-pages", "--base-url", f"{X}docs/")
        assert (result.exit_code, [*self.dates(deployed, "docs/sitemap.xml")]) == (0, ["docs/", "docs/fr/"])
