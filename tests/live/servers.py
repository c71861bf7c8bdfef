"""A server on this machine that answers as a test says, byte by byte."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from typing import Any, Self
from urllib.parse import unquote, urlsplit

Answer = Callable[["Request"], None]


class Request(BaseHTTPRequestHandler):
    """A request; an answer is a function that gets it and sends something, well-formed or not."""

    server: Any
    extra: Mapping[str, str] = {}
    """More headers for `send`."""

    def handle(self) -> None:
        """Answer a request, or at once if the server is raw, as one that does not speak HTTP."""
        if self.server.is_raw:
            with suppress(OSError):
                self.server.answer(self)
        else:
            super().handle()

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with self.server.lock:
            self.server.requests.append((self.command, self.path, dict(self.headers), body))
        with suppress(OSError):
            self.server.answer(self)

    do_POST = do_GET  # noqa: N815  # the name is the method's

    def send(self, status: int = 200, body: bytes = b"", **headers: str) -> None:
        """Send a whole answer; underscores in the names of headers stand for hyphens."""
        self.send_response(status, HTTPStatus(status).phrase)
        for name, value in {"Content_Length": str(len(body)), **self.extra, **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def send_raw(self, *pieces: bytes) -> None:
        """Send bytes as they are, and close the connection."""
        for piece in pieces:
            self.wfile.write(piece)
        self.close_connection = True

    def send_forever(self, piece: bytes, pause: float = 0) -> None:
        """Send bytes again and again until the test is over, with so many seconds before each."""
        while not self.server.is_over.wait(pause):
            self.wfile.write(piece)

    def hold(self) -> None:
        """Wait until the test is over, with the connection open."""
        self.server.is_over.wait()

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingTCPServer):
    """The server; ``requests`` are those that it got: method, path, headers and body."""

    request_queue_size = 64
    daemon_threads = True
    block_on_close = False

    def __init__(self, answer: Answer, *, host: str = "127.0.0.1", is_raw: bool = False) -> None:
        super().__init__((host, 0), Request)
        self.answer = answer
        self.is_raw = is_raw
        self.requests: list[tuple[str, str, Mapping[str, str], bytes]] = []
        self.lock = threading.Lock()
        self.is_over = threading.Event()

    def handle_error(self, *_: object) -> None:
        pass

    @property
    def url(self) -> str:
        return "http://{}:{}/".format(*self.server_address)

    @property
    def paths(self) -> list[str]:
        return [path for _, path, _, _ in self.requests]

    @classmethod
    @contextmanager
    def running(
        cls, answer: Answer, *, host: str = "127.0.0.1", is_raw: bool = False, tls: ssl.SSLContext | None = None
    ) -> Iterator[Self]:
        with cls(answer, host=host, is_raw=is_raw) as server:
            if tls:
                server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
            thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
            thread.start()
            try:
                yield server
            finally:
                server.is_over.set()
                server.shutdown()
                thread.join()


def unused_port() -> int:
    """A port of this machine at which nothing listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def files_at(files: Mapping[str, bytes], statuses: Mapping[str, int] | None = None) -> Answer:
    """Answers with files as GitHub Pages does: ``a/`` is ``a/index.html``, and ``a`` is ``a.html`` or redirects.

    ``statuses`` are the answers for other paths, which begin with a slash.
    """

    def answer(request: Request) -> None:
        url = urlsplit(request.path)  # for a proxy, it has a host
        path = unquote(url.path.removeprefix("/"))
        name = next((each for each in (path, f"{path}index.html", f"{path}.html") if each in files), None)
        if status := (statuses or {}).get(url.path):
            request.send(status)
        elif name and not (path and name == f"{path}index.html" and not path.endswith("/")):
            request.send(200, files[name], Content_Type="text/html" if name.endswith("html") else "text/plain")
        elif f"{path}/index.html" in files:
            request.send(301, Location=f"/{path}/")
        else:
            request.send(404, b"<title>Not found</title>", Content_Type="text/html")

    return answer
