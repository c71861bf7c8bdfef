"""Sites published by mike, with every kind of alias, with and without a canonical version, and with a prefix."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from sitemap_plugins.commands.main import main
from sitemap_plugins.html.head import read_markup
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.versions.kept import RedirectedError, choose_kept, read_versions
from sitemap_plugins.versions.recognizing import recognize
from sitemap_plugins.versions.version import Alias

pytest.importorskip("mike")

ROOT = Path(__file__).parents[2]
X = "https://docs.example.org/"
# mike has no module that ``python -m`` can run, and it runs the command mkdocs. A process is slow to start, so it runs
# several commands.
MIKE = """
import json, sys
from mike.driver import main
for command in json.loads(sys.argv[1]):
    sys.argv[1:] = command
    if failure := main():
        sys.exit(failure)
"""
PROGRAMS = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in [("NAME", "A Writer"), ("EMAIL", "writer@example.org")]
}
NO_LINKS = os.name == "nt"
OURS = (sys.executable, "-m", "sitemap_plugins")
KINDS = ("yaml", "console")


class Mike:
    """A repository with a site, and the branch that mike writes."""

    def __init__(self, path: Path, **options: object) -> None:
        self.path = path
        if not path.exists():
            path.mkdir()
            (path / "docs" / "guide").mkdir(parents=True)
            for page in ("index.md", "guide/index.md", "guide/more.md"):
                (path / "docs" / page).write_text(f"# {page}\n")
            plugins = [{"mike": options}]
            config = {"site_name": "Sample", "site_url": X, "theme": {"name": "mkdocs"}, "plugins": plugins}
            (path / "mkdocs.yml").write_text(json.dumps(config))
            self.run("git", "init", "--quiet")
            self.run("git", "add", ".")
            self.run("git", "commit", "--quiet", "--message", "a site")

    def run(self, *command: str) -> bytes:
        done = subprocess.run(
            command, cwd=self.path, env=os.environ | IDENTITY | {"PATH": PROGRAMS}, check=False, capture_output=True
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    def mike(self, *commands: tuple[str, ...]) -> None:
        self.run(sys.executable, "-c", MIKE, json.dumps(commands))

    def export(self, path: Path) -> Path:
        """Export the published site into a folder."""
        self.run("git", "clone", "--quiet", "--branch", "gh-pages", ".", str(path))
        return path


@pytest.fixture
def two_versions(tmp_path: Path, once: Callable[..., Path]) -> Callable[[str | None], Mike]:
    """A site with 1.0 and 2.0 already published, with or without the option ``canonical_version``."""

    def make(canonical: str | None) -> Mike:
        options = {"canonical_version": canonical} if canonical else {}
        origin = once(
            f"mike {canonical}",
            lambda folder: Mike(folder / "site", **options).mike(("deploy", "1.0"), ("deploy", "2.0")),
        )
        return Mike(Path(copytree(origin / "site", tmp_path / "site", symlinks=True)))

    return make


# Without a canonical version, all kinds lead to the same.
@pytest.mark.parametrize(
    ("kind", "canonical"), [("symlink", None), ("symlink", "stable"), ("copy", "stable"), ("redirect", "stable")]
)
def test_each_kind_of_alias(
    tmp_path: Path, two_versions: Callable[[str | None], Mike], kind: Any, canonical: str | None
) -> None:
    if kind == "symlink" and NO_LINKS:
        pytest.skip("Windows lets few users make links")
    site = two_versions(canonical)
    site.mike(("deploy", "--alias-type", kind, "--title", "3.0.1", "3.0", "stable"), ("set-default", "stable"))
    tree = recognize(Tree(site.export(tmp_path / "published")))
    assert [(each.name, each.title, each.known_by) for each in tree.versions] == [
        ("3.0", "3.0.1", ("versions.json",)),
        ("2.0", "2.0", ("versions.json",)),
        ("1.0", "1.0", ("versions.json",)),
    ]
    assert [each.aliases for each in tree.versions] == [(Alias(folder="stable", kind=kind),), (), ()]
    assert (tree.root_url, tree.problems, tree.notes) == (X, (), ())
    assert tree.root_site
    assert tree.root_site.leads_to == "stable"
    choice = choose_kept(tree)
    (kept,) = choice.kept
    assert kept.version.name == "3.0"
    if canonical and kind != "redirect":
        assert (kept.base_url, kept.folder, kept.reason) == (
            f"{X}stable/",
            "stable",
            "canonical links in 3 of 3 versions",
        )
    else:
        assert (kept.base_url, kept.folder) == (f"{X}3.0/", "3.0")
    assert choice.warnings == ()
    with pytest.raises(RedirectedError) if canonical and kind == "redirect" else nullcontext():
        read_versions(Tree(tmp_path / "published"))


def test_a_prefix_is_missing_in_urls(tmp_path: Path) -> None:
    site = Mike(tmp_path / "site", deploy_prefix="docs")
    site.mike(("deploy", "1.0"))
    published = site.export(tmp_path / "published")
    assert recognize(Tree(published)).notes == (
        "docs/ has a versions.json: to work on those versions, set ROOT to the folder docs",
    )
    tree = recognize(Tree(published / "docs"))
    assert [each.folder for each in tree.versions] == ["1.0"]
    assert tree.notes == (
        (
            f"the pages have URLs below {X}, but lie in docs/: if that is mike's deploy_prefix, add it to site_url, "
            "because mike does not"
        ),
    )


@pytest.mark.parametrize(
    ("folder", "aliases", "is_named"),
    [("latest/", [], True), ("edge/", ["edge"], True), ("1.0/", [], True), ("edge/", [], False), ("", [], False)],
)
def test_a_site_url_with_an_alias_is_named(folder: str, aliases: list[str], is_named: bool, tmp_path: Path) -> None:
    for version in ("1.0", "2.0", *aliases):
        (tmp_path / version / "guide").mkdir(parents=True)
        for page in ("", "guide/"):
            url = f"{X}{folder}{version}/{page}"
            (tmp_path / version / page / "index.html").write_text(f'<link rel="canonical" href="{url}">')
    listed = [{"version": name, "aliases": aliases if name == "2.0" else []} for name in ("2.0", "1.0")]
    (tmp_path / "versions.json").write_text(json.dumps(listed))
    name = folder.rstrip("/")
    expected = (
        f"the pages have URLs below {X}{folder}: if {name} is an alias, remove it from site_url; mike adds a version"
    )
    assert recognize(Tree(tmp_path)).notes == ((expected,) if is_named else ())


def _retire(folder: Path, *options: str) -> str:
    result = CliRunner().invoke(main, ["retire", str(folder), *options], catch_exceptions=False)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


@pytest.mark.skipif(NO_LINKS, reason="Windows lets few users make links")
@pytest.mark.parametrize("canonical", [None, "stable"])
def test_retired_versions_survive_the_next_deployment(
    tmp_path: Path, two_versions: Callable[[str | None], Mike], canonical: str | None
) -> None:
    """Versions are retired and committed, then mike adds one and moves the alias; all pages lead to the new one."""
    site = two_versions(canonical)
    branch = tmp_path / "published"
    site.run("git", "worktree", "add", str(branch), "gh-pages")
    built: dict[str, bytes] = {}

    def remember(*folders: str) -> None:
        pages = [path for folder in folders for path in (branch / folder).rglob("*.html")]
        built.update({path.relative_to(branch).as_posix(): path.read_bytes() for path in pages})

    remember("1.0", "2.0")
    for version in ("3.0", "4.0"):
        site.run("git", "worktree", "remove", "--force", str(branch))
        site.mike(("deploy", "--alias-type", "symlink", "--update-aliases", version, "stable"))
        site.run("git", "worktree", "add", str(branch), "gh-pages")
        remember(version)
        _retire(branch)
        url = f"{X}{canonical or version}/guide/more/"
        paths = [path for path in branch.glob("?.0/guide/more/index.html") if path.parts[-4] <= version]
        assert {read_markup(path.read_bytes()).canonicals for path in paths} == {(url,)}
        assert [
            path for path in built if path.startswith(version) and (branch / path).read_bytes() != built[path]
        ] == []
        assert _retire(branch).endswith("nothing to change\n")
        site.run("git", "-C", str(branch), "commit", "--quiet", "--all", "--allow-empty", "--message", "old versions")
    _retire(branch, "--undo")
    assert {path: (branch / path).read_bytes() for path in built} == built


@pytest.mark.parametrize(("page", "after"), [("README.md", "## I use mike\n"), ("docs/mike.md", "With mike, set")])
def test_the_workflow_of_the_manual(page: str, after: str, tmp_path: Path, two_versions: Callable[..., Mike]) -> None:
    text = (ROOT / page).read_text(encoding="utf-8").partition(after)[2]
    config, commands = (re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[0] for kind in KINDS)
    options = yaml.safe_load(config)
    if NO_LINKS and "alias_type" not in options["plugins"][1]["mike"]:
        pytest.skip("Windows lets few users make links")
    site = two_versions("stable")
    (site.path / "mkdocs.yml").write_text(json.dumps({"site_name": "Sample", "theme": "mkdocs"} | options))
    site.run("git", "init", "--quiet", "--bare", str(tmp_path / "origin"))
    site.run("git", "remote", "add", "origin", str(tmp_path / "origin"))
    listed = []
    for version in ("9.0", "10.0"):
        for command in commands.replace("9.0", version).splitlines():
            program, *arguments = shlex.split(command)
            if program == "mike":
                site.mike((*arguments,))
            else:
                site.run(*(OURS if program == "sitemap-plugins" else [program]), *arguments)
        published = site.export(tmp_path / version)
        site.run(*OURS, "check", str(published))
        listed.append(re.findall("<loc>(.*?)</loc>", (published / "sitemap.xml").read_text()))
    assert listed == [[f"{X}stable/", f"{X}stable/guide/", f"{X}stable/guide/more/"]] * 2
    assert b"\nnothing that was read leaves it out; " in site.run(*OURS, "why", f"{X}stable/guide/", str(published))
    # The other URLs of the same pages are still wrong to list.
    sitemap = published / "sitemap.xml"
    sitemap.write_text(sitemap.read_text().replace(f"{X}stable/guide/<", f"{X}10.0/guide/<"))
    (published / "sitemap.xml.gz").unlink()
    result = CliRunner().invoke(main, ["check", str(published)])
    assert (result.exit_code, result.stdout.count(f"{X}10.0/guide/ -> {X}stable/guide/")) == (1, 1)
