"""The commit that a deployment was built from, according to its message, and the difference between two commits."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.git.branches import BranchError
from sitemap_plugins.git.commits import commit_in_message, is_built_from_head, read_difference
from tests.conftest import Repository

TEXT = "".join(f"line {number}\n" for number in range(20))


@pytest.mark.parametrize(
    ("message", "commit"),
    [
        ("Deployed bb7e8b62 with MkDocs version: 1.5.3\n", "bb7e8b62"),
        ("Deployed db4eeaa to latest with MkDocs 1.6.1 and mike 2.1.3", "db4eeaa"),
        ("Deployed 0a1b2c3 with ProperDocs version: 1.6.7", "0a1b2c3"),
        ("Deployed c14dec9 to 2.0 in docs with ProperDocs 1.6.7 and mike 2.2.0", "c14dec9"),
        ("deploy: c9b015ddc869b277c16dd20ef4a70e595c72d022", "c9b015ddc869b277c16dd20ef4a70e595c72d022"),
        ("deploy: a/b@" + "2" * 40, "2" * 40),
        ("Deploying to gh-pages from main @ a/b@" + "1" * 40 + " 🚀", "1" * 40),
        ("Deploying to gh-pages from @ a/b@" + "1" * 40 + " 🚀", "1" * 40),
        ("Deployed 40f3f4c41 to dev with Zensical 0.0.51 and mike 2.2.0+zensical-0.1.0", "40f3f4c41"),
        ("build based on 1a2b3c4", "1a2b3c4"),
        ("Release 1.2\n\nDeployed bb7e8b62 with MkDocs version: 1.5.3", None),
        ("Deployed somewhere", None),
        ("", None),
    ],
)
def test_the_commit_is_in_the_message_of_the_deployment(message: str, commit: str | None) -> None:
    assert commit_in_message(message) == commit


def deploy(
    repository: Repository, folder: str, commit: str, message: str = "Deployed {} to {} with Zensical 0.1"
) -> None:
    repository.write(f"{folder}/index.html", message.format(commit, folder))
    repository.commit("2026-01-02T00:00:00Z", message.format(commit, folder))


def test_the_last_message_that_names_a_commit_counts(repository: Repository) -> None:
    """Other commands change the pages after the deployment, and later ones of other versions are not of this one."""
    directory = str(repository.path / "docs")
    repository.write("docs/index.md", "")
    sources = repository.commit("2026-01-01T00:00:00Z")
    repository.git("switch", "--quiet", "--create", "gh-pages")
    deploy(repository, "docs/1.0", "1234567")
    deploy(repository, "docs/[1].0", "1234567")
    deploy(repository, "docs/1.0", sources[:7])
    deploy(repository, "docs/1.0", "", "Retire the pages of old versions")
    deploy(repository, "docs/2.0", "abcdef1")
    deploy(repository, "docs/3.0", "", "by hand")
    repository.git("switch", "--quiet", "main")
    repository.git("tag", "gh-pages")  # git means the tag if a name stands alone
    assert is_built_from_head(directory, "gh-pages", "docs/1.0")
    assert not is_built_from_head(directory, "gh-pages", "docs/3.0")
    with pytest.raises(BranchError) as error:
        is_built_from_head(directory, "gh-pages", "docs/2.0")
    assert str(error.value) == (
        f"docs/2.0 on gh-pages was built from abcdef1, but HEAD is {sources[:7]}, so the dates would be wrong: "
        "check out abcdef1, or deploy docs/2.0 again"
    )
    with pytest.raises(BranchError, match=r"docs/\[1\].0 on"):
        is_built_from_head(directory, "gh-pages", "docs/[1].0")
    with pytest.raises(BranchError, match="abcdef1"):
        is_built_from_head(directory, "gh-pages", "")


def test_a_deployment_of_the_same_pages_counts(repository: Repository) -> None:
    """With a new alias, for example, the commit has only other files."""
    repository.write("docs/index.md", "")
    repository.commit("2026-01-01T00:00:00Z")
    repository.git("switch", "--quiet", "--create", "gh-pages")
    deploy(repository, "2.0", "1234567")
    repository.git("switch", "--quiet", "main")
    message = f"Deployed {repository.git('rev-parse', '--short', 'HEAD')} to {{}} with Zensical 0.1 and mike 2.2.0"
    repository.git("switch", "--quiet", "gh-pages")
    for name in ("2.0", "2.0.1"):
        repository.write("versions.json", name)
        repository.commit("2026-01-03T00:00:00Z", message.format(name))
    repository.git("switch", "--quiet", "main")
    assert is_built_from_head(str(repository.path), "gh-pages", "2.0")


def test_the_difference_between_two_commits(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    for name in ("kept.md", "edited.md", "old name.md", "removed.md"):
        repository.write(f"docs/{name}", f"{TEXT}{name}")
    old = repository.commit("2026-01-01T00:00:00+00:00")
    repository.write("docs/edited.md", "another text")
    repository.write("docs/ü\n.md", "added")
    (tmp_path / "docs/old name.md").unlink()
    repository.write("docs/new.md", f"{TEXT}a line of its own")
    repository.git("config", "diff.renameLimit", "1")
    (tmp_path / "docs/removed.md").unlink()
    new = repository.commit("2026-01-02T00:00:00+00:00")
    found = read_difference(str(tmp_path), old, new)
    assert found.renamed == {"docs/old name.md": "docs/new.md"}
    assert found.changed == {f"docs/{name}.md" for name in ("edited", "old name", "new", "removed", "ü\n")}


def test_without_old_contents_only_the_same_contents_are_renamed(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "origin")
    for name in ("edited.md", "same.md"):
        repository.write(name, f"{TEXT}{name}")
    old = repository.commit("2026-01-01T00:00:00+00:00")
    repository.git("mv", "same.md", "moved.md")
    (repository.path / "edited.md").unlink()
    repository.write("new.md", f"{TEXT}a line of its own")
    new = repository.commit("2026-01-02T00:00:00+00:00")
    repository.git("config", "uploadpack.allowFilter", "true")
    clone = str(tmp_path / "clone")
    repository.git("clone", "--quiet", "--filter=blob:none", repository.path.as_uri(), clone)
    found = read_difference(clone, old, new)
    assert found.renamed == {"same.md": "moved.md"}
    assert found.changed == {"edited.md", "same.md", "moved.md", "new.md"}


@pytest.mark.parametrize("name", ["12345" * 8, "--root"])
def test_a_commit_that_the_clone_does_not_have_is_an_error(tmp_path: Path, name: str) -> None:
    repository = Repository(tmp_path)
    commit = repository.commit("2026-01-01T00:00:00+00:00")
    with pytest.raises(BranchError, match=name):
        read_difference(str(tmp_path), name, commit)
