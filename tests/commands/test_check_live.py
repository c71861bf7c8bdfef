"""``check`` with a URL: its options, its output and its exit status. What is read is tested in tests/live."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from sitemap_plugins.commands import live
from sitemap_plugins.commands.main import main
from sitemap_plugins.findings.catalogue import RULES
from sitemap_plugins.live.fetching import Manners
from sitemap_plugins.live.fetching import Server as AskedServer
from tests.builders import interruptible
from tests.check.examples import BASE_URL, complete
from tests.check.sites import write
from tests.live.servers import Request, Server, files_at, unused_port

posix_only = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
LONG = 600  # seconds, for a process on a busy machine


@pytest.fixture
def server() -> Iterator[Server]:
    with Server.running(lambda request: request.send(404)) as server:
        yield server


def run(*arguments: str | Path, status: int = 0) -> Result:
    result = CliRunner().invoke(main, [*map(str, arguments)])
    assert result.exit_code == status, result.output
    return result


def check(url: str, *options: str | Path, status: int = 0) -> Result:
    return run("check", url, "--rate", "0", *options, status=status)


def rules(result: Result) -> list[str]:
    return [each["rule"] for each in json.loads(result.stdout)["findings"]]


def site(server: Server, *pages: str, dead: tuple[str, ...] = (), date: str = "") -> Mapping[str, bytes]:
    """The files of a site with these pages; the dead ones are only listed."""
    lastmod = f"<lastmod>{date}</lastmod>" if date else ""
    listed = "\n".join(f"<url><loc>{server.url}{path}</loc>{lastmod}</url>" for path in ("", *pages, *dead))
    files = complete({**{f"{path}index.html": "" for path in pages}, "sitemap.xml": listed, "CNAME": False})
    return {path: content.replace(BASE_URL.encode(), server.url.encode()) for path, content in files.items()}


def test_what_is_wrong_on_the_server_is_found(server: Server) -> None:
    server.answer = files_at(site(server, "a/", "b/", dead=("c/", "d/", "b")), {"/a/": 500})
    lines = check(server.url, status=1).stdout.splitlines(keepends=True)
    assert (
        "".join(line for line in lines if not line.startswith("  fix: "))
        == f"""\
2 HTML files, sitemap.xml
URL: {server.url}, from the command line
error: listed-unwritten: The sitemap lists a URL at which there is no file (2 times)
  sitemap.xml:6: {server.url}c/ (by the server, 404)
  sitemap.xml:7: {server.url}d/ (by the server, 404)
error: listed-redirect: The sitemap lists a URL that redirects to another one (no slash→slash)
  sitemap.xml:8: {server.url}b (by the server, 301) -> {server.url}b/
warning: unanswered: {RULES["unanswered"].meaning[:-1]} (the server answers 500; 6 of 7 URLs checked)
  {server.url}a/
warning: listed-in-two-forms: A page is listed with two forms of its URL (sitemap.xml)
  sitemap.xml:8: {server.url}b (also listed as {server.url}b/, in sitemap.xml, line 5)
