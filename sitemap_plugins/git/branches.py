"""Write a branch or another commit into a folder, and commit what changes there to the branch, without a checkout."""

from __future__ import annotations

import errno
import os
import re
import shlex
import shutil
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from typing import Final, NoReturn, TypeAlias

import msgspec

from sitemap_plugins.git.blobs import Objects
from sitemap_plugins.git.process import (
    CommandOutput,
    explain_failure,
    explain_os_error,
    is_bare,
    open_git,
    open_temporary,
    read_chunks,
    read_text,
    run_git,
    toplevel_of,
)
from sitemap_plugins.git.repository import HistoryError, may_lack_contents
from sitemap_plugins.git.walk import split_at_nul
from sitemap_plugins.reading import GIT_ANSWER
from sitemap_plugins.values.tasks import ExplainedError
from sitemap_plugins.values.text import closest, join_first, short_repr

_HEADS: Final = "refs/heads/"
_NO_REF: Final = "refs/sitemap-plugins/unnamed"  # fast-import needs a ref for a commit; this one is deleted again
_LINK: Final = b"120000"
_SUBMODULE: Final = b"160000"
_NO_FILES: Final = (_LINK, _SUBMODULE)
_EXECUTABLE: Final = 0o100
_LINK_SIZE: Final = 1 << 12  # bytes; no system follows a longer one
_PIECE: Final = 1 << 18  # bytes to read at once
_BLOCK: Final = 1 << 12  # bytes that a small file takes on disk
_UNTOUCHED: Final = 10**18  # nanoseconds: an old time, which no file that is written later has
_EXAMPLES: Final = 3
_LACKING: Final = (
    "the clone lacks some contents (git clone --filter), and this command does not fetch them; "
    "fetch them all: git fetch --refetch --no-filter"
)
# Pictures, fonts, media and archives. Sitemaps may end with .gz.
_UNREAD: Final = (
    b".apng", b".avif", b".bmp", b".gif", b".ico", b".jpeg", b".jpg", b".png", b".svg", b".tiff", b".webp",
    b".eot", b".otf", b".ttf", b".woff", b".woff2",
    b".avi", b".flac", b".m4a", b".m4v", b".mkv", b".mov", b".mp3", b".mp4", b".ogg", b".ogv", b".wav", b".webm",
    b".7z", b".bz2", b".deb", b".jar", b".rpm", b".tar", b".tar.gz", b".tgz", b".whl", b".xz", b".zip", b".zst",
)  # fmt: skip
# Characters that HFS+ ignores in a name, and the names that are `.git` on some system.
_UNSEEN: Final = "[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]"
_REPOSITORIES: Final = frozenset({".git", "git~1"})
_ODD_ON_WINDOWS: Final = r'(?i).*[<>:"|?*\\\x00-\x1f].*|.*[. ]|(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?'

Stamp: TypeAlias = str | tuple[int, int, int]
"""What changes with a file in a folder: where a link leads; else size, time and inode number."""


class BranchError(ExplainedError):
    """A branch cannot be read, changed or pushed; the message says why and what to do."""


class MovedError(BranchError):
    """The branch has moved meanwhile, so nothing was changed."""


class BranchTree(msgspec.Struct, frozen=True):
    """A branch at one commit, written into a folder.

    ``modes`` are the modes of all its files in git, by path. ``written`` has the stamps of the files in the folder,
    without submodules and links that lead out of the folder.
    """

    directory: str
    branch: str
    commit: str
    folder: str
    modes: Mapping[bytes, bytes]
    written: Mapping[bytes, Stamp]


class Tip(msgspec.Struct, frozen=True):
    """The commit that a branch points to; ``link`` is the ref that it stands for, if it is a symbolic ref.

    ``remote`` is where git would push it; empty if nothing is configured.
    """

    commit: str
    link: str
    remote: str


class _Entry(msgspec.Struct, frozen=True):
    """A file of a commit; ``size`` is None if git does not know it. ``sha`` is empty if the file is not read."""

    mode: bytes
    sha: bytes
    size: int | None


def query(directory: str, *arguments: str, online: bool = False) -> CommandOutput:
    """Run git and return its output, even if it fails. Raises `BranchError` if it cannot be run."""
    try:
        return run_git(directory, "--no-replace-objects", *arguments, online=online)
    except OSError as error:
        raise BranchError(explain_os_error(error, directory)) from None


