"""One request: what is sent and read, and how long it may take; and many: how many at a time, and if a server is busy."""

from __future__ import annotations

import gzip
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sitemap_plugins.live.fetching import Answer, Manners
from sitemap_plugins.live.fetching import Server as AskedServer
from sitemap_plugins.reading import SITEMAP, Limit
from tests.live.hostile_answers import HOSTILE, LATE
from tests.live.servers import Request, Server, files_at, unused_port

SMALL = Limit("a small file", 50, "")
BEGINNING = Limit("the beginning of a file", 50, "", is_beginning=True)
SOON = 0.3  # seconds, only for answers that never come
CERTIFICATE = Path(__file__).with_name("certificate.pem")


def ask(url: str, limit: Limit = SITEMAP, data: bytes | None = None, *, deadline: float = 60) -> Answer:
    (answer,) = AskedServer(url, Manners(rate=0, pauses=(0,), deadline=deadline)).fetch([url], limit, data)
    return answer


def answered(answer: object, limit: Limit = SITEMAP, name: str = "") -> Answer:
    with Server.running(answer) as server:  # type: ignore[arg-type]
        return ask(server.url + name, limit)


def test_an_answer_has_the_status_the_headers_and_the_content() -> None:
    def send(request: Request) -> None:
        request.send_raw(b"HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 4\r\n\r\nbody")

    with Server.running(send) as server:
        answer = ask(f"{server.url}a?b")
        ((method, path, headers, body),) = server.requests
    assert answer == Answer(
        url=f"{server.url}a?b", status=200, headers={"x-a": "1\n2", "content-length": "4"}, content=b"body"
    )
    assert (method, path, body) == ("GET", "/a?b", b"")
    assert headers["User-Agent"].startswith("sitemap-plugins/")
    assert headers["Accept-Encoding"] == "gzip"


def test_data_is_posted_as_json_and_its_answer_is_read_whatever_the_status() -> None:
    with Server.running(lambda request: request.send(403, b"why")) as server:
        answer = ask(server.url, SMALL, b"{}")
        ((method, _, headers, body),) = server.requests
    assert (method, body, headers["Content-Type"]) == ("POST", b"{}", "application/json; charset=utf-8")
    assert (answer.status, answer.content) == (403, b"why")


@pytest.mark.parametrize("status", [204, 301, 404, 410, 503])
def test_of_what_is_no_file_only_the_headers_are_read(status: int) -> None:
    def send(request: Request) -> None:
        request.wfile.write(f"HTTP/1.1 {status} x\r\nContent-Encoding: br\r\nA: b\r\n\r\n".encode())
        request.send_forever(b"x", 0.01)

    answer = answered(send)
    assert (answer.status, answer.content, answer.headers["a"], answer.error) == (status, b"", "b", "")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_answers_are_errors(name: str) -> None:
    hostile = HOSTILE[name]
    with Server.running(hostile.answer, is_raw=hostile.is_raw) as server:
        url = server.url.replace("http:", f"{hostile.scheme}:")
        answer = ask(url, deadline=SOON if hostile.is_slow else 60)
    assert answer.status == 0
    assert hostile.says in answer.error
    assert "\n" not in answer.error


def test_a_server_that_is_not_there_is_an_error() -> None:
    assert "refused" in ask(f"http://127.0.0.1:{unused_port()}/").error


@pytest.mark.parametrize("coding", ["", "identity", "gzip", "x-gzip", "GZIP"])
def test_the_codings_that_were_asked_for_are_undone(coding: str) -> None:
    content = gzip.compress(b"content") if "gzip" in coding.lower() else b"content"
    assert answered(lambda request: request.send(200, content, Content_Encoding=coding)).content == b"content"


@pytest.mark.parametrize("coding", ["gzip", "GZIP", "x-gzip"])
def test_an_answer_without_content_may_have_a_coding(coding: str) -> None:
    assert answered(lambda request: request.send(200, Content_Encoding=coding)).error == ""


@pytest.mark.parametrize("name", ["a.xml.gz", "a.xml.gz?b"])
def test_a_compressed_file_stays_one(name: str) -> None:
    content = gzip.compress(b"content")
    answer = answered(lambda request: request.send(200, content, Content_Encoding="gzip"), name=name)
    assert answer.content == content


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize("size", [0, 49, 50, 51, 1_000_000])
def test_no_more_than_the_limit_is_read(size: int, *, is_packed: bool) -> None:
    def send(request: Request) -> None:
        content = b"x" * size
        request.send(200, gzip.compress(content) if is_packed else content, **coding)

    coding = {"Content_Encoding": "gzip"} if is_packed else {}
    whole, beginning = (answered(send, limit) for limit in (SMALL, BEGINNING))
    if size <= SMALL.size:
        assert (whole.content, whole.error) == (b"x" * size, "")
    else:
        assert (whole.content, whole.status) == (b"", 0)
        assert whole.error.endswith("the limit for a small file")
    assert (beginning.content, beginning.error) == (b"x" * min(size, SMALL.size), "")


