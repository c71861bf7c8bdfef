"""Findings as SARIF 2.1.0, the format of code scanning (OASIS, "Static Analysis Results Interchange Format")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sitemap_plugins.findings.catalogue import RULES, FindingLevel, explain
from sitemap_plugins.findings.grouping import SITE, Finding, Hit
from sitemap_plugins.project import MANUAL
from sitemap_plugins.values.text import count_of, one_line
from sitemap_plugins.values.urls import quote_path

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS: Final[dict[FindingLevel, str]] = {"error": "error", "warning": "warning", "info": "note"}
_RELATED: Final = 20  # services cut longer lists, and show none of them at once
_FINGERPRINT: Final = "sitemapPluginsFinding/v1"
_PAGE: Final = "check-rules/"


def render_sarif(findings: Sequence[Finding], version: str, folder: str = "") -> dict[str, object]:
    """The log of one run, as JSON: one result for each finding, with its first hit as the location.

    ``folder`` is the folder of the site, relative to that of the repository, with forward slashes. At most 20 other
    hits are related locations; ``occurrenceCount`` has the number of all.
    """
    used = [rule for rule in RULES if any(each.rule == rule for each in findings)]
    driver = {
        "name": "sitemap-plugins",
        "version": version,
        "semanticVersion": version,
        "informationUri": MANUAL,
        "rules": [_rule(rule) for rule in used],
    }
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": [_result(each, used.index(each.rule), folder) for each in findings],
            }
        ],
    }


def _rule(rule: str) -> dict[str, object]:
    explanation = explain(rule)
    return {
        "id": rule,
        "shortDescription": {"text": RULES[rule].meaning},
        "fullDescription": {"text": explanation.why},
        "help": {"text": explanation.fix, "markdown": explanation.fix},
        "helpUri": f"{MANUAL}{_PAGE}#{rule}",
        "defaultConfiguration": {"level": _LEVELS[RULES[rule].level]},
        "properties": {"tags": ["sitemap", *RULES[rule].rules]},
    }


def _result(finding: Finding, index: int, folder: str) -> dict[str, object]:
    first, *others = finding.hits
    result: dict[str, object] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": _LEVELS[finding.level],
        "message": {"text": describe(finding)},
        "locations": [_location(first, folder)],
        "partialFingerprints": {_FINGERPRINT: finding.fingerprint},
        "occurrenceCount": finding.number,
    }
    if others:
        result["relatedLocations"] = [
            {"id": number, **_location(hit, folder), "message": {"text": one_line(hit.text) or finding.rule}}
            for number, hit in enumerate(others[:_RELATED], 1)
        ]
    return result


def describe(finding: Finding) -> str:
    """A finding as one paragraph: what it means, its cause, how many places it has, the first one, and the fix."""
    parts = (
        RULES[finding.rule].meaning,
        f"Cause: {finding.cause}." if finding.cause != SITE else "",
        f"It is in {count_of(finding.number, 'place')}, first here:" if finding.number > 1 else "",
        finding.hits[0].text,
        f"Fix: {explain(finding.rule).fix}",
    )
    return " ".join(one_line(part) for part in parts if part)


def _location(hit: Hit, folder: str) -> dict[str, object]:
    """The place of a hit; one that is not in a file has the URL that it is about as its logical location."""
    location: dict[str, object] = {}
    if hit.file:
        physical: dict[str, object] = {"artifactLocation": {"uri": path_of(hit, folder)}}
        if hit.line:
            physical["region"] = {"startLine": hit.line, **({"startColumn": hit.column} if hit.column else {})}
        location["physicalLocation"] = physical
    if hit.url or not hit.file:
        name = one_line(hit.url) or SITE
        location["logicalLocations"] = [{"fullyQualifiedName": name, "kind": "resource"}]
    return location


def path_of(hit: Hit, folder: str) -> str:
    """The relative reference of the hit's file as in a URL (RFC 3986, section 4.2)."""
    path = quote_path(hit.path_from(folder))
    return f"./{path}" if ":" in path.partition("/")[0] else path
