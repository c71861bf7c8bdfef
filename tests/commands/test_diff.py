"""The command that compares two states of a site."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from sitemap_plugins.commands.main import main
from sitemap_plugins.diff.printing import DiffReport
from sitemap_plugins.values.text import join_words
from tests.conftest import Repository

BASE = "https://docs.example.org/x/"
TEXT = " ".join(f"word{number}" for number in range(40))


def run(*arguments: str) -> Result:
    """Run the command line."""
    return CliRunner().invoke(main, [*arguments])


def page(path: str, body: str = "", head: str = "") -> str:
    """A page with its canonical link."""
    url = BASE + path.removesuffix("index.html")
    link = f'<link rel="canonical" href="{url}">'
    return f"<!doctype html><html><head><title>Title of {path}</title>{link}{head}</head><body>{body}</body></html>"


def stub(target: str) -> str:
    """A page that redirects."""
    return f'<!doctype html><html><head><meta http-equiv="refresh" content="0; url={target}"></head></html>'


def write(root: Path, pages: Mapping[str, str]) -> Path:
    """Write the pages with these bodies; a body that begins with a tag of a document is a whole page."""
    for path, body in pages.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(body if body.startswith("<!doctype") else page(path, body))
    return root


NAMES = ("", "guide/", "mine/", "theirs/")
OLD = {
    "index.html": "<h1>Home</h1>",
    "guide/index.html": '<h1>Guide</h1><h2 id="usage">Usage</h2><h2 id="faq">FAQ</h2>',
    "install/index.html": f"<h1>Install</h1>{TEXT}",
    "short/index.html": "<h1>Short</h1>a page with few words",
    "quick/index.html": stub("../guide/"),
    "Case/index.html": "<h1>Case</h1>",
}
NEW = {
    "index.html": "<h1>Home</h1>",
    "guide/index.html": '<h1>Guide</h1><h2 id="usage">Usage</h2>',
    "setup/index.html": f"<h1>Set up</h1>{TEXT}",
    "brief/index.html": "<h1>Short</h1>a page with few other words",
    "case/index.html": "<h1>Case</h1>",
}
RECORD = {
    "version": 1, "date": "committer", "follow_renames": True, "base": BASE,
    "repositories": {}, "redirects": [],
}  # fmt: skip


@pytest.fixture
def states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder with two states of a site, which is the current one."""
    write(tmp_path / "old", OLD)
    write(tmp_path / "new", NEW)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("states")
def test_what_is_lost_and_the_redirects_to_add() -> None:
    result = run("diff", "old", "new")
    assert (
        result.stdout
        == """\
old: old: 5 pages, 1 redirect
new: new: 5 pages
removed    /install/       now /setup/ (most words agree)
removed    /short/         perhaps /brief/
redirects  /quick/         led to /guide/
form       capitalization  1 URL: /Case/
add these redirects:
  /x/install/ → /x/setup/
  /x/quick/ → /x/guide/
  /x/Case/ → /x/case/
anchors  /guide/  #faq
changed  /guide/
added    /brief/  Title of brief/index.html
added    /setup/  Title of setup/index.html
2 pages removed, 1 redirect lost, 1 URL in another form; 1 page with lost anchors, 1 changed, 2 added
"""
    )
    assert result.exit_code == 1
    assert run("diff", "old", "new").stdout == result.stdout


@pytest.mark.usefixtures("states")
def test_the_same_state_has_no_differences() -> None:
    result = run("diff", "old", "old")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "no URL is lost")
    for option in ("--quiet", "--format=github"):
        assert run("diff", "old", "old", option).output == ""


def test_another_url_of_the_site_is_no_sign_that_nothing_is_lost(states: Path) -> None:
    for name, url in (("here", BASE), ("there", "https://example.org/")):
        write(states / name, {"index.html": page("index.html").replace(BASE, url)})
    result = run("diff", "here", "there", "--quiet")
    assert result.stdout == f"form  the URL of the site  {BASE} → https://example.org/\n"
    assert run("diff", "here", "there").stdout.splitlines()[-1] == "the site has another URL"
    assert result.exit_code == 1


@pytest.mark.usefixtures("states")
@pytest.mark.parametrize(
    ("kinds", "status"),
    [("nothing", 0), ("removed", 1), ("redirects", 1), ("form", 1), ("anchors", 1), ("anchors:all, form", 1)],
)
def test_what_makes_the_command_fail(kinds: str, status: int) -> None:
    assert run("diff", "old", "new", "--fail-on", kinds).exit_code == status
    assert run("diff", "new", "new", "--fail-on", kinds).exit_code == 0