def test_a_piece_after_the_limit_is_too_much() -> None:
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(each), each) for each in (b"x" * SMALL.size, b"x", b""))

    def send(request: Request) -> None:
        request.send_raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", chunks)

    assert answered(send, SMALL).error.endswith("the limit for a small file")
    assert answered(send, BEGINNING).content == b"x" * SMALL.size


def test_the_limit_also_applies_to_what_is_sent() -> None:
    packed = gzip.compress(bytes(range(SMALL.size)))
    assert len(packed) > SMALL.size
    answer = answered(lambda request: request.send(200, packed, Content_Encoding="gzip"), SMALL)
    assert answer.error.endswith("the limit for a small file")


def test_no_redirect_is_followed() -> None:
    with (
        Server.running(files_at({"a": b""})) as other,
        Server.running(lambda request: request.send(301, Location=f"{other.url}a")) as server,
    ):
        answer = ask(server.url)
        assert (answer.status, answer.headers["location"]) == (301, f"{other.url}a")
        assert (len(server.requests), other.requests) == (1, [])


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/", "https://127.0.0.1/", "http://127.0.0.1.example.org/", "file:///"]
)
def test_a_server_gets_no_requests_for_others(url: str) -> None:
    with pytest.raises(ValueError, match="is not below"):
        next(AskedServer("http://127.0.0.1/", Manners()).fetch([url], SMALL))


@pytest.fixture
def tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


def test_certificates_must_be_those_that_the_system_trusts(
    tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Server.running(files_at({"a": b"content"}), tls=tls) as server:
        url = f"{server.url.replace('http:', 'https:')}a"
        refused = ask(url)
        assert (refused.status, refused.error.replace("-", " ")) == (0, "self signed certificate")
        assert server.requests == []
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
        assert ask(url).content == b"content"


def test_the_proxy_of_the_system_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "")
    with Server.running(lambda request: request.send(200, b"content")) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        assert ask("http://docs.example.org/a").content == b"content"
        assert proxy.paths == ["http://docs.example.org/a"]


@pytest.fixture
def held() -> Iterator[Server]:
    with Server.running(Request.hold) as server:
        yield server


def test_a_late_answer_is_one_and_is_read_no_further() -> None:
    ended = threading.Event()

    def drip(request: Request) -> None:
        request.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
        try:
            request.send_forever(b"x", 0.01)
        finally:
            ended.set()

    with Server.running(drip) as server:
        start = time.monotonic()
        assert ask(server.url, deadline=SOON).error == f"{LATE} {SOON} seconds"
        assert time.monotonic() - start >= SOON
        assert ended.wait(60)


def test_a_request_does_not_keep_the_program_from_ending(held: Server) -> None:
    code = (
        "import sys, threading; from sitemap_plugins.live.fetching import *; from sitemap_plugins.reading import SITEMAP;"
        "asked = Server(sys.argv[1], Manners(deadline=600)).fetch([sys.argv[1]], SITEMAP);"
        "threading.Thread(target=next, args=(asked,), daemon=True).start()\n"
        "while threading.active_count() < 3: pass"
    )
    subprocess.run([sys.executable, "-c", code, held.url], check=True, timeout=300)


URL = "http://127.0.0.1/a/b"
QUICK = Manners(rate=0, pauses=(0,))
SOME = 0.2  # seconds


def crawl(server: Server, number: int, manners: Manners) -> list[Answer]:
    """The answers for so many URLs, by URL."""
    answers = AskedServer(server.url, manners).fetch([f"{server.url}{each}" for each in range(number)], SITEMAP)
    return sorted(answers, key=lambda answer: answer.url)


def once(status: int, **headers: str) -> Callable[[Request], None]:
    """An answer with this status for the first request, and then with a file."""

    def answer(request: Request) -> None:
        request.send(status if len(request.server.requests) == 1 else 200, b"content", **headers)

    return answer


def test_the_manners_are_those_of_the_manual() -> None:
    assert Manners() == Manners(
        rate=10, workers=4, busy=frozenset({429, 503}), pauses=(10,), longest_pause=60, most_failures=20, deadline=20
    )


