"""The walk alone: over output as git would print it, and over handmade steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from sitemap_plugins.git.walk import (
    Commit,
    DateKind,
    DatingCommit,
    OldNames,
    Rules,
    Step,
    content_of,
    follow,
    is_addition,
    read_steps,
    split_at_nul,
)

CHANGE = ":100644 100644 a b M"
PLAIN = Rules()


def _header(sha: str, *parents: str, second: int = 0, origin: str = "", diff: str = "") -> str:
    """One header as git prints it, up to the first NUL. ``diff`` is the first line of the following diff."""
    first = " ".join(["commit", sha, *parents]) + (f" (from {origin})" if origin else "")
    tree = ["tree t", *(f"parent {parent}" for parent in parents)]
    people = ["author A <a@b> 1 +0000", f"committer A <a@b> {second} +0000"]
    return "\n".join([first, *tree, *people, "", "    a message", *(["", diff] if diff else [])])


def _printed(sha: str, *parents: str, second: int = 0, origin: str = "", paths: str = "") -> list[bytes]:
    """A commit and its diff against one parent, split at every NUL. ``paths`` has one letter per path."""
    tokens = [_header(sha, *parents, second=second, origin=origin, diff=CHANGE if paths else "")]
    for number, path in enumerate(paths):
        tokens += [CHANGE, path] if number else [path]
    return [token.encode() for token in tokens]


def _waiting(paths: Iterable[bytes], at: bytes = b"c3") -> dict[bytes, dict[bytes, tuple[bytes, ...]]]:
    return {at: {path: (path,) for path in paths}}


def _all(_: bytes) -> bool:
    """The filter of steps that show every path."""
    return True


def _followed(tokens: Iterable[bytes], wanted: str) -> dict[str, str]:
    found: dict[bytes, DatingCommit] = {}
    follow(read_steps(tokens), _waiting(path.encode() for path in wanted), PLAIN, found.__setitem__, shows=_all)
    return {path.decode(): one.commit.sha.decode() for path, one in found.items()}


class TestFollow:
    def test_a_path_that_looks_like_a_header_or_a_change(self) -> None:
        header = _header("c3", "c2", diff=CHANGE).encode()
        odd = [b"commit c2", b":100644", b"commit c2 c1 (from c1)\ncommitter A <a@b> 1 +0000"]
        change = CHANGE.encode()
        tokens = [header, odd[0], change, odd[1], change, odd[2], *_printed("c2", paths="a")]
        found: dict[bytes, DatingCommit] = {}

        follow(read_steps(tokens), _waiting([*odd, b"a"]), PLAIN, found.__setitem__, shows=_all)

        assert {path: one.commit.sha for path, one in found.items()} == dict.fromkeys(odd, b"c3") | {b"a": b"c2"}

    def test_git_is_read_no_further_than_needed(self) -> None:
        tokens = iter(_printed("c3", "c2", paths="a") + _printed("c2", "c1", paths="b") + _printed("c1", paths="abc"))

        assert _followed(tokens, "a") == {"a": "c3"}
        assert list(tokens)[-1] == b"c"

    def test_the_wanted_paths_are_not_modified(self) -> None:
        starts = _waiting([b"a", b"b"])

        follow(
            read_steps(_printed("c3", paths="ab")), starts, PLAIN, dict[bytes, DatingCommit]().__setitem__, shows=_all
        )

        assert starts == _waiting([b"a", b"b"])

    def test_nothing_was_printed(self) -> None:
        assert _followed([b""], "a") == {}

    def test_a_history_that_breaks_off_gives_no_wrong_date(self) -> None:
        parents = ("p1", "p2")
        tokens = _printed("c3", *parents, second=1_700_000_001, origin="p1", paths="abe")
        tokens += _printed("c3", *parents, second=1_700_000_001, origin="p2", paths="ace")
        tokens += _printed("p1", "c1", second=1_700_000_002, paths="abcd")
        tokens += _printed("p2", "c1", second=1_700_000_003, paths="b")
        tokens += _printed("c1", second=1_700_000_004, paths="abcdef")
        tokens = [b"fd" if token == b"d" else token for token in tokens]  # cut short, it names another file
        starts = _waiting([b"a", b"b", b"c", b"fd", b"e", b"f"])
        whole: dict[bytes, DatingCommit] = {}
        follow(read_steps(tokens), starts, PLAIN, whole.__setitem__, shows=_all)
        printed = b"\0".join(tokens) + b"\0"

        for length in range(len(printed)):
            found: dict[bytes, DatingCommit] = {}

            steps = list(read_steps(split_at_nul([printed[:length]])))[:-1]  # before git fails
            follow(steps, starts, PLAIN, found.__setitem__, shows=_all)

            assert found == {path: whole[path] for path in found}, printed[:length]

    @pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
    def test_the_stream_can_be_split_anywhere(self, size: int) -> None:
        last = _printed("c1")[0] + b"\n"  # git ends with a newline if the last commit has no diff, else with a NUL
        tokens = [*_printed("c3", "c2", paths="a"), *_printed("c2", "c1", paths="ab"), last]
        printed = b"\0".join(tokens)
        chunks = [printed[start : start + size] for start in range(0, len(printed), size)]

        assert list(split_at_nul(chunks)) == tokens


def _diff(**changes: str) -> dict[bytes, bytes]:
    """A diff against a parent: ``A``, ``D`` or ``M``, and one letter for the content."""
    lines = {"A": ":000000 100644 0 {} A", "D": ":100644 000000 {} 0 D", "M": ":100644 100644 x {} M"}
    return {
        path.replace("_", "/").encode(): lines[change[0]].format(change[1:]).encode()
        for path, change in changes.items()
    }


def _step(sha: bytes, **diffs: dict[bytes, bytes]) -> Step:
    return Step(
        Commit(sha, b""), [parent.encode() for parent in diffs], {name.encode(): diff for name, diff in diffs.items()}
    )


def _renames(steps: Iterable[Step]) -> Callable[[bytes, bytes], OldNames]:
    """Stand in for git, with what these commits renamed; several files may have one old name."""
    diffs = {(step.commit.sha, parent): diff for step in steps for parent, diff in step.diffs.items()}

    def renamed(commit: bytes, parent: bytes) -> OldNames:
        changes = diffs[commit, parent].items()
        removed = [(content_of(change, after=False), path) for path, change in changes if change.endswith(b"D")]
        added = [(content_of(change, after=True), path) for path, change in changes if change.endswith(b"A")]
        found = {new: [old for before, old in removed if before == after] for after, new in added}
        return {new: (olds[0], True) for new, olds in found.items() if olds}

    return renamed


def test_additions_differ_from_changes() -> None:
    assert [is_addition(b":1 1 a b " + status) for status in (b"A", b"M", b"T", b"D")] == [True, False, False, False]


def test_contents_are_the_same_only_if_the_mode_is() -> None:
    before = content_of(b":100644 100755 a b M", after=False)

    assert before == content_of(b":000000 100644 0 a A", after=True) == content_of(b":100644 000000 a 0 D", after=False)
    assert before != content_of(b":000000 100755 0 a A", after=True)
    assert before != content_of(b":000000 100644 0 b A", after=True)
    assert content_of(b":100644 100755 a b M", after=True) == content_of(b":000000 100755 0 b A", after=True)


class TestRenames:
    def test_git_is_asked_only_for_added_files(self) -> None:
        """Each request is for one commit and one of its parents, because it takes git some time."""
        asked: list[tuple[bytes, bytes]] = []

        def renamed(commit: bytes, parent: bytes) -> OldNames:
            asked.append((commit, parent))
            return {}

        steps = [
            _step(b"c9", p=_diff(a="M1", b="D1"), q=_diff(a="Mx")),
            _step(b"c9", p=_diff(b="A1")),
            _step(b"c9", p=_diff(a="A1"), q=_diff(a="A1")),
        ]
        for step in steps:
            follow([step], _waiting([b"a"], at=b"c9"), Rules(renamed=renamed), lambda *_: None, shows=_all)

        assert asked == [(b"c9", b"p"), (b"c9", b"q")]

    def test_files_with_the_same_origin_are_followed_together(self) -> None:
        steps = [
            _step(b"c9", c2=_diff(a="A1", b="A1", old="D1")),
            _step(b"c2", c1=_diff(old="M1", other="Mx")),
            _step(b"c1", c0=_diff(old="A1")),
        ]

        found: dict[bytes, DatingCommit] = {}
        rules = Rules(renamed=_renames(steps))
        assert not follow(steps, _waiting([b"a", b"b"], at=b"c9"), rules, found.__setitem__, shows=_all)
        assert found == dict.fromkeys((b"a", b"b"), DatingCommit(steps[1].commit, b"old", added=False))


class TestElsewhere:
    """Files from paths that these steps do not show are returned to the caller."""

    STEPS = (
        _step(b"c9", c2=_diff(in_a="A1", in_b="A2", in_c="M3", out_a="D1", in_old="D2")),
        _step(b"c2", c1=_diff(in_old="A4", in_d="A5", out_old="D4", out_d="D5")),
        _step(b"c1", c0=_diff(in_c="M6")),
    )

    def _follow(self, *wanted: bytes) -> tuple[dict[bytes, bytes], dict[bytes, Any]]:
        found: dict[bytes, DatingCommit] = {}
        left = follow(
            self.STEPS,
            _waiting(wanted, at=b"c9"),
            Rules(renamed=_renames(self.STEPS)),
            found.__setitem__,
            shows=lambda path: path.startswith(b"in/"),
        )
        return {name: one.commit.sha for name, one in found.items()}, left

    def test_grouped_by_the_parent_in_which_the_file_continues(self) -> None:
        assert self._follow(b"in/a", b"in/b", b"in/c", b"in/d") == (
            {b"in/c": b"c9"},
            {b"c2": {b"out/a": (b"in/a",)}, b"c1": {b"out/old": (b"in/b",), b"out/d": (b"in/d",)}},
        )

    def test_no_further_commit_is_read(self) -> None:
        steps = iter(self.STEPS)

        follow(
            steps,
            _waiting([b"in/a"], at=b"c9"),
            Rules(renamed=_renames(self.STEPS)),
            lambda *_: None,
            shows=lambda path: path.startswith(b"in/"),
        )

        assert next(steps) is self.STEPS[1]


def _people(committer: bytes, author: bytes = b"author B <b@c> 1 +0000") -> bytes:
    return b"tree t\nparent p\n%s\n%s\n\n    1600000000 a message" % (author, committer)


class TestCommit:
    @pytest.mark.parametrize(
        ("committer", "expected"),
        [
            (b"A <a@b> 1700000000 +0000", "2023-11-14T22:13:20+00:00"),
            (b"A <a@b> 1700000000 -0330", "2023-11-14T18:43:20-03:30"),
            (b"A <a@b> 1700000000 +1400", "2023-11-15T12:13:20+14:00"),
            (b"\xff <a@b> 0 +0000", "1970-01-01T00:00:00+00:00"),
            (b"A <a@b> 1700000000 +9999", "2023-11-14T22:13:20+00:00"),  # not a valid zone: UTC
            (b"A <a@b> 1700000000", "2023-11-14T22:13:20+00:00"),
            (b"A <a@b> 99999999999999999999 +0000", None),
            (b"A <a@b> 999999999999999 +0000", None),
            (b"A <a@b> 5 +0000 and more", None),
            (b"A <a@b>  ", None),
            (b"A <a@b>   1700000000   +0100  ", "2023-11-14T23:13:20+01:00"),
        ],
    )
    def test_when(self, committer: bytes, expected: str | None) -> None:
        when = Commit(b"c", _people(b"committer " + committer)).when()

        assert (when and when.isoformat()) == expected

    @pytest.mark.parametrize("kind", ["committer", "author", "landed"])
    def test_without_people(self, kind: DateKind) -> None:
        assert Commit(b"c", b"tree t\n\n    author A <a@b> 1 +0000\n    committer A <a@b> 1 +0000").when(kind) is None

    @pytest.mark.parametrize("after", [b"", b" ", b"\t", b"\r"])
    @pytest.mark.parametrize("ending", [b"\n", b"\n\n    ", b"\nencoding ", b"\n    1\n"])
    def test_a_missing_date_is_not_taken_from_the_following_lines(self, ending: bytes, after: bytes) -> None:
        header = b"tree t\nauthor B <b@c> 1 +0000\ncommitter A <a@b>" + after + ending + b"1600000000 +0000"

        assert Commit(b"c", header).when() is None
        assert Commit(b"c", header).when("author") is not None

    def test_author(self) -> None:
        commit = Commit(b"c", _people(b"committer A <a@b> 1700000000 +0000", b"author B <b@c> 1600000000 +0200"))
        when = commit.when("author")

        assert when is not None
        assert when.isoformat() == "2020-09-13T14:26:40+02:00"
        assert commit.when("landed") == commit.when("committer") == commit.when()
