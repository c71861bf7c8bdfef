"""The workflow of the manual, day by day: its shell lines on this machine, with a cache as that of GitHub."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.live.servers import Request, Server, files_at

PAGE = Path(__file__).parents[2] / "docs" / "live.md"
(TEXT,) = (each for each in re.findall(r"```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL) if "\njobs:" in each)
JOB: dict[str, Any] = yaml.safe_load(TEXT)["jobs"]["live"]
KEY = JOB["env"]["KEY"]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a runner on Windows brings its own bash")


class Project:
    """A site on a server, with a service at ``/indexnow``, and the folder in which the runs of its workflow happen."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self.caches: list[bytes] = []
        self.busy = 0
        self.files: dict[str, bytes] = {f"{KEY}.txt": KEY.encode()}
        self._runs = 0
        server.answer = self._answer
        program = folder / "bin" / "sitemap-plugins"
        program.parent.mkdir()
        # Only the service is another one than in the manual.
        program.write_text(
            f'#!/bin/sh\ntest $1 = submit && set -- "$@" --endpoint {server.url}indexnow\n'
            f'exec {shlex.quote(sys.executable)} -m sitemap_plugins "$@"\n'
        )
        program.chmod(0o755)

    def _answer(self, request: Request) -> None:
        if request.path != "/indexnow":
            files_at(self.files)(request)
        else:
            status = 429 if self.busy else 202
            self.busy = max(0, self.busy - 1)
            request.send(status, Retry_After="0")

    def deploy(self, **dates: str) -> None:
        """Publish pages with these dates."""
        url = self.server.url
        entries = (f"<url><loc>{url}{page}</loc><lastmod>{date}</lastmod></url>" for page, date in dates.items())
        sitemap = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{"".join(entries)}</urlset>'
        pages = {
            f"{page}.html": f'<html lang="en"><title>{page}</title><link rel="canonical" href="{url}{page}">'
            for page in dates
        }
        self.files = {
            f"{KEY}.txt": KEY.encode(),
            "robots.txt": f"Sitemap: {url}sitemap.xml\n".encode(),
            "sitemap.xml": f'<?xml version="1.0" encoding="UTF-8"?>\n{sitemap}'.encode(),
            **{path: page.encode() for path, page in pages.items()},
        }

    def run(self) -> tuple[str, str, list[str]]:
        """Run the job in an empty folder. Returns its outcome, what ``submit`` printed, and the pages that were sent."""
        self.server.requests.clear()
        self._runs += 1
        place = self.folder / str(self._runs)
        place.mkdir()
        outcome, printed = "success", ""
        for step in JOB["steps"]:
            if outcome == "failure" and step.get("if") != "always()":
                continue
            if "run" in step and "pip install" not in step["run"]:
                done = self._run_step(step["run"], place)
                outcome = outcome if done.returncode == 0 else "failure"
                printed += done.stdout if "submit" in step["run"] else ""
                assert KEY not in done.stdout + done.stderr
            elif "/restore@" in step.get("uses", "") and self.caches:
                (place / step["with"]["path"]).write_bytes(self.caches[-1])
            elif "/save@" in step.get("uses", "") and (place / step["with"]["path"]).exists():
                self.caches.append((place / step["with"]["path"]).read_bytes())
        assert "/a" in self.server.paths  # `check` was run in any case
        posts = [json.loads(body) for method, _, _, body in self.server.requests if method == "POST"]
        return outcome, printed, [url.removeprefix(self.server.url) for post in posts for url in post["urlList"]]

    def _run_step(self, line: str, place: Path) -> subprocess.CompletedProcess[str]:
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", line],
            cwd=place,
            env=os.environ | JOB["env"] | {"SITE": self.server.url, "PATH": path},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Server.running(Request.hold) as server:
        yield Project(server, tmp_path)


def sent(new: int = 0, changed: int = 0, gone: int = 0) -> str:
    number = new + changed + gone
    return f"{number} URL{'s' * (number != 1)} sent: {new} new, {changed} changed, {gone} gone\n"


def test_the_runs_of_a_week(project: Project) -> None:
    first = "first run: 2 URLs noted, none sent; --all sends them\n"
    project.deploy(a="2026-01-01", b="2026-01-02")
    assert project.run() == ("success", first, [])
    # Changed.
    project.deploy(a="2026-01-01", b="2026-02-01", c="2026-02-01")
    assert project.run() == ("success", sent(new=1, changed=1), ["b", "c"])
    # Unchanged.
    assert project.run() == ("success", sent(), [])
    # The service is busy, and on the day after it is not.
    project.deploy(a="2026-01-01", b="2026-02-01")
    project.busy = 3
    assert project.run() == ("failure", "", ["c"] * 3)
    assert project.run() == ("success", sent(gone=1), ["c"])
    # The cache was lost.
    project.caches.clear()
    assert project.run() == ("success", first, [])
    # A CDN sends the old sitemap after a deployment, and on the day after the new one.
    stale = project.files["sitemap.xml"]
    project.deploy(a="2026-03-01", b="2026-02-01")
    fresh, project.files["sitemap.xml"] = project.files["sitemap.xml"], stale
    assert project.run() == ("success", sent(), [])
    project.files["sitemap.xml"] = fresh
    assert project.run() == ("success", sent(changed=1), ["a"])
