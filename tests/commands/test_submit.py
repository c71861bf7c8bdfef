"""The command ``submit``: whole runs against a server on this machine, which is both the site and the service."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sitemap_plugins.commands import submit
from sitemap_plugins.commands.main import main
from sitemap_plugins.live import indexnow
from sitemap_plugins.live.fetching import Manners
from tests.live.servers import Request, Server, files_at

KEY = "3f8a91c2d4"
INDEX = (
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>{}</loc></sitemap></sitemapindex>'
)
OPEN = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'


class Site:
    """A site with a service at ``/indexnow``, which answers with ``statuses``, then accepts everything.

    ``failing`` are the statuses of other paths, such as ``/sitemap.xml``.
    """

    def __init__(self, server: Server, noted: Path) -> None:
        self.server = server
        self.noted = noted
        self.files: dict[str, bytes] = {f"{KEY}.txt": KEY.encode()}
        self.failing: dict[str, int] = {}
        self.statuses: list[int] = []
        self.is_slow = False
        server.answer = self.answer

    def answer(self, request: Request) -> None:
        if request.path != "/indexnow":
            files_at(self.files, self.failing)(request)
        elif self.is_slow and len(self.posts) > 1:
            request.hold()
        else:
            request.send(self.statuses.pop(0) if self.statuses else 200)

    def publish(self, dates: Mapping[str, str], name: str = "sitemap.xml") -> None:
        """Publish a sitemap with these pages and dates."""
        lines = (f"<url><loc>{self.server.url}{page}</loc>{_lastmod(date)}</url>" for page, date in dates.items())
        self.files[name] = f"{OPEN}{''.join(lines)}</urlset>".encode()

    @property
    def posts(self) -> list[list[str]]:
        """The pages in each POST that the service got."""
        bodies = [json.loads(body) for method, _, _, body in self.server.requests if method == "POST"]
        return [[url.removeprefix(self.server.url) for url in body["urlList"]] for body in bodies]

    def arguments(self, *more: str, path: str = "") -> list[str]:
        url = self.server.url
        noted = str(self.noted)
        return ["submit", url + path, "--key", KEY, "--noted", noted, "--endpoint", f"{url}indexnow", *more]

    def submit(self, *more: str, path: str = "") -> Result:
        """Run the command; ``server.requests`` has only those of this run."""
        self.server.requests.clear()
        result = CliRunner().invoke(main, self.arguments(*more, path=path))
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        assert KEY not in result.output
        return result


def _lastmod(date: str) -> str:
    return date and f"<lastmod>{date}</lastmod>"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A site with three pages, and a command that does not wait."""
    monkeypatch.setattr(submit, "Manners", partial(Manners, rate=0, pauses=(0,)))
    monkeypatch.setattr(indexnow, "_PAUSES", (0, 0))
    with Server.running(Request.hold) as server:
        site = Site(server, tmp_path / "kept" / "noted.txt")
        site.publish({"a": "2026-01-01", "b": "2026-01-02", "c": ""})
        yield site


@pytest.fixture
def noted(site: Site) -> Site:
    """The same after a first run."""
    assert site.submit().exit_code == 0
    return site


def test_the_first_run_only_notes(site: Site) -> None:
    result = site.submit()
    assert (result.exit_code, result.stdout, result.stderr) == (
        0,
        "first run: 3 URLs noted, none sent; --all sends them\n",
        "",
    )
    url = site.server.url
    assert site.noted.read_text() == f"{url}a 2026-01-01\n{url}b 2026-01-02\n{url}c\n"
    assert site.server.paths == ["/robots.txt", "/sitemap.xml"]


def test_what_has_changed_is_sent_once(noted: Site) -> None:
    noted.publish({"a": "2026-01-01", "b": "2026-02-02", "d": ""})
    result = noted.submit()
    assert (result.exit_code, result.stdout) == (0, "3 URLs sent: 1 new, 1 changed, 1 gone\n")
    assert noted.posts == [["b", "c", "d"]]
    assert noted.submit().stdout == "0 URLs sent: 0 new, 0 changed, 0 gone\n"
    assert noted.posts == []


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_if_nothing_is_due_nothing_is_sent_or_written(noted: Site, end: bytes) -> None:
    noted.noted.write_bytes(before := noted.noted.read_bytes().replace(b"\n", end))
    os.utime(noted.noted, (1, 1))
    del noted.files[f"{KEY}.txt"]
    assert noted.submit().exit_code == 0
    assert noted.server.paths == ["/robots.txt", "/sitemap.xml"]
    assert (noted.noted.read_bytes(), noted.noted.stat().st_mtime) == (before, 1)