def ask(directory: str, *arguments: str) -> str:
    """Run git and return what it prints. Raises `BranchError` if it fails."""
    printed = query(directory, *arguments)
    if printed.error:
        raise BranchError(explain(printed.error, directory))
    return os.fsdecode(printed.stdout).removesuffix("\n")


def explain(error: str, directory: str) -> str:
    """Git's error message in plain words."""
    # Until 2.44, git itself named the promisor remote when it needed contents.
    lacks_trees = "not a tree object" in error and may_lack_contents(directory)
    return _LACKING if "promisor remote" in error or lacks_trees else explain_failure(error, directory)


def read_tip(directory: str, branch: str) -> Tip | None:
    """The tip of a local branch; None if there is no such branch. Raises `BranchError`."""
    form = "%(refname)%00%(objectname)%00%(symref)%00%(push:remotename)"
    for line in ask(directory, "for-each-ref", f"--format={form}", _HEADS + branch).splitlines():
        name, *values = line.split("\0")
        if name == _HEADS + branch:
            return Tip(*values)
    return None


def find_branch(directory: str, branch: str) -> Tip:
    """The tip of a local branch that is not checked out in any work tree. Raises `BranchError`."""
    if toplevel_of(directory) is None:
        raise BranchError(f"{directory} is not in a git repository; run the command in the clone that has {branch}")
    if not branch or branch.startswith(("-", "refs/")):
        raise BranchError(f"{branch!r} is not a branch name; write it as git branch shows it, such as gh-pages")
    tip = read_tip(directory, branch)
    if tip is None:
        raise BranchError(_absence(directory, branch))
    if tip.link:
        raise BranchError(f"{branch} is only another name for {tip.link}; use that one")
    if folder := _checked_out_in(directory, branch):
        way = "run the command on that folder, without --branch, or check out another branch there"
        if not os.path.isdir(folder):
            way = "that folder no longer exists; remove its entry: git worktree prune"
        raise BranchError(f"{branch} is checked out in {folder}, which would become outdated: {way}")
    return tip


def branches_of(directory: str) -> list[str]:
    """The names of the local branches. Raises `BranchError`."""
    return ask(directory, "for-each-ref", "--format=%(refname:lstrip=2)", _HEADS).splitlines()


def remotes_of(directory: str) -> list[str]:
    """The names of the remotes."""
    return ask(directory, "remote").splitlines()


def _absence(directory: str, branch: str) -> str:
    remotes = remotes_of(directory)
    if not remotes:
        return f"there is no branch {branch}, and no remote to fetch it from; deploy to it first"
    tracked = ask(directory, "for-each-ref", "--format=%(refname)", "refs/remotes").splitlines()
    known = [remote for remote in remotes if f"refs/remotes/{remote}/{branch}" in tracked]
    named = [remote for remote in remotes if branch.startswith(f"{remote}/") and f"refs/remotes/{branch}" in tracked]
    remote = [*known, *named, *(name for name in remotes if name == "origin"), *remotes][0]
    name = branch.removeprefix(f"{remote}/") if remote in named else branch
    depth = ["--depth=1"] if ask(directory, "rev-parse", "--is-shallow-repository") == "true" else []
    line = shlex.join(["git", "fetch", *depth, remote, f"{name}:{name}"])
    if name != branch:
        return f"{branch} is a branch of the remote; fetch it: {line}; then write --branch {name}"
    return f"there is no local branch {branch}; fetch it: {line}"


def _checked_out_in(directory: str, branch: str) -> str | None:
    folder = ""
    # NUL as the separator needs git 2.36. A line end in a folder's name can make a branch look checked out, but cannot
    # hide that it is.
    for line in ask(directory, "worktree", "list", "--porcelain").split("\n"):
        if line.startswith("worktree "):
            folder = line.removeprefix("worktree ")
        elif line == f"branch {_HEADS}{branch}":
            return folder
    return None