def test_an_anchor_of_an_object_fails_only_if_all_anchors_count(states: Path) -> None:
    for state, name in (("old", "first"), ("new", "second")):
        write(states / state, {"api/index.html": f'<h1>API</h1><dl><dt class="sig" id="{name}">f</dt></dl>'})
        (states / state / "guide/index.html").unlink()
    assert run("diff", "old", "new", "--fail-on", "anchors").exit_code == 0
    assert run("diff", "old", "new", "--fail-on", "anchors:all").exit_code == 1


@pytest.mark.usefixtures("states")
def test_json_has_everything_in_its_documented_form() -> None:
    result = run("diff", "old", "new", "--format", "json")
    report = msgspec.convert(json.loads(result.stdout), DiffReport, strict=True)
    assert [(each.kind, each.cause, [loss.path for loss in each.losses]) for each in report.findings] == [
        ("removed", None, ["install/"]),
        ("removed", None, ["short/"]),
        ("redirects", None, ["quick/"]),
        ("form", "capitalization", ["Case/"]),
    ]
    install = report.findings[0].losses[0]
    assert (install.replacement, install.replaced_by, install.line) == ("setup/", "words", "/x/install/ → /x/setup/")
    assert report.failures == ("removed", "redirects", "form")
    assert (report.old.base_url, report.old.unknown) == (BASE, ("documents",))
    assert [(each.path, each.title) for each in (*report.changed, *report.added)] == [
        ("guide/", "Title of guide/index.html"),
        ("brief/", "Title of brief/index.html"),
        ("setup/", "Title of setup/index.html"),
    ]
    assert [(each.path, each.headings, each.objects, each.lines) for each in report.anchors] == [
        ("guide/", ("faq",), (), ())
    ]


def test_the_table_has_the_first_rows_of_each_kind(states: Path) -> None:
    write(states / "new", {f"n{number}/index.html": "" for number in range(25)})
    rows = [line for line in run("diff", "old", "new").stdout.splitlines() if line.startswith("added ")]
    assert (len(rows), " ".join(rows[-1].split())) == (21, "added and 7 more")


def test_annotations_for_github(states: Path) -> None:
    assert (
        run("diff", "old", "new", "--format", "github").stdout
        == """\
::error title=diff%3A removed::/install/ is gone: now /setup/ (most words agree)%0Aadd to the redirects: \
/x/install/ → /x/setup/
::error title=diff%3A removed::/short/ is gone: perhaps /brief/
::error title=diff%3A redirects::/quick/ is gone: led to /guide/%0Aadd to the redirects: /x/quick/ → /x/guide/
::error title=diff%3A form::capitalization: 1 URL: /Case/%0Aadd to the redirects: /x/Case/ → /x/case/
::error title=diff::2 pages removed, 1 redirect lost, 1 URL in another form; 1 page with lost anchors, 1 changed, \
2 added
"""
    )
    many = {f"p{number}/index.html": "" for number in range(30)}
    write(states / "old", many)
    lines = run("diff", "old", "new", "--format", "github", "--fail-on", "nothing").stdout.splitlines()
    assert len(lines) == 10
    assert [line for line in lines if not line.startswith("::notice ")] == []
    assert lines[-1].endswith("%0Aand 25 more; --format json lists everything")


def test_markdown_links_pages_and_shows_hostile_titles_as_they_are(states: Path) -> None:
    title = "<title>|`@octocat` [x](javascript:1) #12 &lt;img src=x&gt; *b* www.x.org\n- c</title>"
    write(
        states / "new",
        {
            "evil/index.html": page("evil/index.html", "<h1>Evil</h1>", title).replace(
                "<title>Title of evil/index.html</title>", ""
            )
        },
    )
    printed = run("diff", "old", "new", "--format", "markdown", "--preview", "https://pr.example/1").stdout
    assert "| removed | `/install/` | now /setup/ \\(most words agree\\) |\n" in printed
    assert "| changed | [Title of guide/index.html](https://pr.example/1/guide/) |  |\n" in printed
    assert "\nAdd these redirects:\n\n```\n/x/install/ → /x/setup/\n/x/quick/ → /x/guide/\n" in printed
    (row,) = (line for line in printed.splitlines() if "evil" in line)
    assert row == (
        "| added | [\\|\\`@&#8203;octocat\\` \\[x\\]\\(javascript\\:1\\) #&#8203;12 \\<img src=x\\> \\*b\\* www&#46;x.org \\- c]"
        "(https://pr.example/1/evil/) |  |"
    )


def test_markdown_stays_within_the_limits_of_github(states: Path) -> None:
    write(states / "old", {f"p{number}-{'x' * 150}/index.html": "" for number in range(400)})
    printed = run("diff", "old", "new", "--format", "markdown").stdout
    assert len(printed) < 60_000
    assert sum(line.startswith("| removed") for line in printed.splitlines()) <= 50
    assert "\n\nand 358 more rows\n" in printed
    assert printed.endswith("\n`--format json` lists everything\n")