def test_all_sends_all_and_what_is_gone(noted: Site) -> None:
    noted.publish({"a": "2026-01-01", "d": ""})
    assert noted.submit("--all").exit_code == 0
    assert noted.posts == [["a", "b", "c", "d"]]
    noted.noted.unlink()
    assert noted.submit("--all").stdout == "2 URLs sent: 2 new, 0 changed, 0 gone\n"
    assert noted.submit().stdout == "0 URLs sent: 0 new, 0 changed, 0 gone\n"


@pytest.mark.parametrize("is_first", [True, False])
def test_after_all_has_failed_the_next_run_sends_all(noted: Site, is_first: bool) -> None:
    if is_first:
        noted.noted.unlink()
    noted.statuses = [503, 503, 503]
    result = noted.submit("--all")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.endswith("503; 0 of 3 URLs accepted; the next run sends the rest\n")
    assert noted.submit().exit_code == 0
    assert noted.posts == [["a", "b", "c"]]


def test_a_dry_run_prints_what_is_due_and_changes_nothing(noted: Site) -> None:
    before = noted.noted.read_bytes()
    noted.publish({"a": "2026-01-01", "b": "2026-02-02", "d": ""})
    url = noted.server.url
    result = noted.submit("--dry-run", "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (0, f"{url}b\n{url}c\n{url}d\n", "")
    assert noted.submit("--dry-run", "--all").stdout == f"{url}a\n{url}b\n{url}c\n{url}d\n"
    assert (noted.noted.read_bytes(), noted.posts) == (before, [])
    noted.noted.unlink()
    first = noted.submit("--dry-run")
    line = "first run: 3 URLs would be noted, none sent; --all sends them\n"
    assert (first.stdout, first.stderr) == ("", line)
    assert noted.submit("--dry-run", "--quiet").output == ""
    assert not noted.noted.exists()


def test_a_dry_run_needs_no_service_for_a_local_site(noted: Site) -> None:
    noted.publish({"a": "2026-01-01", "b": "2026-01-02", "c": "", "d": ""})
    result = noted.submit("--dry-run", "--quiet", "--endpoint", indexnow.ENDPOINT)
    assert (result.exit_code, result.output) == (0, f"{noted.server.url}d\n")
    assert noted.submit("--dry-run", "--endpoint", "http://api.indexnow.org/").exit_code == 2


def test_dates_of_builds_are_not_sent_and_a_line_says_so(site: Site) -> None:
    pages = [str(number) for number in range(20)]
    site.publish(dict.fromkeys(pages, "2026-01-01"))
    site.submit()
    site.publish(dict.fromkeys([*pages, "new"], "2026-01-02"))
    line = "nearly all dates are those of builds, so only new and lost URLs count\n"
    dry = site.submit("--dry-run")
    sent = "1 URL would be sent: 1 new, 0 changed, 0 gone\n"
    assert (dry.stdout, dry.stderr) == (f"{site.server.url}new\n", line + sent)
    result = site.submit()
    assert (result.stdout, result.stderr) == ("1 URL sent: 1 new, 0 changed, 0 gone\n", line)
    assert site.posts == [["new"]]
    assert "2026-01-01" not in site.noted.read_text()
    site.publish(dict.fromkeys([*pages, "new"], "2026-01-03"))
    assert (site.submit("--quiet").output, site.posts) == ("", [])
    assert site.submit().output == "0 URLs sent: 0 new, 0 changed, 0 gone\n"


def test_the_file_of_another_site_is_refused_before_anything_is_fetched(site: Site) -> None:
    site.noted.parent.mkdir()
    site.noted.write_text(content := "https://other.example/a 2026-01-01\n")
    result = site.submit("--all")
    assert result.exit_code == 2
    assert "Error: line 1 of --noted: 'https://other.example/a' is not below " in result.stderr
    assert (site.server.requests, site.noted.read_text()) == ([], content)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--endpoint", "http://api.indexnow.org/"],
        ["--endpoint", "http://["],
        ["--endpoint", indexnow.ENDPOINT],
        ["--key", "seven77"],
        ["--key", "a" * 129],
        ["--key", "with_line"],
        ["--key", "12345678\n"],
        ["--key", "schlüssel"],
    ],
)
def test_mistakes_in_the_arguments(site: Site, arguments: list[str]) -> None:
    result = site.submit(*arguments)
    assert result.exit_code == 2
    assert arguments[1] not in result.output or arguments[0] != "--key"
    assert (site.server.requests, site.noted.exists()) == ([], False)


