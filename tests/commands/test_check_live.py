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
from typing import TYPE_CHECKING

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
from tests.live.servers import Answer, Request, Server, files_at, unused_port

if TYPE_CHECKING:
    from tests.conftest import Repository

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


def sends(head: str = "", status: int = 200, **headers: str) -> Answer:
    """An answer with a page."""
    page = f'<!doctype html><html lang="en"><head><title>A</title>{head}</head><body>'.encode()
    return lambda request: request.send(status, page, **{"Content_Type": "text/html", **headers})


def index(*locs: str) -> str:
    entries = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</sitemapindex>'


def canonical(url: str) -> str:
    return f'<link rel="canonical" href="{url}">'


def serve(server: Server, answers: Mapping[str, Answer]) -> None:
    """Serve a site whose sitemap lists these paths, which are answered so."""
    others = files_at(site(server, dead=tuple(answers)))
    server.answer = lambda request: answers.get(request.path[1:], others)(request)


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


def test_dates_later_than_now_are_found_with_a_project_in_git(server: Server, repository: Repository) -> None:
    server.answer = files_at(site(server, "a/", date="2999-01-01"))
    repository.commit("2026-07-31T12:00:00+00:00")
    assert check(server.url).stdout.endswith("\nno problems found\n")
    assert rules(check(server.url, "--format", "json", "--project", repository.path, status=1)) == ["future-date"]


def test_a_baseline_does_not_depend_on_how_many_were_checked(server: Server, tmp_path: Path) -> None:
    server.answer = files_at(site(server, "a/", "b/"), {"/a/": 500})
    check(server.url, "--write-baseline", tmp_path / "known.json")
    server.answer = files_at(site(server, "a/"), {"/a/": 500})
    check(server.url, "--baseline", tmp_path / "known.json")


@pytest.mark.parametrize("has_file", [True, False])
@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (sends(status=404), "listed-unwritten"),
        (sends(status=410), "listed-unwritten"),
        (sends(X_Robots_Tag="noindex"), "listed-noindex"),
        (sends('<meta name="robots" content="noindex">'), "listed-noindex"),
        (sends(canonical("/view?id=5")), "listed-canonical"),
        (sends(Link='</view?id=5>; rel="canonical"'), "listed-canonical"),
        (sends(canonical("/view")), "listed-canonical"),
        (sends('<meta http-equiv="refresh" content="0; url=/">'), "listed-redirect"),
        (sends(status=302, Location="/"), "listed-redirect"),
        (sends(canonical("/view?id=6")), None),
        (sends(), None),
    ],
)
def test_a_url_with_a_query_is_judged_by_its_own_answer(
    server: Server, answer: Answer, found: str | None, *, has_file: bool
) -> None:
    path = {"view": sends(canonical("/view"))} if has_file else {}
    serve(server, {**path, "view?id=5": sends(canonical("/view?id=5")), "view?id=6": answer})
    result = json.loads(check(server.url, "--format", "json", status=1 if found else 0).stdout)
    assert [(each["rule"], [hit["url"] for hit in each["hits"]]) for each in result["findings"]] == (
        [(found, [f"{server.url}view?id=6"])] if found else []
    )


def test_a_fragment_has_no_query(server: Server) -> None:
    others = files_at(site(server, dead=("a/#b?c",)))
    noindex = sends('<meta name="robots" content="noindex">')
    server.answer = lambda request: (noindex if request.path == "/a/" else others)(request)
    assert "listed-noindex" in rules(check(server.url, "--format", "json", status=1))


