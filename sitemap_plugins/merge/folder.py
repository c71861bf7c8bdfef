"""Merges what is published below a folder: languages, or versions with their languages; and writes the result."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

from sitemap_plugins.merge.language_folders import LanguageFolder
from sitemap_plugins.merge.languages import Merge, merge
from sitemap_plugins.merge.reading import read_sitemaps
from sitemap_plugins.merge.versions import merge_versions
from sitemap_plugins.options import XDefault
from sitemap_plugins.output.writing import locked, would_change, write_locked
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.values.progress import Track, untracked
from sitemap_plugins.versions import NoVersionsError, read_versions


class LanguageError(ValueError):
    """The languages that the author named cannot be joined; the message says why."""


def merge_folder(
    root: str,
    languages: Sequence[LanguageFolder] = (),
    x_default: XDefault | None = None,
    *,
    layout: str | None = None,
    keep: Sequence[str] = (),
    base_url: str | None = None,
    newest: int | None = 0,
    with_removed: bool = False,
    before_retire: bool = False,
    pattern: str = "sitemap*.xml",
    dry_run: bool = False,
    track: Track = untracked,
) -> tuple[Merge, list[str]]:
    """Merge the versions below ``root``, or its languages if it has no versions; return also the changed paths.

    ``languages`` and ``x_default`` are as in `merge`, ``layout``, ``keep`` and ``base_url`` as in `read_versions`,
    ``newest`` and ``with_removed`` as in `choose_places`; ``pattern`` matches the file names of sitemaps. With
    ``before_retire``, canonical links that `retire` would correct are no problem. In a dry run, nothing is written.
    ``track`` sees each loop over pages.
    Raises `LanguageError`, `MergeError`, `WriteError`, OSError, and the errors of `read_versions`, except that a folder
    without versions is an error only if its options are given.
    """
    with nullcontext() if dry_run else locked(root, whole_tree=True):
        tree = Tree(root)
        _check(tree, languages)
        try:
            versions = read_versions(tree, layout, keep, base_url)
        except NoVersionsError:
            if layout is not None or keep or base_url:
                raise
            merged = merge(read_sitemaps(tree, pattern, track=track), languages, x_default)
        else:
            merged = merge_versions(
                tree,
                versions,
                languages,
                x_default,
                pattern,
                newest,
                with_removed=with_removed,
                before_retire=before_retire,
                track=track,
            )
        return merged, would_change(merged.files, root) if dry_run else write_locked(merged.files, root)


def _check(tree: Tree, languages: Sequence[LanguageFolder]) -> None:
    """Raise `LanguageError` if the named languages cannot be joined."""
    for language in languages:
        if tree.real_folder(language.folder) is None:
            raise LanguageError(f"there is no folder {language.folder} below {tree.root}; FOLDER is relative to ROOT")
    if len(languages) == 1:
        message = "a single language cannot be linked: name all languages, such as "
        raise LanguageError(f"{message}--language en=. --language fr=fr")
