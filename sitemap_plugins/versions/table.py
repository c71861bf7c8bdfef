"""Makes a table of the recognized versions with the evidence for each, and shows which is canonical and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sitemap_plugins.versions.kept import Choice, Kept
from sitemap_plugins.versions.tree import Version, VersionTree

HEADINGS: Final = ("version", "language", "folder", "aliases", "stage", "known by", "canonical")


def version_rows(tree: VersionTree, choice: Choice) -> list[tuple[str, ...]]:
    """The rows of the table, headings first, without empty columns. Their text is not made printable."""
    rows = [HEADINGS, *_rows(tree, choice)]
    filled = [any(column[1:]) for column in zip(*rows, strict=True)]
    return [tuple(cell for cell, is_filled in zip(row, filled, strict=True) if is_filled) for row in rows]


def _rows(tree: VersionTree, choice: Choice) -> Iterator[tuple[str, ...]]:
    for version in tree.versions:
        kept = choice.in_language(version.language)
        yield (
            _shown_name(version),
            version.language or "",
            version.folder or ".",
            ", ".join(f"{alias.name} ({alias.kind})" for alias in version.aliases),
            version.stage,
            ", ".join(version.evidence),
            _role(version, kept),
        )
    site = tree.root_site
    if site and not any(version.folder == "" for version in tree.versions):
        kind = "a Material site" if site.is_material else "a site"
        what = kind if site.leads_to is None else f"redirects to {site.leads_to}/"
        yield ("(no version)", "", ".", "", what, "home page", "")


def _shown_name(version: Version) -> str:
    return version.name if version.written in {"", version.name} else f"{version.name} = {version.written}"


def _role(version: Version, kept: Kept) -> str:
    if version == kept.version:
        return f"{kept.base_url or 'kept, URL unknown'} ({kept.reason})"
    return "kept (--keep)" if version in kept.others else ""