def test_what_many_redirects_are_shortened_to(states: Path) -> None:
    write(states / "flat", {f"p{number}.html": "" for number in range(60)})
    write(states / "deep", {f"p{number}/index.html": "" for number in range(60)})
    markdown = run("diff", "flat", "deep", "--format", "markdown").stdout
    assert markdown.endswith("```\n\nand 10 more redirects\n\n`--format json` lists everything\n")
    assert run("diff", "flat", "deep", "--format", "github").stdout.splitlines()[0] == (
        "::error title=diff%3A form::.html → /: 60 URLs, such as /p0.html, /p1.html and /p10.html"
        "%0Aadd to the redirects: /x/p0.html → /x/p0/%0Aadd to the redirects: /x/p1.html → /x/p1/"
        "%0Aadd to the redirects: /x/p10.html → /x/p10/%0Aand 57 more redirects"
    )


def test_a_branch_or_a_folder_in_it_is_a_state(states: Path) -> None:
    repository = Repository(states)
    write(states / "1.0", OLD)
    commit = repository.commit("2026-01-01T00:00:00+00:00", f"Deployed {'a1b2c3d' * 2} to 1.0 with MkDocs 1.6.1")
    for name in ("main:1.0", f"{commit}:old", "HEAD:1.0"):
        result = run("diff", name, "old")
        assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "no URL is lost"), name
        assert f"old: {name}: 5 pages, 1 redirect, built from a1b2c3da1b" in result.stdout


def test_an_alias_on_a_branch_is_a_version_of_the_site(states: Path) -> None:
    repository = Repository(states)
    write(states / "latest", {"index.html": page("2.0/index.html"), "guide/index.html": page("2.0/guide/index.html")})
    repository.commit("2026-01-01T00:00:00+00:00")
    assert run("diff", "HEAD:latest", "new", "--quiet").output == ""
    assert "the URL of the site" in run("diff", "latest", "new").stdout


def test_an_alias_that_only_redirects_is_no_state(states: Path) -> None:
    """As mike makes it with ``--alias-type redirect``: nothing is ever lost from there."""
    repository = Repository(states)
    write(states / "2.0", OLD)
    write(states / "latest", {"index.html": stub("../2.0/"), "guide/index.html": stub("../../2.0/guide/")})
    write(states / "moved", {"index.html": stub("https://new.example/x/")})
    repository.commit("2026-01-01T00:00:00+00:00")
    for name in ("HEAD:latest", "latest/"):
        result = run("diff", name, "new")
        assert result.exit_code == 2
        assert result.output.startswith(f"Error: {name} has no pages, only redirects, such as to ")
        assert result.output.endswith("2.0/; name the state that has the pages that they lead to\n")
    assert run("diff", "old", "moved").exit_code == 1


def test_git_names_the_page_for_a_new_build_without_record(states: Path) -> None:
    repository = Repository(states)
    write(states, {"docs/index.md": "<!doctype", "docs/short.md": f"<!doctype {TEXT}"})
    (states / "mkdocs.yml").write_text("site_name: x\n")
    commit = repository.commit("2026-01-01T00:00:00+00:00", "sources")
    write(states / "published", OLD)
    repository.commit("2026-01-02T00:00:00+00:00", f"Deployed {commit[:7]} with MkDocs version: 1.6.1")
    (states / "docs" / "short.md").rename(states / "docs" / "brief.md")
    repository.commit("2026-01-03T00:00:00+00:00", "renamed")
    assert (
        "removed    /short/         now /brief/ (renamed, according to git)\n"
        in run("diff", "HEAD:published", "new").stdout
    )


def test_redirects_that_are_kept_and_lead_nowhere_are_lost_with_their_page(states: Path) -> None:
    kept = {"index.html": stub("latest/a/"), "moved/index.html": stub("../b/")}
    pages = {
        **{f"2.0/{path}": page(f"2.0/{path}") for path in ("index.html", "a/index.html")},
        "versions.json": "<!doctype",
    }
    old = pages | kept | {"b/index.html": "", "latest/a/index.html": page("2.0/a/index.html")}
    write(states / "before", old)
    write(states / "after", pages | kept)
    for folder, aliases in (("before", ["latest"]), ("after", [])):
        versions = [{"version": "2.0", "title": "2.0", "aliases": aliases}]
        (states / folder / "versions.json").write_text(json.dumps(versions))
    lines = run("diff", "before", "after", "-q").stdout.splitlines()
    assert [line for line in lines if line.startswith(("removed", "redirects"))] == [
        "removed  /b/           also /moved/",
        "removed  alias latest  1 page: /latest/a/; also /",
    ]


