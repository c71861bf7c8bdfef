"""What search engines are told: which URLs are due, the file of noted ones, the key, and what services answer."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.live import indexnow
from sitemap_plugins.live.fetching import Manners
from sitemap_plugins.live.fetching import Server as AskedServer
from sitemap_plugins.live.indexnow import (
    ENDPOINT,
    are_of_builds,
    dates_of,
    find_due,
    find_key,
    parse_endpoint,
    read_noted,
    render_noted,
    send,
)
from sitemap_plugins.live.site import LiveError, read_sitemaps
from sitemap_plugins.values.urls import encode_url
from tests.live.servers import Request, Server, files_at, unused_port

PAUSES = indexnow._PAUSES
BASE = "https://docs.example.org/"
KEY = "3f8a91c2d4"
URLS = [f"{BASE}{number}" for number in range(25_001)]

paths = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=20)
urls = paths.map(lambda path: encode_url(BASE + path))
dates = st.sampled_from(["", "2026-03-01", "2026-03-01T09:00:00Z", "0001-01-01T00:00:00.5+14:00"])


def pages(day: str, number: int = 10, first: int = 0) -> dict[str, str]:
    return {f"{BASE}{each}": day for each in range(first, first + number)}


# Which URLs are due


def test_urls_that_are_new_gone_or_have_another_date_are_due() -> None:
    noted = {"a": "2026-01-01", "b": "2026-01-02", "gone": "2026-01-03", "c": "", "d": "2026-01-04", "e": ""}
    listed = {"a": "2026-01-01", "b": "2025-01-02", "z": "", "new": "2026-02-01", "c": "", "d": "", "e": "2026-02-01"}
    assert [*find_due(noted, listed).items()] == [
        ("b", "changed"), ("e", "changed"), ("gone", "gone"), ("new", "new"), ("z", "new"),
    ]  # fmt: skip
    assert find_due(listed, listed) == {}


@pytest.mark.parametrize("others", [0, 1, 2])
def test_dates_of_builds_do_not_count_if_nine_of_ten_are_one_day(others: int) -> None:
    def state(day: str) -> dict[str, str]:
        return pages(f"{day}T10:00:00Z", 10 - others) | pages("2020-01-01", others, first=50) | pages("", 30, first=60)

    noted, listed = state("2026-01-01"), state("2026-01-02")
    noted[f"{BASE}gone"] = listed[f"{BASE}new"] = ""
    assert are_of_builds(noted, listed) == (others < 2)
    due = find_due(noted, listed)
    assert (due.pop(f"{BASE}new"), due.pop(f"{BASE}gone")) == ("new", "gone")
    assert [*due.values()] == ([] if others < 2 else ["changed"] * 8)


@pytest.mark.parametrize(
    ("noted", "listed"),
    [
        pytest.param(pages("2026-01-01T10:00:00Z"), pages("2026-01-01T11:00:00Z"), id="one day"),
        pytest.param(pages("2026-01-01"), pages("2026-01-02", 8) | pages("2026-01-03", 2, first=8), id="now several"),
        pytest.param(pages("2026-01-02", 8) | pages("2026-01-03", 2, first=8), pages("2026-01-04"), id="once several"),
        pytest.param(pages("2026-01-01", 1), pages("2026-01-02", 1), id="a single page"),
    ],
)
def test_other_dates_count(noted: dict[str, str], listed: dict[str, str]) -> None:
    assert find_due(noted, listed) == dict.fromkeys(noted, "changed")
    assert not are_of_builds(noted, listed)


# The dates on a server


def read(files: dict[str, bytes], tmp_path: Path) -> dict[str, str]:
    with Server.running(files_at(files)) as server:
        sent = {name: content.replace(b"BASE/", server.url.encode()) for name, content in files.items()}
        server.answer = files_at(sent)
        site = read_sitemaps(server.url, str(tmp_path), AskedServer(server.url, Manners(rate=0)))
        return {url.replace(server.url, BASE): date for url, date in dates_of(site).items()}


def sitemap(*entries: str) -> bytes:
    body = "".join(f"<url>{entry}</url>" for entry in entries)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{body}</urlset>'.encode()


def test_the_dates_are_those_of_valid_urls_below_the_site(tmp_path: Path) -> None:
    content = sitemap(
        "<loc>BASE/a#top</loc><lastmod>2025-01-01</lastmod>",
        "<loc>BASE/a</loc><lastmod>2026-01-02</lastmod>",
        "<loc>BASE/a#part</loc><lastmod>2026-01-01</lastmod>",
        "<loc>BASE/ü</loc><lastmod>2026-01-01T10:00:00+01:00</lastmod>",
        "<loc>BASE/b</loc><lastmod>yesterday</lastmod>",
        "<loc>https://other.example/</loc>",
        "<loc>BASE/one\ntwo</loc>",
        f"<loc>BASE/{'x' * 2048}</loc>",
    )
    assert read({"sitemap.xml": content}, tmp_path) == {
        f"{BASE}a": "2026-01-02",
        f"{BASE}%C3%BC": "2026-01-01T10:00:00+01:00",
        f"{BASE}b": "",
    }


def test_sitemaps_without_any_url_of_the_site_are_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(LiveError, match="list no URL below") as caught:
        read({"sitemap.xml": sitemap("<loc>https://other.example/</loc>")}, tmp_path)
    assert not caught.value.is_temporary


# The file


@given(st.dictionaries(urls, dates))
def test_the_file_is_read_as_it_was_written(noted: dict[str, str]) -> None:
    content = render_noted(noted)
    assert read_noted(content, BASE) == noted
    assert read_noted(content.replace(b"\n", b"\r\n"), BASE) == noted
    assert content.count(b"\n") == len(noted)
    assert render_noted(read_noted(content, BASE)) == content


def test_the_file_has_a_url_and_its_date_in_each_line() -> None:
    assert render_noted({f"{BASE}b": "", f"{BASE}a": "2026-03-01"}) == f"{BASE}a 2026-03-01\n{BASE}b\n".encode()


@given(st.binary() | st.binary().map(lambda content: f"{BASE} ".encode() + content))
def test_any_content_is_read_or_refused(content: bytes) -> None:
    with suppress(LiveError):
        assert [url for url in read_noted(content, BASE) if not (url.startswith(BASE) or f"{url}/" == BASE)] == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("https://other.example/a 2026-01-01", "'https://other.example/a' is not below https://docs.example.org/"),
        ("<<<<<<< HEAD", "'<<<<<<<' is not below"),
        ("", "'' is not below"),
        (f"https://other.example/{'x' * 10_000}", "; use this site's own file"),
    ],
)
def test_what_is_no_file_of_this_site_is_refused(line: str, message: str) -> None:
    with pytest.raises(LiveError) as caught:
        read_noted(f"{BASE} 2026-01-01\n{line}\n".encode(), BASE)
    assert str(caught.value).startswith("line 2 of --noted: ")
    assert message in str(caught.value)
    assert len(str(caught.value)) < 400
    assert not caught.value.is_temporary


# The key


def key_url(files: dict[str, bytes]) -> str:
    with Server.running(files_at(files, {"/old.txt": 301})) as server:
        asked = AskedServer(server.url, Manners(rate=0))
        return find_key(KEY, f"{server.url}docs/", asked).removeprefix(server.url)


def test_the_key_is_at_the_root_or_in_the_folder_of_the_site() -> None:
    assert key_url({f"{KEY}.txt": f"{KEY}\n".encode(), f"docs/{KEY}.txt": KEY.encode()}) == f"{KEY}.txt"
    assert key_url({f"{KEY}.txt": b"another", f"docs/{KEY}.txt": KEY.encode()}) == f"docs/{KEY}.txt"


@pytest.mark.parametrize(
    "content", [b"", b"<html>", KEY.encode() + b"0", KEY.upper().encode(), b"\xef\xbb\xbf3f8a91c2d4"]
)
def test_another_content_is_not_the_key(content: bytes) -> None:
    with pytest.raises(LiveError) as caught:
        key_url({f"{KEY}.txt": content})
    assert f"/KEY.txt ({'its content is different' if content else 200})" in str(caught.value)
    assert "/docs/KEY.txt (404)" in str(caught.value)
    assert KEY not in str(caught.value)
    assert caught.value.is_temporary


# The service


@pytest.mark.parametrize("url", [ENDPOINT, "http://127.0.0.1:8000/indexnow", "http://localhost/"])
def test_endpoints(url: str) -> None:
    assert parse_endpoint(url, BASE) == url


@pytest.mark.parametrize("site", ["http://127.0.0.1:8000/", "https://docs--12.org.readthedocs.build/"])
def test_local_sites_and_previews_are_only_sent_to_local_services(site: str) -> None:
    assert parse_endpoint("http://localhost/", site) == "http://localhost/"
    with pytest.raises(LiveError, match="search engines cannot open"):
        parse_endpoint(ENDPOINT, site)
    assert parse_endpoint(ENDPOINT, site, dry_run=True) == ENDPOINT


@pytest.mark.parametrize(
    "url", ["http://api.indexnow.org/", "ftp://127.0.0.1/", "", "http://[", "https://me:secret@api.indexnow.org/"]
)
def test_what_is_no_endpoint(url: str) -> None:
    with pytest.raises(LiveError, match="endpoint") as caught:
        parse_endpoint(url, BASE)
    assert "secret" not in str(caught.value)
    assert not caught.value.is_temporary


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexnow, "_PAUSES", (0, 0))


Sending = Callable[[Request], None]


def post(answers: list[Sending], urls: list[str] = URLS[:3]) -> tuple[list[int], Server]:
    """How many URLs are noted after each batch for a service that answers so, and the service. The last one repeats."""
    left = iter(answers)

    def answer(request: Request) -> None:
        next(left, answers[-1])(request)

    with Server.running(answer) as server:
        listed = dict.fromkeys(urls, "")
        noted = send(urls, {}, listed, KEY, f"{BASE}{KEY}.txt", f"{server.url}indexnow")
        return [len(dates) for dates in noted], server


def status(code: int, body: bytes = b"", **headers: str) -> Sending:
    return lambda request: request.send(code, body, **headers)


def test_an_empty_answer_may_have_a_coding() -> None:
    assert post([status(200, Content_Encoding="gzip"), status(503)])[0] == [3]


@pytest.mark.parametrize("code", [200, 202])
def test_a_post_that_is_accepted(code: int) -> None:
    accepted, server = post([status(code)])
    ((method, path, headers, body),) = server.requests
    assert accepted == [3]
    assert (method, path, headers["Content-Type"]) == ("POST", "/indexnow", "application/json; charset=utf-8")
    assert json.loads(body) == {
        "host": "docs.example.org",
        "key": KEY,
        "keyLocation": f"{BASE}{KEY}.txt",
        "urlList": URLS[:3],
    }


def test_a_post_has_at_most_ten_thousand_urls() -> None:
    accepted, server = post([status(200)], URLS)
    assert accepted == [10_000, 20_000, 25_001]
    assert [url for request in server.requests for url in json.loads(request[3])["urlList"]] == URLS


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (status(400), "answers 400: is this the URL of an IndexNow service"),
        (status(401), "answers 401: is this the URL of an IndexNow service"),
        (status(404), "answers 404"),
        (status(422), "answers 422: it rejects the URLs"),
        (status(301, Location="/elsewhere"), "answers 301"),
        (status(307, Location="https://other.example/"), "answers 307"),
    ],
)
def test_answers_that_are_final(answer: Sending, cause: str) -> None:
    with pytest.raises(LiveError, match=cause) as caught:
        post([answer])
    assert not caught.value.is_temporary
    assert KEY not in str(caught.value)


REFUSED = '{{"code": "UserForbiddedToAccessSite", "message": "{}", "details": null}}'


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (REFUSED.format("Verify the key"), " (UserForbiddedToAccessSite: Verify the key)"),
        ('{"errorCode": "InvalidKey", "code": 403, "message": ["no", "text"]}', " (InvalidKey)"),
        ('{"success": false, "message": "Invalid key"}', " (Invalid key)"),
        (REFUSED.format(r"\u001b[31mRead\r\nthis:\u2028now\u0000"), " (UserForbiddedToAccessSite: [31mRead this: now)"),
        (REFUSED.format("xy " * 99_000), f" (UserForbiddedToAccessSite: {' '.join(['xy'] * 58)})"),
        # The key in any form is not shown.
        (f'{{"code": "{KEY}", "message": "No {KEY}0, {KEY.upper()} or %33f8a91c2d4"}}', " (KEY: No KEY0, KEY or KEY)"),
        (REFUSED.format(r"3f8a\u000091c2d4 or 3f8a\u200b91c2d4"), " (KEY)"),
        (REFUSED.format("3f8a-91c 2d4"), " (KEY)"),
        (f'{{"code": "{KEY[:5]}", "message": "{KEY[5:]}"}}', " (KEY)"),
        (REFUSED.format("x" * 165 + KEY), f" (UserForbiddedToAccessSite: {'x' * 165}KEY)"),
        # What is no such object says nothing.
        ("", ""),
        ("<html>", ""),
        ("[]", ""),
        ('{"message": ""}', ""),
        ('{"message": {"value": "no"}}', ""),
        ('{"message": "\udcff"}', ""),
        ('{"code": "cut", "message": "' + "x" * (2 << 20) + '"}', ""),
        ('{"code":' * 100_000, ""),
        ('{"details": ' + "[" * 100_000 + "]" * 100_000 + "}", ""),
        ('{"code": "number", "details": ' + "1" * 9_999 + "}", ""),
    ],
    ids=lambda value: f"{value:.30}",
)  # fmt: skip
def test_a_key_that_is_refused_although_it_is_served(body: str, said: str) -> None:
    with pytest.raises(LiveError) as caught:
        post([status(403, body.encode(errors="surrogateescape"))])
    url, _, message = str(caught.value).partition("indexnow: ")
    assert url.startswith("http://127.0.0.1:")
    assert message == (
        f"the server answers 403{said}: it rejects the key, although the site serves it, and will go on doing so; "
        "make a new one; 0 of 3 URLs accepted"
    )
    assert not caught.value.is_temporary


def test_a_key_that_is_not_yet_verified_may_be_later() -> None:
    with pytest.raises(LiveError, match="has not verified the key yet") as caught:
        post([status(403, b'{"code":"SiteVerificationNotCompleted","message":"..."}')])
    assert caught.value.is_temporary


def drop_at_once(request: Request) -> None:
    request.connection.shutdown(socket.SHUT_RDWR)
    request.close_connection = True


def drop_in_status(request: Request) -> None:
    request.send_raw(b"HTTP/1.1 2")


def drop_in_body(request: Request) -> None:
    request.send_raw(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (status(408), "408"),
        (status(429), "429"),
        (status(500), "500"),
        (status(503), "503"),
        (lambda request: request.send_raw(b"HTTP/1.1 999 x\r\n\r\n"), "999"),
        (drop_at_once, ""),
        (drop_in_status, ""),
        (drop_in_body, "the answer ended too early"),
    ],
)
def test_answers_after_which_it_is_tried_twice_more(answer: Sending, why: str) -> None:
    assert post([answer, answer, status(200)])[0] == [3]
    with pytest.raises(LiveError, match=f"/indexnow: .*{why}; 0 of 3 URLs accepted; the next run") as caught:
        post([answer, answer, answer, status(200)])
    assert caught.value.is_temporary


def test_the_pauses_are_those_of_the_manual() -> None:
    assert PAUSES == (10, 60)


@pytest.mark.parametrize("repeated", [KEY, KEY.upper()])
def test_a_service_that_repeats_the_key_does_not_show_it(repeated: str) -> None:
    with pytest.raises(LiveError, match="no HTTP for KEY; 0 of 3 URLs accepted"):
        post([lambda request: request.send_raw(f"no HTTP for {repeated}\r\n".encode())])


def test_a_service_that_is_not_there() -> None:
    with pytest.raises(LiveError) as caught:
        next(send(URLS[:1], {}, {}, KEY, f"{BASE}{KEY}.txt", f"http://127.0.0.1:{unused_port()}/"))
    assert caught.value.is_temporary


def test_what_is_gone_is_noted_no_more_once_it_was_sent() -> None:
    gone, new = f"{BASE}gone", f"{BASE}new"
    with Server.running(status(200)) as server:
        (dates,) = send([gone, new], {gone: "", "b": ""}, {new: "", "b": ""}, KEY, f"{BASE}{KEY}.txt", server.url)
    assert dates == {new: "", "b": ""}


def test_each_batch_is_tried_as_often_as_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexnow, "_BATCH", 1)
    urls = URLS[:11]
    accepted, server = post([status(503), status(503), status(200)] * 11, urls)
    assert (accepted, len(server.requests)) == ([*range(1, 12)], 33)


def test_a_service_is_left_alone_for_as_long_as_it_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexnow, "_PAUSES", (600, 600))
    assert post([status(429, Retry_After="0"), status(202)])[0] == [3]
