"""Finds the folders of a site with previews of changes, such as pull requests, which are no part of the site."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from typing import Final

from sitemap_plugins.published.tree import Tree
from sitemap_plugins.values.languages import primary_language
from sitemap_plugins.values.urls import path_in

_PREVIEW: Final = re.compile(r"((?:pr|pull|mr|(?:deploy-)?preview)[-_]?)?[0-9]+", re.IGNORECASE)
_PREVIEWS: Final = re.compile(r"(?:pr-preview|_?preview|pull|pr|mr)s?", re.IGNORECASE)


def may_be_previews(tree: Tree) -> dict[str, bool]:
    """The folders with a home page and the name of a preview, and whether the folder above is only for previews."""
    found: dict[str, bool] = {}
    with suppress(OSError):
        for parent in ("", *tree.listing("").folders):
            is_above = _PREVIEWS.fullmatch(parent) is not None
            with suppress(OSError):  # such as lost+found
                for name in tree.listing(parent).folders:
                    named = _PREVIEW.fullmatch(name)
                    if named and (named[1] or is_above) and tree.is_file(f"{path_in(parent, name)}/index.html"):
                        found[path_in(parent, name)] = is_above
    return found


def find_previews(tree: Tree, versions: Collection[str] = ()) -> tuple[str, ...]:
    """The folders with previews of changes, such as ``pr-preview/pr-12``. ``versions`` are the folders of versions.

    The name is enough in a folder for previews, unless that is one for a language (``mr``). Elsewhere, at least two
    pages are needed, half of which are also at the root, in a version, or in another preview. In a preview, there are
    no others.
    """
    named = may_be_previews(tree)
    found: list[str] = []
    for folder, is_above in named.items():
        parent = folder.rpartition("/")[0]
        if parent in found:
            continue
        if is_above:
            home = tree.built_markup(f"{folder}/index.html")
            is_preview = not home or primary_language(home.language) != parent.lower()
        else:
            others = [other for other in dict.fromkeys(("", *named, *versions)) if other != folder]
            paths = [path[len(folder) + 1 :] for path in tree.files(folder, skip_unlisted=True) if tree.is_page(path)]
            shared = sum(any(tree.is_file(path_in(other, path)) for other in others) for path in paths)
            is_preview = len(paths) > 1 and shared * 2 >= len(paths)
        if is_preview:
            found.append(folder)
    return tuple(sorted(found))