def test_a_commit_that_the_clone_does_not_have_is_named(states: Path) -> None:
    repository = Repository(states)
    (states / "mkdocs.yml").write_text("site_name: x\n")
    write(states, {"docs/index.md": "<!doctype"})
    repository.commit("2026-01-01T00:00:00+00:00", f"Deployed {'a1b2c3d' * 2} with MkDocs version: 1.6.1")
    assert run("diff", "HEAD:old", "new", "-q").stderr == (
        "note: HEAD:old was built from the commit a1b2c3da1b, which this clone does not have, so git cannot tell which "
        "pages were renamed, and which ones this branch does not have yet; fetch the history: git fetch --unshallow\n"
    )
    repository.git("commit", "--quiet", "--allow-empty", "--message", "built by hand")
    assert run("diff", "HEAD", "new", "-q").stderr == ""


def test_a_branch_that_is_behind_has_not_lost_the_pages_of_others(states: Path) -> None:
    repository = Repository(states)
    (states / "mkdocs.yml").write_text("site_name: x\nplugins: [search]\n")
    for document in ("index", "guide", "mine"):
        repository.write(f"docs/{document}.md", "")
    base = repository.commit("2026-01-01T00:00:00+00:00")
    repository.write("docs/theirs.md", "")
    repository.write("mkdocs.yml", "site_name: x\nplugins: [search, redirects]\n")
    deployed = repository.commit("2026-01-02T00:00:00+00:00")
    repository.git("reset", "--quiet", "--hard", base)
    (states / "docs/mine.md").unlink()
    repository.commit("2026-01-03T00:00:00+00:00")
    pages = [{"loc": f"{BASE}{name}", "document": f"docs/{name.rstrip('/') or 'index'}.md"} for name in NAMES]
    gone = [{"path": "long-ago/", "document": "docs/long-ago.md"}, {"path": "longer-ago/", "to": ""}]
    repositories = {".": {"head": deployed}}
    known = {"repositories": repositories, "pages": pages, "gone": gone, "redirects": [{"from": "moved/", "to": ""}]}
    (states / "old.json").write_text(json.dumps(RECORD | known))
    write(states / "built", {"index.html": "", "guide/index.html": ""})
    write(states / "gh-pages", {f"{name}index.html": "" for name in NAMES} | {"moved/index.html": stub("../")})
    repository.git("checkout", "--quiet", "--orphan", "gh-pages")
    repository.git("rm", "--quiet", "-r", "--cached", ".")
    repository.git("add", "gh-pages")
    repository.git("commit", "--quiet", "--message", f"Deployed {deployed[:7]} with MkDocs version: 1.6.1")
    repository.git("checkout", "--quiet", "--force", "main")
    missing = "missing, perhaps only because this branch is behind the deployed one: /theirs/, /moved/"
    for old in ("old.json", "gh-pages:gh-pages"):
        result = run("diff", old, "built")
        assert [line for line in result.stdout.splitlines() if line.startswith(("removed", "missing"))] == [
            "removed  /mine/",
            missing,
        ]
    assert f"\n{missing}\n" in run("diff", "old.json", "built", "--format", "markdown").stdout.replace("\\", "")
    github = run("diff", "old.json", "built", "--format", "github").stdout
    assert github.endswith(f"::error title=diff::1 page removed%0A{missing}\n")
    report = json.loads(run("diff", "old.json", "built", "--format", "json").stdout)
    assert (report["behind"], len(report["findings"])) == (["theirs/", "moved/"], 1)
    repository.commit("2026-01-04T00:00:00+00:00")  # what is in git will be published, whoever removed it
    report = json.loads(run("diff", "old.json", "HEAD:built", "--format", "json").stdout)
    assert report["behind"] == []
    assert "theirs/" in [loss["path"] for finding in report["findings"] for loss in finding["losses"]]


def test_what_was_gone_before_its_record_is_lost_only_from_the_old_state(states: Path) -> None:
    """The message ``gone`` of every later build names this command."""
    gone = [{"path": "beta/"}, {"path": "case.html"}, {"path": "ancient/", "to": "case/"}, {"path": "brief/"}]
    pages = [{"loc": f"{BASE}{path.removesuffix('index.html')}"} for path in NEW]
    (states / "new" / "site-record.json").write_text(json.dumps(RECORD | {"pages": pages, "gone": gone}))
    result = run("diff", "new/site-record.json", "new")
    assert result.exit_code == 1
    assert [line for line in result.stdout.splitlines() if not line.startswith(("old", "new", "not compared"))] == [
        "removed    /beta/",
        "redirects  /ancient/  led to /case/",
        "form       .html → /  1 URL: /case.html",
        "add these redirects:",
        "  /x/ancient/ → /x/case/",
        "  /x/case.html → /x/case/",
        "1 page removed, 1 redirect lost, 1 URL in another form",
    ]
    assert run("diff", "new", "new", "--quiet").output == ""
    assert run("diff", "new", "new/site-record.json", "--quiet").output == ""
    assert "removed    /beta/" in run("diff", "new/site-record.json", "new/site-record.json").stdout


