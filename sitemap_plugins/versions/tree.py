"""The versions of a published folder as values: what lies where, under which names, and what its pages call it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from sitemap_plugins.versions.names import Number, Stage

AliasKind = Literal["symlink", "copy", "redirect"]


class Alias(msgspec.Struct, frozen=True, kw_only=True):
    """Another folder by which a version can be reached, relative to the root.

    Below a symlink and in a copy lie pages with content; a redirect has none.
    """

    folder: str
    kind: AliasKind

    @property
    def name(self) -> str:
        """What the version is called there."""
        return self.folder.rpartition("/")[2] or "."


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """One build among several. Paths are relative to the root, with forward slashes; the root itself is empty.

    ``real_folder`` differs from ``folder`` for a link to a folder that is no version by itself. ``language`` is the
    code of the folder of a language that it lies in. ``title`` is what a list of versions calls it, and
    ``is_preferred`` says that the list prefers it. ``number`` is that of the name, else of the title, else of the pages
    (Sphinx), and ``written`` how it is written there. ``evidence`` says in short words how the version is known.
    ``said_url`` is the URL of the folder as most of its pages say it by their canonical links, else by their sitemap;
    None if they do not say. It is that of another folder where they name another version.
    """

    folder: str
    name: str
    stage: Stage
    real_folder: str
    language: str | None = None
    title: str = ""
    is_preferred: bool = False
    aliases: tuple[Alias, ...] = ()
    number: Number | None = None
    written: str = ""
    evidence: tuple[str, ...] = ()
    said_url: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and those of its aliases."""
        return (self.name, *(alias.name for alias in self.aliases))


class RootSite(msgspec.Struct, frozen=True, kw_only=True):
    """What lies at the root itself, beside the folders of versions.

    ``leads_to`` is the folder that its home page redirects to, None where it has content. ``is_material`` says that it
    is a build with Material for MkDocs or Zensical, which read a flat ``sitemap.xml`` there.
    """

    leads_to: str | None
    is_material: bool
    said_url: str | None


class VersionTree(msgspec.Struct, frozen=True, kw_only=True):
    """The versions of a published folder: by language, those in no language first, and the newest of each first.

    ``root_url`` is the URL of the root, as the URLs of the pages have it. ``problems`` are sentences on what could not
    be used, ``remarks`` on what is no mistake. Without versions there are remarks at most.
    """

    versions: tuple[Version, ...] = ()
    root_site: RootSite | None = None
    root_url: str | None = None
    problems: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def languages(self) -> tuple[str | None, ...]:
        """The languages that have versions; None is that of the versions in no folder of a language."""
        return tuple(dict.fromkeys(version.language for version in self.versions))

    @property
    def folders(self) -> frozenset[str]:
        """All folders that are those of a version or an alias."""
        aliases = {alias.folder for version in self.versions for alias in version.aliases}
        return frozenset(aliases.union(*((each.folder, each.real_folder) for each in self.versions)))

    def in_language(self, language: str | None) -> Iterator[Version]:
        """The versions in a language, the newest first."""
        return (version for version in self.versions if version.language == language)