@pytest.mark.parametrize("given", [[], ["--key", KEY], ["--noted", "noted.txt"]])
def test_both_required_options_are_named_at_once(given: list[str]) -> None:
    result = CliRunner().invoke(main, ["submit", "https://x.org/", *given])
    assert (result.exit_code, "Error: --key and --noted are both required\n" in result.stderr) == (2, True)


@pytest.mark.parametrize(("status", "expected"), [(500, 1), (503, 1), (429, 1), (403, 2), (404, 2), (410, 2)])
def test_nothing_is_sent_if_one_sitemap_is_not_read(noted: Site, status: int, expected: int) -> None:
    before = noted.noted.read_bytes()
    url = noted.server.url
    noted.files["robots.txt"] = f"Sitemap: {url}sitemap.xml\nSitemap: {url}more.xml\n".encode()
    noted.publish({"d": ""})
    noted.publish({"e": ""}, "more.xml")
    noted.failing["/more.xml"] = status
    result = noted.submit()
    assert (result.exit_code, result.stdout) == (expected, "")
    assert f"{url}more.xml: the server answers {status}; nothing was sent" in result.stderr
    assert (noted.posts, noted.noted.read_bytes()) == ([], before)
    noted.failing.clear()
    noted.submit()
    assert noted.posts == [["a", "b", "c", "d", "e"]]


def test_nothing_is_sent_if_a_sitemap_has_moved_to_another_host(noted: Site) -> None:
    moved = "https://docs.example.org/sitemap.xml"
    noted.files["robots.txt"] = f"Sitemap: {noted.server.url}sitemap.xml\nSitemap: {noted.server.url}more.xml".encode()
    noted.server.answer = lambda request: (
        request.send(301, Location=moved) if request.path == "/more.xml" else noted.answer(request)
    )
    result = noted.submit()
    assert (result.exit_code, noted.posts) == (2, [])
    assert f"{noted.server.url}more.xml: it redirects to {moved}; nothing was sent" in result.stderr


def test_the_pages_of_a_feed_are_listed_without_dates(noted: Site) -> None:
    url = noted.server.url
    items = "".join(f"<item><link>{url}{page}</link><pubDate>now</pubDate></item>" for page in ("a", "d"))
    noted.files["robots.txt"] = f"Sitemap: {url}sitemap.xml\nSitemap: {url}feed.xml\n".encode()
    noted.files["feed.xml"] = f"<rss><channel>{items}</channel></rss>".encode()
    assert noted.submit().stdout == "1 URL sent: 1 new, 0 changed, 0 gone\n"
    assert noted.posts == [["d"]]
    assert f"{url}a 2026-01-01\n" in noted.noted.read_text()


def test_a_page_that_a_feed_no_longer_lists_is_not_gone(noted: Site) -> None:
    url = noted.server.url
    noted.files["robots.txt"] = f"Sitemap: {url}sitemap.xml\nSitemap: {url}feed.xml\n".encode()
    noted.files["feed.xml"] = f"<rss><channel><item><link>{url}d</link></item></channel></rss>".encode()
    noted.publish({"b": "2026-01-02"})
    assert noted.submit().stdout == "2 URLs sent: 1 new, 0 changed, 1 gone\n"  # a has a date, c has none
    assert noted.posts == [["a", "d"]]


@pytest.mark.parametrize("content", [b"<!doctype html><title>Home</title>", OPEN.encode()], ids=["a page", "cut"])
def test_what_is_no_sitemap_is_a_mistake(noted: Site, content: bytes) -> None:
    url = noted.server.url
    noted.files["robots.txt"] = f"Sitemap: {url}sitemap.xml\nSitemap: {url}more.xml\n".encode()
    noted.publish({"d": ""})
    noted.files["more.xml"] = content
    result = noted.submit()
    assert (result.exit_code, noted.posts) == (2, [])
    assert result.stderr.startswith(f"Error: {url}more.xml ")


@pytest.mark.parametrize(
    ("last", "expected", "shown"),
    [
        (
            "BASE/3.xml",
            2,
            "Error: BASE/3.xml was not read: three indexes lead to it, each in the one before; announce it in robots.txt; nothing was sent\n",
        ),
        ("BASE/sitemap.xml", 0, "1 URL sent: 1 new, 0 changed, 0 gone\n"),
        ("https://other.example/3.xml", 0, "1 URL sent: 1 new, 0 changed, 0 gone\n"),
    ],
    ids=["unread", "read before", "of another host"],
)
def test_nothing_is_sent_if_too_many_indexes_hide_a_sitemap(noted: Site, last: str, expected: int, shown: str) -> None:
    url = noted.server.url
    files = {"0.xml": "BASE/1.xml", "1.xml": "BASE/2.xml", "2.xml": last}
    noted.files |= {name: INDEX.format(loc.replace("BASE/", url)).encode() for name, loc in files.items()}
    noted.files["robots.txt"] = f"Sitemap: {url}sitemap.xml\nSitemap: {url}0.xml\n".encode()
    noted.publish({"a": "2026-01-01", "b": "2026-01-02", "c": "", "d": ""})
    noted.publish({"e": ""}, "3.xml")
    result = noted.submit()
    assert (result.exit_code, result.output.replace(url, "BASE/")) == (expected, shown)
    assert noted.posts == ([] if expected else [["d"]])


