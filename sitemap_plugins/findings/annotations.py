"""Findings as commands for GitHub Actions, which shows them as annotations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sitemap_plugins.findings.catalogue import FindingLevel
from sitemap_plugins.findings.grouping import Finding
from sitemap_plugins.findings.sarif import describe

_COMMANDS: Final[Mapping[FindingLevel, str]] = {"error": "error", "warning": "warning", "info": "notice"}
# What the runner decodes (actions/toolkit, packages/core/src/command.ts).
_DATA: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def annotate(finding: Finding, folder: str = "") -> str:
    """The line that makes GitHub show a finding at its first hit.

    ``folder`` is the folder of the site, relative to that of the repository, with forward slashes.
    """
    hit = finding.hits[0]
    properties = {
        "file": (f"{folder}/{hit.file}" if folder else hit.file) if hit.file else "",
        "line": str(hit.line or ""),
        "col": str(hit.column or ""),
        "title": finding.rule,
    }
    return write_command(_COMMANDS[finding.level], properties, describe(finding))


def write_command(level: str, properties: Mapping[str, str], message: str) -> str:
    """The line that makes GitHub show a message; empty properties are left out.

    ``level`` is ``error``, ``warning`` or ``notice``.
    """
    written = ",".join(f"{name}={_visible(value).translate(_PROPERTY)}" for name, value in properties.items() if value)
    return f"::{level} {written}::{_visible(message).translate(_DATA)}"


def _visible(text: str) -> str:
    """The text with escapes for all invisible characters, which the runner or the page might drop or obey."""
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    return char if char in "\r\n" else char.encode("unicode_escape", "surrogatepass").decode()
