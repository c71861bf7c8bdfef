"""Which versions are announced, and where: the URL and the folder of each."""

from __future__ import annotations

import msgspec

from sitemap_plugins.versions.kept import Choice, address_of
from sitemap_plugins.versions.tree import Version, VersionTree


class Place(msgspec.Struct, frozen=True):
    """An announced version: the base URL of its pages, and the folder they are read from, relative to the root.

    With ``only_removed``, only the pages that no newer release has are listed.
    """

    version: Version
    base_url: str
    folder: str
    only_removed: bool = False

    def below(self, path: str) -> str:
        """The path, relative to the folder, of a file in it."""
        return path[len(self.folder) + 1 :] if self.folder else path


def choose_places(
    tree: VersionTree, choice: Choice, newest: int | None = 0, *, with_removed: bool = False
) -> list[Place]:
    """The versions to announce, the kept ones first.

    ``newest`` is the number of newest releases of each language to announce, the kept version included, or None for all
    versions. ``with_removed`` adds the other releases, for the pages that none of these has. Versions with an unknown
    URL are left out.
    """
    kept = [
        Place(each.version, each.base_url, content_folder(tree, each.folder)) for each in choice.kept if each.base_url
    ]
    known = {place.version.folder for place in kept}
    places = [*kept]
    removed: list[Place] = []
    for language in tree.languages:
        releases = [each for each in tree.in_language(language) if each.stage == "release"]
        wanted = [*tree.in_language(language)] if newest is None else releases[:newest]
        # Pages that only another kept version has are listed there, whatever its stage.
        others = choice.in_language(language).others if with_removed else ()
        for version in dict.fromkeys((*wanted, *others, *(releases if with_removed else ()))):
            base_url, folder = address_of(tree, version)
            if version.folder in known or base_url is None:
                continue
            place = Place(version, base_url, content_folder(tree, folder), only_removed=version not in wanted)
            (removed if place.only_removed else places).append(place)
    return [*places, *removed]


def content_folder(tree: VersionTree, folder: str) -> str:
    """The folder with the files of a version or an alias. For a symlink, it is the folder that the link leads to."""
    for version in tree.versions:
        if folder == version.folder or any(
            alias.folder == folder and alias.kind == "symlink" for alias in version.aliases
        ):
            return version.real_folder
    return folder