def test_all_urls_are_fetched() -> None:
    with Server.running(lambda request: request.send(200, request.path.encode())) as server:
        answers = crawl(server, 9, QUICK)
    assert [answer.content for answer in answers] == [f"/{each}".encode() for each in range(9)]


def test_there_are_no_more_requests_in_a_second_than_allowed() -> None:
    with Server.running(lambda request: request.send()) as server:
        start = time.monotonic()
        crawl(server, 6, Manners(rate=5 / SOME))
        assert time.monotonic() - start >= SOME


def test_a_pause_counts_for_the_next_files_too() -> None:
    with Server.running(lambda request: request.send()) as server:
        asked = AskedServer(server.url, Manners(rate=1 / SOME))
        start = time.monotonic()
        for _ in range(2):
            asked.follow(server.url, SITEMAP)
        assert time.monotonic() - start >= SOME


def test_a_few_requests_run_at_a_time() -> None:
    together = threading.Barrier(3)
    lock, running, most = threading.Lock(), 0, 0

    def answer(request: Request) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        together.wait(60)
        with lock:
            running -= 1
        request.send()

    with Server.running(answer) as server:
        assert {answer.status for answer in crawl(server, 9, Manners(rate=0, workers=3))} == {200}
    assert most == 3


@pytest.mark.parametrize("status", [429, 503])
def test_what_was_too_busy_is_asked_once_more_after_a_pause(status: int) -> None:
    with Server.running(once(status)) as server:
        start = time.monotonic()
        (answer,) = crawl(server, 1, Manners(rate=0, pauses=(SOME,)))
        assert time.monotonic() - start >= SOME
        assert (answer.status, len(server.requests)) == (200, 2)
    with Server.running(lambda request: request.send(status)) as server:
        assert [answer.status for answer in crawl(server, 3, QUICK)] == [status] * 3
        assert sorted(server.paths) == ["/0", "/0", "/1", "/1", "/2", "/2"]


def test_all_wait_if_one_was_too_busy() -> None:
    with Server.running(once(503, Retry_After="600")) as server:
        start = time.monotonic()
        crawl(server, 2, Manners(rate=0, workers=1, longest_pause=SOME))
        assert time.monotonic() - start >= SOME
        assert server.paths == ["/0", "/1", "/0"]


def test_what_failed_is_asked_once_more_after_all_others() -> None:
    seen: set[str] = set()

    def answer(request: Request) -> None:
        statuses = {"/0": 500, "/1": 502, "/2": 504}
        request.send(200 if request.path in seen else statuses.get(request.path, 200))
        seen.add(request.path)

    with Server.running(answer) as server:
        answers = crawl(server, 5, Manners(rate=0, workers=1))
        assert server.paths == ["/0", "/1", "/2", "/3", "/4", "/0", "/1", "/2"]
    assert [answer.status for answer in answers] == [200] * 5


@pytest.mark.parametrize(("status", "times"), [(500, 2), (501, 1), (400, 1), (403, 1), (404, 1)])
def test_the_second_answer_counts(status: int, times: int) -> None:
    with Server.running(lambda request: request.send(status)) as server:
        assert [answer.status for answer in crawl(server, 2, QUICK)] == [status] * 2
        assert sorted(server.paths) == sorted(["/0", "/1"] * times)


def test_data_is_not_sent_again() -> None:
    with Server.running(lambda request: request.send(500)) as server:
        (answer,) = AskedServer(server.url, QUICK).fetch([server.url], SITEMAP, b"{}")
        assert (answer.status, len(server.requests)) == (500, 1)


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
def test_a_server_that_fails_again_and_again_is_left_alone(status: int) -> None:
    with Server.running(lambda request: request.send(status)) as server:
        answers = crawl(server, 9, Manners(rate=0, pauses=(0,), workers=1, most_failures=4))
        assert len(server.requests) == 4
    assert len(answers) == 9
    assert answers[-1].error == "not requested, after 4 failures"
    assert status != 500 or [answer.status for answer in answers[:4]] == [500] * 4


@pytest.mark.parametrize("status", [200, 301, 404, 410])
def test_answers_that_tell_something_are_no_failures(status: int) -> None:
    with Server.running(lambda request: request.send(status)) as server:
        assert [each.status for each in crawl(server, 3, Manners(rate=0, workers=1, most_failures=1))] == [status] * 3