2 errors, 2 warnings
"""
    )


def test_a_site_without_mistakes_has_none(server: Server) -> None:
    server.answer = files_at(site(server, "a/", "b/"))
    result = check(server.url)
    assert result.stdout.endswith("\nno problems found\n")
    assert result.stderr == ""


def test_addresses_that_are_not_utf_8_are_asked_for_as_they_are(server: Server, tmp_path: Path) -> None:
    files = site(server, dead=("gone%E9/",))
    robots = f"User-agent: *\nDisallow: /sitemap%E9.xml\nSitemap: {server.url}sitemap%E9.xml\n".encode()
    answers = {"/": files["index.html"], "/sitemap%E9.xml": files["sitemap.xml"], "/robots.txt": robots}

    def answer(request: Request) -> None:
        content = answers.get(request.path)
        request.send(200 if content else 404, content or b"", Age="7", Content_Type="text/html")

    server.answer = answer
    (tmp_path / "sitemap.xml").write_bytes(files["sitemap.xml"].replace(b"gone", b"new"))
    found = check(server.url, "--built", tmp_path, status=1).stdout
    assert f"{server.url}gone%E9/ (by the server, 404)" in found
    assert f"{server.url}sitemap%E9.xml\n" in found
    assert "kept the sitemap for 7 seconds" in found


def test_rules_formats_and_the_project_are_those_of_folders(server: Server, tmp_path: Path) -> None:
    server.answer = files_at(site(server, "a/", dead=("b/",)))
    (tmp_path / "sitemap.toml").write_text('exclude = ["a/"]')
    as_json = ("--format", "json")
    assert rules(check(server.url, *as_json, status=1)) == ["listed-unwritten"]
    found = rules(check(server.url, *as_json, "--project", tmp_path, status=1))
    assert found == ["listed-unwritten", "listed-excluded"]
    assert rules(check(server.url, *as_json, "--ignore", "listed-unwritten")) == []
    check(server.url, "--write-baseline", tmp_path / "known.json")
    assert rules(check(server.url, *as_json, "--baseline", tmp_path / "known.json")) == []
    sarif = json.loads(check(server.url, "--format", "sarif", status=1).stdout)
    (result,) = sarif["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "sitemap.xml"
    assert "file=sitemap.xml,line=5" in check(server.url, "--format", "github", status=1).stdout


def test_a_baseline_does_not_depend_on_how_many_were_checked(server: Server, tmp_path: Path) -> None:
    server.answer = files_at(site(server, "a/", "b/"), {"/a/": 500})
    check(server.url, "--write-baseline", tmp_path / "known.json")
    server.answer = files_at(site(server, "a/"), {"/a/": 500})
    check(server.url, "--baseline", tmp_path / "known.json")


def test_a_limit_says_how_many_were_checked(server: Server) -> None:
    server.answer = files_at(site(server, "a/", "b/"))
    assert "over --limit; 2 of 4 URLs checked" in check(server.url, "--limit", "1", status=1).stdout
    assert server.paths == ["/robots.txt", "/sitemap.xml", "/"]


@pytest.mark.parametrize("status", [204, 302, 400, 401, 403, 418, 429, 451, 500, 503])
def test_answers_that_tell_nothing_are_unanswered(server: Server, monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    monkeypatch.setattr(live, "Manners", partial(Manners, pauses=(0,)))
    server.answer = files_at(site(server, "a/"), {"/a/": status})
    result = check(server.url, status=1)
    where = ", a redirect to no URL" if status == 302 else ""
    assert f"the server answers {status}{where}; 2 of 3 URLs checked" in result.stdout
    assert "1 warning\n" in result.stdout


@pytest.mark.parametrize(("status", "rule"), [(404, "missing-sitemap"), (410, "missing-sitemap"), (500, "unanswered")])
def test_a_sitemap_is_missing_only_if_the_server_says_so(server: Server, status: int, rule: str) -> None:
    robots = f"Sitemap: {server.url}sitemap.xml\nSitemap: {server.url}other.xml".encode()
    server.answer = files_at({**site(server), "robots.txt": robots}, {"/other.xml": status})
    assert rules(check(server.url, "--format", "json", status=1)) == [rule]


@pytest.mark.parametrize("prefix", ["", "docs/"])
def test_below_a_path_the_sitemaps_of_others_do_not_count(server: Server, prefix: str) -> None:
    others = f"Sitemap: {server.url}other/sitemap.xml\nSitemap: https://docs.example.net/sitemap.xml\n"
    here = f"{server.url}{prefix}".encode()
    files = {prefix + path: text.replace(server.url.encode(), here) for path, text in site(server, "a/").items()}
    server.answer = files_at({**files, "robots.txt": others.encode()} if prefix else files)
    assert check(here.decode()).stdout.endswith("\nno problems found\n")


@pytest.mark.parametrize(("rate", "expected"), [("3", 3), ("0", 0), ("9.5", 9.5), (None, 10)])
def test_the_rate_is_that_of_the_option(
    server: Server, monkeypatch: pytest.MonkeyPatch, rate: str | None, expected: float
) -> None:
    found: list[float] = []

    def note(url: str, manners: Manners) -> AskedServer:
        found.append(manners.rate)
        return AskedServer(url, manners)

    monkeypatch.setattr(live, "Server", note)
    server.answer = files_at(site(server))
    run("check", server.url, *(("--rate", rate) if rate else ()))
    assert found == [expected]


class TestBuilt:
    def test_the_built_sitemap_is_served(self, server: Server, tmp_path: Path) -> None:
        built = site(server, "a/", date="2026-01-02")
        server.answer = files_at({**built, "robots.txt": b"# by a CDN\n" + built["robots.txt"]})
        assert check(server.url, "--built", write(tmp_path, built)).stdout.endswith("\nno problems found\n")

    def test_other_urls_and_dates_are_named_with_the_age(self, server: Server, tmp_path: Path) -> None:
        built = write(tmp_path, site(server, *(f"new/{number}/" for number in range(4)), date="2026-01-02"))
        files = files_at(site(server, "old/", date="2026-01-01"))

        def answer(request: Request) -> None:
            request.extra = {"Age": "3600"}
            files(request)

        server.answer = answer
        result = check(server.url, "--built", built, status=1)
        assert "error: not-deployed" in result.stdout
        assert (
            "6 differences from the built sitemap; a cache has kept the sitemap for 3,600 seconds (Age)"
            in result.stdout
        )
        shown = [line.strip() for line in result.stdout.splitlines() if line.startswith("  http")]
        assert shown == [
            f"{server.url} (2026-01-01) -> 2026-01-02",
            f"{server.url}new/0/ (not listed) -> 2026-01-02",
            f"{server.url}new/1/ (not listed) -> 2026-01-02",
        ]
        assert "and 3 more" in result.stdout

    def test_it_waits_until_the_site_is_there(
        self, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        states = [files_at({}), files_at(site(server)), files_at(site(server, "a/"))]
        waited: list[float] = []

        def pause(seconds: float) -> None:
            waited.append(seconds)
            server.answer = states.pop(0)

        monkeypatch.setattr(live.time, "sleep", pause)
        built = write(tmp_path, site(server, "a/"))
        server.answer = files_at({}, {"/robots.txt": 503})
        monkeypatch.setattr(live, "Manners", partial(Manners, pauses=(0,)))
        assert check(server.url, "--built", built, "--wait", "600").stdout.endswith("\nno problems found\n")
        assert waited == [15, 15, 15]

    @pytest.mark.parametrize("files", [{}, None])
    def test_it_waits_no_longer_than_it_should(
        self, server: Server, tmp_path: Path, files: Mapping[str, bytes] | None
    ) -> None:
        server.answer = files_at(site(server) if files is None else files)
        built = write(tmp_path, site(server, "a/"))
        result = check(server.url, "--built", built, "--wait", "1", status=1 if files is None else 2)
        assert "not-deployed" in result.stdout if files is None else "there is no sitemap" in result.stderr
        assert server.paths.count("/sitemap.xml") == 2


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--built", "."), "--built is for a site on a server: give its URL instead of a folder"),
        (("--rate", "1"), "--rate is for a site on a server"),
        (("--limit", "1"), "--limit is for a site on a server"),
        (("--wait", "1"), "--wait needs --built, whose sitemaps it waits for"),
        ((BASE_URL, "--wait", "1"), "--wait needs --built, whose sitemaps it waits for"),
        ((BASE_URL, "--base-url", BASE_URL), "--base-url works only with a folder"),
        ((BASE_URL, "--rate", "-1"), "-1"),
        ((BASE_URL, "--built", "nowhere"), "nowhere"),
        ((BASE_URL, "--built", "."), "there is no sitemap in .: give the folder that the build writes"),
        (("https://me:secret@docs.example.org",), "a user name or password"),
        (("ftp://docs.example.org",), "does not exist"),
        (("docs.example.org",), "does not exist. The URL of a site starts with http:// or https://."),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_fetched(
    arguments: tuple[str, ...], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    error = run("check", *arguments, status=2).stderr
    assert why in " ".join(error.split())
    assert "secret" not in error


def test_a_mistake_in_the_configuration_is_found_before_anything_is_fetched(server: Server, tmp_path: Path) -> None:
    (tmp_path / "sitemap.toml").write_text('exclud = ["a/"]')
    assert "exclud" in check(server.url, "--project", tmp_path, status=2).stderr
    assert server.paths == []


@pytest.mark.parametrize(("status", "why"), [(404, "there is no sitemap"), (503, "the server answers 503")])
def test_a_site_that_cannot_be_read_is_no_finding(
    server: Server, monkeypatch: pytest.MonkeyPatch, status: int, why: str
) -> None:
    monkeypatch.setattr(live, "Manners", partial(Manners, pauses=(0,)))
    server.answer = lambda request: request.send(status)
    result = check(server.url, status=2)
    assert why in result.stderr
    assert result.stdout == ""


def test_a_server_that_is_not_there_is_an_error() -> None:
    error = check(f"http://127.0.0.1:{unused_port()}/", status=2).stderr
    assert error.endswith("; open it in a browser to see whether the URL is right\n")


def test_no_file_is_left(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    server.answer = files_at(site(server, "a/"))
    check(server.url)
    server.answer = files_at({})
    check(server.url, status=2)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("name", main.list_commands(click.Context(main)))
def test_an_interrupt_is_no_finding_in_any_command(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    command = main.get_command(click.Context(main), name)
    assert command
    monkeypatch.setattr(command, "invoke", interrupt)
    monkeypatch.setattr(command, "params", [])
    result = run(name, status=130)
    assert result.stderr == "Interrupted\n"


@posix_only
@pytest.mark.parametrize(("sent", "status", "said"), [(signal.SIGINT, 130, "Interrupted\n"), (signal.SIGTERM, 143, "")])
def test_a_signal_ends_a_request_at_once_and_no_folder_is_left(
    tmp_path: Path, sent: signal.Signals, status: int, said: str
) -> None:
    asked = threading.Event()

    def answer(request: Request) -> None:
        asked.set()
        request.hold()

    with Server.running(answer) as server:
        with interruptible():
            command = [sys.executable, "-m", "sitemap_plugins", "check", server.url]
            environment = os.environ | {"TMPDIR": str(tmp_path)}
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
            )
        with process:
            assert asked.wait(LONG)
            assert [*tmp_path.iterdir()] != []
            process.send_signal(sent)
            assert process.communicate(timeout=LONG) == ("", said)
        assert process.returncode == status
    assert [*tmp_path.iterdir()] == []


def test_without_a_url_no_module_of_the_network_is_imported() -> None:
    code = (
        "import sys; import sitemap_plugins.commands.check;"
        "print(*sorted({'http.client', 'ssl', 'urllib.request', 'sitemap_plugins.live'} & {*sys.modules}))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "\n"


def test_it_asks_again_after_fifteen_seconds() -> None:
    assert live._AGAIN == 15
