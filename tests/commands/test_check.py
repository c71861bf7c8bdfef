"""The command that finds mistakes in a published site: its arguments, its output and its exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from sitemap_plugins.commands.main import main
from tests.builders import options_with_files
from tests.check.examples import complete
from tests.check.sites import write

if TYPE_CHECKING:
    from tests.conftest import Repository

X = "https://docs.example.org/"
HOME = f"<url><loc>{X}</loc></url>"
NOINDEX = '<meta name="robots" content="noindex">'


def run(*arguments: str | Path, status: int = 0) -> Result:
    result = CliRunner().invoke(main, [*map(str, arguments)])
    assert result.exit_code == status, result.output
    return result


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site with an error, and a page that nothing lists."""
    listed = "".join(f"\n<url><loc>{X}tags/{name}/</loc></url>" for name in "abcde")
    pages: Mapping[str, str] = {f"tags/{name}/index.html": NOINDEX for name in "abcde"}
    return write(tmp_path / "site", complete({**pages, "z.html": "", "sitemap.xml": HOME + listed}))


REPORT = f"""\
7 HTML files, sitemap.xml
URL: {X}, from the file CNAME
error: listed-noindex: The sitemap lists a page that tells search engines not to index it (5 times, tags/)
  sitemap.xml:4: {X}tags/a/ (robots meta tag: noindex)
  sitemap.xml:5: {X}tags/b/ (robots meta tag: noindex)
  sitemap.xml:6: {X}tags/c/ (robots meta tag: noindex)
  and 2 more
  fix: Remove the page from the sitemap, or the `noindex` from the page.
info: unlisted: A page is in no sitemap
  z.html: {X}z.html
  fix: List it, unless it is left out on purpose. With `--project`, pages that options or front matter leave out are not reported. Options in a `conf.py` do not count, because it is not run.
1 error, 1 info
"""


def test_each_finding_has_examples_and_the_fix_worst_first(site: Path) -> None:
    result = run("check", site, status=1)
    more = "more about a finding, with examples: sitemap-plugins rule listed-noindex\n"
    assert (result.stdout, result.stderr) == (REPORT, more)


@pytest.mark.parametrize("loc", ["http://[::1/", "http://a]b/", "https://[x]/", "http://ex\u2100.org/"])
def test_a_listed_text_that_is_no_url_is_nothing_else(loc: str, tmp_path: Path) -> None:
    site = write(tmp_path, complete({"sitemap.xml": f"{HOME}\n<url><loc>{loc}</loc></url>"}))
    findings = json.loads(run("check", site, "--format", "json", status=1).stdout)["findings"]
    assert [each["rule"] for each in findings] == ["invalid-url"]
    listed = ["listed: sitemap.xml:4 (announced by robots.txt)", "translations: none"]
    assert run("why", loc, site).stdout.splitlines() == [loc, "file: none", *listed, "check finds: invalid-url"]


def test_names_in_utf_8_are_found_in_any_locale(tmp_path: Path) -> None:
    listed = "".join(f"<url><loc>{X}{path}</loc></url>" for path in ("%C3%BCber.html", "%E6%96%87/a%20b.html"))
    site = write(tmp_path, complete({"über.html": "", "文/a b.html": "", "sitemap.xml": HOME + listed}))
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "sitemap_plugins", "check", site]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert done.stdout.endswith("\nno problems found\n")


@pytest.mark.parametrize(
    ("arguments", "rules", "status"),
    [
        ((), ["listed-noindex", "unlisted"], 1),
        (("--level", "warning"), ["listed-noindex"], 1),
        (("--select", "unlisted"), ["unlisted"], 0),
        (("--select", "listed-*,unlisted"), ["listed-noindex", "unlisted"], 1),
        (("--select", "un*", "--select", "listed-noindex"), ["listed-noindex", "unlisted"], 1),
        (("--ignore", "listed-noindex"), ["unlisted"], 0),
        (("--select", "listed-*", "--ignore", "*-noindex"), [], 0),
    ],
)
def test_rules_and_levels_can_be_chosen(site: Path, arguments: tuple[str, ...], rules: list[str], status: int) -> None:
    report = json.loads(run("check", site, "--format", "json", *arguments, status=status).stdout)
    assert [each["rule"] for each in report["findings"]] == rules


