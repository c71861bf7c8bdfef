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
    (tmp_path / "docs/old name.md").rename(tmp_path / "docs/new.md")
    (tmp_path / "docs/removed.md").unlink()
    new = repository.commit("2026-01-02T00:00:00+00:00")
    found = read_difference(str(tmp_path), old, new)
    assert found.renamed == {"docs/old name.md": "docs/new.md"}
    assert found.changed == {f"docs/{name}.md" for name in ("edited", "old name", "new", "removed", "ü\n")}


def test_a_commit_that_the_clone_does_not_have_is_an_error(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    commit = repository.commit("2026-01-01T00:00:00+00:00")
    with pytest.raises(BranchError, match="12345"):
        read_difference(str(tmp_path), "12345" * 8, commit)
