"""The evidence of an earlier build as the memory of a later one."""

from __future__ import annotations

from sitemap_plugins.git import Basis, Memory, Row
from sitemap_plugins.provenance.evidence import Evidence, EvidenceError, RepositoryEvidence, parse_evidence


def read_previous(content: bytes) -> Evidence:
    """Parse the evidence of an earlier build. Raises `EvidenceError` also if no build may take dates from it."""
    evidence = parse_evidence(content)
    if evidence.preview:
        raise EvidenceError("the build of a preview wrote it")
    return evidence


def memories_of(evidence: Evidence) -> dict[str, Memory]:
    """What the build knew about each repository, by the names in the evidence."""
    rows: dict[str, tuple[dict[str, Row], dict[str, Row]]] = {name: ({}, {}) for name in evidence.repositories}
    for file in evidence.files:
        shown, hidden = rows.setdefault(file.repository, ({}, {}))
        if file.path is not None:
            shown[file.path] = file.row
        elif file.hash:
            hidden[file.hash] = file.row
    return {
        name: Memory(
            head=repository.head.encode(),
            basis=basis_of(evidence, repository),
            rows=rows[name][0],
            hidden=rows[name][1],
        )
        for name, repository in evidence.repositories.items()
    }


def basis_of(evidence: Evidence, repository: RepositoryEvidence) -> Basis:
    """What decided the dates of a repository."""
    return Basis(
        date=evidence.date,
        follow_renames=evidence.follow_renames,
        fuzzy=evidence.fuzzy,
        catalogues=repository.catalogues,
        contents=repository.contents,
        ignored=frozenset(map(str.encode, repository.ignored)),
    )
