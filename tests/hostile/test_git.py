"""Repositories prepared by others: none of their programs is run, although plain git runs each of them."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread, Timer

import pytest
from click.testing import CliRunner

from sitemap_plugins.commands.main import main
from sitemap_plugins.git.dates import GitDates
from sitemap_plugins.git.history import DateRules
from sitemap_plugins.git.process import _PLAIN, run_git
from sitemap_plugins.git.repository import read_files
from tests.conftest import GIT_VERSION, Repository

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs shell scripts")


class Trap:
    """A program that leaves a mark when it runs.

    ``program`` is its name, for a folder of ``PATH``: git passes some settings to a shell and runs others as they are,
    so no path with a space would work in all of them.
    """

    def __init__(self, folder: Path) -> None:
        self.marker = folder / "it was run"
        self.program = "leave-a-mark"
        script = folder / self.program
        script.write_text(f"#!/bin/sh\n: > {shlex.quote(str(self.marker))}\n", encoding="utf-8")
        script.chmod(0o755)
        for kind in ("", "credential-", "merge-", "remote-"):  # git puts this before the names of some programs
            (folder / f"git-{kind}{self.program}").symlink_to(script)

    @property
    def has_snapped(self) -> bool:
        found = self.marker.exists()
        self.marker.unlink(missing_ok=True)
        return found


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trap:
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    return Trap(tmp_path)


def ask_everything(docs: Path) -> None:
    """Ask git everything about a folder that our code asks."""
    GitDates({str(docs): (".md",)}, DateRules()).dates_of([str(docs / "a.md")])
    read_files(str(docs), "HEAD")
    run_git(str(docs), "log", "-1", "--format=%s")
    for arguments in ((), ("--plain",), ("--created",), ("--date", "landed"), ("--format", "json")):
        CliRunner().invoke(main, ["dates", str(docs), *arguments])
    CliRunner().invoke(main, ["dates", str(docs / "a.md"), "--why"])


def plain_git(directory: Path, *arguments: str) -> None:
    """Run git with a user's defaults. Errors are ignored."""
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
        cwd=directory,
        stdin=subprocess.DEVNULL,
        check=False,
        capture_output=True,
    )


@pytest.fixture
def documents(repository: Repository) -> Path:
    repository.write("docs/a.md", "one")
    repository.write("docs/b.md", "two")
    repository.commit("2026-01-01T00:00:00Z")
    return repository.path / "docs"


# Settings in the configuration of the repository.
PROGRAMS = ("core.fsmonitor", "core.pager", "diff.external", "filter.odd.clean", "core.sshCommand", "core.askPass")


@pytest.mark.parametrize("place", ["docs", "docs/deep"])
@pytest.mark.parametrize("work_tree", ["..", "."])
def test_a_bare_repository_among_the_documents(
    place: str, work_tree: str, repository: Repository, documents: Path, trap: Trap
) -> None:
    """To git, a folder that looks like a repository is one, with a configuration that came with the documents."""
    bare = repository.path / place
    bare.mkdir(exist_ok=True)
    shutil.copytree(repository.path / ".git", bare, dirs_exist_ok=True)
    (documents / "a.md").write_text("three", encoding="utf-8")
    settings = {"core.bare": "false", "core.worktree": str(bare / work_tree)} | dict.fromkeys(PROGRAMS, trap.program)
    for name, value in settings.items():
        repository.git("config", f"--file={bare / 'config'}", name, value)
    ask_everything(bare)
    assert not trap.has_snapped
    plain_git(bare, "status")
    assert trap.has_snapped, "the trap does not work"
    ask_everything(documents)
    assert not trap.has_snapped