EVERYONE = "User-agent: *\nDisallow: /\n"
ENGINES = ("Bingbot", "Yandex", "YandexBot", "Yeti", "SeznamBot", "YepBot")


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        (EVERYONE, "Disallow: /"),
        ("User-agent: *\ndisallow: /*\nAllow: /ads.txt\n", "disallow: /*"),
        ("User-agent: bot\nUser-agent: *\nDisallow: /docs/\n", "Disallow: /docs/"),
        ("User-agent: *\nDisallow: /docs/a\nDisallow: /docs/b\n", "Disallow: /docs/a"),
        (EVERYONE + "User-agent: Googlebot\nAllow: /\n", "Disallow: /"),
        (EVERYONE + "User-agent: bingbot\nDisallow: /docs\n", "Disallow: /"),
        (EVERYONE + "User-agent: bingbot\nDisallow:\n", ""),
        *((f"{EVERYONE}User-agent: {engine}\nAllow: /docs/b\n", "") for engine in ENGINES),
        (EVERYONE + "Allow: /docs/\n", ""),
        ("User-agent: *\nDisallow: /docs/$\nDisallow: /docs/a\n", ""),
        ("User-agent: bingbot\nDisallow: /\n", ""),
        ("".join(f"User-agent: {engine}\n" for engine in ENGINES) + "Disallow: /\n", ""),
        ("Disallow: /\n", ""),
    ],
)
def test_nothing_is_sent_if_robots_txt_blocks_all(noted: Site, rules: str, line: str) -> None:
    url = noted.server.url
    noted.noted.write_bytes(before := f"{url}docs/a\n".encode())
    noted.files["robots.txt"] = rules.encode()
    noted.publish({"docs/a": "", "docs/b": ""}, "docs/sitemap.xml")
    error = f"Error: {url}robots.txt blocks all listed URLs ({line}); nothing was sent\n"
    dry = noted.submit("--dry-run", "--quiet", path="docs")
    assert (dry.exit_code, dry.output) == ((2, error) if line else (0, f"{url}docs/b\n"))
    result = noted.submit("--quiet", path="docs")
    assert (result.exit_code, result.output) == ((2, error) if line else (0, ""))
    assert noted.posts == ([] if line else [["docs/b"]])
    assert (noted.noted.read_bytes() == before) == bool(line)


def test_a_sitemap_that_has_become_empty_is_a_mistake(noted: Site) -> None:
    noted.publish({})
    result = noted.submit()
    assert (result.exit_code, noted.posts) == (2, [])
    assert "the sitemaps list no URL below" in result.stderr


def test_nothing_is_sent_if_a_sitemap_ends_too_early(noted: Site) -> None:
    noted.publish({"a": ""})
    whole = noted.files["sitemap.xml"]
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(whole) + 1}\r\n\r\n".encode()
    noted.server.answer = lambda request: (
        request.send_raw(head, whole) if request.path == "/sitemap.xml" else noted.answer(request)
    )
    result = noted.submit()
    assert (result.exit_code, noted.posts) == (1, [])
    assert "the answer ended too early" in result.stderr


@pytest.mark.parametrize(
    ("path", "status", "expected"),
    [
        ("/sitemap.xml", 404, 2),
        ("/sitemap.xml", 403, 2),
        ("/sitemap.xml", 503, 1),
        ("/robots.txt", 429, 1),
        ("/robots.txt", 500, 1),
    ],
)
def test_a_site_without_a_sitemap(noted: Site, path: str, status: int, expected: int) -> None:
    noted.publish({"d": ""})
    noted.failing[path] = status
    assert (noted.submit().exit_code, noted.posts) == (expected, [])


