"""One request: what is sent, what is read of the answer, and how long it may take."""

from __future__ import annotations

import gzip
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitemap_plugins.live.fetching import Answer, Manners, Server
from sitemap_plugins.reading import SITEMAP, Limit
from tests.live.hostile_answers import HOSTILE, LATE
from tests.live.servers import Request, files_at, unused_port
from tests.live.servers import Server as LocalServer

SMALL = Limit("a small file", 50, "")
BEGINNING = Limit("the beginning of a file", 50, "", is_beginning=True)
SOON = 0.3  # seconds, only for answers that never come
CERTIFICATE = Path(__file__).with_name("certificate.pem")


def ask(url: str, limit: Limit = SITEMAP, data: bytes | None = None, *, deadline: float = 60) -> Answer:
    (answer,) = Server(url, Manners(rate=0, pauses=(0,), deadline=deadline)).fetch([url], limit, data)
    return answer


def answered(answer: object, limit: Limit = SITEMAP, name: str = "") -> Answer:
    with LocalServer.running(answer) as server:  # type: ignore[arg-type]
        return ask(server.url + name, limit)


def test_an_answer_has_the_status_the_headers_and_the_content() -> None:
    def send(request: Request) -> None:
        request.send_raw(b"HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 4\r\n\r\nbody")

    with LocalServer.running(send) as server:
        answer = ask(f"{server.url}a?b")
        ((method, path, headers, body),) = server.requests
    assert answer == Answer(
        url=f"{server.url}a?b", status=200, headers={"x-a": "1\n2", "content-length": "4"}, content=b"body"
    )
    assert (method, path, body) == ("GET", "/a?b", b"")
    assert headers["User-Agent"].startswith("sitemap-plugins/")
    assert headers["Accept-Encoding"] == "gzip"


def test_data_is_posted_as_json_and_its_answer_is_read_whatever_the_status() -> None:
    with LocalServer.running(lambda request: request.send(403, b"why")) as server:
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
    with LocalServer.running(hostile.answer, is_raw=hostile.is_raw) as server:
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
        LocalServer.running(files_at({"a": b""})) as other,
        LocalServer.running(lambda request: request.send(301, Location=f"{other.url}a")) as server,
    ):
        answer = ask(server.url)
        assert (answer.status, answer.headers["location"]) == (301, f"{other.url}a")
        assert (len(server.requests), other.requests) == (1, [])


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/", "https://127.0.0.1/", "http://127.0.0.1.example.org/", "file:///"]
)
def test_a_server_gets_no_requests_for_others(url: str) -> None:
    with pytest.raises(ValueError, match="is not below"):
        next(Server("http://127.0.0.1/", Manners()).fetch([url], SMALL))


@pytest.fixture
def tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


def test_certificates_must_be_those_that_the_system_trusts(
    tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LocalServer.running(files_at({"a": b"content"}), tls=tls) as server:
        url = f"{server.url.replace('http:', 'https:')}a"
        refused = ask(url)
        assert (refused.status, refused.error.replace("-", " ")) == (0, "self signed certificate")
        assert server.requests == []
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
        assert ask(url).content == b"content"


def test_the_proxy_of_the_system_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "")
    with LocalServer.running(lambda request: request.send(200, b"content")) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        assert ask("http://docs.example.org/a").content == b"content"
        assert proxy.paths == ["http://docs.example.org/a"]


@pytest.fixture
def held() -> Iterator[LocalServer]:
    with LocalServer.running(Request.hold) as server:
        yield server


def test_a_late_answer_is_one_and_is_read_no_further() -> None:
    ended = threading.Event()

    def drip(request: Request) -> None:
        request.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
        try:
            request.send_forever(b"x", 0.01)
        finally:
            ended.set()

    with LocalServer.running(drip) as server:
        start = time.monotonic()
        assert ask(server.url, deadline=SOON).error == f"{LATE} {SOON} seconds"
        assert time.monotonic() - start >= SOON
        assert ended.wait(60)


def test_a_request_does_not_keep_the_program_from_ending(held: LocalServer) -> None:
    code = (
        "import sys, threading; from sitemap_plugins.live.fetching import *; from sitemap_plugins.reading import SITEMAP;"
        "asked = Server(sys.argv[1], Manners(deadline=600)).fetch([sys.argv[1]], SITEMAP);"
        "threading.Thread(target=next, args=(asked,), daemon=True).start()\n"
        "while threading.active_count() < 3: pass"
    )
    subprocess.run([sys.executable, "-c", code, held.url], check=True, timeout=300)
