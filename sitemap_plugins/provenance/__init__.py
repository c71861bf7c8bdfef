"""The evidence of a build: its dates, redirects and what is gone, for later builds and for ``diff``."""

from sitemap_plugins.provenance.contents import ContentEvidence, read_contents, render_contents
from sitemap_plugins.provenance.evidence import (
    Evidence,
    EvidenceError,
    GoneEvidence,
    PageEvidence,
    RedirectEvidence,
    RepositoryEvidence,
    parse_evidence,
    render_evidence,
)

__all__ = [
    "ContentEvidence",
    "Evidence",
    "EvidenceError",
    "GoneEvidence",
    "PageEvidence",
    "RedirectEvidence",
    "RepositoryEvidence",
    "parse_evidence",
    "read_contents",
    "render_contents",
    "render_evidence",
]
