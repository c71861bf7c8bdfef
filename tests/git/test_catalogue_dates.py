"""Dates of translations by meaning, because tools often rewrite catalogues without changing a translation."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from babel.messages.pofile import read_po
from msgspec import structs

from sitemap_plugins.git import blobs as git_blobs
from sitemap_plugins.git import history as git_history
from sitemap_plugins.git.history import PLAIN_DATES, DateRules, HistoryReader
from sitemap_plugins.model import SHALLOW
from sitemap_plugins.reading import CATALOGUE_VERSION
from sitemap_plugins.values.catalogues import is_visible_change
from tests.git.histories import Planned, day, git_says, import_histories, random_history, switch_to

if TYPE_CHECKING:
    from tests.conftest import Repository

HELLO = {"Hello": "Hallo"}


def catalogue(texts: dict[str, str] = HELLO, *, header: int = 1, line: int = 1) -> str:
    """A file as written by translators' tools."""
    messages = [f'#: ../a.rst:{line}\nmsgid "{one}"\nmsgstr "{other}"\n' for one, other in texts.items()]
    return "\n".join([f'msgid ""\nmsgstr ""\n"PO-Revision-Date: 2026-02-{header:02} 10:00+0100\\n"\n', *messages])


def dates(directory: Path, **rules: Any) -> dict[str, str]:
    """The day of February on which each catalogue below a folder was last changed in meaning."""
    history = HistoryReader(
        directory, (".po",), rules=structs.replace(PLAIN_DATES, **{"catalogues": True} | rules)
    ).history()
    assert history.problem is None
    return {
        name.decode(): str(date.when.day if date.when else date.reason) for name, date in sorted(history.files.items())
    }