def test_quiet_prints_only_errors_and_warnings(site: Path) -> None:
    assert run("check", site, "-q", status=1).output.splitlines() == REPORT.splitlines()[2:8]


def test_json_has_all_hits(site: Path) -> None:
    report = json.loads(run("check", site, "--format", "json", status=1).output)
    assert (report["base_url"], report["base_url_from"], report["pages"]) == (X, "the file CNAME", 7)
    assert report["sitemaps"] == [{"path": "sitemap.xml", "kind": "urlset", "urls": 6, "announced_by": "robots.txt"}]
    (finding, _) = report["findings"]
    assert [hit["line"] for hit in finding["hits"]] == [4, 5, 6, 7, 8]
    assert finding["hits"][0] == {
        "url": f"{X}tags/a/",
        "file": "sitemap.xml",
        "line": 4,
        "column": 6,
        "found": "robots meta tag: noindex",
        "expected": None,
    }


def test_no_rule_is_refused(site: Path) -> None:
    assert "no rule is named; omit the option" in run("check", site, "--select", "", status=2).stderr
    run("check", site, "--select", "listed-noindex,", status=1)


EXCLUDING = "plugins: [{{sitemap: {{exclude: [{}]}}}}]\n"
OTHERS = {"mkdocs.yml": EXCLUDING.format("index.html"), "zensical.toml": "plugins.sitemap.exclude = ['tags/']\n"}


@pytest.mark.parametrize(
    ("files", "project"),
    [
        ({"sitemap.toml": 'exclude = ["z.html"]'}, ""),
        ({"properdocs.yml": EXCLUDING.format("z.html")}, ""),
        ({"properdocs.yaml": EXCLUDING.format("z.html"), "mkdocs.yml": OTHERS["mkdocs.yml"]}, ""),
        ({"mkdocs.de.yml": EXCLUDING.format("z.html"), **OTHERS}, "mkdocs.de.yml"),
    ],
)
def test_the_project_says_which_pages_are_left_out_on_purpose(
    site: Path, tmp_path: Path, files: Mapping[str, str], project: str
) -> None:
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    report = json.loads(run("check", site, "--project", tmp_path / project, "--format", "json", status=1).stdout)
    assert [each["rule"] for each in report["findings"]] == ["listed-noindex"]


@pytest.mark.usefixtures("site")
def test_the_site_is_found_as_by_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: x\nsite_url: https://docs.example.org/\n")
    monkeypatch.chdir(tmp_path)
    assert run("check", status=1).stdout == REPORT


def test_the_base_url_can_be_given(site: Path) -> None:
    found = run("check", site, "--base-url", "https://other.example.net", "--level", "warning", status=1).stdout
    assert "URL: https://other.example.net/, from the option base_url" in found
    assert "base-url: " in found
    as_json = run("check", site, "--base-url", "https://other.example.net", "--format", "json", status=1).stdout
    assert json.loads(as_json)["base_url"] == "https://other.example.net/"


def test_a_site_that_cannot_be_checked_has_an_exit_status_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "no site was found" in run("check", status=2).stderr
    (tmp_path / "sitemap.toml").write_text("exclud = []")
    assert "did you mean 'exclude'?" in run("check", status=2).stderr
    assert run("check", "nowhere", status=2).stdout == ""
    (tmp_path / "empty").mkdir()
    assert run("check", "empty", status=2).stderr == (
        "Error: empty has no page (.html, .htm or .xhtml); is it the folder that the site is built into?\n"
    )
    write(tmp_path / "empty", {"sitemap.xml": b"", "a.php": b"<title>A</title>"})
    assert "has no page (.html" in run("check", "empty", status=2).stderr