def export_branch(directory: str, branch: str, folder: str) -> BranchTree:
    """Write the files of a local branch into an empty folder, byte for byte as they are in git.

    Attributes and configuration have no effect. Nothing is ever written outside the folder: if a path of the branch
    would lead there, or the disk cannot store it under its own name, the branch is refused. Raises `BranchError`.
    """
    return _export(directory, branch, find_branch(directory, branch).commit, folder)


def export_revision(directory: str, revision: str, folder: str) -> str:
    """Write the files of any commit into an empty folder, like `export_branch`, and return the commit's message.

    Pictures, fonts, media and archives are not read: an empty file stands for each.
    The repository does not change. ``revision`` is a branch, a tag or a commit as git names them (``origin/gh-pages``,
    ``gh-pages~1``), perhaps with a folder in it (``gh-pages:1.9``), which may be a link to another one there; the
    message is that of the last commit that changed the folder. Raises `BranchError`.
    """
    name, colon, inside = revision.partition(":")
    toplevel = directory if is_bare(directory) else toplevel_of(directory)
    if toplevel is None:
        raise BranchError(f"{directory} is not in a git repository; run the command in the clone that has {name}")
    found = query(directory, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    if found.error or not name:
        raise BranchError(_no_revision(directory, name))
    commit = found.stdout.decode().strip()
    path = inside.strip("/")
    tree = _folder_in(directory, name, commit, path) if colon else commit
    _export(directory, revision, tree, folder, unread=_UNREAD)
    return _message(toplevel, commit, tree, path)


def _message(toplevel: str, commit: str, tree: str, path: str) -> str:
    """The message of the last commit that changed a folder; if its path is or passes a link, the folder behind it."""
    paths = [path] if path else []
    if path and query(toplevel, "rev-parse", "--verify", "--quiet", f"{commit}:{path}").stdout.decode().strip() != tree:
        listed = split_at_nul(_stream(toplevel, "ls-tree", "-r", "-d", "-z", "--full-tree", commit))
        paths = [
            os.fsdecode(name)
            for about, _, name in (line.partition(b"\t") for line in listed)
            if about.split()[2] == tree.encode()
        ]
    return ask(toplevel, "log", "-1", "--format=%B", "--encoding=UTF-8", commit, *(["--", *paths] if paths else []))


def _no_revision(directory: str, name: str) -> str:
    absence = f"there is no branch, tag or commit {short_repr(name)}"
    tracked = ask(directory, "for-each-ref", "--format=%(refname:lstrip=2)", "refs/remotes").splitlines()
    remote = {each.partition("/")[2]: each for each in reversed(tracked)}
    if name in remote:
        return f"{absence}; the one of the remote is {remote[name]}"
    branches = remote | {each: each for each in (*tracked, *branches_of(directory))}
    if meant := closest(name, branches):
        return f"{absence}; did you mean {branches[meant]!r}?"
    if ask(directory, "rev-parse", "--is-shallow-repository") == "true":
        return f"{absence} in this clone, which is shallow; fetch the history: git fetch --unshallow"
    return f"{absence}; fetch it first, or look for its name: git branch --all"


def _folder_in(directory: str, name: str, commit: str, path: str) -> str:
    """The id of the tree of a folder in a commit, also behind links. Raises `BranchError`."""
    # Git would take these as relative to the folder that it runs in, and a line end as the end of the name.
    is_name = "\n" not in path and not {".", ".."}.intersection(path.split("/"))
    lines = [os.fsencode(f"{commit}:{path}\n")] if is_name else []
    answer = b"".join(_stream(directory, "cat-file", "--batch-check", "--follow-symlinks", lines=lines))
    match answer.split(b"\n")[0].split():
        case [tree, b"tree", _]:
            return tree.decode()
        case [_, b"blob", _]:
            raise BranchError(f"{short_repr(path)} in {name} is a file, not a folder")
    raise BranchError(f"there is no folder {short_repr(path)} in {name}")


def _export(directory: str, name: str, tree: str, folder: str, unread: tuple[bytes, ...] = ()) -> BranchTree:
    """Write a commit, or a folder in it, into an empty folder. Messages call it ``name``. Raises `BranchError`.

    Files with the endings ``unread`` become empty.
    """
    try:
        entries = _list_entries(directory, tree)
        empty = [path for path, each in entries.items() if path.lower().endswith(unread) and each.mode not in _NO_FILES]
        entries |= {path: _Entry(entries[path].mode, b"", 0) for path in empty}
        _check(name, folder, entries)
        _write(directory, name, folder, entries)
        written = _scan(folder)
    except HistoryError as error:
        raise BranchError(str(error)) from None
    except OSError as error:
        raise BranchError(f"{name} cannot be written to {folder}: {error.strerror or error}") from None
    modes = {path: entry.mode for path, entry in entries.items()}
    odd = written.keys() ^ {path for path, mode in modes.items() if mode != _SUBMODULE}
    odd = {path for path in odd if modes.get(path) != _LINK}
    if odd:
        _refuse(name, odd, "this disk stores under another name")
    return BranchTree(directory, name, tree, folder, modes, written)


def _list_entries(directory: str, tree: str) -> dict[bytes, _Entry]:
    """The files of a commit, or of a folder in it, by their paths. Raises `BranchError` and `HistoryError`."""
    entries: dict[bytes, _Entry] = {}
    length = 0
    with closing(_stream(directory, "ls-tree", "-r", "-l", "-z", "--full-tree", tree)) as chunks:
        for line in split_at_nul(chunks):
            about, _, path = line.partition(b"\t")
            mode, _, sha, size = about.split()
            length += len(line)
            if length > GIT_ANSWER.size:
                raise BranchError(f"the branch has too many files: their list is larger than {GIT_ANSWER.shown_size}")
            if path in entries:
                raise BranchError(f"the branch has the path {short_repr(path)} twice; check the repository: git fsck")
            entries[path] = _Entry(mode, sha, int(size) if size.isdigit() else None)
    return entries


def _check(branch: str, folder: str, entries: Mapping[bytes, _Entry]) -> None:
    """Raise `BranchError` if a path or the whole branch cannot be written."""
    if unsafe := [path for path in entries if not _is_safe(path)]:
        _refuse(branch, unsafe, "cannot be written safely")
    links = [path for path, entry in entries.items() if entry.mode == _LINK]
    if long := [path for path in links if (entries[path].size or 0) > _LINK_SIZE]:
        _refuse(branch, long, "have a target that no system can follow")
    size = sum(-(entry.size or 0) // _BLOCK * -_BLOCK for entry in entries.values())
    room = shutil.disk_usage(folder).free
    if size > room:
        raise BranchError(
            f"{branch} has {size >> 20} MiB of files, but there is room for only {room >> 20} MiB in {folder}; "
            "set TMPDIR to a folder on a larger disk"
        )


def _refuse(branch: str, paths: Iterable[bytes], why: str) -> NoReturn:
    shown = join_first([short_repr(os.fsdecode(path)) for path in sorted(paths)], _EXAMPLES)
    raise BranchError(f"{branch} has paths that {why}: {shown}; remove them, or use a checkout")


def _is_safe(path: bytes) -> bool:
    """Whether a path stays in its folder and makes no folder a repository, on any system."""
    for part in path.split(b"/"):
        name = part.decode(errors="replace")
        if part in {b"", b".", b".."} or re.sub(_UNSEEN, "", name).casefold().rstrip(". ") in _REPOSITORIES:
            return False
        if os.name == "nt" and re.fullmatch(_ODD_ON_WINDOWS, name, re.DOTALL):
            return False
    return True


def _write(directory: str, branch: str, folder: str, entries: Mapping[bytes, _Entry]) -> None:
    """Write all files, then all links, so that nothing is written through a link. Raises `BranchError`."""
    links: dict[bytes, bytes] = {}
    folders = {b""}
    shas = (entry.sha + b"\n" for entry in entries.values() if entry.mode != _SUBMODULE and entry.sha)
    path = b""
    try:
        with closing(_stream(directory, "cat-file", "--batch", "--buffer", lines=shas)) as chunks:
            objects = Objects(chunks)
            for path, entry in entries.items():
                is_folder = entry.mode == _SUBMODULE  # left empty, as in a clone without submodules
                _make_folders(folder, path if is_folder else path.rpartition(b"/")[0], folders)
                if entry.mode == _LINK:
                    links[path] = b"".join(_content(objects, entry.sha, directory))
                elif not is_folder:
                    content = _content(objects, entry.sha, directory) if entry.sha else ()
                    _write_file(_place(folder, path), int(entry.mode, 8), content)
        for path, target in links.items():
            _write_link(_place(folder, path), os.fsdecode(target).replace("/", os.sep))
    except EOFError:
        name = short_repr(os.fsdecode(path))
        raise BranchError(f"{name} of {branch} cannot be read from git; check the repository: git fsck") from None
    except FileExistsError:
        _refuse(branch, [path], "have the same name on this disk as another path")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise BranchError(f"{short_repr(os.fsdecode(path))} of {branch} cannot be written to {folder}: {why}") from None
    _remove_links_that_lead_out(folder, links)


def _content(objects: Objects, sha: bytes, directory: str) -> Iterator[bytes]:
    """The content of the next object, see `Objects`. Raises `BranchError` if it is missing, and EOFError."""
    if pieces := objects.content(sha):
        return pieces
    if may_lack_contents(directory):
        raise BranchError(_LACKING)
    raise BranchError(f"the object {sha.decode()} is missing from the repository; check it: git fsck")


def _place(folder: str, path: bytes) -> str:
    return os.path.join(folder, *os.fsdecode(path).split("/"))


def _make_folders(folder: str, path: bytes, made: set[bytes]) -> None:
    """Make a folder and its parents, each once. Raises FileExistsError if one of them exists already."""
    missing = []
    while path not in made:
        missing.append(path)
        path = path.rpartition(b"/")[0]
    for each in reversed(missing):
        os.mkdir(_place(folder, each))
        made.add(each)


def _write_file(place: str, mode: int, content: Iterable[bytes]) -> None:
    permissions = 0o755 if mode & _EXECUTABLE else 0o644
    with open(place, "xb", opener=lambda name, flags: os.open(name, flags, permissions)) as file:
        file.writelines(content)
    os.utime(place, ns=(_UNTOUCHED, _UNTOUCHED))


def _write_link(place: str, target: str) -> None:
    try:
        os.symlink(target, place, target_is_directory=os.path.isdir(os.path.join(os.path.dirname(place), target)))
    except (OSError, NotImplementedError) as error:
        if os.name != "nt" or isinstance(error, FileExistsError):
            raise
        message = "this account may not create symbolic links; turn on Developer Mode in Windows"
        raise OSError(errno.EPERM, message) from None


def _remove_links_that_lead_out(folder: str, links: Iterable[bytes]) -> None:
    """Remove links that lead out of the folder, so that nothing is read or written through them; git keeps them.

    Removing a link can change where others lead, so this is repeated.
    """
    top = os.path.join(os.path.realpath(folder), "")
    places = [_place(folder, path) for path in links]
    while out := [place for place in places if not os.path.realpath(place).startswith(top)]:
        for place in out:
            os.unlink(place)
        places = [place for place in places if place not in out]


def _scan(folder: str) -> dict[bytes, Stamp]:
    """The stamps of all files in a folder, by path. Raises OSError."""
    stamps: dict[bytes, Stamp] = {}
    waiting = [""]
    while waiting:
        above = waiting.pop()
        with os.scandir(os.path.join(folder, above)) as items:
            for item in items:
                path = f"{above}/{item.name}" if above else item.name
                if item.is_symlink():
                    stamps[os.fsencode(path)] = os.readlink(item.path)
                elif item.is_dir(follow_symlinks=False):
                    waiting.append(path)
                else:
                    status = os.lstat(item.path)
                    stamps[os.fsencode(path)] = (status.st_size, status.st_mtime_ns, status.st_ino)
    return stamps


def commit_changes(tree: BranchTree, message: str) -> str | None:
    """Commit to the branch what has changed in the folder since it was written; return None if nothing has.

    All else stays exactly as it is in git: contents, modes, links and submodules. The branch moves in one step after
    everything is written, and only if it is still where it was. Raises `MovedError` if it is not, and `BranchError`.
    """
    try:
        after = _scan(tree.folder)
        changed = [path for path, stamp in after.items() if tree.written.get(path) != stamp]
        removed = [path for path in tree.written if path not in after]
        if not changed and not removed:
            return None
        submodules = tuple(path + b"/" for path, mode in tree.modes.items() if mode == _SUBMODULE)
        if inside := [path for path in changed if (path + b"/").startswith(submodules)]:
            _refuse(tree.branch, inside, "belong to a submodule and cannot be changed here")
        commands = _commands(tree, message, changed, removed)
        printed = b"".join(_stream(tree.directory, "fast-import", "--quiet", "--done", lines=commands))
    except OSError as error:
        # The changed files are there a second time, as the input of git.
        advice = "; set TMPDIR to a folder on a larger disk" if error.errno == errno.ENOSPC else ""
        raise BranchError(f"{tree.branch} has no new commit: {error.strerror or error}{advice}") from None
    commit = printed.decode().strip()
    if len(set(ask(tree.directory, "rev-parse", f"{commit}^{{tree}}", f"{tree.commit}^{{tree}}").splitlines())) == 1:
        return None  # the files were rewritten with the same contents
    move_branch(tree.directory, tree.branch, commit, tree.commit, message)
    return commit


def move_branch(directory: str, branch: str, commit: str, before: str, reason: str) -> None:
    """Point a branch to another commit, if it is still at ``before``. Raises `MovedError` and `BranchError`."""
    done = query(directory, "update-ref", "-m", f"sitemap-plugins: {reason}", _HEADS + branch, commit, before)
    if done.error:
        tip = read_tip(directory, branch)
        if tip and tip.commit == before:
            raise BranchError(explain(done.error, directory))
        raise MovedError(f"{branch} has moved meanwhile")


def _identity(directory: str, who: str) -> bytes:
    """The author or committer with the time, as git writes them into a commit."""
    printed = query(directory, "var", f"GIT_{who}_IDENT")
    if printed.error:
        raise BranchError(
            "git has no author for the commit; set one: git config user.name NAME and git config user.email ADDRESS"
        )
    return printed.stdout.strip()


def _commands(tree: BranchTree, message: str, changed: Iterable[bytes], removed: Iterable[bytes]) -> Iterator[bytes]:
    """The input for fast-import. It leaves the commit without a ref and prints its id."""
    author, committer = (_identity(tree.directory, who) for who in ("AUTHOR", "COMMITTER"))
    words = f"{message}\n".encode(errors="replace")
    yield b"commit %s\nmark :1\nauthor %s\ncommitter %s\n" % (_NO_REF.encode(), author, committer)
    yield b"data %d\n%s\nfrom %s\n" % (len(words), words, tree.commit.encode())
    for path in removed:  # first, because a folder may have replaced a file
        yield b"D %s\n" % _quote(path)
    for path in changed:
        yield from _file_commands(tree, path)
    yield b"\nget-mark :1\nreset %s\nfrom %s\ndone\n" % (_NO_REF.encode(), b"0" * len(tree.commit))


def _file_commands(tree: BranchTree, path: bytes) -> Iterator[bytes]:
    place = _place(tree.folder, path)
    if os.path.islink(place):
        target = os.fsencode(os.readlink(place).replace(os.sep, "/"))
        yield b"M %s inline %s\ndata %d\n%s\n" % (_LINK, _quote(path), len(target), target)
        return
    with open(place, "rb") as file:
        status = os.fstat(file.fileno())
        known = tree.modes.get(path, _LINK)
        permissions = status.st_mode if known == _LINK else int(known, 8)
        mode = b"100755" if permissions & _EXECUTABLE else b"100644"
        yield b"M %s inline %s\ndata %d\n" % (mode, _quote(path), status.st_size)
        yield from iter(lambda: file.read(_PIECE), b"")
        if file.tell() != status.st_size:
            raise BranchError(f"{short_repr(os.fsdecode(path))} changed while it was read; run the command again")
        yield b"\n"


def _quote(path: bytes) -> bytes:
    escaped = path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"%s"' % escaped


def _stream(directory: str, *arguments: str, lines: Iterable[bytes] = ()) -> Generator[bytes]:
    """The output of git for these lines of input, in chunks. Raises `BranchError` if git fails."""
    with (
        open_temporary() as errors,
        open_git(directory, errors, "--no-replace-objects", *arguments, stdin=lines) as process,
    ):
        try:
            yield from read_chunks(process)
            if process.wait():
                raise BranchError(explain(read_text(errors), directory))
        finally:
            process.kill()
