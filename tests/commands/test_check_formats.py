"""``sitemap-plugins check`` in the formats of other programs, and with a baseline."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sitemap_plugins.commands.main import main
from sitemap_plugins.findings.catalogue import explain
from tests.check.examples import complete
from tests.check.sites import write

BAD_DATE = explain("invalid-date").bad
TWO_MISTAKES: Mapping[str, str] = {
    "sitemap.xml": "<url><loc>https://docs.example.org/</loc><lastmod>2026-02-30</lastmod><priority>2</priority></url>"
}


HOME = "<url><loc>https://docs.example.org/</loc></url>"


def check(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", "site", *arguments])


@pytest.fixture(autouse=True)
def _in_the_folder_above(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "site", complete(BAD_DATE))
    monkeypatch.chdir(tmp_path)


def test_annotations_have_paths_from_the_current_folder() -> None:
    result = check("--format=github")
    assert (result.exit_code, result.stderr) == (1, "")
    assert (
        result.stdout_bytes
        == (
            "::error file=site/sitemap.xml,line=3,col=42,title=invalid-date::A date in a sitemap is not valid. Cause: "
            "sitemap.xml. https://docs.example.org/ (2026-02-30 is not a date that exists) "
            f"Fix: {explain('invalid-date').fix}\n"
        ).encode()
    )


def test_sarif_is_one_object_with_paths_from_the_current_folder(tmp_path: Path) -> None:
    result = check("--format=sarif")
    (run,) = json.loads(result.stdout)["runs"]
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "site/sitemap.xml"}
    assert str(tmp_path) not in result.stdout
    assert result.stdout == check("--format=sarif").stdout


def test_a_site_outside_of_the_current_folder_has_paths_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    result = CliRunner().invoke(main, ["check", "../site", "--format=github"])
    assert result.stdout.startswith("::error file=sitemap.xml,")


@pytest.mark.parametrize("name", ["lists/server.txt", "./lists/../lists/server.txt", "{folder}/lists/server.txt"])
def test_redirects_of_the_server_have_the_path_of_their_file_from_the_current_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists/server.txt").write_text("/a /\n\n/old /gone#x # moved\n", encoding="utf-8")
    write(tmp_path / "site", complete({"sitemap.xml": HOME, "a.html": explain("redirect-dead").bad["old.html"]}))
    option = f"--redirects={name.format(folder=tmp_path)}"
    text = check(option, "--quiet")
    assert (text.exit_code, text.stderr) == (1, "")
    assert text.stdout == (
        "error: redirect-dead: A redirect leads to no page or file, or in circles (lists/server.txt)\n"
        "  lists/server.txt:3: https://docs.example.org/old (/old → /gone#x)\n"
        f"  fix: {explain('redirect-dead').fix}\n"
        "error: redirect-dead: A redirect leads to no page or file, or in circles\n"
        "  a.html: https://docs.example.org/a.html (/a.html → /gone.html)\n"
        f"  fix: {explain('redirect-dead').fix}\n"
    )
    annotations = check(option, "--format=github").stdout.splitlines()
    assert [each.partition("::A redirect")[0] for each in annotations] == [
        "::error file=lists/server.txt,line=3,title=redirect-dead",
        "::error file=site/a.html,title=redirect-dead",
    ]
    (run,) = json.loads(check(option, "--format=sarif").stdout)["runs"]
    assert run["results"][0]["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "lists/server.txt"},
        "region": {"startLine": 3},
    }
    finding, _ = json.loads(check(option, "--format=json").stdout)["findings"]
    assert (finding["cause"], finding["hits"]) == (
        "lists/server.txt",
        [
            {
                "url": "https://docs.example.org/old",
                "file": "lists/server.txt",
                "line": 3,
                "column": None,
                "found": "/old → /gone#x",
                "expected": None,
            }
        ],
    )


def test_a_list_of_redirects_that_cannot_be_used_is_an_error_or_a_warning(tmp_path: Path) -> None:
    write(tmp_path / "site", complete({"sitemap.xml": HOME}))
    missing = check("--redirects=list.txt")
    assert missing.exit_code == 2
    assert "Invalid value for '--redirects': File 'list.txt' does not exist." in missing.stderr
    (tmp_path / "list.txt").write_bytes(b"\xff\x00\xfe\n/a /\n" + b"old /new\n" * 25)
    result = check("--redirects=list.txt", "--quiet")
    assert (result.exit_code, result.stdout) == (0, "")
    lines = result.stderr.splitlines()
    assert lines[0].startswith("warning: list.txt, line 1: ")
    assert lines[1] == (
        "warning: list.txt, line 3: old does not begin with a slash; a path begins at the root of the host: /old"
    )
    assert (len(lines), lines[20]) == (21, "  and 6 more")
    (tmp_path / "list.txt").write_bytes(b"\n" * 50_001)
    assert "Error: list.txt: it has more than 50,000 lines" in check("--redirects=list.txt").stderr


def test_a_baseline_hides_what_was_there_and_nothing_else(tmp_path: Path) -> None:
    result = check("--write-baseline=known.json")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "wrote known.json with 1 finding\n")
    assert check("--baseline=known.json").exit_code == 0
    write(tmp_path / "site", complete(TWO_MISTAKES))
    result = check("--baseline=known.json", "--format=json")
    assert result.exit_code == 1
    assert [each["rule"] for each in json.loads(result.stdout)["findings"]] == ["invalid-priority"]


def test_a_file_that_is_no_baseline_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "known.json").write_text("{}", encoding="utf-8")
    result = check("--baseline=known.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Error: known.json is not a baseline that --write-baseline wrote (")


def test_ignored_findings_are_counted_and_a_needless_entry_is_named(tmp_path: Path) -> None:
    (tmp_path / "sitemap.toml").write_text(
        '[[ignored_findings]]\nrule = "invalid-date"\nreason = "It is fine."\n'
        '[[ignored_findings]]\nrule = "invalid-dat"\nreason = "It is fine, too."\n'
        '[[ignored_findings]]\nrule = "too-large"\nreason = "It was large."\n',
        encoding="utf-8",
    )
    result = check("--project=.", "--format=github")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.splitlines() == [
        "ignored: 1 place, by the option ignored_findings",
        "warning: ignored_findings has an entry for 'invalid-dat' that matches no finding; did you mean 'invalid-date'?",
        "warning: ignored_findings has an entry for 'too-large' that matches no finding; remove it",
    ]