def test_git_names_the_page_that_was_gone_before_the_old_state(states: Path) -> None:
    """Each row of what is gone has the commit to ask; one that the clone does not have is no error."""
    repository = Repository(states)
    (states / "mkdocs.yml").write_text("site_name: x\nplugins: [redirects: {redirect_maps: {}}]\n")
    write(states, {f"docs/{name}.md": f"<!doctype {name} {TEXT}" for name in ("index", "short")})
    published = repository.commit("2026-01-01T00:00:00+00:00")
    (states / "docs" / "short.md").rename(states / "docs" / "brief.md")
    deployed = repository.commit("2026-01-02T00:00:00+00:00")
    gone = [
        {"path": "lost/", "document": "docs/lost.md", "head": "f" * 40},
        {"path": "short/", "document": "docs/short.md", "head": published},
    ]
    pages = [{"loc": BASE, "document": "docs/index.md"}, {"loc": f"{BASE}brief/", "document": "docs/brief.md"}]
    known = {"repositories": {".": {"head": deployed}}, "pages": pages, "gone": gone}
    (states / "old.json").write_text(json.dumps(RECORD | known))
    write(states / "built", {"index.html": "", "brief/index.html": ""})
    lines = [" ".join(line.split()) for line in run("diff", "old.json", "built").stdout.splitlines()]
    assert lines[-5:] == [
        "removed /lost/",
        "removed /short/ now /brief/ (renamed, according to git)",
        "add to redirect_maps in mkdocs.yml:",
        "short.md: brief.md",
        "2 pages removed",
    ]


