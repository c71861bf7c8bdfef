"""Which pages a branch has lost, and which it only does not have yet."""

from __future__ import annotations

from sitemap_plugins.changes import Loss, LossFinding, SnapshotPage
from sitemap_plugins.changes.branch import Branch, branch_of, split_behind
from tests.conftest import Repository

LOST, NEW, UNKNOWN = (
    Loss(path=path, page=SnapshotPage(path=path, document=document))
    for path, document in (("lost/", "lost.md"), ("new/", "new.md"), ("unknown/", None))
)
REDIRECT = Loss(path="redirect/")


def test_a_branch_has_lost_what_the_common_commit_has(repository: Repository) -> None:
    for name in ("lost.md", "kept.md"):
        repository.write(name, "")
    base = repository.commit("2026-01-01T00:00:00Z")
    repository.write("new.md", "")
    deployed = repository.commit("2026-01-02T00:00:00Z")
    repository.git("checkout", "--quiet", "-b", "branch", base)
    (repository.path / "lost.md").unlink()
    branch = branch_of(deployed, str(repository.path))
    assert branch.is_behind
    assert [*map(branch.has_lost, (LOST, NEW, UNKNOWN, REDIRECT))] == [True, False, False, False]


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