def test_a_partial_clone_whose_remote_is_a_program(repository: Repository, tmp_path: Path, trap: Trap) -> None:
    """Contents that are missing are not fetched, neither to compare renamed files nor translations."""
    repository.write("docs/a.po", 'msgid "a"\nmsgstr "b"\n')
    repository.write("docs/a.md", "one\n" * 100)
    repository.commit("2026-01-01T00:00:00Z")
    repository.write("docs/a.po", 'msgid "a"\nmsgstr "c"\n')
    repository.git("mv", "docs/a.md", "docs/c.md")
    repository.commit("2026-01-02T00:00:00Z")
    repository.git("config", "uploadpack.allowFilter", "true")
    path, source = tmp_path / "clone", repository.path.as_uri()
    repository.git("clone", "--quiet", "--filter=blob:none", "--no-checkout", source, str(path))
    for name, value in (
        ("remote.origin.url", f"ext::{trap.program}"),
        ("protocol.allow", "always"),
        ("protocol.ext.allow", "always"),
    ):
        plain_git(path, "config", name, value)
    docs = path / "docs"
    docs.mkdir(exist_ok=True)
    for name in ("a.po", "c.md"):
        (docs / name).write_text("", encoding="utf-8")

    ask_everything(docs)
    assert not trap.has_snapped
    plain_git(path, "cat-file", "blob", "HEAD~1:docs/a.po")
    assert trap.has_snapped, "the trap does not work"


# The commands with which plain git runs them.
ENVIRONMENT = {
    "GIT_EXTERNAL_DIFF": ("diff", "HEAD~1"),
    "GIT_PAGER": ("grep", "--open-files-in-pager", "three"),
    "GIT_SSH_COMMAND": ("ls-remote", "ssh://127.0.0.1:9/x"),
    "GIT_SSH": ("ls-remote", "ssh://127.0.0.1:9/x"),
    "GIT_EDITOR": ("commit", "--amend"),
    "GIT_PROXY_COMMAND": ("ls-remote", "git://127.0.0.1:9/x"),
}