def test_a_sitemap_knows_only_what_it_lists(states: Path) -> None:
    locs = [f"{BASE}{path}" for path in ("guide/", "install/")]
    urls = "".join(f"<url><loc>{loc}</loc></url>" for loc in locs)
    (states / "sitemap.xml").write_text(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>')
    result = run("diff", "sitemap.xml", "new")
    facts = ["pages outside the sitemap", "redirects", "the texts of pages", "anchors"]
    assert result.stdout.splitlines()[2:4] == [
        f"not compared: {join_words(facts)} (unknown for sitemap.xml)",
        "removed  /install/",
    ]
    (states / "SITEMAP.xml.gz").write_bytes(gzip.compress((states / "sitemap.xml").read_bytes()))
    (states / "sitemap.txt").write_text("\n".join(locs))
    (states / "sitemap.txt.gz").write_bytes(gzip.compress((states / "sitemap.txt").read_bytes()))
    for name in ("SITEMAP.xml.gz", "sitemap.txt", "sitemap.txt.gz"):
        assert run("diff", name, "new").stdout == result.stdout.replace("sitemap.xml", name)


def test_a_folder_has_urls_of_its_pages_and_other_pages_do_not_count(states: Path) -> None:
    pages = {"index.html": "", "404.html": "", "faq.html": page("faq.html").replace("faq.html", "faq")}
    write(states / "here", pages)
    assert run("diff", "here", "old").stdout.startswith("old: here: 2 pages\n")
    assert "removed  /faq\n" in run("diff", "here", "old").stdout


def test_a_folder_whose_url_is_not_known_is_a_state(states: Path) -> None:
    for name, target in (("here", ""), ("there", stub("/guide/"))):
        pages = {"index.html": "", "guide/index.html": "", "404.html": "", "old/index.html": target or "<h1>Old</h1>"}
        write(states / name, {path: f"<!doctype html>{body}" for path, body in pages.items()})
    result = run("diff", "here", "there")
    assert result.stdout.splitlines()[-1] == "no URL is lost"
    report = json.loads(run("diff", "here", "there", "--format", "json").stdout)
    assert (report["old"]["base_url"], report["old"]["pages"]) == (None, 3)


def test_redirects_of_the_server_count(states: Path) -> None:
    (states / "list.txt").write_text(
        "# on the server\n/x/install/ /x/setup/\n/x/short/ brief/\n/x/Case/ /x/case/\n" + "odd\n" * 99
    )
    result = run("diff", "old", "new", "--redirects", "list.txt", "--fail-on", "removed,form")
    assert result.exit_code == 0
    assert result.stderr.startswith("warning: list.txt, line 5: ")
    assert result.stderr.endswith("  and 79 more\n")


@pytest.mark.parametrize(
    ("fail_on", "anchors"), [("anchors", "#faq"), ("anchors:all", "#faq, #f"), ("removed,anchors", "#faq")]
)
def test_anchors_that_make_the_run_fail_are_printed_in_every_format(fail_on: str, anchors: str, states: Path) -> None:
    write(states / "here", {"guide/index.html": f'{OLD["guide/index.html"]}<dl><dt class="sig" id="f">f</dt></dl>'})
    write(states / "there", {"guide/index.html": NEW["guide/index.html"]})
    count = "no URL is lost; 1 page with lost anchors, 1 changed"
    expected = {
        ("--quiet",): f"anchors  /guide/  {anchors}\n",
        ("--format", "github"): (
            f"::error title=diff%3A anchors::/guide/ has lost anchors: {anchors}\n::error title=diff::{count}\n"
        ),
        ("--format", "markdown"): f"""\
**{count}**

| | page | |
|---|---|---|
| anchors | `/guide/` | {anchors} |
| changed | Title of guide/index.html `/guide/` |  |
""",
    }
    for options, printed in expected.items():
        result = run("diff", "here", "there", "--fail-on", fail_on, *options)
        assert (result.exit_code, result.stdout.replace("\\", "")) == (1, printed)
    assert run("diff", "here", "there", "--format", "github").stdout == ""


def test_what_fails_the_run_comes_first(states: Path) -> None:
    write(states / "old", {f"p{number}/index.html": "" for number in range(200)})
    first = {
        "--quiet": "anchors  /guide/    #faq",
        "--format=github": "::error title=diff%3A anchors::/guide/ has lost anchors: #faq",
        "--format=markdown": "| anchors | `/guide/` | \\#faq |",
    }
    for option, line in first.items():
        assert line in run("diff", "old", "new", "--fail-on", "anchors", option).stdout.splitlines()[:5], option


def test_why_a_lost_page_has_no_redirect_is_said_in_every_format(states: Path) -> None:
    (states / "conf.py").write_text('extensions = ["sphinx_reredirects"]\n')
    write(states / "here", {"index.html": "", "a[1]/index.html": TEXT, "c/index.html": stub("https://example.org/")})
    write(states / "there", {"index.html": "", "b/index.html": TEXT})
    reason = "no redirect for /a[1]/: sphinx-reredirects reads a[1]/index.html as a pattern"
    assert (
        run("diff", "here", "there").stdout
        == f"""\
old: here: 2 pages, 1 redirect
new: there: 2 pages
removed    /a[1]/  now /b/ (most words agree)
redirects  /c/     led to https://example.org/
add to redirects in conf.py:
  "c": "https://example.org/",
{reason}
added  /b/  Title of b/index.html
1 page removed, 1 redirect lost; 1 added
"""
    )
    assert run("diff", "here", "there", "--format", "github").stdout.splitlines()[0] == (
        f"::error title=diff%3A removed::/a[1]/ is gone: now /b/ (most words agree)%0A{reason}"
    )
    markdown = run("diff", "here", "there", "--format", "markdown").stdout.replace("\\", "")
    assert markdown.endswith(f'```\n"c": "https://example.org/",\n```\n\n* {reason}\n')


@pytest.mark.parametrize("name", ["old", "HEAD:old"])
def test_a_branch_with_versions_is_not_what_a_build_is_compared_with(name: str, states: Path) -> None:
    for version in ("1.9", "2.0"):
        write(states / "old" / version, {path: page(f"{version}/{path}", body) for path, body in NEW.items()})
    (states / "old" / "versions.json").write_text(
        json.dumps([{"version": version, "title": version, "aliases": ["latest"]} for version in ("2.0", "1.9")])
    )
    repository = Repository(states)
    repository.commit("2026-01-01T00:00:00+00:00")
    hint = f"note: {name} has versions (2.0, 1.9), and new has none; to compare with one of them: {name}"
    assert run("diff", name, "new").stdout.splitlines()[2] == f"{hint}/2.0"
    assert f"\n{hint}/2.0\n" in run("diff", name, "new", "--format", "markdown").stdout.replace("\\", "")
    assert "note:" not in run("diff", name, name).stdout
    write(states / "old" / "latest", {path: page(f"latest/{path}", body) for path, body in NEW.items()})
    repository.commit("2026-01-02T00:00:00+00:00")
    assert run("diff", name, "new").stdout.splitlines()[2] == f"{hint}/latest"


def test_two_sites_without_a_common_page_are_probably_not_the_same(states: Path) -> None:
    write(states / "other", {"a/index.html": "", "b/index.html": ""})
    assert run("diff", "other", "new").stdout.splitlines()[2] == (
        "note: no page is in both states; are they the same site?"
    )
    write(states / "flat", {"a.html": "", "b.html": ""})
    assert "note:" not in run("diff", "other", "flat").stdout


def test_what_is_left_out_is_in_the_json(states: Path) -> None:
    assert "--format json" not in run("diff", "old", "new").stdout
    headings = "".join(f'<h2 id="x{number}">x</h2>' for number in range(9))
    write(states / "old", {"guide/index.html": f"{OLD['guide/index.html']}{headings}"})
    assert run("diff", "old", "new").stdout.splitlines()[-6:-1] == [
        "anchors  /guide/  #faq, #x0, #x1 and 7 more",
        "changed  /guide/",
        "added    /brief/  Title of brief/index.html",
        "added    /setup/  Title of setup/index.html",
        "--format json lists everything",
    ]
    lines = run("diff", "old", "new", "--quiet", "--fail-on", "anchors").stdout.splitlines()
    assert (lines[0], lines[-1]) == (
        "anchors    /guide/         #faq, #x0, #x1 and 7 more",
        "--format json lists everything",
    )


@pytest.mark.parametrize("state", ["old", "new"])
def test_what_cannot_be_read_in_either_state_is_a_warning(state: str, states: Path) -> None:
    (states / state / "vercel.json").write_text("[")
    assert run("diff", "old", "new").stderr == "warning: vercel.json was not read: it is not valid JSON\n"


def test_urls_that_the_author_ignores_are_not_reported(states: Path) -> None:
    (states / "sitemap.toml").write_text(
        '[[ignored_findings]]\nrule = "gone"\nmatch = ["/short/", "quick/", "Case/"]\nreason = "nobody reads it"\n'
    )
    report = json.loads(run("diff", "old", "new", "--format", "json").stdout)
    assert [each["kind"] for each in report["findings"]] == ["removed"]
    assert report["ignored"] == ["Case/", "quick/", "short/"]
    words = "3 lost URLs ignored (ignored_findings)"
    assert run("diff", "old", "new").stdout.splitlines()[-2] == words
    assert f"\n{words}\n" in run("diff", "old", "new", "--format", "markdown").stdout.replace("\\", "")
    assert words not in run("diff", "old", "new", "--quiet").stdout


@pytest.mark.parametrize(("redirects", "is_known"), [("a.md: guide.md", False), ("quick.md: gone.md", True)])
def test_a_redirect_that_the_project_has_is_not_added_again(redirects: str, is_known: bool, states: Path) -> None:
    text = f"site_name: x\nplugins:\n  - redirects:\n      redirect_maps:\n        {redirects}\n"
    (states / "mkdocs.yml").write_text(text)
    (states / "docs").mkdir()
    for document in ("guide", "setup"):
        (states / "docs" / f"{document}.md").write_text("")
    shown = run("diff", "old", "new").stdout
    assert "add to redirect_maps in mkdocs.yml:\n  install.md: setup.md\n" in shown
    todo = "\n/quick/: mkdocs.yml redirects quick.md to gone.md; change that target to guide.md\n"
    assert (todo in shown, "  quick.md: guide.md\n" in shown) == (is_known, not is_known)
    assert (states / "mkdocs.yml").read_text() == text


def test_the_rules_of_a_built_site_are_no_source(states: Path) -> None:
    for state in ("old", "new"):
        (states / state / "_redirects").write_text("/x/gone/ /x/guide/ 301\n")
    (states / "new").rename(states / "public")
    assert "add to _redirects:\n  /x/install/ /x/setup/ 301\n" in run("diff", "old", "public").stdout
    (states / "_redirects").write_text("/x/install/ /x/odd/\n")
    assert "add to _redirects:\n  /x/" in (shown := run("diff", "old", "public").stdout)
    assert "\n/install/: _redirects redirects /x/install/ to /x/odd/; change that target to /x/setup/\n" in shown


def test_the_project_tells_where_lines_belong(states: Path) -> None:
    (states / "project").mkdir()
    (states / "project" / "conf.py").write_text('extensions = ["sphinx_reredirects"]\nredirects = {}\n')
    result = run("diff", "old", "new", "--project", "project")
    assert "add to redirects in project/conf.py:\n" in result.stdout
    (states / "project" / "conf.py").write_text("extensions = []\n")
    result = run("diff", "old", "new", "--project", "project")
    assert "note: Sphinx makes redirects with the extension sphinx-reredirects or" in result.stdout


@pytest.mark.parametrize(
    ("file", "settings", "line"),
    [
        (
            "zensical.toml",
            '[project]\nsite_name = "x"\n[project.plugins.redirects]\n',
            '"guide.md#faq" = "guide.md#questions"',
        ),
        ("mkdocs.yml", "site_name: x\nplugins: [redirects]\n", "guide.md#faq: guide.md#questions"),
    ],
)
def test_zensical_redirects_the_anchors_of_headings_that_were_renamed(
    file: str, settings: str, line: str, states: Path
) -> None:
    (states / file).write_text(settings)
    home = page("index.html", "<h1>Home</h1>", '<meta name="generator" content="zensical-0.0.73">')
    write(states / "new", {"index.html": home})
    (states / "docs").mkdir()
    (states / "docs/guide.md").write_text("")
    write(states / "new", {"guide/index.html": '<h1>Guide</h1><h2 id="usage">Usage</h2><h2 id="questions">FAQ</h2>'})
    assert f"  {line}\n" in run("diff", "old", "new").stdout
    report = json.loads(run("diff", "old", "new", "--format", "json").stdout)
    assert report["anchors"][0]["lines"] == [line]


INDEX = (
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap>'
    "<loc>https://x.org/broken.txt.gz</loc></sitemap></sitemapindex>"
)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("empty", "new"), "empty has no page (.html, .htm or .xhtml); is it the folder that the site is built into?"),
        (("old", "notes.md"), "notes.md is neither a record (.json) nor a sitemap (.xml or .txt, also with .gz)"),
        (("broken.json", "new"), "broken.json: it is not JSON"),
        (("broken.txt", "new"), "broken.txt is not UTF-8"),
        (("broken.txt.gz", "new"), "broken.txt.gz is damaged: it cannot be unpacked"),
        (("index.xml", "new"), "broken.txt.gz is damaged: it cannot be unpacked"),
        (
            ("broken.xml", "new"),
            "broken.xml is a sitemap in no namespace, not in http://www.sitemaps.org/schemas/sitemap/0.9",
        ),
        (
            ("site-record-content.json", "new"),
            (
                "site-record-content.json: it has the contents of pages, which belong to a record; use the file "
                "without -content"
            ),
        ),
        (("", "new"), "the name of a state is empty; if it comes from a variable, check that the variable is set"),
        (("old.json", "new"), "there is no file old.json"),
        (("old.xml.gz", "new"), "there is no file old.xml.gz"),
        (("old", "site/"), "there is no folder site/; build the site first"),
        (("old", "/no/site"), "there is no folder /no/site; build the site first"),
        (("old", "../site"), "there is no folder ../site; build the site first"),
        (
            ("https://docs.example.org/x/", "new"),
            (
                "https://docs.example.org/x/ is a URL, but diff fetches nothing; download the record or the sitemap of the "
                "site, and name that file instead: curl --fail --remote-name https://docs.example.org/x/sitemap.xml"
            ),
        ),
        (
            ("https://docs.example.org/old.json", "new"),
            (
                "https://docs.example.org/old.json is a URL, but diff fetches nothing; download the record or the sitemap "
                "of the site, and name that file instead: curl --fail --remote-name https://docs.example.org/old.json"
            ),
        ),
        (
            ("gh-pagse", "new"),
            (
                "there is no file or folder gh-pagse (is the site built?), and it cannot be read as a branch: there is no "
                "branch, tag or commit 'gh-pagse'; did you mean 'gh-pages'?"
            ),
        ),
        (("gh-pages:1.9", "new"), "gh-pages:1.9 cannot be read: there is no folder '1.9' in gh-pages"),
    ],
)
def test_a_state_that_cannot_be_read_is_an_error(arguments: tuple[str, str], message: str, states: Path) -> None:
    (states / "empty").mkdir()
    content = json.dumps({"version": 1, "record": "0" * 64, "pages": []})
    for name, text in (
        ("notes.md", "x"),
        ("broken.json", "{"),
        ("broken.txt", "\xff"),
        ("broken.txt.gz", "\x1f\x8b"),
        ("broken.xml", "<urlset><url></x>"),
        ("index.xml", INDEX),
        ("site-record-content.json", content),
    ):
        (states / name).write_text(text, encoding="latin-1")
    repository = Repository(states)
    repository.commit("2026-01-01T00:00:00+00:00")
    repository.git("branch", "gh-pages")
    result = run("diff", *arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"Error: {message}\n")


@pytest.mark.usefixtures("states")
@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--fail-on", "removed,pages", "'pages' is none of removed, redirects, form, anchors, anchors:all and nothing"),
        ("--fail-on", "removed,nothing", "nothing cannot be used together with other kinds"),
        ("--redirects", "missing", "File 'missing' does not exist."),
        ("--redirects", "new", "File 'new' is a directory."),
        ("--project", "missing", "Path 'missing' does not exist."),
        ("--project", "old/index.html", "index.html is not a file of MkDocs, ProperDocs or Zensical"),
        ("--preview", "pr.example", "'pr.example' is not an absolute http:// or https:// URL"),
        ("--preview", "https://x.org/1/", "--preview needs --format markdown, because only Markdown links to pages"),
    ],
)
def test_an_option_that_cannot_be_used_is_an_error(option: str, value: str, message: str) -> None:
    result = run("diff", "old", "new", option, value)
    assert result.exit_code == 2
    assert message in result.stderr
