"""A static server with the rules of GitHub Pages, and where its URLs lead: what readers get, for comparison."""

from __future__ import annotations

import html
import http.client
import os
import re
import threading
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_REFRESH = re.compile(
    rb"""<meta[^>]+http-equiv=["']?refresh["']?[^>]+content=["'](?P<content>[^"']*)["']""", re.IGNORECASE
)
_URL = re.compile(r"""^\s*[\d.]+\s*[;,]\s*(?:url\s*=\s*)?["']?(.*?)["']?\s*$""", re.IGNORECASE)
_MOST = 20


class _Handler(SimpleHTTPRequestHandler):
    """Serves index.html for a folder and x.html for x; there are no lists of files."""

    def __init__(self, *arguments: Any, base: str, **options: Any) -> None:
        self._base = base
        super().__init__(*arguments, **options)

    def translate_path(self, path: str) -> str:
        path = urllib.parse.unquote(path.partition("?")[0].partition("#")[0])
        if not path.startswith(self._base):
            return os.path.join(self.directory, "outside of the site")
        found = os.path.join(self.directory, *path[len(self._base) :].split("/"))
        if not path.endswith("/") and not os.path.exists(found) and os.path.isfile(f"{found}.html"):
            return f"{found}.html"
        return found

    def list_directory(self, path: Any) -> None:  # type: ignore[override]  # noqa: ARG002
        self.send_error(404)

    def log_message(self, *_: Any) -> None:
        pass


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: Any) -> None:
        """Say nothing about clients that do not read on."""


@contextmanager
def serve(folder: str | os.PathLike[str], base: str = "/") -> Iterator[str]:
    """Serve a folder below the path ``base`` on this machine; the value is the URL of its root."""
    server = _Server(("127.0.0.1", 0), partial(_Handler, directory=os.fspath(folder), base=base))
    thread = threading.Thread(target=partial(server.serve_forever, poll_interval=0.02))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{base}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def answers(root: str, published: str, path: str) -> bool:
    """Whether a reader who opens a decoded path finds a page, following the redirects of pages.

    ``root`` is the URL of the local server, and ``published`` that of the site, to which links in pages may lead.
    """
    url = root + urllib.parse.quote(path)
    server = urllib.parse.urlsplit(root).netloc
    for _ in range(_MOST):
        url = url.partition("#")[0]
        if url.startswith(published):
            url = root + url[len(published) :]
        if not url.startswith(root):
            return True  # elsewhere
        connection = http.client.HTTPConnection(server)
        connection.request("GET", urllib.parse.urlsplit(url).path)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        target = response.headers["Location"]
        if response.status == http.client.OK and (found := _REFRESH.search(content)):
            refresh = _URL.match(html.unescape(found["content"].decode()))
            target = refresh and refresh[1]
        if not target:
            return response.status == http.client.OK
        url = urllib.parse.urljoin(url, target)
    return False


def html_paths(folder: str | os.PathLike[str]) -> list[str]:
    """The paths of all HTML files of a folder as URLs, folders behind links included."""
    found = []
    for here, _, names in os.walk(folder, followlinks=True):
        for name in names:
            if name.endswith(".html"):
                path = os.path.relpath(os.path.join(here, name), folder).replace(os.sep, "/")
                found.append(path.removesuffix("index.html") if name == "index.html" else path)
    return sorted(found)
