"""Shared by all tests: a neutral environment, small git repositories, sample sites, and our own schema."""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("tests.builders", "tests.published_root")

from tests.builders import load_program  # noqa: E402  # after their assertions are rewritten
from tests.published_root import Root  # noqa: E402

SAMPLE_SITES = Path(__file__).parents[1] / "sample_sites" / "build.py"
SCHEMA = Path(__file__).parent / "schemas" / "sitemap.rng"

GIT_VERSION = tuple(map(int, re.findall(r"\d+", subprocess.check_output(["git", "version"], text=True))[:2]))

# Without SITEMAP_FUZZ every run is the same; with it, so many new examples are generated for every property.
FUZZ = int(os.environ.get("SITEMAP_FUZZ", "0"))
COMMON = settings(deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
settings.register_profile("tests", COMMON, derandomize=True, max_examples=50)
settings.register_profile("fuzz", COMMON, max_examples=FUZZ or 1, print_blob=True)
settings.load_profile("fuzz" if FUZZ else "tests")


# No test, and nothing that it builds in its process, opens a connection to another machine or runs programs other than
# these: git and Python, the programs that tests need, and those that `platform` runs.
PROGRAMS = {"git", "python", "python3", Path(sys.executable).name, "sh", "bash", "tar", "ps", "uname", "chromedriver"}
LOCAL = ("127.", "::1", "localhost")


class ForbiddenError(AssertionError):
    """The product did something forbidden, directly or through a library."""


def forbid(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse network access and unexpected programs (see `sys.addaudithook`)."""
    # Events at the very end find no more globals, so this set is a constant.
    if event in {"os.system", "os.exec"}:
        raise ForbiddenError(f"{event}{arguments}")
    if event in {"socket.getaddrinfo", "socket.gethostbyname"} and not str(arguments[0]).startswith(LOCAL):
        raise ForbiddenError(f"{event}{arguments}")
    # Processes of one build communicate through sockets that are files.
    is_internet = event == "socket.connect" and arguments[0].family in {socket.AF_INET, socket.AF_INET6}
    if is_internet and not arguments[1][0].startswith(LOCAL):
        raise ForbiddenError(f"{event}{arguments}")
    if event in {"subprocess.Popen", "os.posix_spawn"}:  # called by Popen from Python 3.13 on
        command = arguments[1]
        name = os.fsdecode(command if isinstance(command, str | bytes) else command[0])
        if Path(name).name.removesuffix(".exe") not in PROGRAMS:
            raise ForbiddenError(f"{event}: {command}")


sys.addaudithook(forbid)

if "mix_stderr" in signature(CliRunner).parameters:  # before click 8.2, results have both streams or their mixture
    CliRunner.__init__.__defaults__ = (*CliRunner.__init__.__defaults__[:-1], False)
    Result.output = property(lambda self: self.stdout + self.stderr)


def pytest_collection() -> None:
    """Collect no garbage while thousands of tests are made, which stay until the end."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Let the garbage collector ignore the tests, which are most of all objects."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def neutral_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide CI, hosting services, proxies and git configuration except the tests' own."""
    for name in list(os.environ):
        if name.startswith(samples.FOREIGN_VARIABLES):
            monkeypatch.delenv(name)
    monkeypatch.setenv("no_proxy", "127.0.0.1,127.0.0.2")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", os.path.realpath("/tmp"))  # noqa: S108  # pytest's folders


class Repository:
    """A git repository with commits at given dates."""

    def __init__(self, path: Path, copied_from: Path | None = None) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        if copied_from:
            self.fill(copied_from)
        else:
            self.git("init", "--quiet", "--initial-branch=main")

    def fill(self, origin: Path) -> None:
        """Copy another repository into this empty one, which takes less time than a few commands of git."""
        shutil.copytree(origin, self.path, symlinks=True, dirs_exist_ok=True)
        if (self.path / ".git" / "index").exists():
            self.git("update-index", "--refresh")  # with the inodes of the copies

    def git(self, *arguments: str, when: str = "2026-01-01T00:00:00+00:00", **options: object) -> str:
        dates = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in _identity(when)}
        done = subprocess.run(
            ["git", "-c", "commit.gpgSign=false", "-c", "maintenance.auto=false", *arguments],
            cwd=self.path,
            env=os.environ | dates,
            check=True,
            capture_output=True,
            **options,
        )
        return done.stdout.decode(errors="surrogateescape").strip()

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def commit(self, when: str, message: str = "a change") -> str:
        """Commit everything; ``when`` is ISO 8601 or git's ``<seconds> <zone>``."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message, when=when)
        return self.git("rev-parse", "HEAD")

    def commit_one_by_one(self, *steps: Mapping[str, str | bytes]) -> None:
        """Commit the first files on 1 January 2026, the next ones on the day after, and so on."""
        for day, files in enumerate(steps, 1):
            for name, content in files.items():
                self.write(name, content)
            self.commit(f"2026-01-{day:02}T12:00:00+00:00")


def _identity(when: str) -> list[tuple[str, str]]:
    return [("DATE", when), ("NAME", "A Writer"), ("EMAIL", "writer@example.org")]


class Once:
    """Folders that are filled once for all test processes, by the first one that needs them. Tests must not change them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filled: set[str] = set()

    def __call__(self, name: str, fill: Callable[[Path], object]) -> Path:
        """The folder of this name, which is empty when ``fill`` is called with it."""
        folder, outcome = self.folder / name, self.folder / f"{name}.outcome"  # the outcome exists at the end
        if name not in self._filled:
            try:
                folder.mkdir(parents=True)
            except FileExistsError:
                waited = 0
                while not outcome.exists() and waited < 24_000:  # twenty minutes, for a busy machine
                    time.sleep(0.05)
                    waited += 1
            else:
                error = "no outcome"
                try:
                    fill(folder)
                    error = ""
                except Exception as problem:
                    error = f"{type(problem).__name__}: {problem}"
                    raise
                finally:
                    unfinished = outcome.with_suffix(".unfinished")
                    unfinished.write_text(error, "utf-8")
                    unfinished.replace(outcome)
            error = outcome.read_text("utf-8")
            assert not error, error
            self._filled.add(name)
        return folder


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Fill a folder once for all test processes."""
    own = tmp_path_factory.getbasetemp()
    return Once((own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "once")


def _initialize(folder: Path) -> None:
    for sample_hook in Repository(folder).path.glob(".git/hooks/*"):
        sample_hook.unlink()


@pytest.fixture
def repository(tmp_path: Path, once: Once) -> Repository:
    """An empty repository in its own folder."""
    return Repository(tmp_path / "repository", once("an empty repository", _initialize))


@pytest.fixture
def with_history(repository: Repository, once: Once) -> Callable[[Callable[[Repository], object]], Repository]:
    """Fill the repository as a function does, which is called once for all tests."""

    def fill(write: Callable[[Repository], object]) -> Repository:
        repository.fill(once(f"{write.__module__} {write.__name__}", lambda folder: write(Repository(folder))))
        return repository

    return fill


@pytest.fixture
def root(tmp_path: Path) -> Root:
    """An empty published folder, with a file beside it that must not be read."""
    (tmp_path / "beside").mkdir()
    for name in ("beside/index.html", "beside/a.html", "root.html", "index.html"):
        (tmp_path / name).write_text('<html lang="xx"><head></head></html>')
    return Root(tmp_path / "root")


samples = load_program(SAMPLE_SITES)


class SampleBuilds:
    """The sample sites, each built once for all test processes, by the first one that needs it."""

    program = samples

    def __init__(self, once: Once) -> None:
        self._once = once
        self.folder = once.folder / "sample_sites"
        self._built: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        sample = samples.SAMPLES[name]
        if missing := samples.missing_modules(sample):
            pytest.skip(f"needs {' and '.join(missing)}")
        if name not in self._built:
            folder = self._once(f"sample_sites/{name}", lambda folder: self._build(sample, folder))
            printed = json.loads((folder / "printed.json").read_text("utf-8"))
            self._built[name] = samples.Built(
                site=folder / "site", printed=tuple(samples.Printed(*each) for each in printed)
            )
        return self._built[name]

    @staticmethod
    def _build(sample: Any, folder: Path) -> None:
        printed = samples.build_afresh(sample, folder).printed
        (folder / "printed.json").write_text(json.dumps(printed), "utf-8")


@pytest.fixture(scope="session")
def sample_builds(once: Once) -> SampleBuilds:
    """The builds of all sample sites by name, with their repositories. Tests must not change them."""
    return SampleBuilds(once)


@pytest.fixture(params=samples.SAMPLES.values(), ids=lambda sample: sample.name)
def sample(request: pytest.FixtureRequest) -> Any:
    """Each sample site in turn."""
    return request.param


@pytest.fixture(scope="session")
def valid_sitemap() -> Callable[[bytes], Any]:
    """A function that parses the bytes of a sitemap or index, and fails if they break a rule."""
    from lxml import etree

    schema = etree.RelaxNG(etree.parse(SCHEMA))

    def check(content: bytes) -> Any:
        assert content.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n')  # SM-XML-01, SM-XML-02
        assert len(content) <= 52_428_800  # SM-LIM-02, SM-IDX-01
        tree = etree.fromstring(content)
        assert tree.getroottree().docinfo.doctype == ""  # SM-XML-09
        assert schema.validate(tree), schema.error_log.last_error
        assert len(tree) - sum(child.tag is etree.Comment for child in tree) <= 50_000  # SM-LIM-01, SM-IDX-01
        image = "{http://www.google.com/schemas/sitemap-image/1.1}image"
        assert [url for url in tree.iterchildren("*") if len(url.findall(image)) > 1000] == []
        return tree

    return check
