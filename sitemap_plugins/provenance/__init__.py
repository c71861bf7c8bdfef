"""The evidence for dates: written by a build, and verified against a clone."""

from sitemap_plugins.provenance.contents import ContentEvidence, read_contents, render_contents
from sitemap_plugins.provenance.evidence import (
    Evidence,
    EvidenceError,
    EvidenceRules,
    FileEvidence,
    GoneEvidence,
    PageEvidence,
    RedirectEvidence,
    RepositoryEvidence,
    name_of_repository,
    parse_evidence,
    read_evidence,
    render_evidence,
    sitemaps_beside,
)
from sitemap_plugins.provenance.previous import memories_of, read_previous
from sitemap_plugins.provenance.verification import Proof, prove

__all__ = [
    "ContentEvidence",
    "Evidence",
    "EvidenceError",
    "EvidenceRules",
    "FileEvidence",
    "GoneEvidence",
    "PageEvidence",
    "Proof",
    "RedirectEvidence",
    "RepositoryEvidence",
    "memories_of",
    "name_of_repository",
    "parse_evidence",
    "prove",
    "read_contents",
    "read_evidence",
    "read_previous",
    "render_contents",
    "render_evidence",
    "sitemaps_beside",
]