def test_a_baseline_that_cannot_be_written_is_no_finding(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(site)
    error = run("check", ".", "--write-baseline", "nowhere/known.json", status=2).stderr
    assert error == "Error: nowhere is not a folder, so no baseline can be written there\n"


def test_a_baseline_has_all_errors_and_warnings_or_is_not_written(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(site.parent)
    (site / "sitemap.xml").write_text((site / "sitemap.xml").read_text().replace("tags/e/", "tags/a/"))
    options = ("--select=unlisted", "--ignore=listed-noindex", "--level=error")
    run("check", site, *options, "--write-baseline", "known.json")
    known = json.loads(Path("known.json").read_text())
    assert [each["rule"] for each in known["findings"]] == ["listed-noindex", "listed-twice"]
    monkeypatch.setattr(os, "replace", fail)
    assert run("check", site, "--ignore=listed-twice", "--write-baseline", "known.json").stdout == ""
    (site / "sitemap.xml").unlink()
    assert "Error: known.json" in run("check", site, "--write-baseline", "known.json", status=2).stderr
    assert json.loads(Path("known.json").read_text()) == known


def fail(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_baseline_is_read_or_written(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(site)
    message = run("check", ".", "--baseline=index.html", "--write-baseline=new.json", status=2).stderr
    assert "--baseline and --write-baseline cannot be combined" in message
    assert not Path("new.json").exists()


@pytest.mark.parametrize("written", [{}, options_with_files(), {"gzip": "only"}, {"sections": {"a": "a/"}}])
def test_what_build_writes_has_no_mistake(written: dict[str, Any], tmp_path: Path) -> None:
    pages = {f"a/{number}.html": '<meta property="article:modified_time" content="2026-03-01">' for number in (1, 2)}
    site = write(tmp_path / "site", complete({**pages, "sitemap.xml": False, "robots.txt": False, "b/index.html": ""}))
    configuration = {"site_url": X, "plugins": [{"sitemap": written}]}
    (tmp_path / "mkdocs.yml").write_text(json.dumps(configuration))
    run("build", site, "--project", tmp_path)
    assert run("check", site, "--project", tmp_path).stdout.endswith("no problems found\n")


DAY = "2026-07-31T12:00:00+00:00"


@pytest.mark.parametrize(
    ("options", "epoch", "head", "found"),
    [
        (["--project", "."], None, DAY, ["2026-08-02"]),
        (["--project", "."], None, "2026-08-01T12:00:00+00:00", []),
        (["--project", "."], DAY, "2026-07-20T12:00:00+00:00", ["2026-08-02"]),
        (["--project", "."], "2026-07-20T12:00:00+00:00", DAY, ["2026-08-02"]),
        (["--project", "."], DAY, None, ["2026-08-02"]),
        (["--project", "."], None, None, []),
        ([], DAY, "2026-08-01T12:00:00+00:00", ["2026-08-02"]),
        ([], None, DAY, []),
    ],
)
def test_dates_later_than_files_of_a_checkout_are_compared_with_the_last_commit_of_the_project(
    options: list[str],
    epoch: str | None,
    head: str | None,
    found: list[str],
    repository: Repository,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dates = {"": "2026-08-01", "a.html": "2026-08-02", "b.html": "2026-05-01"}  # the first is in another time zone
    listed = "\n".join(f"<url><loc>{X}{path}</loc><lastmod>{date}</lastmod></url>" for path, date in dates.items())
    write(repository.path / "site", complete({"a.html": "", "b.html": "", "sitemap.xml": listed}))
    if head:
        repository.commit(head)
    if epoch:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(datetime.fromisoformat(epoch).timestamp())))
    monkeypatch.chdir(repository.path)
    report = json.loads(run("check", "site", *options, "--format", "json", status=bool(found)).stdout)
    hits = [hit["found"] for each in report["findings"] for hit in each["hits"]]
    assert hits == [f"{each}, but the last commit, or SOURCE_DATE_EPOCH, is of 2026-07-31" for each in found]


@pytest.mark.parametrize("is_installed", [True, False])
def test_without_git_the_project_tells_no_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_installed: bool
) -> None:
    if not is_installed:
        monkeypatch.setenv("PATH", "")
    dated = f"<url><loc>{X}</loc><lastmod>2999-01-01</lastmod></url>"
    site = write(tmp_path / "site", complete({"sitemap.xml": dated}))
    assert run("check", site, "--project", tmp_path).stdout.endswith("no problems found\n")
