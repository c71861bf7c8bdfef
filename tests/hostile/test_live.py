"""Servers that are hostile or slow, with the limits and waits that users get: time, memory, and the number of requests."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sitemap_plugins.live.fetching import Manners
from tests.check.examples import complete
from tests.check.sites import write
from tests.live.hostile_answers import CRUMBS, HOSTILE, Hostile
from tests.live.servers import Request, Server, files_at

if TYPE_CHECKING:
    from tests.conftest import Repository

LONG = 600  # seconds, for a process on a busy machine
PROGRAM = """
import resource, sys, time
import sitemap_plugins.commands.check, sitemap_plugins.live.site
from sitemap_plugins.commands.main import main
start, status = time.monotonic(), 0
try:
    main(sys.argv[1:])
except SystemExit as end:
    status = end.code
size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(status, time.monotonic() - start, size / 2**20, file=sys.stderr)
"""
posix_only = pytest.mark.skipif(os.name == "nt", reason="only POSIX tells how much memory a process had")
EVERY = {**HOSTILE, "crumbs": CRUMBS}


def start(url: str, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PROGRAM, "check", url, *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def end(process: subprocess.Popen[str]) -> tuple[str, str, int, float, float]:
    """The output, the errors, the status, the seconds, and the largest number of MiB."""
    with process:
        out, err = process.communicate(timeout=LONG)
    *lines, last = err.splitlines()
    status, seconds, size = last.split()
    return out, "\n".join(lines), int(status), float(seconds), float(size)


def as_sitemap(hostile: Hostile) -> Callable[[Request], None]:
    def answer(request: Request) -> None:
        if hostile.is_raw or request.path == "/sitemap.xml":
            hostile.answer(request)
        else:
            request.send(404)

    return answer


@posix_only
@pytest.mark.clock
def test_each_hostile_answer_ends_in_time_and_takes_little_memory() -> None:
    with ExitStack() as stack:
        running = {}
        for name, hostile in EVERY.items():
            server = stack.enter_context(Server.running(as_sitemap(hostile), is_raw=hostile.is_raw))
            running[name] = start(server.url.replace("http:", f"{hostile.scheme}:"), "--rate", "0")
            if not hostile.is_slow:  # the others take no time of the processor
                running[name].wait(LONG)
        for name, process in running.items():
            out, errors, status, seconds, size = end(process)
            sys.stdout.write(f"{name}: {seconds:.1f} s, {size:.0f} MiB, {errors}\n")
            assert (out, status) == ("", 2), name
            assert EVERY[name].says in errors
            assert seconds <= 2 * Manners().deadline + 1, name
            assert size <= 100, name


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this address")
def test_a_redirect_to_another_address_of_this_machine_is_not_followed() -> None:
    with (
        Server.running(files_at({"robots.txt": b"", "sitemap.xml": b""}), host="127.0.0.2") as other,
        Server.running(lambda request: request.send(301, Location=f"{other.url}{request.path[1:]}")) as server,
    ):
        _, errors, status, _, _ = end(start(server.url))
        assert f"use the URL of the site there: {other.url}" in errors
        assert (status, server.paths, other.requests) == (2, ["/robots.txt"], [])


@posix_only
@pytest.mark.clock
def test_the_dead_urls_of_a_list_are_found_without_a_burden() -> None:
    names = [f"{number}/" for number in range(257)]
    dead = names[3::17][:15]
    times = []
    files = {f"{name}index.html": b"<title>A</title>" for name in names if name not in dead} | {"index.html": b""}
    with Server.running(files_at({})) as server:
        entries = "".join(f"<url><loc>{server.url}{name}</loc></url>" for name in ("", *names))
        urlset = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
        sends = files_at({**files, "sitemap.xml": urlset.encode()})

        def answer(request: Request) -> None:
            times.append(time.monotonic())
            sends(request)

        server.answer = answer
        out, errors, status, seconds, size = end(start(server.url, "--format", "json"))
    times.sort()
    most = max(sum(first <= each < first + 1 for each in times) for first in times)
    found = out.count('"by the server, 404"')
    sys.stdout.write(f"{found} dead, {seconds:.1f} s, {size:.0f} MiB, {most} a second\n")
    assert (errors, status, found) == ("", 1, 15)
    assert len(times) == len(names) + 3
    assert most <= 11
    assert seconds <= 40


# Commands that read a folder, with a site and a configuration that give each of them something to do.
COMMANDS = [
    ("build", "site"), ("check", "site"), ("check", "site", "--format", "sarif"), ("dates",), ("debug",),
    ("diff", "site", "site"), ("merge", "site", "--dry-run"), ("retire", "site", "--dry-run"), ("rule",), ("schema",),
    ("why", "index.html"), ("--help",), ("check", "--help"), ("submit", "--help"),
]  # fmt: skip
AUDITED = """
import sys
def note(event, arguments):
    if event.startswith(("socket.", "urllib.", "http.")):
        sys.stderr.write(f"audited: {event} {arguments}\\n")
sys.addaudithook(note)
from sitemap_plugins.commands.main import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_no_other_command_opens_a_connection(repository: Repository, arguments: tuple[str, ...]) -> None:
    url = "https://docs.example.org/"
    write(repository.path / "site", complete({"a/index.html": f'<link rel="canonical" href="{url}b/">'}))
    write(repository.path / "site/1.0", complete({}))
    write(repository.path / "site/2.0", complete({}))
    repository.write("mkdocs.yml", f"site_name: A\nsite_url: {url}\nrepo_url: {url}\nplugins: [sitemap]\n")
    repository.write("docs/index.md", "# A\n")
    repository.commit("2026-01-01T00:00:00Z")
    command = [sys.executable, "-c", AUDITED, *arguments]
    done = subprocess.run(command, cwd=repository.path, check=False, capture_output=True, text=True)
    assert "audited" not in done.stderr
    assert done.returncode in {0, 1}, done.stderr
    assert "Traceback" not in done.stderr


def test_the_audit_sees_connections(tmp_path: Path) -> None:
    with Server.running(lambda request: request.send(404)) as server:
        command = [sys.executable, "-c", AUDITED, "check", server.url]
        done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert "audited: urllib.Request" in done.stderr
    assert "audited: socket.connect" in done.stderr