def test_nothing_is_sent_before_the_key_is_served(noted: Site) -> None:
    before = noted.noted.read_bytes()
    del noted.files[f"{KEY}.txt"]
    noted.publish({"d": ""})
    for arguments in ([], ["--all"]):
        result = noted.submit(*arguments)
        assert (result.exit_code, result.stdout, noted.posts) == (1, "", [])
        assert (
            f"{noted.server.url}KEY.txt (404); its name before .txt and its only content must be the key\n"
            in result.stderr
        )
        assert noted.noted.read_bytes() == before


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
@pytest.mark.parametrize("path", ["", "docs/"])
def test_a_firewall_may_hide_the_key(site: Site, status: int, path: str) -> None:
    url = site.server.url
    site.publish({"docs/a": ""}, "docs/sitemap.xml")
    site.failing[f"/{path}{KEY}.txt"] = status
    del site.files[f"{KEY}.txt"]
    result = site.submit("--all", path="docs")
    found = {"": f"{url}KEY.txt ({status}), {url}docs/KEY.txt (404)"}
    tried = found.get(path, f"{url}KEY.txt (404), {url}docs/KEY.txt ({status})")
    assert (result.exit_code, site.posts, site.noted.exists()) == (1, [], False)
    assert result.output == (
        f"Error: the file with the key is not served, so nothing was sent: {tried}; a firewall may block this client, "
        "so open that URL in a browser\n"
    )


def test_a_key_in_the_folder_of_the_site_covers_only_that(site: Site) -> None:
    site.publish({"docs/a": ""}, "docs/sitemap.xml")
    site.submit(path="docs")
    site.files[f"docs/{KEY}.txt"] = site.files.pop(f"{KEY}.txt")
    site.publish({"docs/a": "", "docs/b": ""}, "docs/sitemap.xml")
    url = site.server.url
    result = site.submit(path="docs")
    assert result.exit_code == 0
    assert result.stderr == f"the key covers only URLs below {url}docs/, and Bing has rejected such a key\n"
    ((*_, body),) = [each for each in site.server.requests if each[0] == "POST"]
    assert site.submit("--all", "--quiet", path="docs").output == ""
    sent = {"host": url.split("/")[2], "key": KEY, "keyLocation": f"{url}docs/{KEY}.txt", "urlList": [f"{url}docs/b"]}
    assert json.loads(body) == sent


@pytest.mark.parametrize("status", [400, 403, 422, 302])
def test_an_answer_that_is_a_mistake(noted: Site, status: int) -> None:
    before = noted.noted.read_bytes()
    noted.publish({"a": "2026-01-01", "b": "2026-02-02", "c": ""})
    noted.statuses = [status]
    result = noted.submit()
    assert (result.exit_code, noted.posts) == (2, [["b"]])
    assert result.stderr.endswith("; 0 of 1 URL accepted\n")
    assert noted.noted.read_bytes() == before


MANY = {f"{number:05}": "" for number in range(25_001)}


def test_after_a_failure_the_next_run_sends_exactly_the_rest(site: Site) -> None:
    site.publish(MANY)
    site.statuses = [202, 503, 503, 503]
    result = site.submit("--all")
    assert [len(post) for post in site.posts] == [10_000, 10_000, 10_000, 10_000]
    accepted, *rest = site.posts
    assert result.exit_code == 1
    assert result.stderr.endswith("503; 10,000 of 25,001 URLs accepted; the next run sends the rest\n")
    assert len(site.noted.read_text().splitlines()) == 10_000
    result = site.submit()
    assert (result.exit_code, result.stdout) == (0, "15,001 URLs sent: 15,001 new, 0 changed, 0 gone\n")
    assert site.posts[0] == rest[0]
    assert sorted(chain(accepted, *site.posts)) == [*MANY]
    assert site.submit().stdout == "0 URLs sent: 0 new, 0 changed, 0 gone\n"
    assert site.posts == []


def test_a_run_that_is_killed_between_two_posts_is_continued(site: Site, tmp_path: Path) -> None:
    site.publish(MANY)
    site.is_slow = True
    command = [sys.executable, "-m", "sitemap_plugins", *site.arguments("--all")]
    temporary = dict.fromkeys(["TMPDIR", "TEMP", "TMP"], str(tmp_path))
    with subprocess.Popen(command, env=os.environ | temporary) as process:
        while len(site.posts) < 2:
            assert process.poll() is None
            time.sleep(0.02)
        process.kill()
    site.is_slow = False
    assert [each.name for each in site.noted.parent.iterdir()] == ["noted.txt"]
    assert len(site.noted.read_text().splitlines()) == 10_000
    assert site.submit().exit_code == 0
    assert [len(post) for post in site.posts] == [10_000, 5_001]
    assert site.submit().stdout == "0 URLs sent: 0 new, 0 changed, 0 gone\n"