def test_each_form_of_a_url_is_judged_by_what_is_sent_for_it(server: Server) -> None:
    """Both are the same file, so only the one that comes first is kept."""
    serve(server, {"a": sends(), "a.html": sends('<meta name="robots" content="noindex">')})
    found = json.loads(check(server.url, "--format", "json", "--select", "listed-noindex", status=1).stdout)["findings"]
    assert [hit["url"] for each in found for hit in each["hits"]] == [f"{server.url}a.html"]


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ({"X_Robots_Tag": "noindex"}, ["listed-noindex"]),
        ({"X_Robots_Tag": "googlebot: noindex"}, ["listed-noindex"]),
        ({"X_Robots_Tag": "otherbot: noindex"}, []),
        ({"Link": '<https://docs.example.org/>; rel="canonical"'}, ["listed-canonical"]),
        ({"Link": "</a.css>; rel=preload; as=style, </b.pdf>; Rel=Canonical"}, ["listed-canonical"]),
        ({"Link": '<b>; title="x"; rel="shortlink canonical"'}, ["listed-canonical"]),
        ({"Link": '</PATH>; rel="canonical"'}, []),
        ({"Link": '</b>; rel="prev"; title="canonical", </c>; rel=canonical-x, </d>; rel=x-canonical'}, []),
        ({"Link": "</b>; rel=next, <http://[>; rel=canonical"}, []),
    ],
)
@pytest.mark.parametrize(("path", "kind"), [("a", "text/html"), ("a/", "text/html"), ("a.pdf", "application/pdf")])
def test_headers_count_like_the_head(
    server: Server, header: Mapping[str, str], found: list[str], path: str, kind: str
) -> None:
    header = {name: value.replace("PATH", path) for name, value in header.items()}
    serve(server, {path: sends(**{"Content_Type": kind, **header})})
    assert rules(check(server.url, "--format", "json", status=1 if found else 0)) == found


def test_a_canonical_link_in_a_header_is_one_of_those_of_the_page(server: Server) -> None:
    """Non-ASCII characters are UTF-8, and the page is read as before."""
    link = f"<{server.url}é>; rel=canonical".encode()
    page = "\ufeff<!doctype html>\n<html lang='de'><head><title>A</title>" + canonical(f"{server.url}a/")
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: " + link + b"\r\n\r\n"
    serve(server, {"a/": lambda request: request.send_raw(head, page.encode())})
    (finding,) = json.loads(check(server.url, "--format", "json", status=1).stdout)["findings"]
    assert finding["rule"] == "several-canonicals"
    assert finding["hits"][0]["found"] == f"{server.url}%C3%A9 and {server.url}a/"


def test_several_lines_of_a_header_are_separate_lists(server: Server) -> None:
    lines = b"X-Robots-Tag: otherbot: noindex, nofollow\r\nX-Robots-Tag: noindex\r\n"
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + lines + b"\r\n<title>A</title>"
    serve(server, {"a/": lambda request: request.send_raw(head)})
    shown = check(server.url, status=1).stdout
    assert f"{server.url}a/ (by the server, X-Robots-Tag: noindex)\n" in shown


