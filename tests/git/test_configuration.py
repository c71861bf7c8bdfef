"""No configuration changes a date, and git is the only program that is run."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sitemap_plugins.git import process as git_process
from sitemap_plugins.git.history import DateRules, HistoryReader
from sitemap_plugins.git.process import run_git
from tests.conftest import GIT_VERSION
from tests.git.histories import Planned, add_commit, days, git_says, import_histories, we_say

if TYPE_CHECKING:
    from tests.conftest import Repository

posix_only = pytest.mark.skipif(os.name == "nt", reason="needs shell scripts")

SETTINGS = (
    ("color.ui", "always"),
    ("core.abbrev", "7"),
    ("core.ignoreCase", "true"),
    ("core.pager", "false"),
    ("core.quotePath", "true"),
    ("diff.ignoreSubmodules", "all"),
    ("diff.noprefix", "true"),
    ("diff.orderFile", "no-such-file"),
    ("diff.relative", "true"),
    ("diff.renames", "copies"),
    ("diff.submodule", "log"),
    ("format.pretty", "oneline"),
    ("i18n.logOutputEncoding", "UTF-16"),
    ("log.abbrevCommit", "true"),
    ("log.date", "relative"),
    ("log.decorate", "full"),
    ("log.diffMerges", "off"),
    ("log.diffMerges", "combined"),
    ("log.follow", "true"),
    ("log.mailmap", "true"),
    ("log.showRoot", "false"),
    ("log.showSignature", "true"),
    ("notes.displayRef", "refs/notes/*"),
)
OWN_PROGRAMS = (
    ("core.fsmonitor", "status"),
    ("diff.external", "diff HEAD~1"),
    ("gpg.program", "log --show-signature"),
    ("diff.odd.command", "diff HEAD~1"),
    ("diff.odd.textconv", "diff HEAD~1"),
)


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, Path]:
    """The name of a program in ``PATH``, and the file that it makes.

    Not a path: git passes some settings to a shell and runs others as they are, so one with a space would not do.
    """
    script, marker = tmp_path / "leave-a-mark", tmp_path / "it was run"
    script.write_text(f"#!/bin/sh\n: > {shlex.quote(str(marker))}\ncat\n", encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    return script.name, marker


class TestConfiguration:
    """Settings that a user may have in the configuration of the repository or account."""

    @pytest.fixture
    def crowded(self, repository: Repository) -> Repository:
        """A root, a rename, a branch, a merge with changes of its own, a signature, names to quote, notes, tags."""
        blob = ("100644", b"one\n" * 20)
        page = ("100644", b"two\n" * 80)
        root = {b"docs/a.md": page, b"docs/\xc3\xa9.md": blob, b"README.md": blob, b"docs/A b.md": blob}
        left = root | {b"docs/left.md": blob}
        right = {name: blob for name in root if name != b"docs/a.md"} | {b"docs/renamed.md": page}
        merged = left | {b"docs/left.md": ("100644", b"two"), b"docs/renamed.md": page, b"docs/merge.md": blob}
        commits = [
            Planned(root, when="1767600000 +0100"),
            Planned(left, (0,), when="1767700000 +0100"),
            Planned(right, (0,), when="1767800000 +0100", message=b"\xc3\xa9\n\ncommit 1234"),
            Planned(merged, (1, 2), when="1767900000 +0100"),
        ]
        import_histories(repository, [commits])
        repository.git("reset", "--quiet", "--hard")
        person = "A <a@b> 1768000000 +0100"
        signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQEz\n -----END PGP SIGNATURE-----"
        repository.write(".mailmap", "Another <b@c> <a@b>")
        add_commit(repository, f"author {person}", f"committer {person}", signature, name="docs/signed.md")
        repository.git("notes", "add", "--message", "commit 1234")
        repository.git("tag", "v1", "HEAD~1")
        return repository

    @pytest.mark.parametrize("place", ["repository", "account", "environment"])
    def test_settings(self, place: str, crowded: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """All at once, and the most important ones also one by one."""
        docs = crowded.path / "docs"
        crowded.write("docs/a.md", "another length")
        expected = git_says(docs)
        followed = HistoryReader(docs, rules=DateRules()).history()
        assert we_say(docs) == expected
        assert {name for name, date in followed.files.items() if date.modified} == {b"a.md"}
        assert followed.files[b"renamed.md"].commit != expected[b"renamed.md"][0]

        for settings in [dict(SETTINGS), *([each] for each in SETTINGS if place == "environment")]:
            _configure(crowded, place, dict(settings), tmp_path, monkeypatch)

            assert we_say(docs) == expected, settings
            assert HistoryReader(docs, rules=DateRules()).history() == followed, settings

    @posix_only
    @pytest.mark.parametrize("place", ["repository", "account"])
    @pytest.mark.parametrize(("name", "trigger"), OWN_PROGRAMS, ids=[name for name, _ in OWN_PROGRAMS])
    def test_no_other_program_is_run(
        self,
        name: str,
        trigger: str,
        place: str,
        crowded: Repository,
        trap: tuple[str, Path],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        program, marker = trap
        crowded.write(".git/info/attributes", "* diff=odd\n")
        crowded.write("docs/a.md", "another length")
        expected = git_says(crowded.path / "docs")
        settings = {name: program, "log.showSignature": "true"}
        _configure(crowded, place, settings, tmp_path, monkeypatch)

        assert we_say(crowded.path / "docs") == expected
        assert not marker.exists()
        crowded.git(*trigger.split())
        assert marker.exists(), "the trap does not work"

    @posix_only
    @pytest.mark.parametrize("place", ["repository", "account"])
    @pytest.mark.parametrize(
        ("name", "kind", "required"),
        [
            ("lfs", "clean", "false"),
            ("lfs", "process", "false"),
            ("lfs", "clean", "true"),
            ("lfs", "process", "true"),
            ("A.b", "clean", "false"),
            ("a=b", "clean", "false"),
        ],
    )
    def test_no_filter_is_run(
        self,
        name: str,
        kind: str,
        required: str,
        place: str,
        crowded: Repository,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """A file as new as the index is compared by its content. Edited files are still found.

        A filter whose name cannot be written for ``-c`` cannot be turned off, so the disk is not compared.
        """
        marker = tmp_path / "it was run"
        crowded.write("docs/.gitattributes", f"*.bin filter={name}\n")
        young = crowded.write("docs/large.bin", "one")
        crowded.commit("2026-02-01T00:00:00Z")
        crowded.write("docs/a.md", "another length")
        program = f": > {shlex.quote(str(marker))}; cat"
        _configure(crowded, place, {f"filter.{name}.{kind}": program}, tmp_path, monkeypatch)
        _configure(crowded, place, {f"filter.{name}.required": required}, tmp_path, monkeypatch)
        os.utime(crowded.path / ".git" / "index", ns=(young.stat().st_mtime_ns,) * 2)

        files = HistoryReader(crowded.path / "docs").history().files

        assert not marker.exists()
        assert {each for each, date in files.items() if date.modified} == (set() if "=" in name else {b"a.md"})
        with suppress(subprocess.CalledProcessError):  # the program is not a proper filter
            crowded.git("diff-files")
        assert marker.exists(), "the trap does not work"

    @posix_only
    @pytest.mark.parametrize("place", ["repository", "account", "folder"])
    def test_no_hook_is_run(
        self, place: str, crowded: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        marker = tmp_path / "it was run"
        hooks = crowded.path / ".git" / "hooks" if place == "folder" else tmp_path / "hooks"
        hooks.mkdir(exist_ok=True)
        for name in (
            "post-index-change",
            "fsmonitor-watchman",
            "post-checkout",
            "pre-auto-gc",
            "reference-transaction",
        ):
            (hooks / name).write_text(f"#!/bin/sh\n: > {shlex.quote(str(marker))}\n", encoding="utf-8")
            (hooks / name).chmod(0o755)
        if place != "folder":
            _configure(crowded, place, {"core.hooksPath": str(hooks)}, tmp_path, monkeypatch)
        crowded.write("docs/a.md", "another length")
        expected = git_says(crowded.path / "docs")
        index = (crowded.path / ".git" / "index").read_bytes()
        for path in (crowded.path / "docs").iterdir():
            os.utime(path, (1, 1))

        assert set(days(crowded.path / "docs")) == {os.fsdecode(name) for name in expected}
        assert not marker.exists()
        assert (crowded.path / ".git" / "index").read_bytes() == index
        crowded.git("status")
        assert marker.exists(), "the trap does not work"


class TestBareRepositories:
    """A folder with the files of a bare repository can be committed, and git would obey its configuration."""

    @pytest.fixture
    def embedded(self, repository: Repository) -> Path:
        """A folder of documents that is also a repository, which has another date for them."""
        docs = repository.path / "docs"
        repository.git("init", "--quiet", "--bare", str(docs))
        repository.write("docs/a.md", "one")
        inner = ("--git-dir", str(docs), "--work-tree", str(docs))
        repository.git(*inner, "add", "a.md")
        repository.git(*inner, "commit", "--quiet", "--message", "foreign", when="2001-01-01T00:00:00Z")
        repository.git(*inner, "config", "core.bare", "false")
        repository.git(*inner, "config", "core.worktree", str(docs))
        repository.commit("2026-01-01T00:00:00Z")
        return docs

    @pytest.mark.skipif(GIT_VERSION < (2, 38), reason="git cannot tell them apart")
    @pytest.mark.parametrize("place", ["nowhere", "account", "environment"])
    def test_their_dates_are_not_those_of_the_documents(
        self, place: str, embedded: Path, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Even if the user's configuration allows it."""
        if place != "nowhere":
            _configure(repository, place, {"safe.bareRepository": "all"}, tmp_path, monkeypatch)
        plain = repository.git("-C", str(embedded), "log", "-1", "--format=%as", "--", "a.md")
        assert plain == "2001-01-01", "the trap does not work"

        history = HistoryReader(embedded).history()

        assert history.problem is not None
        assert history.problem.startswith("the folder is a bare git repository, or looks like one")
        days = {name: str(date.when)[:10] for name, date in HistoryReader(repository.path).history().files.items()}
        assert days[b"docs/a.md"] == "2026-01-01"

    @pytest.mark.parametrize("kind", ["worktree", "variables"])
    def test_a_chosen_one_is_read(
        self, kind: str, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repository.write("a.md", "one")
        commit = repository.commit("2026-01-01T00:00:00Z")
        bare, tree = tmp_path / "bare.git", tmp_path / "tree"
        repository.git("clone", "--quiet", "--bare", str(repository.path), str(bare))
        _configure(repository, "account", {"safe.bareRepository": "explicit"}, tmp_path, monkeypatch)
        if kind == "worktree":
            repository.git("--git-dir", str(bare), "worktree", "add", "--quiet", "--detach", str(tree))
        else:
            tree.mkdir()
            monkeypatch.setenv("GIT_DIR", str(bare))
            monkeypatch.setenv("GIT_WORK_TREE", str(tree))

        assert HistoryReader(tree).history().files[b"a.md"].commit == commit


@posix_only
class TestNetwork:
    def test_no_transport_is_opened_for_missing_objects(
        self, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Not even by a git version that lacks the variable for this, or by a helper with an odd name."""
        repository.write("a.md", "one" * 100)
        repository.commit("2026-01-01T00:00:00Z")
        repository.git("config", "uploadpack.allowFilter", "true")
        clone, marker = tmp_path / "clone", tmp_path / "it was run"
        source = f"file://{repository.path}"
        repository.git("clone", "--quiet", "--filter=blob:none", "--no-checkout", source, str(clone))
        for helper in ("none", "true"):
            program = tmp_path / "bin" / f"git-remote-{helper}"
            program.parent.mkdir(exist_ok=True)
            program.write_text(f"#!/bin/sh\n: > {shlex.quote(str(marker))}\nexit 1\n", encoding="utf-8")
            program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "file:none")
        monkeypatch.setitem(git_process._OFFLINE, "GIT_NO_LAZY_FETCH", "0")
        sha = repository.git("rev-parse", "HEAD:a.md")
        for url in ("none::x", "true::x", source):
            repository.git("-C", str(clone), "config", "remote.origin.url", url)
            assert run_git(str(clone), "cat-file", "blob", sha).error
            assert not marker.exists(), url
        repository.git("-C", str(clone), "config", "remote.origin.url", "none::x")
        with suppress(subprocess.CalledProcessError):
            repository.git("-C", str(clone), "cat-file", "blob", sha)
        assert marker.exists(), "the trap does not work"


@posix_only
class TestTheProgram:
    """On Windows git is found on PATH, but never in the current folder."""

    @pytest.fixture
    def put(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
        """Return a function that writes a git.exe, which prints where it is, into a folder."""
        monkeypatch.setattr(git_process, "_ON_WINDOWS", True)

        def write(folder: str) -> Path:
            program = tmp_path / folder / "git.exe"
            program.parent.mkdir(exist_ok=True)
            program.write_text(f"#!/bin/sh\nprintf {folder}\n", encoding="utf-8")
            program.chmod(0o755)
            return program.parent

        return write

    @pytest.mark.parametrize("first", ["", ".", "../other", "{}"])
    def test_is_the_first_on_the_path_outside_the_current_folder(
        self, put: Callable[[str], Path], first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        here, one, other = put("here"), put("one"), put("other")
        monkeypatch.chdir(here)
        folders = [first.format(here), str(tmp_path / "missing"), str(one), str(other)]
        monkeypatch.setenv("PATH", os.pathsep.join(folders))

        assert run_git(str(here), "version").stdout == b"one"

    def test_may_be_missing(
        self, put: Callable[[str], Path], repository: Repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(put("here"))
        monkeypatch.setenv("PATH", ".")

        assert HistoryReader(repository.path).history().problem == "git is not installed"


def _configure(
    repository: Repository, place: str, settings: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if place == "environment":
        monkeypatch.setenv("GIT_CONFIG_COUNT", str(len(settings)))
        for number, (name, value) in enumerate(settings.items()):
            monkeypatch.setenv(f"GIT_CONFIG_KEY_{number}", name)
            monkeypatch.setenv(f"GIT_CONFIG_VALUE_{number}", value)
        return
    file = repository.path / ".git" / "config"
    if place == "account":
        file = tmp_path / ".gitconfig"
        monkeypatch.setenv("HOME", str(tmp_path))  # before git 2.32
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(file))
    for name, value in settings.items():
        repository.git("config", f"--file={file}", name, value)
