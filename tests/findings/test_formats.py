"""Findings in the formats of other programs: SARIF, annotations of GitHub Actions, and the file of a baseline."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from sitemap_plugins.findings.catalogue import RULES, explain
from sitemap_plugins.findings.grouping import (
    SITE,
    BaselineError,
    Finding,
    Hit,
    group,
    new_findings,
    read_baseline,
    render_baseline,
)
from sitemap_plugins.findings.printing import annotate, describe_findings, render_sarif
from sitemap_plugins.project import MANUAL

DATES = [
    Hit(
        rule="invalid-date",
        cause="sitemap.xml",
        url=f"https://docs.example.org/{number}/",
        file="sitemap.xml",
        line=number,
        column=5,
        found="yesterday is not in the form of W3C Datetime",
    )
    for number in range(1, 31)
]
CODE = Hit(rule="language-code", cause="gr", file="el/sitemap.xml", line=7, column=1, found="gr", expected="el")
NO_URL = Hit(rule="no-base-url", cause=SITE, found="neither CNAME nor robots.txt has it")
FINDINGS = group([*DATES, CODE, NO_URL])
# What the runner of GitHub does (actions/runner, ActionCommand.cs).
COMMAND = re.compile(r"::(?P<name>[a-z]+) (?P<properties>.*?)::(?P<data>.*)")


def runner_reads(line: str) -> tuple[str, dict[str, str], str]:
    match = COMMAND.fullmatch(line)
    assert match
    pairs = (pair.split("=", 1) for pair in match["properties"].split(","))
    return match["name"], {name: decoded(value, ",", ":") for name, value in pairs}, decoded(match["data"])


def decoded(text: str, *also: str) -> str:
    for char in ("\r", "\n", *also):
        text = text.replace(f"%{ord(char):02X}", char)
    return text.replace("%25", "%")


def test_sarif_has_one_result_for_each_finding_with_at_most_20_other_places() -> None:
    log: Any = render_sarif(FINDINGS, "1.2.3", "site")
    (run,) = log["runs"]
    assert [each["ruleId"] for each in run["results"]] == ["invalid-date", "language-code", "no-base-url"]
    dates, code, no_url = run["results"]
    assert (dates["level"], code["level"], no_url["level"]) == ("error", "error", "note")
    assert dates["occurrenceCount"] == 30
    assert [each["id"] for each in dates["relatedLocations"]] == [*range(1, 21)]
    assert dates["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "site/sitemap.xml"},
        "region": {"startLine": 1, "startColumn": 5},
    }
    assert "physicalLocation" not in no_url["locations"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[each["ruleIndex"]]["id"] for each in run["results"]] == [each["ruleId"] for each in run["results"]]
    assert rules[dates["ruleIndex"]]["helpUri"] == f"{MANUAL}check-rules/invalid-date/"
    assert dates["message"]["text"] == (
        "A date in a sitemap is not valid. Cause: sitemap.xml. It is in 30 places, first here: "
        "https://docs.example.org/1/ (yesterday is not in the form of W3C Datetime) "
        f"Fix: {explain('invalid-date').fix}"
    )


def test_a_fingerprint_depends_only_on_rule_and_cause() -> None:
    prints = [each.fingerprint for each in FINDINGS]
    assert prints == [each.fingerprint for each in group([CODE, NO_URL, *DATES[5:]])]
    assert len({*prints}) == 3
    assert prints[0] == "e6a8ea424dd09882"  # it must not change: baselines of users have it


def test_places_that_are_not_kept_are_counted_everywhere() -> None:
    (finding,) = group([DATES[0], structs.replace(DATES[1], more=7)])
    log: Any = render_sarif([finding], "1.2.3")
    assert log["runs"][0]["results"][0]["occurrenceCount"] == 9
    assert "It is in 9 places" in annotate(finding)
    assert read_baseline(render_baseline([finding])) == {finding.fingerprint: 9}
    lines = [*describe_findings([finding])]
    assert lines[0].endswith("(9 times, sitemap.xml)")
    assert lines[3] == "  and 7 more"


def test_an_annotation_is_one_line_at_the_first_place() -> None:
    assert annotate(FINDINGS[1], "site") == (
        "::error file=site/el/sitemap.xml,line=7,col=1,title=language-code::"
        "A language code is invalid, used twice, or probably a typo. Cause: gr. gr -> el "
        f"Fix: {explain('language-code').fix}"
    )
    assert annotate(FINDINGS[2]).startswith("::notice title=no-base-url::The URL of the site is unknown")


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("a,b.xml", "a%2Cb.xml"),
        ("a:b.xml", "a%3Ab.xml"),
        ("%2C.xml", "%252C.xml"),
        ("a\r\nb.xml", "a%0D%0Ab.xml"),
        ("a\u200bb\u202e.xml", "a\\u200bb\\u202e.xml"),
    ],
)
def test_the_bytes_of_a_property(path: str, written: str) -> None:
    line = annotate(
        Finding(rule="empty-sitemap", cause=SITE, level="warning", hits=(Hit(rule="x", cause=SITE, file=path),))
    )
    assert line.startswith(f"::warning file={written},title=empty-sitemap::")


@given(st.text(), st.text(), st.text())
def test_no_text_of_a_site_breaks_out_of_an_annotation(path: str, url: str, found: str) -> None:
    hit = Hit(rule="invalid-url", cause=found, url=url, file=path, line=3, found=found)
    line = annotate(Finding(rule="invalid-url", cause=found, level="error", hits=(hit,)))
    assert len(line.splitlines()) == 1
    assert line.isprintable()
    name, properties, data = runner_reads(line)
    assert name == "error"
    assert properties["title"] == "invalid-url"
    assert properties.keys() <= {"file", "line", "title"}
    assert data.startswith(RULES["invalid-url"].meaning)


def test_a_baseline_hides_what_it_knows_until_there_is_more() -> None:
    known = read_baseline(render_baseline(group([*DATES[:10], NO_URL])))
    assert [*new_findings(group(DATES[:10]), known)] == []
    assert [*new_findings(group(DATES[:9]), known)] == []
    assert [*new_findings(group(DATES[:11]), known)] == [*group(DATES[:11])]
    assert [each.rule for each in new_findings(FINDINGS, known)] == ["invalid-date", "language-code", "no-base-url"]


def test_the_file_of_a_baseline_can_be_read_by_people_and_has_no_order_of_its_own() -> None:
    content = render_baseline(FINDINGS)
    assert content == render_baseline(reversed(FINDINGS))
    assert [(each["rule"], each["cause"], each["hits"]) for each in json.loads(content)["findings"]] == [
        ("invalid-date", "sitemap.xml", 30),
        ("language-code", "gr", 1),
    ]


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{}", b'{"version": 2, "findings": []}', b'{"version": 1, "findings": [1]}', b"\xff", b"[" * 10**5],
)
def test_other_files_are_no_baseline(content: bytes) -> None:
    with pytest.raises(BaselineError):
        read_baseline(content)


# The parts of the schema of OASIS that are used, as strict types: other properties are not allowed.
class Strict(msgspec.Struct, forbid_unknown_fields=True):
    """An object without other properties."""


Text: TypeAlias = dict[Literal["text", "markdown"], str]
Uri: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+$")]
Positive: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]
SarifLevel: TypeAlias = Literal["none", "note", "warning", "error"]


class Physical(Strict, rename="camel"):
    artifact_location: dict[Literal["uri"], Uri]
    region: dict[Literal["startLine", "startColumn"], Positive] = {}


class Location(Strict, rename="camel"):
    physical_location: Physical | None = None
    logical_locations: list[dict[Literal["fullyQualifiedName", "kind"], str]] = []
    id: Annotated[int, msgspec.Meta(ge=-1)] = -1
    message: Text = {}


class SarifResult(Strict, rename="camel"):
    rule_id: str
    rule_index: Annotated[int, msgspec.Meta(ge=-1)]
    level: SarifLevel
    message: Text
    locations: list[Location]
    partial_fingerprints: dict[str, str]
    occurrence_count: Positive
    related_locations: Annotated[list[Location], msgspec.Meta(max_length=20)] = []


class Descriptor(Strict, rename="camel"):
    id: str
    short_description: Text
    full_description: Text
    help: Text
    help_uri: str
    default_configuration: dict[Literal["level"], SarifLevel]
    properties: dict[Literal["tags"], list[str]]


class Driver(Strict, rename="camel"):
    name: str
    version: str
    semantic_version: str
    information_uri: str
    rules: list[Descriptor]


class Run(Strict, rename="camel"):
    tool: dict[Literal["driver"], Driver]
    column_kind: Literal["utf16CodeUnits", "unicodeCodePoints"]
    results: list[SarifResult]


class Log(msgspec.Struct):
    version: Literal["2.1.0"]
    runs: list[Run]


@given(st.text(min_size=1), st.text(), st.integers(0, 3))
def test_any_finding_is_valid_sarif(path: str, text: str, line: int) -> None:
    """SARIF 2.1.0, section 3: the types and bounds of its objects."""
    hits = [Hit(rule=rule, cause=text, file=path, url=text, line=line, column=line, found=text) for rule in RULES]
    findings = [Finding(rule=hit.rule, cause=text, level=RULES[hit.rule].level, hits=(hit,) * 30) for hit in hits[::9]]
    log = msgspec.json.decode(msgspec.json.encode(msgspec.to_builtins(render_sarif(findings, "1.2.3"))), type=Log)
    (run,) = log.runs
    assert len({result.partial_fingerprints["sitemapPluginsFinding/v1"] for result in run.results}) == len(findings)
    assert [result for result in run.results if not result.locations] == []


def test_a_site_without_findings_is_a_run_without_results() -> None:
    log = msgspec.convert(render_sarif([], "1.2.3"), type=Log)
    assert log.runs[0].results == []
