"""Which files differ between two commits, and which were renamed."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.git.branches import BranchError
from sitemap_plugins.git.difference import read_difference
from tests.conftest import Repository

TEXT = "".join(f"line {number}\n" for number in range(20))


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