@pytest.mark.parametrize("name", ENVIRONMENT)
def test_programs_in_the_environment(
    name: str, repository: Repository, documents: Path, trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write("docs/a.md", "three")
    repository.commit("2026-01-02T00:00:00Z")
    monkeypatch.setenv(name, trap.program)
    ask_everything(documents)
    assert not trap.has_snapped
    plain_git(documents, *ENVIRONMENT[name])
    assert trap.has_snapped, "the trap does not work"


@pytest.mark.parametrize("name", ["GIT_TRACE", "GIT_TRACE_SETUP", "GIT_TRACE2", "GIT_TRACE2_EVENT", "GIT_TRACE_CURL"])
def test_no_trace_is_written(name: str, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = tmp_path / "trace"
    monkeypatch.setenv(name, str(trace))
    ask_everything(documents)
    assert not trace.exists()


@pytest.mark.parametrize(
    "attributes",
    [
        "* filter=odd diff=odd merge=odd\n",
        "* diff=odd -text\n*.md filter=odd export-subst ident working-tree-encoding=UTF-16\n",
        "[attr]evil filter=odd\n* evil\n",
        f"{'a' * 5000} filter=odd\n* filter=odd\n",
    ],
)
def test_attributes_in_the_documents(
    attributes: str,
    repository: Repository,
    documents: Path,
    trap: Trap,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They can name only programs of the account, and none of those is run either."""
    account = tmp_path / ".gitconfig"
    monkeypatch.setenv("HOME", str(tmp_path))  # before git 2.32
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(account))
    for name in ("filter.odd.clean", "filter.odd.smudge", "diff.odd.textconv", "diff.odd.command", "merge.odd.driver"):
        repository.git("config", f"--file={account}", name, trap.program)
    repository.write(".gitattributes", attributes)  # macros are read only here
    repository.write("docs/.gitattributes", attributes)
    young = repository.write("docs/a.md", "three")
    os.utime(repository.path / ".git" / "index", ns=(young.stat().st_mtime_ns,) * 2)
    ask_everything(documents)
    assert not trap.has_snapped
    plain_git(documents, "diff")
    plain_git(documents, "add", ".")
    assert trap.has_snapped, "the trap does not work"


# --- Commands that change a branch ---

BASE_URL = "https://docs.example.org/"
MERGE = ("merge", "--branch", "gh-pages", "--base-url", BASE_URL)
RETIRE = ("retire", "--branch", "gh-pages", "--base-url", BASE_URL)
SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{}</loc></url></urlset>'


class Deployment:
    """A clone with two versions on ``gh-pages``, and a remote where others have changed that branch meanwhile."""

    def __init__(self, repository: Repository, folder: Path) -> None:
        self.repository = repository
        self.remote = folder / "remote"
        repository.git("switch", "--quiet", "--orphan", "gh-pages")
        for version in ("1.0", "2.0"):
            url = f"{BASE_URL}{version}/"
            repository.write(f"{version}/index.html", f'<head><link rel="canonical" href="{url}"></head>')
            repository.write(f"{version}/sitemap.xml", SITEMAP.format(url))
        ours = repository.commit("2026-01-01T00:00:00Z")
        repository.git("switch", "--quiet", "--orphan", "main")
        repository.git("remote", "add", "origin", str(self.remote))
        repository.git("clone", "--quiet", "--bare", ".", str(self.remote))
        theirs = repository.git("commit-tree", "gh-pages^{tree}", "-p", ours, "-m", "theirs")
        repository.git("push", "--quiet", str(self.remote), f"{theirs}:gh-pages")
        repository.write("unsent", "a file")
        repository.commit("2026-01-01T00:00:00Z")
        repository.git("switch", "--quiet", "--create", "unsent")
        self.places = (repository.path / ".git", self.remote)
        for place in self.places:
            shutil.rmtree(place / "hooks", ignore_errors=True)  # only examples
            shutil.copytree(place, place.with_name(f"{place.name}, as it was"), symlinks=True)
        self.configuration = (repository.path / ".git" / "config").read_text(encoding="utf-8")

    def reset(self, configuration: str = "") -> None:
        """Undo all changes, and append this to the configuration of the clone."""
        for place in self.places:
            shutil.rmtree(place)
            shutil.copytree(place.with_name(f"{place.name}, as it was"), place, symlinks=True)
        self.configure(configuration)

    def configure(self, configuration: str) -> None:
        """Append this to the configuration that the clone had."""
        (self.repository.path / ".git" / "config").write_text(self.configuration + configuration, encoding="utf-8")


@pytest.fixture
def deployment(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Deployment:
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "A Writer")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "writer@example.org")
    monkeypatch.chdir(repository.path)
    return Deployment(repository, tmp_path)


HOOK_NAMES = ("evil", "a=b", "x.y", "Évil", "", 'quo"te\\ # ;')


def hook(name: str) -> str:
    """A hook in the configuration (git 2.54), for the events of all commands that change branches or push them."""
    events = "".join(f"\tevent = {each}\n" for each in ("reference-transaction", "pre-push", "post-index-change"))
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'[hook "{quoted}"]\n\tcommand = leave-a-mark\n{events}\tenabled = true\n'


@pytest.mark.parametrize("place", ["clone", "include", "account"])
def test_hooks_in_the_configuration(
    place: str, deployment: Deployment, trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configuration = "".join(map(hook, HOOK_NAMES))
    if place != "clone":
        file = tmp_path / "configuration"
        file.write_text(configuration, encoding="utf-8")
        configuration = f"[include]\n\tpath = {file}\n" if place == "include" else ""
    if place == "account":
        for number, (key, value) in enumerate({"include.path": str(file), "core.pager": "cat"}.items()):
            monkeypatch.setenv(f"GIT_CONFIG_KEY_{number}", key)
            monkeypatch.setenv(f"GIT_CONFIG_VALUE_{number}", value)
        monkeypatch.setenv("GIT_CONFIG_COUNT", "2")
    for command in (MERGE, RETIRE, (*MERGE, "--push"), (*RETIRE, "--push")):
        deployment.reset(configuration)
        result = CliRunner().invoke(main, [*command])
        assert result.exit_code == 0, result.output
        assert ("pushed gh-pages to origin" in result.output) == ("--push" in command)
        assert not trap.has_snapped, command
    if GIT_VERSION >= (2, 54):
        plain_git(deployment.repository.path, "update-ref", "refs/heads/new", "gh-pages")
        assert trap.has_snapped, "the trap does not work"


def test_every_hook_is_switched_off_for_each_command_that_runs_hooks(
    deployment: Deployment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also without a git that knows such hooks: a program in its place writes down the settings that git would read."""
    git, logs = shutil.which("git"), tmp_path / "logs"
    logs.mkdir()
    wrapper = tmp_path / "git"
    commands = ("fast-import", "fetch", "push", "update-ref")
    listing = f'case $word in {"|".join(commands)}) {git} config -z --get-regexp ^hook >>"{logs}/$word" ;; esac'
    wrapper.write_text(f'#!/bin/sh\nfor word; do {listing}; done\nexec {git} "$@"\n', encoding="utf-8")
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    deployment.reset("".join(map(hook, HOOK_NAMES)))
    assert CliRunner().invoke(main, [*MERGE, "--push"]).exit_code == 0
    switched_off = {f"hook.{name}.enabled": "false" for name in HOOK_NAMES}
    for command in commands:
        lines = (logs / command).read_text(encoding="utf-8").split("\0")[:-1]
        last = dict(line.split("\n") for line in lines)
        assert {key: value for key, value in last.items() if key.endswith(".enabled")} == switched_off, command


@pytest.mark.parametrize(
    ("configuration", "said"),
    [
        (hook("x" * 200_000), "git's configuration has too many hooks; see: git config --get-regexp ^hook"),
        ('[hook "evil"]\n\tcommand\n[hook\n', "git said: fatal: bad config line"),
    ],
)
def test_nothing_runs_if_hooks_cannot_be_switched_off(
    configuration: str, said: str, deployment: Deployment, trap: Trap
) -> None:
    tip = deployment.repository.git("rev-parse", "gh-pages")
    deployment.reset(configuration)
    result = CliRunner().invoke(main, [*MERGE, "--push"])
    assert (result.exit_code, said in result.output) == (1, True), result.output
    assert not trap.has_snapped
    deployment.configure("")
    assert deployment.repository.git("rev-parse", "gh-pages") == tip


# Commands that read different settings, or start other programs.
PROBES = (
    ("worktree", "list"),
    ("cat-file", "-e", "gh-pages"),
    ("update-ref", "refs/heads/new", "gh-pages"),
    ("fast-import", "--quiet"),
    ("pack-objects", "--quiet", "--all", "--stdout"),
    ("push", "--no-signed", "--receive-pack=git-receive-pack", "origin", "unsent"),
    ("fetch", "--upload-pack=git-upload-pack", "origin", "gh-pages"),
)
MOST_SHOWN = 1 << 16  # bytes; for some values, git push warns without end
PLACES = {"branch": "gh-pages", "remote": "origin", "pager": "push", "includeIf": "gitdir:/**"}
# Any unknown extension, and a hook without its other settings, end git.
LEFT_OUT = ("extensions.", "hook.")
# With these, commands go elsewhere or nowhere, and no message of git names them.
ALONE = (
    "branch.gh-pages.", "core.createObject", "core.worktree", "fetch.negotiationAlgorithm", "fetch.output",
    "push.pushOption", "remote.origin.mirror", "remote.origin.pushurl", "remote.origin.url", "remote.origin.vcs",
    "remote.pushDefault",
)  # fmt: skip


class Settings:
    """The settings that git knows, each with a program as its value, or if git refuses that, with ``true`` or ``1``.

    ``groups`` are those that can be set together; those that git refuses are in a group alone.
    """

    def __init__(self, deployment: Deployment, program: str) -> None:
        self._deployment = deployment
        listed = subprocess.run(["git", "help", "--config"], check=True, capture_output=True, text=True).stdout
        names = [line for line in listed.splitlines() if re.fullmatch(r"[A-Za-z]+[.][^_]+", line)]
        names = [re.sub(r"<[^>]+>|[*]", PLACES.get(name.partition(".")[0], "odd"), name) for name in names]
        self._values = {name: [program, "true", "1"] for name in names if not name.startswith(LEFT_OUT)}
        together = [name for name in self._values if not name.startswith(ALONE)]
        for probe in PROBES:
            while said := self._refusal(probe, together):
                refused = [name for name in together if is_named(name, said)]
                assert refused, said
                for name in refused:
                    self._values[name].pop(0)
                together = [name for name in together if self._values[name]]
        alone = self._values.keys() - {*together}
        self._values |= {name: [program] for name in alone}
        self.groups = [*zip(sorted(alone)), *(together[start::4] for start in range(4)), together]

    def text(self, names: Iterable[str]) -> str:
        """The lines of a configuration with these settings."""
        lines = []
        for name in names:
            section, _, rest = name.partition(".")
            place, _, key = rest.rpartition(".")
            header = f'[{section} "{place}"]' if place else f"[{section}]"
            lines += [header, f"{key} = {self._values[name][0]}"]
        return "\n".join(lines) + "\n"

    def _refusal(self, probe: Sequence[str], names: Iterable[str]) -> str:
        """What git says when it refuses these settings; empty if it takes them."""
        self._deployment.configure(self.text(names))
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        clone = self._deployment.repository.path
        with subprocess.Popen(["git", *_PLAIN, *probe], cwd=clone, **streams) as process:
            timer = Timer(60, process.kill)
            timer.start()
            said = process.stderr.read(MOST_SHOWN) if process.stderr else b""
            if len(said) == MOST_SHOWN:
                process.kill()
            status = process.wait()
            timer.cancel()
        return said.decode(errors="replace") or str(status) if status else ""


def is_named(setting: str, said: str) -> bool:
    return bool(re.search(rf"\b{re.escape(setting)}(?![.]?\w)", said, re.IGNORECASE))


def test_no_setting_that_git_knows_runs_a_program(deployment: Deployment, trap: Trap) -> None:
    settings = Settings(deployment, trap.program)
    assert not trap.has_snapped
    while settings.groups:
        group = settings.groups.pop()
        deployment.reset(settings.text(group))
        result = CliRunner().invoke(main, [*MERGE, "--retire", "--push"])
        assert not trap.has_snapped, group
        if result.exit_code and len(group) > 1:  # one of these ends the command before it starts other programs
            rest = [name for name in group if not is_named(name, result.output)]
            assert len(rest) < len(group), result.output
            settings.groups.append(rest)


# --- What --push trusts ---


class Asking(BaseHTTPRequestHandler):
    """A server that wants a password."""

    def do_GET(self) -> None:
        self.send_response(401)
        self.send_header("WWW-Authenticate", "Basic")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture
def asking_remote() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Asking)
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/x"
    server.shutdown()
    server.server_close()


def push(deployment: Deployment, url: str, name: str, program: str) -> str:
    """Push to another remote with a setting in the clone, and return what is printed."""
    deployment.reset()
    deployment.repository.git("config", "remote.origin.url", url)
    deployment.repository.git("config", name, program)
    return CliRunner().invoke(main, [*MERGE, "--push"]).output


@pytest.mark.parametrize("name", ["core.sshCommand", "credential.helper", "core.askPass"])
def test_what_a_push_trusts_in_the_clone(name: str, deployment: Deployment, trap: Trap, asking_remote: str) -> None:
    """SECURITY.md says so. Without the first one, pushes from GitHub Actions fail."""
    url = "ssh://127.0.0.1:9/x" if name == "core.sshCommand" else asking_remote
    said = push(deployment, url, name, trap.program)
    if "remote-http" in said:
        pytest.skip("this git was built without HTTP")
    assert trap.has_snapped, said


def test_a_proxy_of_the_account_is_used_and_one_of_the_clone_is_not(
    deployment: Deployment, trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "git://127.0.0.1:9/x"
    push(deployment, url, "core.gitProxy", trap.program)
    assert not trap.has_snapped
    plain_git(deployment.repository.path, "push", "origin", "unsent")
    assert trap.has_snapped, "the trap does not work"
    monkeypatch.setenv("GIT_PROXY_COMMAND", trap.program)
    push(deployment, url, "core.gitProxy", "none")
    assert trap.has_snapped


def test_the_references_of_an_alternate_are_not_asked_for(deployment: Deployment, trap: Trap, tmp_path: Path) -> None:
    other = Repository(tmp_path / "other")
    other.write("a", "a file")
    other.commit("2026-01-01T00:00:00Z")
    for command in (MERGE, (*MERGE, "--push")):
        deployment.reset(f"[core]\n\talternateRefsCommand = {trap.program}\n")
        alternates = deployment.repository.path / ".git" / "objects" / "info" / "alternates"
        alternates.write_text(f"{other.path}/.git/objects\n", encoding="utf-8")
        assert CliRunner().invoke(main, [*command]).exit_code == 0
        assert not trap.has_snapped
    plain_git(deployment.repository.path, "fetch", "origin", "gh-pages:new")
    assert trap.has_snapped, "the trap does not work"
