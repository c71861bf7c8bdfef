"""Branches that are changed without a checkout: what is kept, what is refused, and what happens if others push."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from collections import namedtuple
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_plugins.git.branches import BranchError, export_revision
from sitemap_plugins.git.changing import Changed, change_branch
from tests.conftest import Repository

posix_only = pytest.mark.skipif(os.name == "nt", reason="Windows has no such names and permissions")

Entry = tuple[str, bytes, Any]  # the mode, the name, and the content, or the entries of a folder
FILE, PROGRAM, LINK, FOLDER, SUBMODULE = "100644", "100755", "120000", "40000", "160000"
COMMIT = "1234567890" * 4
SITE: list[Entry] = [
    (FILE, b".gitattributes", b"* text eol=crlf ident export-subst filter=odd working-tree-encoding=UTF-16\n"),
    (FILE, b".nojekyll", b""),
    (
        FOLDER,
        b"1.0",
        [
            (FILE, b"index.html", b"one\r\ntwo\n$Id$ $Format:%H$"),
            (PROGRAM, b"run.sh", b"#!/bin/sh\n"),
            (FILE, b"sitemap.xml", b"<urlset/>\n"),
            (LINK, b"up", b"../index.html"),
        ],
    ),
    (FILE, b"index.html", b"root\n"),
    (LINK, b"latest", b"1.0"),
    (LINK, b"loop", b"loop"),
    (LINK, b"nowhere", b"2.0/index.html"),
    (LINK, b"out", b"/etc"),
    (SUBMODULE, b"theme", COMMIT),
    (LINK, b"up", b"../../.."),
]


def write_tree(repository: Repository, entries: list[Entry]) -> str:
    """Write a tree with any names in this order. Git's own commands would refuse some of them."""
    content = b""
    for mode, name, value in entries:
        if mode == SUBMODULE:
            sha = value
        elif mode == FOLDER:
            sha = write_tree(repository, value)
        else:
            sha = repository.git("hash-object", "-w", "--stdin", input=value)
        content += b"%s %s\0%s" % (mode.encode(), name, bytes.fromhex(sha))
    return repository.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", input=content)


def existing(path: Path) -> Repository:
    """Return a repository that already exists."""
    repository = object.__new__(Repository)
    repository.path = path
    return repository


def put(repository: Repository, entries: list[Entry], branch: str = "gh-pages", *parents: str) -> str:
    """Commit these files to a branch."""
    named = [word for parent in parents for word in ("-p", parent)]
    commit = repository.git("commit-tree", *named, "-m", "deployed", write_tree(repository, entries))
    repository.git("update-ref", f"refs/heads/{branch}", commit)
    return commit


def files(repository: Repository, revision: str = "gh-pages") -> dict[str, str]:
    """The mode, kind and id of every file, by path."""
    lines = repository.git("ls-tree", "-r", "-z", revision).split("\0")[:-1]
    return {path: about for about, _, path in (line.partition("\t") for line in lines)}


def differing(repository: Repository, before: str, after: str = "gh-pages") -> set[str]:
    old, new = files(repository, before), files(repository, after)
    return {path for path in old.keys() | new.keys() if old.get(path) != new.get(path)}


def edit(folder: str, name: str = "1.0/sitemap.xml", content: str = "changed\r\n") -> None:
    """Change a file as builds do, by replacing it with a new one."""
    place = Path(folder, name)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.with_name(f"{place.name}.new").write_bytes(content.encode())
    place.with_name(f"{place.name}.new").replace(place)


def change(
    repository: Repository, act: Callable[[str], Any] = edit, branch: str = "gh-pages", **options: Any
) -> Changed[Any]:
    return change_branch(str(repository.path), branch, act, "Change it", **options)


def error_of(repository: Repository, branch: str = "gh-pages", act: Callable[[str], Any] = edit, **options: Any) -> str:
    """Return the reason why the change was refused. The branch is unchanged."""
    before = repository.git("for-each-ref")
    with pytest.raises(BranchError) as error:
        change(repository, act, branch, **options)
    assert repository.git("for-each-ref") == before
    return str(error.value)


