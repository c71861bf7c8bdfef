"""A browser, and built sites that it finds under the addresses they were built for."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

BROWSERS = ("chromium", "google-chrome", "chromium-browser")


class Sites(ThreadingHTTPServer):
    """Serves a folder for each host name, and lists what it did not find."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.folders: dict[str, Path] = {}
        self.missing: list[str] = []

    def publish(self, host: str, folder: Path) -> str:
        """Serve a folder under this name; the URL of its home page."""
        self.folders[host] = folder
        return f"http://{host}/"


class _Answer(SimpleHTTPRequestHandler):
    server: Sites

    def translate_path(self, path: str) -> str:
        self.directory = str(self.server.folders[self.headers["Host"]])
        return super().translate_path(path)

    def do_GET(self) -> None:
        if self.path == "/favicon.ico":  # browsers ask for it if a page names none
            self.send_response_only(204)
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, *_: object) -> None:
        """Write no log."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        self.server.missing.append(f"{code} {self.headers['Host']}{self.path}")
        super().send_error(code, message, explain)


@pytest.fixture(scope="session")
def sites() -> Iterator[Sites]:
    """Published sites; a host name must end in ``.example``."""
    with Sites() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(scope="session")
def opened(sites: Sites) -> Iterator[Chrome]:
    """The browser of all tests. It knows no other machine than the server of ``sites``."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = next(filter(None, map(shutil.which, BROWSERS)))
    for argument in ("headless", "no-sandbox", "disable-dev-shm-usage", "hide-scrollbars"):
        options.add_argument(f"--{argument}")
    options.add_argument(f"--host-resolver-rules=MAP *.example 127.0.0.1:{sites.server_port}, MAP * ~NOTFOUND")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with webdriver.Chrome(options, Service(shutil.which("chromedriver"))) as browser:
        yield browser


@pytest.fixture
def browser(opened: Chrome) -> Chrome:
    """The browser, with a window of a laptop and an empty log."""
    resize(opened, 1280, 800)
    opened.get_log("browser")
    return opened


def resize(browser: Chrome, width: int, height: int) -> None:
    """Make the window as large as a screen; one of less than 500 pixels is that of a phone."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


@pytest.fixture
def until(browser: Chrome) -> Callable[[str], None]:
    """Wait until a script returns true."""
    from selenium.webdriver.support.wait import WebDriverWait

    return lambda script: WebDriverWait(browser, 60, 0.05).until(lambda _: browser.execute_script(script))


@pytest.fixture(scope="session")
def run() -> Callable[..., None]:
    """Run Python with arguments in a folder. mike runs the host that it finds first in the PATH."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    def run_python(folder: Path, *arguments: str) -> None:
        command = [sys.executable, *arguments]
        environment = os.environ | {"PATH": path}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    return run_python
