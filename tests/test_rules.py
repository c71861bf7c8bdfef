"""The table of notes: a warning fails a strict build, so that no level may change unseen."""

import ast
from importlib.resources import files

import pytest

from sitemap_plugins.rules import KINDS, level_of

LEVELS = {
    "option": "warning",
    "front-matter": "warning",
    "future-date": "warning",
    "duplicate-url": "warning",
    "invalid-url": "warning",
    "depends-on": "warning",
    "hook": "warning",
    "base-url": "warning",
    "alternates": "warning",
    "language-code": "warning",
    "x-default": "warning",
    "language-pages": "warning",
    "catalogue": "warning",
    "limit": "warning",
    "unwritable": "warning",
    "robots-blocks-sitemap": "warning",
    "robots-encoding": "warning",
    "no-base-url": "info",
    "unmatched": "info",
    "cross-submit": "info",
    "outside": "info",
    "no-pages": "info",
    "home-left-out": "info",
    "no-git": "info",
    "uncommitted-date": "info",
    "languages": "info",
    "languages-elsewhere": "info",
    "three-letter-language": "info",
    "language-mismatch": "info",
    "head-links": "info",
    "moved": "info",
    "shallow": "info",
    "bulk-commit": "info",
    "ignore-revs": "info",
    "dependencies": "info",
    "shown-date": "info",
    "section": "info",
    "image": "info",
    "video": "info",
    "news": "info",
    "text": "info",
    "feed": "info",
    "engine": "info",
    "many-indexes": "info",
    "preview": "info",
    "own-sitemap": "info",
    "other-extension": "info",
    "robots-below-root": "info",
    "robots-of-host": "info",
    "robots-blocks-assets": "info",
    "robots-disallow-all": "info",
    "dirty-build": "info",
}


def kinds_in_the_source() -> set[object]:
    """The ``kind`` of every ``Note(...)`` in the package; None for one that is not spelt out."""
    folders = [files("sitemap_plugins")]
    folders += [folder for folder in folders[0].iterdir() if folder.is_dir()]
    modules = [file for folder in folders for file in folder.iterdir() if file.name.endswith(".py")]
    nodes = [node for module in modules for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))]
    notes = [node for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Note"]
    arguments = [{keyword.arg: keyword.value for keyword in note.keywords} for note in notes]
    return {getattr(keywords.get("kind"), "value", None) for keywords in arguments}


@pytest.mark.parametrize(("kind", "level"), LEVELS.items())
def test_every_kind_of_note_has_its_level(kind: str, level: str) -> None:
    assert KINDS[kind].level == level
    assert level_of(kind, {}) == level


def test_there_are_no_other_kinds() -> None:
    assert set(KINDS) == set(LEVELS)


def test_the_kinds_that_are_used_are_the_kinds_that_exist() -> None:
    assert kinds_in_the_source() == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_explained_in_one_sentence(kind: str) -> None:
    assert KINDS[kind].meaning[0].isupper() or KINDS[kind].meaning.startswith("git")
    assert KINDS[kind].meaning.endswith(".")


@pytest.mark.parametrize("level", ["ignore", "info", "warning"])
def test_the_author_sets_the_level(level: str) -> None:
    assert level_of("shallow", {"shallow": level}) == level
    assert level_of("no-git", {"shallow": level}) == "info"
