"""``--format json`` of merge and retire: the same facts as the text, in one object; and ``--quiet``."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sitemap_plugins.commands.versions import MergeReport, Report
from tests.commands.test_merge import build, contents, run
from tests.commands.test_merge_versions import Build, publish

X = "https://x.org/"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two releases, the first with a page that the second lacks and an error page."""
    path = publish(tmp_path / "site", Build("1.0", ("", "a/", "old/")), Build("2.0", ("", "a/")))
    shutil.copy(path / "1.0/index.html", path / "1.0/404.html")
    return path


def report(command: str, *options: str | Path, kind: type[Report], status: int = 0) -> dict[str, Any]:
    """The object, which has exactly the documented fields."""
    result = run(command, *options, "--format", "json")
    assert result.exit_code == status, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    assert json.loads(msgspec.json.encode(msgspec.convert(found, kind))) == found
    assert list(found) == list(kind.__struct_fields__)
    problems = [line.removeprefix("problem: ") for line in result.stderr.splitlines()]
    assert found["problems"] == problems
    return found


def test_retire_reports_what_it_does(root: Path) -> None:
    before = contents(root)
    planned = report("retire", root, "--dry-run", kind=Report)
    assert contents(root) == before
    done = report("retire", root, kind=Report)
    assert {path for path, text in contents(root).items() if before[path] != text} == {*done["changed"]}
    changes = [
        {
            "path": f"1.0/{path}index.html", "change": "to kept", "old_canonical": f"{X}1.0/{path}",
            "new_canonical": f"{X}2.0/{path}", "likeness": likeness,
        }
        for path, likeness in (("", 1 / 2), ("a/", 2 / 3))
    ]  # fmt: skip
    assert planned == done | {"dry_run": True, "changes": changes}
    assert done == {
        "version": 1,
        "dry_run": False,
        "branch": None,
        "commit": None,
        "pushed_to": None,
        "root_url": X,
        "versions": [
            {
                "name": "2.0", "folder": "2.0", "language": None, "stage": "release", "aliases": [],
                "known_by": ["folder name"], "is_kept": True, "canonical_url": f"{X}2.0/", "reason": "newest release",
            },
            {
                "name": "1.0", "folder": "1.0", "language": None, "stage": "release", "aliases": [],
                "known_by": ["folder name"], "is_kept": False, "canonical_url": None, "reason": None,
            },
        ],
        "folders": [
            {
                "folder": "2.0", "pages": 2, "changed": 0, "to_kept": 0, "to_newest": 0, "to_itself": 0, "noindex": 0,
                "left_alone": 0, "not_editable": 0,
            },
            {
                "folder": "1.0", "pages": 4, "changed": 2, "to_kept": 2, "to_newest": 0, "to_itself": 1, "noindex": 0,
                "left_alone": 1, "not_editable": 0,
            },
        ],
        "missing_targets": {"before": 0, "after": 0},
        "left_alone": [{"path": "1.0/404.html", "why": "is an error page"}],
        "not_editable": [],
        "different": [],
        "changed": ["1.0/index.html", "1.0/a/index.html"],
        "changes": [],
        "remarks": [],
        "dangers": [],
        "problems": [],
    }  # fmt: skip
    undoing = report("retire", root, "--undo", "--dry-run", kind=Report)["changes"]
    assert undoing[1] == changes[1] | {
        "change": "restored", "old_canonical": f"{X}2.0/a/", "new_canonical": f"{X}1.0/a/", "likeness": None,
    }  # fmt: skip
    undone = report("retire", root, "--undo", kind=Report)
    assert (undone["changed"], undone["versions"]) == (done["changed"], [])
    assert contents(root) == before


