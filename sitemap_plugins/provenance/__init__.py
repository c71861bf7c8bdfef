"""The evidence for dates: written by a build, and verified against a clone."""

from sitemap_plugins.provenance.evidence import (
    Evidence,
    EvidenceError,
    EvidenceRules,
    PageEvidence,
    RepositoryEvidence,
    read_evidence,
    render_evidence,
    sitemaps_beside,
)
from sitemap_plugins.provenance.verification import Proof, prove

__all__ = [
    "Evidence",
    "EvidenceError",
    "EvidenceRules",
    "PageEvidence",
    "Proof",
    "RepositoryEvidence",
    "prove",
    "read_evidence",
    "render_evidence",
    "sitemaps_beside",
]