@pytest.fixture(autouse=True)
def identity(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Set the user's name, and check that nothing is left in the folder for temporary files."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", f"{who.title()} <x")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", f"{who.lower()}@example.org")
        monkeypatch.setenv(f"GIT_{who}_DATE", "2026-02-03T04:05:06+01:00")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    yield
    assert [*temporary.iterdir()] == []


@pytest.fixture
def site(with_history: Callable[..., Repository]) -> Repository:
    """A clone with a branch that is published."""
    return with_history(write_site)


def write_site(repository: Repository) -> None:
    repository.write("README.md", "sources")
    repository.commit("2026-01-01T00:00:00Z")
    put(repository, SITE)


@pytest.fixture
def remote(site: Repository, tmp_path: Path) -> Repository:
    """The bare repository that the clone knows as origin."""
    path = tmp_path / "remote.git"
    site.git("clone", "--quiet", "--bare", str(site.path), str(path))
    site.git("remote", "add", "origin", str(path))
    return existing(path)


def commit_there(remote: Repository, name: bytes = b"theirs") -> str:
    """Commit something to the remote, as another user would."""
    return put(remote, [*SITE[:3], (FILE, name, name), *SITE[3:]], "gh-pages", remote.git("rev-parse", "gh-pages"))


class TestCommit:
    def test_contains_only_the_changes(self, site: Repository) -> None:
        before = site.git("rev-parse", "gh-pages")
        changed = change(site)
        assert changed == Changed(None, site.git("rev-parse", "gh-pages"), None)
        assert site.git("rev-parse", "gh-pages^") == before
        assert differing(site, before) == {"1.0/sitemap.xml"}
        assert site.git("cat-file", "blob", "gh-pages:1.0/sitemap.xml") == "changed"
        assert site.git("cat-file", "-s", "gh-pages:1.0/sitemap.xml") == "9"
        site.git("fsck", "--strict")
        assert site.git("status", "--porcelain") == ""

    def test_has_the_user_and_time_that_git_uses(self, site: Repository) -> None:
        change(site)
        assert site.git("log", "-1", "--format=%an|%ae|%cn|%ce|%aI|%cI|%B", "gh-pages").strip() == (
            "Author x|author@example.org|Committer x|committer@example.org|"
            "2026-02-03T04:05:06+01:00|2026-02-03T04:05:06+01:00|Change it"
        )
        assert "sitemap-plugins: Change it" in site.git("log", "-1", "--walk-reflogs", "--format=%gs", "gh-pages")

    def test_is_not_made_if_nothing_changed(self, site: Repository) -> None:
        before = site.git("for-each-ref")
        assert change(site, lambda folder: len(os.listdir(folder))).commit is None
        assert change(site, lambda folder: edit(folder, content="<urlset/>\n")).commit is None
        assert site.git("for-each-ref") == before
        assert change(site).commit
        assert change(site).commit is None

    def test_is_not_made_in_a_dry_run(self, site: Repository) -> None:
        before = site.git("count-objects", "-v"), site.git("for-each-ref")
        assert change(site, dry_run=True).commit is None
        assert (site.git("count-objects", "-v"), site.git("for-each-ref")) == before

    @posix_only
    def test_contains_new_links_and_programs(self, site: Repository) -> None:
        def act(folder: str) -> None:
            Path(folder, "stable").symlink_to("1.0")
            Path(folder, "latest").unlink()
            Path(folder, "latest").symlink_to("2.0")
            edit(folder, "new.sh")
            Path(folder, "new.sh").chmod(0o755)

        change(site, act)
        assert [files(site)[name][:6] for name in ("stable", "latest", "new.sh")] == [LINK, LINK, PROGRAM]
        assert site.git("cat-file", "blob", "gh-pages:latest") == "2.0"

    @pytest.mark.usefixtures("site")
    def test_needs_a_local_branch(self, clone: Callable[..., Path]) -> None:
        assert error_of(existing(clone("--depth=1", "--branch=main", name="shallow"))) == (
            "there is no local branch gh-pages; fetch it: git fetch --depth=1 origin gh-pages:gh-pages"
        )
        assert error_of(existing(clone("--branch=main")), "origin/gh-pages") == (
            "origin/gh-pages is a branch of the remote; fetch it: git fetch origin gh-pages:gh-pages; "
            "then write --branch gh-pages"
        )

    def test_can_be_made_from_a_subfolder_and_with_another_hash(self, tmp_path: Path) -> None:
        path = tmp_path / "sha256"
        path.mkdir()
        repository = existing(path)
        repository.git("init", "--quiet", "--object-format=sha256", "--initial-branch=main")
        put(repository, SITE[:3])
        (path / "docs").mkdir()
        assert change_branch(str(path / "docs"), "gh-pages", edit, "Change it").commit
        assert repository.git("cat-file", "blob", "gh-pages:1.0/sitemap.xml") == "changed"


class TestFolder:
    @pytest.mark.usefixtures("remote")
    def test_has_every_byte_as_stored_in_git(self, site: Repository, tmp_path: Path) -> None:
        """Attributes and configuration have no effect, and none of their programs runs."""
        trap = tmp_path / "trap"
        program = tmp_path / "program"
        program.write_text(f"#!/bin/sh\n: > {shlex.quote(str(trap))}\ncat\n", encoding="utf-8")
        program.chmod(0o755)
        for name in ("reference-transaction", "post-commit", "pre-push", "update", "post-update"):
            shutil.copy(program, site.path / ".git" / "hooks" / name)
        for name, value in (
            ("core.autocrlf", "true"),
            ("core.eol", "crlf"),
            ("filter.odd.clean", str(program)),
            ("filter.odd.smudge", str(program)),
            ("filter.odd.required", "true"),
            ("core.fsmonitor", str(program)),
            ("push.gpgSign", "true"),
            ("gpg.program", str(program)),
        ):
            site.git("config", name, value)
        (site.path / ".git" / "info" / "attributes").write_text("* text eol=crlf filter=odd\n", encoding="utf-8")
        trap.unlink(missing_ok=True)
        seen = {}

        def act(folder: str) -> None:
            seen.update({name: Path(folder, name).read_bytes() for name in ("1.0/index.html", "latest/sitemap.xml")})
            edit(folder, "new", "a\r\nb\n")

        change(site, act, remote="")
        assert seen == {"1.0/index.html": b"one\r\ntwo\n$Id$ $Format:%H$", "latest/sitemap.xml": b"<urlset/>\n"}
        assert site.git("rev-parse", "gh-pages:new") == site.git("hash-object", "-w", "--stdin", input=b"a\r\nb\n")
        assert not trap.exists()

    @posix_only
    def test_has_only_links_that_stay_within(self, site: Repository) -> None:
        def act(folder: str) -> list[str]:
            return sorted(path.name for path in Path(folder).rglob("*") if path.is_symlink())

        assert change(site, act).result == ["latest", "loop", "nowhere", "up"]
        assert change(site, lambda folder: Path(folder, "1.0/up").read_bytes()).result == b"root\n"

    @posix_only
    def test_has_no_link_that_leads_out_through_another(self, site: Repository) -> None:
        entries = [(LINK, b"a", b"b/x"), (LINK, b"b", b"c"), (LINK, b"c", b".."), (LINK, b"d", b"nothing/../../x")]
        before = put(site, entries)
        assert change(site, os.listdir).result == []
        change(site, lambda folder: edit(folder, "new"))
        assert differing(site, before) == {"new"}

    @posix_only
    def test_has_all_names_that_the_disk_can_hold(self, site: Repository) -> None:
        odd = sorted(
            [
                b'"quoted" \\n',
                b"\xff\xfe",
                b"-f",
                b"a\nb\tc\x1b[1m",
                b"\\",
                b" ",
                b"...",
                b"caf\xc3\xa9",
                b"cafe\xcc\x81",
            ]
        )
        before = put(site, [(FILE, name, name) for name in odd])
        change(site, lambda folder: [edit(folder, name) for name in os.listdir(folder)])
        assert files(site).keys() == files(site, before).keys()
        assert set(files(site).values()) == {f"{FILE} blob {site.git('rev-parse', 'gh-pages:-f')}"}

    def test_has_large_contents(self, site: Repository) -> None:
        contents = [b"", b"\n", b"a" * (1 << 17), b"b\n" * (1 << 20), b"c" * ((1 << 17) - 50)]
        put(site, [(FILE, b"%d" % number, content) for number, content in enumerate(contents)])
        read = change(site, lambda folder: [Path(folder, str(each)).read_bytes() for each in range(5)]).result
        assert read == contents
        change(site, lambda folder: edit(folder, "3", "d" * (1 << 20)))
        assert site.git("cat-file", "-s", "gh-pages:3") == str(1 << 20)

    def test_is_removed_after_an_interrupt(self, site: Repository) -> None:
        before = site.git("for-each-ref")

        def interrupt(folder: str) -> None:
            edit(folder)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            change(site, interrupt)
        assert site.git("for-each-ref") == before  # `identity` checks the folder


NAMES = st.sampled_from(
    [b"a", b"b", b"a.html", b"a b", b"\xc3\xa9", b'"', b"\\", b"a\nb"] if os.name != "nt" else [b"a", b"b"]
)
PATHS = st.lists(NAMES, min_size=1, max_size=3).map(b"/".join)
TREES = st.dictionaries(PATHS, st.tuples(st.sampled_from([FILE, PROGRAM]), st.binary(max_size=3)), max_size=6).map(
    lambda tree: {path: value for path, value in tree.items() if not any(each.startswith(path + b"/") for each in tree)}
)


def nested(tree: dict[bytes, tuple[str, bytes]]) -> list[Entry]:
    below: dict[bytes, Any] = {}
    for path, value in tree.items():
        first, _, rest = path.partition(b"/")
        if rest:
            below.setdefault(first, {})[rest] = value
        else:
            below[first] = value
    found = [
        (FOLDER, name, nested(value)) if isinstance(value, dict) else (value[0], name, value[1])
        for name, value in below.items()
    ]
    return sorted(found, key=lambda entry: entry[1] + b"/" * (entry[0] == FOLDER))


@settings(max_examples=25)
@given(before=TREES, after=TREES)
def test_any_tree_can_be_changed_to_any_other(
    before: dict[bytes, tuple[str, bytes]],
    after: dict[bytes, tuple[str, bytes]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    repository = Repository(tmp_path_factory.mktemp("random"))
    tip = put(repository, nested(before))

    def act(folder: str) -> None:
        for name in os.listdir(folder):
            place = Path(folder, name)
            shutil.rmtree(place) if place.is_dir() else place.unlink()
        for path, (mode, content) in after.items():
            place = Path(folder, os.fsdecode(path))
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
            place.chmod(int(mode, 8) & 0o777)

    change(repository, act)
    # An existing file keeps its mode.
    expected = {
        path: (before.get(path, value)[0] if os.name != "nt" else FILE, value[1]) for path, value in after.items()
    }
    assert repository.git("rev-parse", "gh-pages^{tree}") == write_tree(repository, nested(expected))
    assert repository.git("rev-list", "gh-pages").split()[-1] == tip


HOSTILE: dict[str, list[Entry]] = {
    "'../x'": [(FOLDER, b"..", [(FILE, b"x", b"hostile")])],
    "'..'": [(FILE, b"..", b"hostile")],
    "'.'": [(FILE, b".", b"hostile")],
    "'a/../../x'": [(FOLDER, b"a", [(FILE, b"../../x", b"hostile")])],
    "'/etc/x'": [(FILE, b"/etc/x", b"hostile")],
    "'.git/config'": [(FOLDER, b".git", [(FILE, b"config", b"hostile")])],
    "'a/.GIT'": [(FOLDER, b"a", [(LINK, b".GIT", b"..")])],
    "'.git. .'": [(FILE, b".git. .", b"hostile")],
    "'GIT~1/x'": [(FOLDER, b"GIT~1", [(FILE, b"x", b"hostile")])],
    "'.g\\u200cit/x'": [(FOLDER, ".g\u200cit".encode(), [(FILE, b"x", b"hostile")])],
}


class TestRefused:
    def test_without_a_repository(self, tmp_path: Path) -> None:
        (tmp_path / "docs").mkdir()
        with pytest.raises(BranchError, match="docs is not in a git repository; run the command in the clone"):
            change_branch(str(tmp_path / "docs"), "gh-pages", edit, "Change it")
        with pytest.raises(BranchError, match="not in a git repository"):
            change_branch(str(tmp_path / "gone"), "gh-pages", edit, "Change it")

    @pytest.mark.parametrize("name", ["gh", "gh-pages/x", "*", "gh-page?", "../heads/gh-pages", "\udcff\n"])
    def test_a_branch_that_does_not_exist(self, site: Repository, name: str) -> None:
        put(site, SITE, "gh/deep")
        expected = f"there is no branch {name}, and no remote to fetch it from; deploy to it first"
        assert error_of(site, name) == expected

    @pytest.mark.parametrize("name", ["", "--all", "-x", "refs/heads/gh-pages"])
    def test_an_invalid_name_of_a_branch(self, site: Repository, name: str) -> None:
        expected = f"{name!r} is not a branch name; write it as git branch shows it, such as gh-pages"
        assert error_of(site, name) == expected

    def test_a_branch_that_is_only_on_a_remote(self, site: Repository, remote: Repository) -> None:
        put(remote, SITE, "docs/site")
        assert error_of(site, "docs/site").endswith("; fetch it: git fetch origin docs/site:docs/site")
        site.git("remote", "add", "fork", str(remote.path))
        site.git("fetch", "--quiet", "fork")
        assert error_of(site, "docs/site").endswith("; fetch it: git fetch fork docs/site:docs/site")
        site.git("fetch", "--quiet", "fork", "docs/site:docs/site")
        assert change(site, branch="docs/site").commit

    def test_a_branch_that_is_checked_out(self, site: Repository, tmp_path: Path) -> None:
        assert error_of(site, "main") == (
            f"main is checked out in {site.path}, which would become outdated: run the command on that folder, "
            "without --branch, or check out another branch there"
        )
        put(site, SITE[:2])
        folder = tmp_path / "pages"
        site.git("worktree", "add", "--quiet", str(folder), "gh-pages")
        assert f"gh-pages is checked out in {folder}" in error_of(site)
        shutil.rmtree(folder)
        assert error_of(site).endswith("that folder no longer exists; remove its entry: git worktree prune")
        site.git("worktree", "prune")
        assert change(site).commit

    def test_another_name_of_a_branch(self, site: Repository) -> None:
        site.git("symbolic-ref", "refs/heads/docs", "refs/heads/main")
        assert error_of(site, "docs") == "docs is only another name for refs/heads/main; use that one"

    @pytest.mark.usefixtures("site")
    def test_a_clone_without_all_contents(self, clone: Callable[..., Path]) -> None:
        for kind in ("blob:none", "tree:0"):
            partial = existing(clone(f"--filter={kind}", "--no-checkout", "--branch=gh-pages", name=kind[:4]))
            partial.git("symbolic-ref", "HEAD", "refs/heads/other")
            assert error_of(partial) == (
                "the clone lacks some contents (git clone --filter), and this command does not fetch them; "
                "fetch them all: git fetch --refetch --no-filter"
            )

    def test_missing_contents(self, site: Repository) -> None:
        sha = site.git("rev-parse", "gh-pages:1.0/sitemap.xml")
        (site.path / ".git" / "objects" / sha[:2] / sha[2:]).unlink()
        assert sha in error_of(site)

    def test_a_user_without_a_name(self, site: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))  # before git 2.32
        site.git("config", "user.useConfigOnly", "true")
        for who in ("AUTHOR", "COMMITTER"):
            monkeypatch.delenv(f"GIT_{who}_NAME")
            monkeypatch.delenv(f"GIT_{who}_EMAIL")
        # Without this, git would always have a name in the tests.
        assert error_of(site) == (
            "git has no author for the commit; set one: git config user.name NAME and git config user.email ADDRESS"
        )
        site.git("config", "user.name", "A Writer")
        site.git("config", "user.email", "writer@example.org")
        assert change(site).commit

    def test_more_than_the_disk_can_hold(self, site: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
        usage = namedtuple("usage", ["total", "used", "free"])  # noqa: PYI024  # as `shutil` has it
        put(site, [(FILE, b"large", b"a" * (3 << 20))])
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(0, 0, 2 << 20))
        assert "gh-pages has 3 MiB of files, but there is room for only 2 MiB in" in error_of(site)

    def test_a_change_in_a_submodule(self, site: Repository) -> None:
        assert "has paths that belong to a submodule" in error_of(site, act=lambda folder: edit(folder, "theme/a"))

    @pytest.mark.parametrize("shown", HOSTILE)
    def test_paths_that_lead_out_or_make_a_repository(self, site: Repository, shown: str, tmp_path: Path) -> None:
        put(site, [(FILE, b"!", b""), *HOSTILE[shown]])
        assert error_of(site) == (
            f"gh-pages has paths that cannot be written safely: {shown}; remove them, or use a checkout"
        )
        assert not [*tmp_path.rglob("x")]

    def test_only_the_first_of_many_paths_are_named(self, site: Repository) -> None:
        put(site, [(FOLDER, b"..", [(FILE, b"%d" % number, b"") for number in range(9)])])
        assert "safely: '../0', '../1', '../2' and 6 more; remove" in error_of(site)

    @posix_only
    @pytest.mark.parametrize("order", [1, -1])
    @pytest.mark.parametrize("kind", [LINK, FILE])
    def test_a_file_below_a_link_or_another_file(self, site: Repository, order: int, kind: str, tmp_path: Path) -> None:
        """Such a tree has two entries with one name."""
        (tmp_path / "secret").mkdir()
        target = str(tmp_path / "secret").encode()
        put(site, [(kind, b"a", target), (FOLDER, b"a", [(FILE, b"passwd", b"hostile")])][::order])
        assert "has paths that have the same name on this disk as another path: 'a" in error_of(site)
        assert [*(tmp_path / "secret").iterdir()] == []

    def test_a_path_that_occurs_twice(self, site: Repository) -> None:
        put(site, [(FILE, b"a", b"1"), (FILE, b"a", b"2")])
        assert error_of(site) == "the branch has the path b'a' twice; check the repository: git fsck"

    @posix_only
    @pytest.mark.parametrize(
        ("entry", "why"),
        [
            ((LINK, b"a", b"x" * 5000), "gh-pages has paths that have a target that no system can follow: 'a'"),
            ((LINK, b"a", b""), "'a' of gh-pages cannot be written to"),
            ((LINK, b"a", b"x\0y"), "'a' of gh-pages cannot be written to"),
            ((FILE, b"a" * 300, b""), "of gh-pages cannot be written to"),
        ],
        ids=["long link", "empty link", "NUL", "long name"],
    )
    def test_paths_that_no_disk_can_hold(self, site: Repository, entry: Entry, why: str) -> None:
        put(site, [entry])
        assert why in error_of(site)

    def test_names_that_the_disk_stores_differently(self, site: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
        place = "sitemap_plugins.git.branches._place"
        monkeypatch.setattr(place, lambda folder, path: os.path.join(folder, os.fsdecode(path).lower()))
        put(site, [(FILE, b"A", b"1"), (FILE, b"a", b"2")])
        assert "have the same name on this disk as another path: 'a'; remove them" in error_of(site)
        put(site, [(FILE, b"A", b"1")])
        assert "has paths that this disk stores under another name: 'A' and 'a'" in error_of(site)


class TestInterrupted:
    """If git ends early, the branch is unchanged, and the next run does everything."""

    @posix_only
    @pytest.mark.parametrize(
        ("command", "lines"),
        [
            ("fast-import", "head -c 100 >&2; exit 1"),
            ("fast-import", "kill -9 $$"),
            ("fast-import", 'head -c 300 | "$GIT" "$@"'),
            ("update-ref", "kill -9 $$"),
            ("cat-file", '"$GIT" "$@" | head -c 300'),
            ("cat-file", "exit 0"),
            ("ls-tree", "kill -9 $$"),
        ],
    )
    def test_git(self, site: Repository, git_stand_in: Callable[[str, str], None], command: str, lines: str) -> None:
        path = os.environ["PATH"]
        git_stand_in(command, lines)
        error_of(site, act=lambda folder: edit(folder, content="x" * (1 << 20)))
        os.environ["PATH"] = path
        assert change(site).commit


class TestMoved:
    def test_branch_is_changed_on_its_new_tip(self, site: Repository) -> None:
        runs = []

        def act(folder: str) -> None:
            runs.append(sorted(os.listdir(folder)))
            if len(runs) == 1:
                put(site, [*SITE[:3], (FILE, b"theirs", b"")], "gh-pages", site.git("rev-parse", "gh-pages"))
            edit(folder)

        change(site, act)
        assert ["theirs" in names for names in runs] == [False, True]
        assert {"theirs", "1.0/sitemap.xml"} <= files(site).keys()
        assert site.git("rev-list", "--count", "gh-pages") == "3"

    def test_branch_that_was_reset_keeps_the_reset(self, site: Repository) -> None:
        """The new commit has the old tip as an ancestor, so git alone would take it for a fast-forward."""
        first = site.git("rev-parse", "gh-pages")
        put(site, [*SITE[:3], (FILE, b"withdrawn", b"")], "gh-pages", first)

        def act(folder: str) -> None:
            site.git("update-ref", "refs/heads/gh-pages", first)
            edit(folder)

        change(site, act)
        assert "withdrawn" not in files(site)
        assert site.git("rev-parse", "gh-pages^") == first

    def test_branch_that_keeps_moving_is_given_up(self, site: Repository) -> None:
        runs = []

        def act(folder: str) -> None:
            put(site, SITE[:2], "gh-pages", site.git("rev-parse", "gh-pages"))
            runs.append(1)
            edit(folder)

        with pytest.raises(BranchError, match="others changed gh-pages during each attempt"):
            change(site, act)
        assert len(runs) == 4
        assert "1.0/sitemap.xml" not in files(site)

    def test_branch_that_was_removed_is_named(self, site: Repository) -> None:
        def act(folder: str) -> None:
            site.git("update-ref", "-d", "refs/heads/gh-pages")
            edit(folder)

        with pytest.raises(BranchError, match="there is no branch gh-pages"):
            change(site, act)


class TestPush:
    def test_is_done_only_on_request(self, site: Repository, remote: Repository) -> None:
        before = remote.git("for-each-ref")
        assert change(site).remote is None
        assert remote.git("for-each-ref") == before
        assert change(site, remote="").remote == "origin"  # the earlier commit
        assert remote.git("rev-parse", "gh-pages") == site.git("rev-parse", "gh-pages")
        assert change(site, remote="origin").commit is None

    def test_goes_where_git_would_push(self, site: Repository, remote: Repository) -> None:
        site.git("remote", "rename", "origin", "upstream")
        assert error_of(site, remote="") == (
            "there is no remote 'origin' to push gh-pages to; the remotes are upstream"
        )
        site.git("config", "remote.pushDefault", "upstream")
        assert change(site, remote="").remote == "upstream"
        assert remote.git("rev-parse", "gh-pages") == site.git("rev-parse", "gh-pages")

    @pytest.mark.usefixtures("remote")
    @pytest.mark.parametrize("name", ["site", ".", "--force", "ext::program", "file:///x"])
    def test_needs_a_remote_with_a_name(self, site: Repository, name: str) -> None:
        assert error_of(site, remote=name) == f"there is no remote {name!r} to push gh-pages to; the remotes are origin"

    def test_is_repeated_on_the_new_tip_if_it_is_rejected(self, site: Repository, remote: Repository) -> None:
        theirs = []

        def act(folder: str) -> None:
            if len(theirs) < 2:
                theirs.append(commit_there(remote, b"theirs-%d" % len(theirs)))
            edit(folder)

        changed = change(site, act, remote="")
        assert changed.commit == site.git("rev-parse", "gh-pages") == remote.git("rev-parse", "gh-pages")
        assert remote.git("rev-parse", "gh-pages^") == theirs[-1]
        assert differing(remote, theirs[-1]) == {"1.0/sitemap.xml"}

    def test_brings_an_old_branch_up_to_date(self, site: Repository, remote: Repository) -> None:
        theirs = commit_there(remote)
        assert change(site, lambda _: None, remote="") == Changed(None, None, None)
        assert site.git("rev-parse", "gh-pages") == theirs

    def test_works_in_a_clone_of_depth_1(self, site: Repository, remote: Repository, tmp_path: Path) -> None:
        shallow = existing(tmp_path / "shallow")
        site.git("clone", "--quiet", "--depth=1", remote.path.as_uri(), str(shallow.path))
        shallow.git("fetch", "--quiet", "--depth=1", "origin", "gh-pages:gh-pages")
        theirs = commit_there(remote)
        change(shallow, remote="")
        assert remote.git("rev-parse", "gh-pages^") == theirs

    def test_never_drops_commits_of_either_side(self, site: Repository, remote: Repository) -> None:
        theirs = commit_there(remote)
        put(site, SITE[:3], "gh-pages", site.git("rev-parse", "gh-pages"))
        ours = site.git("rev-parse", "gh-pages")
        with pytest.raises(
            BranchError, match=r"gh-pages has commits in this clone that origin lacks.*nothing was pushed"
        ):
            change(site, remote="")
        assert remote.git("rev-parse", "gh-pages") == theirs
        assert site.git("rev-parse", "gh-pages^") == ours

    def test_is_given_up_if_it_is_rejected_each_time(self, site: Repository, remote: Repository) -> None:
        with pytest.raises(BranchError, match="others changed gh-pages during each attempt"):
            change(site, lambda folder: (commit_there(remote, os.urandom(4).hex().encode()), edit(folder)), remote="")
        assert "theirs" not in remote.git("log", "-1", "--format=%s", "gh-pages")
        assert site.git("rev-parse", "gh-pages") == remote.git("rev-parse", "gh-pages")

    @posix_only
    def test_names_the_rule_of_the_remote_that_refused_it(self, site: Repository, remote: Repository) -> None:
        hook = remote.path / "hooks" / "pre-receive"
        hook.write_text("#!/bin/sh\necho 'Only the bot'\necho '\033[31mmay push.' >&2\nexit 1\n", encoding="utf-8")
        hook.chmod(0o755)
        with pytest.raises(BranchError) as error:
            change(site, remote="")
        assert str(error.value) == (
            "gh-pages has its commits in this clone, but was not pushed to origin: "
            "[remote rejected] (pre-receive hook declined); origin said: Only the bot [31mmay push."
        )
        assert site.git("log", "-1", "--format=%s", "gh-pages") == "Change it"

    def test_to_a_missing_remote_is_an_error(self, site: Repository, remote: Repository) -> None:
        shutil.rmtree(remote.path)
        with pytest.raises(
            BranchError, match=r"gh-pages has its commits in this clone, but was not pushed to origin: git said: "
        ):
            change(site, remote="")

    @posix_only
    @pytest.mark.usefixtures("remote")
    def test_starts_no_program_from_the_url_of_a_remote(self, site: Repository, tmp_path: Path) -> None:
        site.git("config", "remote.origin.url", f"ext::touch {tmp_path / 'trap'}")
        site.git("config", "protocol.ext.allow", "always")
        with pytest.raises(BranchError, match="transport 'ext' not allowed"):
            change(site, remote="")
        assert not (tmp_path / "trap").exists()

    @posix_only
    def test_starts_no_program_from_the_configuration_of_a_remote(
        self, site: Repository, remote: Repository, tmp_path: Path
    ) -> None:
        for name in ("receive", "upload"):
            program = f"touch {tmp_path / 'trap'}; git-{name}-pack"
            site.git("config", f"remote.origin.{name}pack", program)
        theirs = commit_there(remote)
        change(site, remote="")  # pushes, fetches and pushes again
        assert remote.git("rev-parse", "gh-pages^") == theirs
        assert not (tmp_path / "trap").exists()


def exported(repository: Repository, revision: str, folder: Path, message: str = "deployed") -> set[str]:
    """The paths of the files that a revision has in a new folder. The last commit to them has this message."""
    folder.mkdir()
    assert export_revision(str(repository.path), revision, str(folder)).strip() == message
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@posix_only
def test_any_commit_and_any_folder_in_it_can_be_exported(repository: Repository, tmp_path: Path) -> None:
    first = put(repository, SITE)
    last = put(repository, [*SITE[:1], (FILE, b"new.html", b"new\n")], "gh-pages", first)
    repository.git("update-ref", "refs/remotes/origin/gh-pages", first)
    repository.git("tag", "v1", last)
    before = repository.git("for-each-ref"), repository.git("status", "--porcelain")
    assert exported(repository, "gh-pages", tmp_path / "branch") == {".gitattributes", "new.html"}
    assert exported(repository, "v1", tmp_path / "tag") == {".gitattributes", "new.html"}
    assert exported(repository, last[:12], tmp_path / "commit") == {".gitattributes", "new.html"}
    assert "1.0/run.sh" in exported(repository, "gh-pages~1", tmp_path / "parent")
    assert "1.0/run.sh" in exported(repository, "origin/gh-pages", tmp_path / "remote")
    inside = {"index.html", "run.sh", "sitemap.xml"}  # the link leads out of this folder
    assert exported(repository, "origin/gh-pages:1.0/", tmp_path / "folder") == inside
    assert exported(repository, "gh-pages~1:latest", tmp_path / "link") == inside
    assert (tmp_path / "folder" / "index.html").read_bytes() == b"one\r\ntwo\n$Id$ $Format:%H$"
    assert (repository.git("for-each-ref"), repository.git("status", "--porcelain")) == before


def test_a_folder_of_an_exported_commit_has_the_message_of_its_last_change(
    repository: Repository, tmp_path: Path
) -> None:
    for number, name in enumerate(("1.0", "2.0"), 1):
        repository.write(f"{name}/index.html", name)
        repository.commit(f"2026-01-0{number}T00:00:00+00:00", f"Deployed {name}")
    for name in ("1.0", "2.0"):
        exported(existing(repository.path / "1.0"), f"HEAD:{name}", tmp_path / name, f"Deployed {name}")


def test_a_link_has_the_message_of_the_folder_behind_it(repository: Repository, tmp_path: Path) -> None:
    """As mike makes its aliases; a later deployment of another version changes only that version."""
    for number, name in enumerate(("2.0", "1.9")):
        repository.write(f"site/{name}/guide/index.html", name)
        repository.commit(f"2026-01-0{number + 1}T00:00:00+00:00", f"Deployed {name}")
    target = repository.git("hash-object", "-w", "--stdin", input=b"site/2.0")
    repository.git("update-index", "--add", "--cacheinfo", f"120000,{target},stable")
    repository.git("commit", "--quiet", "--message", "Linked")
    messages = {"stable": "Deployed 2.0", "stable/guide": "Deployed 2.0", "site/1.9": "Deployed 1.9"}
    for number, (name, message) in enumerate(messages.items()):
        exported(repository, f"HEAD:{name}", tmp_path / str(number), message)


@posix_only
def test_pictures_and_archives_of_a_revision_are_not_read(repository: Repository, tmp_path: Path) -> None:
    """The contents of some are missing, as in a clone with a filter; ``git ls-tree -l`` does not know their size."""
    unread = ("a.png", "b.SVG", "c.woff2", "d.mp4", "e.zip", "f.tar.gz")
    read = ("index.html", "sitemap.xml.gz", "g.pdf", "png", "h.png.html")
    put(
        repository,
        [*((FILE, name.encode(), name.encode()) for name in sorted(unread + read)), (LINK, b"z.png", b"png")],
    )
    for name in ("a.png", "f.tar.gz"):
        sha = repository.git("rev-parse", f"gh-pages:{name}")
        (repository.path / ".git/objects" / sha[:2] / sha[2:]).unlink()
    assert exported(repository, "gh-pages", tmp_path / "branch") == {*unread, *read, "z.png"}
    contents = {path.name: path.read_text() for path in (tmp_path / "branch").iterdir()}
    assert contents == {**dict.fromkeys(unread, ""), **{name: name for name in read}, "z.png": "png"}


def test_a_page_of_a_revision_must_not_be_missing(repository: Repository, tmp_path: Path) -> None:
    put(repository, [(FILE, b"a.png", b"a"), (FILE, b"index.html", b"b")])
    sha = repository.git("rev-parse", "gh-pages:index.html")
    (repository.path / ".git/objects" / sha[:2] / sha[2:]).unlink()
    with pytest.raises(BranchError, match=f"the object {sha} is missing from the repository"):
        exported(repository, "gh-pages", tmp_path / "branch")


def test_a_bare_repository_has_revisions(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = put(repository, [(FILE, b"index.html", b"a"), (FOLDER, b"v", [(FILE, b"a.html", b"a")])])
    put(repository, [(FILE, b"index.html", b"b")], "gh-pages", first)
    repository.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare"))
    bare = existing(tmp_path / "bare")
    monkeypatch.chdir(bare.path)
    assert exported(bare, "gh-pages~1", tmp_path / "old") == {"index.html", "v/a.html"}
    assert exported(bare, "gh-pages~1:v", tmp_path / "inside") == {"a.html"}


def test_a_bare_repository_in_another_one_is_not_trusted(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anyone can commit its files, and so its configuration."""
    put(repository, [(FILE, b"index.html", b"a")])
    bare = repository.path / "bare"
    repository.git("clone", "--quiet", "--bare", ".", str(bare))
    monkeypatch.chdir(bare)
    with pytest.raises(BranchError, match="its configuration is not trusted"):
        exported(existing(bare), "gh-pages", tmp_path / "old")


@pytest.mark.parametrize(
    ("revision", "message"),
    [
        (
            "missing",
            "there is no branch, tag or commit 'missing'; fetch it first, or look for its name: git branch --all",
        ),
        ("", "there is no branch, tag or commit ''; fetch it first, or look for its name: git branch --all"),
        ("--all", "there is no branch, tag or commit '--all'; fetch it first, or look for its name: git branch --all"),
        ("pages", "there is no branch, tag or commit 'pages'; the one of the remote is origin/pages"),
        ("gh-pagse", "there is no branch, tag or commit 'gh-pagse'; did you mean 'gh-pages'?"),
        ("origin/page", "there is no branch, tag or commit 'origin/page'; did you mean 'origin/pages'?"),
        ("pagse", "there is no branch, tag or commit 'pagse'; did you mean 'origin/pages'?"),
        ("gh-pages:2.0", "there is no folder '2.0' in gh-pages"),
        ("gh-pages:nowhere", "there is no folder 'nowhere' in gh-pages"),
        ("gh-pages:loop", "there is no folder 'loop' in gh-pages"),
        ("gh-pages:out", "there is no folder 'out' in gh-pages"),
        ("gh-pages:1.0\n", "there is no folder '1.0\\n' in gh-pages"),
        ("gh-pages:../1.0", "there is no folder '../1.0' in gh-pages"),
        ("gh-pages:index.html", "'index.html' in gh-pages is a file, not a folder"),
    ],
)
def test_a_revision_that_does_not_exist_is_refused(
    repository: Repository, tmp_path: Path, revision: str, message: str
) -> None:
    commit = put(repository, SITE)
    repository.git("update-ref", "refs/remotes/origin/pages", commit)
    (folder := tmp_path / "folder").mkdir()
    with pytest.raises(BranchError) as error:
        export_revision(str(repository.path), revision, str(folder))
    assert str(error.value) == message
    assert not [*folder.iterdir()]


def test_revisions_need_a_repository(tmp_path: Path) -> None:
    with pytest.raises(
        BranchError, match=r"is not in a git repository; run the command in the clone that has gh-pages$"
    ):
        export_revision(str(tmp_path), "gh-pages:1.0", str(tmp_path))
