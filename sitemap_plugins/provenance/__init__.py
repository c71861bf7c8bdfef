"""The evidence for dates: written by a build, and verified against a clone."""

from sitemap_plugins.provenance.evidence import (
    Evidence,
    EvidenceError,
    EvidenceRules,
    FileEvidence,
    PageEvidence,
    RepositoryEvidence,
    name_of_repository,
    read_evidence,
    render_evidence,
    sitemaps_beside,
)
from sitemap_plugins.provenance.previous import memories_of, read_previous
from sitemap_plugins.provenance.verification import Proof, prove

__all__ = [
    "Evidence",
    "EvidenceError",
    "EvidenceRules",
    "FileEvidence",
    "PageEvidence",
    "Proof",
    "RepositoryEvidence",
    "memories_of",
    "name_of_repository",
    "prove",
    "read_evidence",
    "read_previous",
    "render_evidence",
    "sitemaps_beside",
]