class TestChanges:
    @pytest.fixture
    def translated(self, repository: Repository) -> Repository:
        """A repository with a catalogue that was added on the 1st."""
        repository.write("de/a.po", catalogue())
        repository.commit(day(1))
        return repository

    @pytest.mark.parametrize("second", [catalogue(header=2), catalogue() + '\n#, fuzzy\nmsgid "New"\nmsgstr "Guess"\n'])
    def test_changes_by_tools_do_not_count(self, second: str, translated: Repository) -> None:
        translated.write("de/a.po", second)
        translated.commit(day(2))
        translated.write("de/a.po", catalogue(header=3))
        translated.commit(day(3))

        assert dates(translated.path) == {"de/a.po": "1"}
        assert dates(translated.path, catalogues=False) == {"de/a.po": "3"}

    @pytest.mark.parametrize(
        "second",
        [
            catalogue({"Hello": "Guten Tag"}),
            catalogue({"Hello": ""}),
            catalogue().replace('msgid "H', '#, fuzzy\nmsgid "H'),
            "<<<<<<< HEAD\n" + catalogue(),
        ],
    )
    def test_changes_that_readers_see_count(self, second: str, translated: Repository) -> None:
        translated.write("de/a.po", second)
        translated.commit(day(2))

        assert dates(translated.path) == {"de/a.po": "2"}

    @pytest.mark.parametrize("rest", ["", '#~ msgid "Hello"\n#~ msgstr "Hallo"\n'])
    def test_a_message_that_is_gone_does_not_count_and_one_that_is_back_does(
        self, rest: str, translated: Repository
    ) -> None:
        """With its source it is gone from the page already; `msgmerge` makes a guess for the new source."""
        translated.write("de/a.po", catalogue({}) + '\n#, fuzzy\nmsgid "Hello!"\nmsgstr "Hallo"\n\n' + rest)
        translated.commit(day(2))
        assert dates(translated.path) == {"de/a.po": "1"}
        translated.write("de/a.po", catalogue(header=3))
        translated.commit(day(3))

        assert dates(translated.path) == {"de/a.po": "3"}

    def test_fuzzy_messages_count_if_they_are_shown(self, translated: Repository) -> None:
        translated.write("de/a.po", catalogue() + '\n#, fuzzy\nmsgid "New"\nmsgstr "Guess"\n')
        translated.commit(day(2))
        assert dates(translated.path) == {"de/a.po": "1"}
        assert dates(translated.path, fuzzy=True) == {"de/a.po": "2"}
        translated.write("de/a.po", catalogue() + '\nmsgid "New"\nmsgstr "Guess"\n')
        translated.commit(day(3))

        assert dates(translated.path) == {"de/a.po": "3"}
        assert dates(translated.path, fuzzy=True) == {"de/a.po": "2"}

    def test_moved(self, translated: Repository) -> None:
        translated.git("mv", "de", "de_AT")
        translated.commit(day(2))

        assert dates(translated.path) == {"de_AT/a.po": "2"}
        assert dates(translated.path, follow_renames=True) == {"de_AT/a.po": "1"}

    def test_moved_from_outside_and_touched_there(self, translated: Repository) -> None:
        translated.write("de/a.po", catalogue(header=2))
        translated.commit(day(2))
        translated.git("mv", "de", "locales")
        translated.commit(day(3))
        translated.write("locales/a.po", catalogue(header=4))
        translated.commit(day(4))

        assert dates(translated.path / "locales", follow_renames=True) == {"a.po": "1"}

    def test_other_files_are_compared_by_content(self, translated: Repository) -> None:
        for number in (2, 3):
            translated.write("de/a.txt", catalogue(header=number))
            translated.write("de/a.po", catalogue(header=number))
            translated.commit(day(number))
        files = HistoryReader(translated.path, rules=DateRules()).history().files

        assert {name: date.when and date.when.day for name, date in files.items()} == {b"de/a.po": 1, b"de/a.txt": 3}

    def test_an_ignored_commit(self, translated: Repository, revs: Any) -> None:
        translated.write("de/a.po", catalogue({"Hello": "Guten Tag"}))
        sha = translated.commit(day(2))
        translated.write("de/a.po", catalogue({"Hello": "Guten Tag"}, header=3))
        translated.commit(day(3))

        assert dates(translated.path) == {"de/a.po": "2"}
        assert dates(translated.path, ignore_revs=revs(sha)) == {"de/a.po": "1"}

    def test_a_version_over_the_limit_counts_as_changed(
        self, repository: Repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for number, text in ((1, "Hallo"), (2, "Guten Tag"), (3, "Hallo"), (4, "Hallo")):
            repository.write("a.po", catalogue({"Hello": text}, header=number))
            repository.write("b.po", catalogue({"Hello": "Hallo"}, header=number))
            repository.commit(day(number))
        size = len((repository.path / "b.po").read_bytes())
        for limit, expected in ((size, {"a.po": "3", "b.po": "1"}), (size - 1, {"a.po": "4", "b.po": "4"})):
            monkeypatch.setattr(git_blobs, "CATALOGUE_VERSION", structs.replace(CATALOGUE_VERSION, size=limit))
            assert dates(repository.path) == expected

    def test_a_link_with_the_same_content(self, repository: Repository) -> None:
        """The page shows the target of the link, not the content of the link itself."""
        commits = [Planned({b"a.po": ("100644", b"b.po")}), Planned({b"a.po": ("120000", b"b.po")}, (0,))]
        import_histories(repository, [commits])

        history = HistoryReader(repository.path, rules=DateRules()).history()

        assert history.files[b"a.po"].commit == repository.git("rev-parse", "h0")


class TestPlaces:
    @pytest.fixture
    def locales(self, new_repository: Any) -> Repository:
        """A repository of catalogues: one new on the 1st with another header on the 2nd, one new on the 2nd."""
        locales: Repository = new_repository("locales")
        for number in (1, 2):
            locales.write("de/a.po", catalogue(header=number))
            locales.write(f"de/{number}.po", catalogue())
            locales.commit(day(number))
        return locales

    @pytest.mark.parametrize(("depth", "expected"), [(1, SHALLOW), (2, SHALLOW), (3, "1"), (4, "1")])
    def test_shallow_clone(self, depth: int, expected: str, repository: Repository, tmp_path: Path) -> None:
        repository.write("before.rst", "one")
        repository.commit("2026-01-31T10:00:00+01:00")
        for number in (1, 2):
            repository.write("a.po", catalogue(header=number))
            repository.commit(day(number))
        repository.git("clone", "--quiet", f"--depth={depth}", repository.path.as_uri(), str(tmp_path / "clone"))

        assert dates(tmp_path / "clone") == {"a.po": expected}

    def test_a_damaged_content(self, locales: Repository) -> None:
        """It counts as changed. The others are read in any order."""
        sha = locales.git("rev-parse", "HEAD:de/a.po")
        for number in (3, 4):
            for name in ("1", "2", "a"):
                locales.write(f"de/{name}.po", catalogue(header=number))
            locales.commit(day(number))
        file = locales.path / ".git" / "objects" / sha[:2] / sha[2:]
        file.chmod(0o644)
        file.write_bytes(b"damaged")

        assert dates(locales.path) == {"de/1.po": "1", "de/2.po": "2", "de/a.po": "3"}

    def test_a_missing_content(self, locales: Repository) -> None:
        sha = locales.git("rev-parse", "HEAD~1:de/a.po")
        locales.write("de/1.po", catalogue(header=3))
        locales.commit(day(3))
        (locales.path / ".git" / "objects" / sha[:2] / sha[2:]).unlink()

        # The first version of de/1.po has this content too.
        assert dates(locales.path) == {"de/1.po": "3", "de/2.po": "2", "de/a.po": "2"}


class TestCost:
    def test_each_content_is_read_once(self, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
        for number in range(1, 6):
            repository.write("a.po", catalogue(header=number))
            repository.commit(day(number))
        read: Counter[bytes | None] = Counter()

        def counted(blobs: git_blobs.Blobs, sha: bytes) -> bytes | None:
            content = original(blobs, sha)
            read[content] += 1
            return content

        original = git_blobs.Blobs.read
        monkeypatch.setattr(git_blobs.Blobs, "read", counted)

        assert dates(repository.path) == {"a.po": "1"}
        assert read == {catalogue(header=number).encode(): 1 for number in range(1, 6)}

    def test_contents_that_are_not_needed_are_not_read(
        self, repository: Repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for number in range(1, 4):
            repository.write("a.po", catalogue({"Hello": str(number)}))
            repository.write("a.rst", str(number))
            repository.write("other/b.po", str(number))
            repository.commit(day(number))
        repository.git("rm", "--quiet", "-r", "other")
        repository.commit(day(4))
        compared: list[tuple[bytes, bytes]] = []

        def seen(before: bytes, after: bytes, *, fuzzy: bool) -> bool:
            compared.append((before, after))
            return is_visible_change(before, after, fuzzy=fuzzy)

        monkeypatch.setattr(git_history, "is_visible_change", seen)

        assert dates(repository.path) == {"a.po": "3"}
        second, third = (catalogue({"Hello": str(number)}).encode() for number in (2, 3))
        assert compared == [(second, third)]


def _babel(content: bytes) -> dict[object, object]:
    """What readers see of each message according to another parser."""
    found = read_po(BytesIO(content))
    return {(each.context, each.id): "" if each.fuzzy else each.string for each in found if each.id}


class TestRandomHistories:
    @pytest.mark.parametrize("first", range(0, 60, 20))
    def test_lines_of_catalogues(self, first: int, repository: Repository) -> None:
        """Compared with a walk through all commits, one file after the other."""
        histories = [_random_line(seed) for seed in range(first, first + 20)]
        import_histories(repository, histories)

        for number, commits in enumerate(histories):
            switch_to(repository.path, number)
            expected = {path: _last_change(path, commits) for path in commits[-1].tree}

            history = HistoryReader(repository.path, (".po",), rules=DateRules(follow_renames=False)).history()

            found = {path: date.when and int(date.when.timestamp()) for path, date in history.files.items()}
            assert found == expected, f"_random_line({first + number})"

    @pytest.mark.parametrize("first", range(0, 100, 20))
    def test_every_kind_of_merge(self, first: int, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
        """Compared with git itself, in a second history that has only the meaningful changes."""
        monkeypatch.setattr(git_history, "is_visible_change", _differ)
        real = [_numbered(random_history(seed)) for seed in range(first, first + 20)]
        import_histories(repository, [*real, *(list(map(_without_the_rest, commits)) for commits in real)])
        printed = repository.git("log", "--branches", "--format=%H %cn")
        numbers = dict(line.split(" ") for line in printed.splitlines())
        differing = 0

        for number in range(20):
            switch_to(repository.path, 20 + number)
            expected = {name: numbers[commit] for name, (commit, _) in git_says(repository.path).items()}
            switch_to(repository.path, number)

            history = HistoryReader(repository.path, rules=DateRules(follow_renames=False)).history()

            found = {name: numbers[str(date.commit)] for name, date in history.files.items()}
            assert found == expected, f"random_history({first + number})"
            plain = {name: numbers[commit] for name, (commit, _) in git_says(repository.path).items()}
            differing += plain != expected
        assert differing > 5


def _is_one(content: bytes) -> bool:
    return content == b"1"


def _differ(before: bytes, after: bytes, *, fuzzy: bool) -> bool:
    assert not fuzzy
    return _is_one(before) != _is_one(after)


def _numbered(commits: list[Any]) -> list[Any]:
    """The commits with their number as the committer, and with catalogues as files."""
    return [
        replace(
            commit, committer=b"%d <a@b>" % number, tree={path + b".po": entry for path, entry in commit.tree.items()}
        )
        for number, commit in enumerate(commits)
    ]


def _without_the_rest(commit: Any) -> Any:
    """The commit with files reduced to what `_is_one` sees and whether they are links."""
    modes = {"100755": "100644"}
    tree = {
        path: (modes.get(mode, mode), b"1" if _is_one(content) else b"0")
        for path, (mode, content) in commit.tree.items()
    }
    return replace(commit, tree=tree)


def _last_change(path: bytes, commits: list[Any]) -> int:
    def is_change(first: Any, second: Any) -> bool:
        if path not in first.tree or path not in second.tree:
            return path in first.tree or path in second.tree
        before, after = (_babel(commit.tree[path][1]) for commit in (first, second))
        return any(text != before.get(message, "") for message, text in after.items())

    changes = [second for first, second in pairwise(commits) if is_change(first, second)]
    last = (changes or commits)[-1 if changes else 0]
    return int(last.when.split()[0])


def _random_line(seed: int) -> list[Any]:
    """Commits that change a few catalogues as translators and their tools do."""
    dice = random.Random(seed)  # noqa: S311  # nothing secret
    states: dict[bytes, dict[str, str]] = {}
    tree: dict[bytes, tuple[str, bytes]] = {b"a.po": ("100644", catalogue().encode())}
    commits = [Planned(tree, when="1700000000 +0000")]
    for place in range(1, dice.randint(5, 20)):
        tree = dict(tree)
        for path in dice.sample([b"a.po", b"b.po", b"de/c.po"], dice.randint(1, 3)):
            texts = states.setdefault(path, dict(HELLO))
            if dice.random() < 0.1 and path in tree and path != b"a.po":
                del tree[path]
                continue
            if dice.random() < 0.3:
                _translate(dice, texts)
            tree[path] = ("100644", _written(dice, texts, header=place))
        commits.append(Planned(tree, (place - 1,), when=f"{1_700_000_000 + place} +0000"))
    return commits


def _translate(dice: random.Random, texts: dict[str, str]) -> None:
    message = dice.choice(["Hello", "One", "Two"])
    text = dice.choice(["", "eins", "zwei", None])
    if text is None:
        texts.pop(message, None)
    else:
        texts[message] = text


def _written(dice: random.Random, texts: dict[str, str], *, header: int) -> bytes:
    """The same translations, written differently each time."""
    shuffled: Iterable[tuple[str, str]] = dice.sample(sorted(texts.items()), len(texts))
    content = catalogue(dict(shuffled), header=header % 28 + 1, line=dice.randint(1, 3))
    if dice.random() < 0.3:
        content += f'\n#, fuzzy\nmsgid "Guess {header}"\nmsgstr "x"\n'
    if dice.random() < 0.3:
        content += f'\n#~ msgid "Old {header}"\n#~ msgstr "x"\n'
    return content.replace("ei", 'e"\n"i' if dice.random() < 0.3 else "ei").encode()
