"""The evidence of a build: its dates, redirects and what is gone, for later builds and for ``diff``."""

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
)
from sitemap_plugins.provenance.previous import memories_of, read_previous

__all__ = [
    "ContentEvidence",
    "Evidence",
    "EvidenceError",
    "EvidenceRules",
    "FileEvidence",
    "GoneEvidence",
    "PageEvidence",
    "RedirectEvidence",
    "RepositoryEvidence",
    "memories_of",
    "name_of_repository",
    "parse_evidence",
    "read_contents",
    "read_evidence",
    "read_previous",
    "render_contents",
    "render_evidence",
]
