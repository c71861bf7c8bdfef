"""The values that describe the versions of a published folder: their folders, names, aliases and URLs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal
from urllib.parse import unquote

import msgspec

from sitemap_plugins.published.languages import FolderKind
from sitemap_plugins.values.version_names import Number, Stage

AliasKind = Literal["symlink", "copy", "redirect"]


class Alias(msgspec.Struct, frozen=True, kw_only=True):
    """Another folder that leads to a version, relative to the root.

    A symlink and a copy have pages with content; a redirect has none.
    """

    folder: str
    kind: AliasKind

    @property
    def name(self) -> str:
        """The name of the version in this folder."""
        return self.folder.rpartition("/")[2] or "."


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """One build among several. Paths are relative to the root, with forward slashes; the root itself is empty.

    ``real_folder`` differs from ``folder`` for a link to a folder that is not a version itself. ``language`` is the
    code of the language folder that contains it. ``title`` and ``is_preferred`` come from a list of versions.
    ``number`` comes from the author's releases, or else the name, the title or the pages (Sphinx), and ``written`` is
    its spelling there, or another number in the title. ``known_by`` has in short words how the version was recognized.
    ``declared_url`` is the URL of the folder according to most canonical links of its pages, or else its sitemap; None
    if neither gives one. If the canonical links lead to another version, it is the URL of that version. Both are read
    as the version was built, and ``links_to`` is what the canonical links of its pages say now, perhaps retired.
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
    known_by: tuple[str, ...] = ()
    declared_url: str | None = None
    links_to: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the version and the names of its aliases."""
        return (self.name, *(alias.name for alias in self.aliases))

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders with its pages: its own and those of copies."""
        copies = (alias.folder for alias in self.aliases if alias.kind == "copy")
        return (*dict.fromkeys((self.real_folder, *copies)),)

    @property
    def label(self) -> str:
        """What messages call the version: its name, and the language, which may have a version of the same name."""
        return f"{self.name} in {self.language}" if self.language else self.name


class RootSite(msgspec.Struct, frozen=True, kw_only=True):
    """The site at the root itself, beside the folders of versions.

    ``leads_to`` is the folder of the version that its home page redirects to, or None. ``is_material`` is true for a
    build with Material for MkDocs or Zensical, which read a flat ``sitemap.xml`` there.
    """

    leads_to: str | None
    is_material: bool
    declared_url: str | None


class Versions(msgspec.Struct, frozen=True, kw_only=True):
    """The versions of a published folder, ordered by language (no language first) and then from newest to oldest.

    ``root_url`` is the URL of the root, which the author gave or the URLs of the pages say. If those cannot be right,
    it is None and ``doubt`` is a sentence that says why. ``problems`` are sentences about folders and lists that could
    not be used, ``dangers`` about aliases that lead nowhere, ``notes`` about what is no mistake, and
    ``left_out`` about folders that look like a site but are no version. ``previews`` are the folders with previews of
    changes. Without versions, there are only these, notes, and what looks as if it had some versions.
    """

    versions: tuple[Version, ...] = ()
    root_site: RootSite | None = None
    root_url: str | None = None
    doubt: str = ""
    problems: tuple[str, ...] = ()
    dangers: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    previews: tuple[str, ...] = ()

    def unknown_url(self, root: str) -> str:
        """A message for a root whose URL is unknown, and what to do."""
        if self.doubt:
            return f"{self.doubt}: set --base-url"
        return (
            f"no page or sitemap contains the URL of {root}: set --base-url, or build the versions with their URLs "
            "(site_url, html_baseurl)"
        )

    @property
    def languages(self) -> tuple[str | None, ...]:
        """The languages that have versions. None stands for the versions outside language folders."""
        return tuple(dict.fromkeys(version.language for version in self.versions))

    @property
    def by_folder(self) -> Mapping[str, tuple[Version, AliasKind | None]]:
        """The version whose pages a folder has, and the kind of alias that the folder is; None for its own folder."""
        own: dict[str, tuple[Version, AliasKind | None]] = {each.folder: (each, None) for each in self.versions}
        return own | {alias.folder: (version, alias.kind) for version in self.versions for alias in version.aliases}

    @property
    def folders(self) -> frozenset[str]:
        """All folders that are sites apart from the one at the root: of versions, aliases and previews."""
        return frozenset({*self.by_folder, *(version.real_folder for version in self.versions), *self.previews})

    @property
    def kinds(self) -> Mapping[str, FolderKind]:
        """The folders of versions and aliases, as they are named, with what they are."""
        return {folder: "alias" if kind else "version" for folder, (_, kind) in self.by_folder.items()}

    def folder_at(self, url: str | None) -> str | None:
        """The folder below the root with this URL, which need not exist; None for a URL outside the root."""
        if url is None or self.root_url is None or not url.startswith(self.root_url):
            return None
        return unquote(url[len(self.root_url) :]).rstrip("/")

    def in_language(self, language: str | None) -> Iterator[Version]:
        """The versions in a language, newest first."""
        return (version for version in self.versions if version.language == language)