def test_a_dry_run_lists_how_each_page_would_change(root: Path) -> None:
    run("retire", root)
    publish(root, Build("3.0", ("", "a/")))
    page = root / "1.0/old/index.html"
    page.write_text(re.sub("<link[^>]*canonical[^>]*>", "", page.read_text()))
    before = contents(root)
    options = ("--keep", "1.0", "--dry-run")
    found = report("retire", root, *options, kind=Report)["changes"]
    assert contents(root) == before
    assert {each["path"]: (each["change"], each["old_canonical"], each["new_canonical"]) for each in found} == {
        **{f"1.0/{path}index.html": ("restored", f"{X}2.0/{path}", f"{X}1.0/{path}") for path in ("", "a/")},
        **{f"{v}/{path}index.html": ("to kept", f"{X}{v}/{path}", f"{X}1.0/{path}") for v in ("3.0", "2.0")
           for path in ("", "a/")},
    }  # fmt: skip
    assert report("merge", root, "--retire", *options, kind=MergeReport)["changes"] == found
    (change,) = (
        each
        for each in report("retire", root, "--dry-run", kind=Report)["changes"]
        if each["path"].startswith("1.0/old")
    )
    assert change == {
        "path": "1.0/old/index.html", "change": "to itself", "old_canonical": None,
        "new_canonical": f"{X}1.0/old/", "likeness": None,
    }  # fmt: skip


def test_merge_reports_versions(root: Path) -> None:
    found = report("merge", root, "--retire", "--versions", "newest:1", kind=MergeReport)
    assert found["listed"] == [
        {"folder": "2.0", "at_root": True, "pages": 2},
        {"folder": "1.0", "at_root": False, "pages": 3},
    ]
    changed = ["1.0/index.html", "1.0/a/index.html", "sitemap.xml", "sitemap.xml.gz", "robots.txt"]
    assert found["changed"] == changed
    assert [each["changed"] for each in found["folders"]] == [0, 2]
    again = report("merge", root, kind=MergeReport)
    assert (again["changed"], again["folders"]) == ([], [])
    assert {*found["files"]} - {*again["files"]} == {"robots.txt"}


def test_merge_reports_languages(tmp_path: Path) -> None:
    for lang in ("en", "fr"):
        build(tmp_path, lang, lang)
    found = report("merge", tmp_path, "--x-default", "en", kind=MergeReport)
    assert found["languages"][1] == {
        "code": "fr", "folder": "fr", "known_by": "name, html lang", "listed": 2, "linked": 2, "absent": 0,
        "not_indexable": 0, "other_language": 0,
    }  # fmt: skip
    assert (found["clusters"], found["links"], found["x_default"]) == (2, {"before": 0, "after": 12}, "en")
    assert found["changed"] == ["en/sitemap.xml", "fr/sitemap.xml", "robots.txt"]


def test_a_problem_is_in_the_object_and_on_standard_error(tmp_path: Path) -> None:
    build(tmp_path, "en", "en")
    (problem,) = report("merge", tmp_path, kind=MergeReport, status=1)["problems"]
    assert problem.startswith("fewer than two languages were found")


def test_an_error_prints_no_object(tmp_path: Path) -> None:
    result = run("merge", tmp_path, "--format", "json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: there is no usable sitemap")


class TestQuiet:
    @pytest.mark.parametrize("command", ["merge", "retire"])
    def test_only_what_would_change_and_what_is_wrong(self, root: Path, command: str) -> None:
        expected = {
            "merge": "would change: sitemap.xml, sitemap.xml.gz, robots.txt\n",
            "retire": "would change: 2 pages\n",
        }
        assert run(command, root, "-q", "--dry-run").output == expected[command]
        assert run(command, root, "--quiet").output == ""
        (root / "versions.json").write_text('[{"version": "2.0"}, {"version": "1.0", "aliases": ["gone"]}]')
        danger = "danger: versions.json names 'gone', which does not exist, so it was left alone\n"
        assert run(command, root, "-q").output == danger
        with_json = run(command, root, "-q", "--format", "json").output
        assert with_json == run(command, root, "--format", "json").output

    def test_pages_and_sitemaps(self, root: Path) -> None:
        assert run("merge", root, "--retire", "-q", "--dry-run").output == (
            "would change: 2 pages\nwould change: sitemap.xml, sitemap.xml.gz, robots.txt\n"
        )

    def test_undo(self, root: Path) -> None:
        run("retire", root)
        assert run("retire", root, "--undo", "-q", "--dry-run").output == "would be restored: 2 pages of 6\n"
        assert run("retire", root, "--undo", "-q").output == ""