def test_a_late_answer_may_come_when_all_others_did() -> None:
    def answer(request: Request) -> None:
        (request.hold if len(request.server.requests) == 1 else request.send)()

    with Server.running(answer) as server:
        answers = crawl(server, 2, Manners(rate=0, workers=1, deadline=2))
        assert server.paths == ["/0", "/1", "/0"]
    assert [each.status for each in answers] == [200, 200]


def test_late_answers_do_not_stop_the_others() -> None:
    def answer(request: Request) -> None:
        (request.hold if request.path == "/0" else request.send)()

    with Server.running(answer) as server:
        late, *others = crawl(server, 5, Manners(rate=0, workers=2, deadline=2))
    assert late.error == "no answer within 2 seconds"
    assert [each.status for each in others] == [200] * 4


class TestFollowing:
    def follow(self, server: Server) -> Answer:
        return AskedServer(server.url, QUICK).follow(f"{server.url}0", SITEMAP)

    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    def test_redirects_on_the_server_are_followed(self, status: int) -> None:
        with Server.running(once(status, Location="/b")) as server:
            answer = self.follow(server)
            assert (answer.url, answer.content, server.paths) == (f"{server.url}b", b"content", ["/0", "/b"])

    def test_after_a_few_redirects_it_ends(self) -> None:
        with Server.running(lambda request: request.send(301, Location=f"{request.path}0")) as server:
            assert self.follow(server).status == 301
            assert len(server.requests) == 5

    def test_redirects_to_other_servers_are_not_followed(self) -> None:
        with (
            Server.running(lambda request: request.send()) as other,
            Server.running(once(301, Location=other.url)) as server,
        ):
            assert self.follow(server).target == other.url
            assert (server.paths, other.paths) == (["/0"], [])


@pytest.mark.parametrize("asked", ["7", "9" * 5000, "", "soon", "-1", "0.1", "Thu, 01 Jan 1970 00:00:00 GMT"])
def test_a_busy_server_is_left_alone_for_the_seconds_that_it_asks_for_or_else_ours(asked: str) -> None:
    with Server.running(once(503, Retry_After=asked)) as server:
        start = time.monotonic()
        crawl(server, 1, Manners(rate=0, pauses=(600,), longest_pause=SOME))
        assert time.monotonic() - start >= SOME


@pytest.mark.parametrize(("pauses", "failures"), [((SOME, 0), 1), ((0, SOME), 2), ((0, SOME), 3)])
def test_each_repetition_has_its_pause(pauses: tuple[float, ...], failures: int) -> None:
    def answer(request: Request) -> None:
        request.send(503 if len(request.server.requests) <= failures else 200)

    with Server.running(answer) as server:
        start = time.monotonic()
        crawl(server, 1, Manners(rate=0, pauses=pauses))
        assert time.monotonic() - start >= SOME
        assert len(server.requests) == min(failures, 2) + 1


def test_the_longest_pause_counts() -> None:
    def answer(request: Request) -> None:
        together.wait(60)
        if request.path == "/1":
            time.sleep(SOME)
        request.send(503, Retry_After="0" if request.path == "/1" else "2")

    together = threading.Barrier(2)
    with Server.running(answer) as server:
        start = time.monotonic()
        crawl(server, 2, Manners(rate=0, workers=2))
        assert time.monotonic() - start >= 2


@pytest.mark.parametrize(("asked", "longest"), [("0", 600), (" 0 ", 600), ("600", 0)])
def test_a_busy_server_may_ask_for_a_shorter_pause_and_for_none_that_is_too_long(asked: str, longest: float) -> None:
    with Server.running(once(503, Retry_After=asked)) as server:
        start = time.monotonic()
        crawl(server, 1, Manners(rate=0, pauses=(600,), longest_pause=longest))
        assert time.monotonic() - start < 300


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/c", "http://127.0.0.1/c"),
        ("c#d", "http://127.0.0.1/a/c"),
        ("//Example.org:80", "http://example.org/"),
        ("https://127.0.0.1/a b", "https://127.0.0.1/a%20b"),
        ("", None),
        ("javascript:a()", None),
        ("file:///etc/passwd", None),
        ("http://[", None),
        ("http://a:b@127.0.0.1/", None),
        ("/" + "a" * 3000, None),
    ],
)
def test_the_target_of_a_redirect_is_a_url(location: str, target: str | None) -> None:
    headers = {"location": location}
    assert Answer(url=URL, status=302, headers=headers).target == target
    assert Answer(url=URL, status=201, headers=headers).target is None
    assert Answer(url=URL, status=302).target is None