class TestElsewhere:
    """Sites none of whose sitemaps' URLs are below the given one."""

    @pytest.fixture
    def proxied(self, server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
        """A server that also answers for other hosts, as a proxy."""
        monkeypatch.setenv("http_proxy", server.url)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        return server

    def publish(self, server: Server, *locs: str, announced: str = "") -> None:
        entries = "".join(f"<url><loc>{loc}</loc></url>" for loc in locs)
        sitemap = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
        robots = f"Sitemap: {announced}" if announced else ""
        server.answer = files_at(
            {"robots.txt": robots.encode(), "sitemap.xml": sitemap.encode(), "index.html": b"<title>A"}
        )

    @pytest.mark.parametrize(
        ("asked", "there", "announced"),
        [
            ("", "https://docs.example.org/", ""),
            ("", "https://docs.example.org/", "https://docs.example.org/sitemap.xml"),
            ("", "http://localhost:8751/", ""),
            ("", "https://127.0.0.1/", ""),
            ("http://example.org/", "http://www.example.org/", "http://www.example.org/sitemap.xml"),
            ("http://example.org/", "https://example.org/", ""),
            ("http://deploy-preview-1--a.netlify.app/", "https://docs.example.org/", ""),
        ],
    )
    def test_no_page_is_asked_for(self, proxied: Server, asked: str, there: str, announced: str) -> None:
        url = asked or proxied.url
        self.publish(proxied, there, f"{there}a/", f"{there}b/", "/c/", announced=announced)
        assert check(url, status=2).stderr == (
            f"Error: the sitemaps list no URL below {url}; 3 are below {there}: check that address; to check this copy,"
            f" build it with its own URL, or check its folder with --base-url {there}\n"
        )
        assert [each.removeprefix(asked and asked[:-1]) for each in proxied.paths] == ["/robots.txt", "/sitemap.xml"]

    @pytest.mark.parametrize(
        ("locs", "there"),
        [
            (
                ("https://me.github.io/a/", "https://me.github.io/a/b/", "http://x.org/"),
                "2 are below https://me.github.io/a/",
            ),
            (("https://x.org/en/a/", "https://x.org/en/b/"), "2 are below https://x.org/"),
        ],
    )
    def test_the_address_is_that_of_the_site(self, server: Server, locs: tuple[str, ...], there: str) -> None:
        self.publish(server, *locs)
        assert f"; {there}: check" in check(server.url, status=2).stderr

    def test_a_feed_of_another_site_is_one_of_them(self, server: Server) -> None:
        feed = "<rss><channel><item><link>https://docs.example.org/a/</link></item></channel></rss>"
        server.answer = files_at({"robots.txt": f"Sitemap: {server.url}feed.xml".encode(), "feed.xml": feed.encode()})
        assert "; 1 is below https://docs.example.org/a/: check" in check(server.url, status=2).stderr

    @pytest.mark.parametrize(
        ("files", "found"),
        [
            ({"sitemap.xml": index("https://docs.example.org/a.xml", "https://docs.example.org/b.xml")}, 2),
            ({"sitemap.xml": index("BASEa.xml", "https://docs.example.org/b.xml"), "a.xml": index("BASEc.xml")}, 1),
        ],
        ids=["all", "some"],
    )
    def test_so_are_the_sitemaps_in_an_index(self, server: Server, files: Mapping[str, str], found: int) -> None:
        server.answer = files_at({path: text.replace("BASE", server.url).encode() for path, text in files.items()})
        there = f"; {found} {'are' if found > 1 else 'is'} below https://docs.example.org/: check"
        assert there in check(server.url, status=2).stderr
        assert rules(check(server.url, "--format", "json", "--limit", "0", status=1)) != []

    @pytest.mark.parametrize(
        ("feed", "status"),
        [
            ("<rss><channel/></rss>", 2),
            ('<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/"><entry><link href="a/"/></entry></feed>', 2),
            ("<rss><channel><item><link>a/</link></item></channel></rss>", 1),
        ],
        ids=["empty", "relative to a base", "invalid"],
    )
    def test_a_feed_without_pages_is_not_green(self, server: Server, feed: str, status: int) -> None:
        server.answer = files_at({"robots.txt": f"Sitemap: {server.url}feed.xml".encode(), "feed.xml": feed.encode()})
        nothing = f"Error: the sitemaps list no URL below {server.url}\n"
        assert (check(server.url, status=status).stderr == nothing) == (status == 2)

    def test_what_is_no_url_is_a_finding(self, server: Server) -> None:
        self.publish(server, "/", "/a/", announced=f"{server.url}sitemap.xml")
        assert rules(check(server.url, "--format", "json", status=1)) == ["invalid-url"]

    @pytest.mark.parametrize("asked", ["", "http://deploy-preview-1--a.netlify.app/"])
    def test_without_pages_it_is_compared_with_what_was_built(
        self, proxied: Server, tmp_path: Path, asked: str
    ) -> None:
        """As after a deployment, see docs/live.md."""
        self.publish(proxied, "https://docs.example.org/", "https://docs.example.org/a/")
        files = {"index.html": "", "a/index.html": "", "CNAME": False}
        listed = {"sitemap.xml": "".join(f"<url><loc>{BASE_URL}{path}</loc></url>" for path in ("", "a/"))}
        built = write(tmp_path, complete({**files, **listed}))
        options = ("--built", built, "--wait", "600", "--limit", "0", "--select", "not-deployed")
        assert check(asked or proxied.url, *options).stdout.endswith("\nno problems found\n")

    @pytest.mark.parametrize(
        ("asked", "other", "found"),
        [
            ("", "http://localhost/a/", "listed-outside"),
            ("", "https://docs.example.org/a/", "listed-outside"),
            ("http://docs.example.org/", "http://localhost/a/", "preview-host"),
            ("http://docs.example.org/", "https://deploy-preview-1--a.netlify.app/", "preview-host"),
            ("http://deploy-preview-1--a.netlify.app/", "http://localhost/", "listed-outside"),
        ],
    )
    def test_a_few_urls_elsewhere_are_findings(self, proxied: Server, asked: str, other: str, found: str) -> None:
        url = asked or proxied.url
        self.publish(proxied, url, other, announced=f"{url}sitemap.xml")
        assert rules(check(url, "--format", "json", status=1)) == [found]


class TestLimit:
    def test_nothing_is_found_about_what_was_not_asked_for(self, server: Server) -> None:
        server.answer = files_at(site(server, "a/", dead=("b/", "c/")))
        result = check(server.url, "--limit", "2")
        assert result.stdout == (
            f"2 HTML files, sitemap.xml\nURL: {server.url}, from the command line\n"
            "2 of 4 listed URLs asked (--limit)\nno problems found\n"
        )
        assert {*server.paths} == {"/robots.txt", "/sitemap.xml", "/", "/a/"}

    @pytest.mark.parametrize(("limit", "number"), [((), 0), (("--limit", "1"), 1), (("--limit", "2"), 0)])
    def test_the_object_says_how_many(self, server: Server, limit: tuple[str, ...], number: int) -> None:
        server.answer = files_at(site(server, "a/"))
        assert json.loads(check(server.url, "--format", "json", *limit).stdout)["not_asked"] == number
        assert ("--limit" in check(server.url, *limit).stdout) == (number > 0)

    def test_the_sitemap_is_checked_as_a_whole(self, server: Server) -> None:
        server.answer = files_at(site(server, "a/", dead=("a/", "b c/")))
        found = rules(check(server.url, "--format", "json", "--limit", "0", status=1))
        assert found == ["invalid-url", "listed-twice"]

    @pytest.mark.parametrize(("limit", "found"), [("1", []), ("2", ["hreflang-return"])])
    def test_a_translation_that_was_not_asked_for_may_link_back(
        self, server: Server, limit: str, found: list[str]
    ) -> None:
        links = "".join(
            f'<xhtml:link rel="alternate" hreflang="{code}" href="{server.url}{path}"/>'
            for code, path in (("en", ""), ("de", "de/"))
        )
        entries = f"<url><loc>{server.url}</loc>{links}</url><url><loc>{server.url}a/</loc></url>"
        files = complete({"a/index.html": "", "de/index.html": '<html lang="de"><title>A', "sitemap.xml": entries})
        files["robots.txt"] = b""
        server.answer = files_at({**files, "index.html": b"<title>A"})
        options = ("--limit", limit, "--select", "hreflang-*", "--format", "json")
        assert rules(check(server.url, *options, status=1 if found else 0)) == found


@pytest.mark.parametrize(
    ("location", "found"),
    [
        ({"Location": "file:///etc/passwd"}, "('file:///etc/passwd')"),
        ({"Location": "http://a:b@127.0.0.1/\x1b[31m"}, "('http://a:b@127.0.0.1/\\x1b[31m')"),
        ({"Location": "javascript:" + "a" * 500}, f"('javascript:{'a' * 188}…)"),
        ({"Location": ""}, ""),
        ({}, ""),
    ],
)
def test_a_redirect_to_no_url_says_where_it_leads(server: Server, location: Mapping[str, str], found: str) -> None:
    serve(server, {"a/": sends(status=302, **location)})
    lines = check(server.url, status=1).stdout.splitlines()
    assert "(the server answers 302, a redirect to no URL; 2 of 3 URLs checked)" in lines[2]
    assert lines[3] == f"  {server.url}a/ {found}".rstrip()


def test_a_redirect_to_the_url_itself_is_a_loop(server: Server) -> None:
    serve(server, {"a/": sends(status=301, Location="/a/"), "b/": sends(status=301, Location="/b")})
    found = json.loads(check(server.url, "--format", "json", status=1).stdout)["findings"]
    assert [(each["rule"], each["cause"]) for each in found] == [
        ("listed-redirect", "loop"),
        ("listed-redirect", "slash→no slash"),
    ]


def test_a_sitemap_that_redirects_to_another_host_is_named_with_its_target(server: Server) -> None:
    moved = "https://docs.example.org/sitemap.xml"
    server.answer = lambda request: (
        request.send(301, Location=moved) if request.path == "/sitemap.xml" else request.send(404)
    )
    assert check(server.url, status=2).stderr == (
        f"Error: there is no sitemap for {server.url}: {server.url}sitemap.xml (it redirects to {moved})\n"
    )
    # It is not left out silently if there are others.
    robots = f"Sitemap: {server.url}sitemap.xml\nSitemap: {server.url}other.xml\n".encode()
    files = files_at({**site(server), "other.xml": site(server)["sitemap.xml"], "robots.txt": robots})
    first = server.answer
    server.answer = lambda request: (first if request.path == "/sitemap.xml" else files)(request)
    assert f"(it redirects to {moved}; 2 of 3 URLs checked)" in check(server.url, status=1).stdout


@pytest.mark.parametrize(
    "feed",
    [
        "<rss><channel><item><link>BASEa/</link></item><item><link>https://docs.example.org/</link></item></channel></rss>",
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="BASEa/"/></entry></feed>',
    ],
)
@pytest.mark.parametrize(("status", "found"), [(404, ["listed-unwritten"]), (200, [])])
def test_the_pages_of_a_feed_are_checked(server: Server, feed: str, status: int, found: list[str]) -> None:
    """Alone, and beside a sitemap that lists them, too, which no rule on sitemaps compares with it."""
    files = {"feed.xml": feed.replace("BASE", server.url).encode(), "a/index.html": b"<title>A"}
    files["robots.txt"] = f"Sitemap: {server.url}feed.xml".encode()
    statuses = {"/a/": status} if status != 200 else {}
    server.answer = files_at(files, statuses)
    result = json.loads(check(server.url, "--format", "json", status=len(found)).stdout)
    assert [(each["rule"], each["hits"][0]["file"]) for each in result["findings"]] == [
        (rule, "feed.xml") for rule in found
    ]
    files = {**site(server, "a/"), **files, "robots.txt": site(server)["robots.txt"] + files["robots.txt"]}
    server.answer = files_at(files, statuses)
    assert rules(check(server.url, "--format", "json", status=len(found))) == found


def test_in_a_folder_the_links_of_a_feed_are_not_listed(tmp_path: Path) -> None:
    feed = f"<rss><channel><item><link>{BASE_URL}gone/</link></item></channel></rss>"
    robots = f"Sitemap: {BASE_URL}sitemap.xml\nSitemap: {BASE_URL}feed.xml\n"
    run("check", write(tmp_path, complete({"feed.xml": feed, "robots.txt": robots})))


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
        ((BASE_URL, "--redirects", __file__), "--redirects works only with a folder, which has all pages"),
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
@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_request_at_once_and_no_folder_is_left(
    tmp_path: Path, sent: signal.Signals, status: int
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
            assert process.communicate(timeout=LONG) == ("", "Interrupted\n")
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
