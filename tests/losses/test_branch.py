"""Which pages a branch has lost, and which it only does not have yet."""

from __future__ import annotations

import pytest

from sitemap_plugins.losses.finding import Branch, Loss, LossFinding, branch_of, split_behind
from sitemap_plugins.published.snapshot import SnapshotPage
from tests.conftest import Repository

LOST, NEW, KEPT, UNKNOWN = (
    Loss(path=path, page=SnapshotPage(path=path, document=document))
    for path, document in (("lost/", "lost.md"), ("new/", "new.md"), ("kept/", "kept.md"), ("unknown/", None))
)
REDIRECT = Loss(path="redirect/")


@pytest.mark.parametrize(
    ("theirs", "kept"),
    [
        pytest.param("README.md", [True, False, True, True], id="others changed a document"),
        pytest.param("kept.md", [True, False, False, True], id="others changed the document of the page"),
        pytest.param("docs/mkdocs.en.yml", [True, False, False, False], id="others changed settings"),
        pytest.param("conf.py", [True, False, False, False], id="others changed conf.py"),
        pytest.param("docs/_redirects", [True, False, False, False], id="others changed redirects"),
    ],
)
def test_a_branch_has_lost_what_nobody_else_can_have_changed(
    theirs: str, kept: list[bool], repository: Repository
) -> None:
    for name in ("lost.md", "kept.md"):
        repository.write(name, "")
    base = repository.commit("2026-01-01T00:00:00Z")
    repository.write("new.md", "")
    repository.write(theirs, "of others")
    deployed = repository.commit("2026-01-02T00:00:00Z")
    repository.git("checkout", "--quiet", "-b", "branch", base)
    (repository.path / "lost.md").unlink()
    branch = branch_of(deployed, str(repository.path))
    assert branch.is_behind
    assert [*map(branch.has_lost, (LOST, NEW, KEPT, REDIRECT))] == kept
    assert not branch.has_lost(UNKNOWN)


def test_redirects_and_pages_with_known_documents_may_be_behind() -> None:
    findings = (
        LossFinding(kind="removed", cause="version 1", losses=(LOST, NEW, UNKNOWN)),
        LossFinding(kind="removed", losses=(NEW,)),
        LossFinding(kind="redirects", losses=(REDIRECT,)),
    )
    branch = Branch(has_lost=lambda loss: loss == LOST, is_behind=True)
    kept = (LossFinding(kind="removed", cause="version 1", losses=(LOST, UNKNOWN)),)
    assert split_behind(findings, branch) == (kept, (NEW, NEW, REDIRECT))
    assert split_behind(findings, Branch()) == (findings, ())
