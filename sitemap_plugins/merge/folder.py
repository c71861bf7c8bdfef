"""Merges what is published below a folder, languages or versions with theirs; writes and announces the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import cache
from pathlib import Path

import msgspec

from sitemap_plugins.formats.robots import RobotsTxt, read_sitemap_lines
from sitemap_plugins.merge.language_folders import LanguageFolder, languages_of_versions
from sitemap_plugins.merge.languages import Merge, merge
from sitemap_plugins.merge.reading import MergeError, Published, count_listed, read_sitemaps
from sitemap_plugins.merge.root import FLAT, list_at_root
from sitemap_plugins.model import Omitted, Policy, Site
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.options.types import XDefault
from sitemap_plugins.output.ownership import is_ours
from sitemap_plugins.output.pages import read_robots
from sitemap_plugins.output.writing import locked, would_change, write_locked
from sitemap_plugins.published.sitemaps import read_parts
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.sitemaps.announcing import announce
from sitemap_plugins.values.tasks import ExplainedError, Track, untracked
from sitemap_plugins.values.text import and_more_pages
from sitemap_plugins.values.urls import file_path, is_local, path_in, preview_at, quote_path, usable_url
from sitemap_plugins.versions.goals import Goals, pages_in, roles_of
from sitemap_plugins.versions.kept import Choice, NoVersionsError, VersionPlace, choose_places, read_versions


class LanguageError(ExplainedError):
    """The languages that the author named cannot be joined; the message says why."""

    option = "'--language'"


def merge_folder(
    root: str,
    languages: Sequence[LanguageFolder] = (),
    x_default: XDefault | None = None,
    *,
    layout: str | None = None,
    keep: Sequence[str] = (),
    releases: Sequence[str] = (),
    base_url: str | None = None,
    newest: int | None = 0,
    with_removed: bool = False,
    before_retire: bool = False,
    pattern: str = "sitemap*.xml",
    dry_run: bool = False,
    track: Track = untracked,
    building: Callable[[str], str] = "sitemap-plugins build {}".format,
) -> tuple[Merge, list[str]]:
    """Merge the versions below ``root``, or its languages if it has no versions; return also the changed paths.

    ``languages`` and ``x_default`` are as in `merge`, ``layout``, ``keep``, ``releases`` and ``base_url`` as in
    `read_versions`, ``newest`` and ``with_removed`` as in `choose_places`; ``pattern`` matches the file names of
    sitemaps. With ``before_retire``, canonical links that `retire` would correct are no problem. In a dry run, nothing
    is written. ``track`` sees each loop over pages. ``building`` returns the command that writes the sitemap of the
    version in a folder.
    Raises `LanguageError`, `MergeError`, `WriteError`, OSError, and the errors of `read_versions`, except that a folder
    without versions is an error only if its options are given.
    """
    with nullcontext() if dry_run else locked(root, whole_tree=True):
        tree = Tree(root)
        _check(tree, languages)
        try:
            choice = read_versions(tree, layout, keep, base_url, releases=releases, retires=before_retire)
        except NoVersionsError as error:
            if layout is not None or keep or releases:
                raise
            published = read_sitemaps(tree, pattern, without=error.previews, track=track)
            merged = _announce_languages(tree, published, merge(published, languages, x_default), base_url)
            merged = msgspec.structs.replace(merged, notes=(*merged.notes, *error.likely))
        else:
            places = choose_places(choice, newest, with_removed=with_removed)
            versions = _PlacedVersions(tree, choice, places, pattern, building, track)
            merged = versions.merge(languages, x_default, before_retire=before_retire)
        return merged, would_change(merged.files, root) if dry_run else write_locked(merged.files, root)


def _check(tree: Tree, languages: Sequence[LanguageFolder]) -> None:
    """Raise `LanguageError` if the named languages cannot be joined."""
    for language in languages:
        if tree.real_folder(language.folder) is None:
            raise LanguageError(f"there is no folder {language.folder} below {tree.root}; FOLDER is relative to ROOT")
    if len(languages) == 1:
        message = "a single language cannot be linked: name all languages, such as "
        raise LanguageError(f"{message}--language en=. --language fr=fr")


class _PlacedVersions(msgspec.Struct, frozen=True):
    """The versions of a tree, and the places of those that are listed at its root; the others are as in `merge_folder`.

    All methods may raise `MergeError` and OSError.
    """

    tree: Tree
    choice: Choice
    places: Sequence[VersionPlace]
    pattern: str
    building: Callable[[str], str]
    track: Track

    def merge(self, languages: Sequence[LanguageFolder], x_default: XDefault | None, *, before_retire: bool) -> Merge:
        """Join the languages of the versions, and list them at the root.

        With ``before_retire``, there is only a note on canonical links that ``retire`` would correct.
        """
        tree, choice, places = self.tree, self.choice, self.places
        root_url = self._find_root_url()
        published = self._read_announced()
        about_languages: list[str] = []
        canonical = places[: len(choice.kept)]  # one for each language
        codes = {place.folder: place.version.language for place in canonical}
        if len(codes) > 1 and not languages:
            languages, about_languages = languages_of_versions(codes, published)
        merged = merge(published, languages, x_default, may_be_one=True)
        goals_of = self._goals()
        building = self.building("")
        at_root = list_at_root(tree, choice, root_url, places, published, merged.links, goals_of, building)
        problems = [*choice.versions.problems, *merged.problems, *at_root.problems, *self._unlisted(published)]
        notes = [*about_languages, *self._undated(canonical, published), *at_root.notes]
        kept = {version for each in choice.kept for version in each.versions}
        misled = [*_misled(at_root.omitted, (place for place in places if place.version not in kept), goals_of)]
        if not before_retire:
            problems += misled
        elif misled:
            notes.append("pages whose canonical links --retire would correct are not yet counted as listed")
        announced = {place.version for place in places if not place.only_removed}
        others = [version for version in choice.versions.versions if version not in announced]
        names = choice.versions.folders - {""}
        counts = {
            version: count_listed(tree, version.real_folder, self.pattern, names)
            for version in self.track(others, "reading the sitemaps of other versions")
        }
        return msgspec.structs.replace(
            merged,
            files=(*merged.files, *at_root.files),
            problems=tuple(problems),
            versions=msgspec.structs.replace(at_root, notes=tuple(notes), others=counts),
        )

    def _find_root_url(self) -> str:
        """The URL of the root, which is above all places."""
        root_url = self.choice.versions.root_url
        if root_url is None:
            raise MergeError(self.choice.versions.unknown_url(self.tree.root))
        if other := next((place for place in self.places if not place.base_url.startswith(root_url)), None):
            raise MergeError(
                f"{other.version.name} is published at {other.base_url}, which is not below {root_url}: a sitemap at "
                "the root of one host cannot list the pages of another; merge the folder of each host separately"
            )
        return root_url

    def _read_announced(self) -> Published:
        """The sitemaps of the announced versions."""
        # With mike's canonical_version, the sitemaps of all versions list the URLs of one.
        url_of = {place.folder: place.base_url for place in self.places[len(self.choice.kept) :]}
        folders = [place.folder for place in self.places]
        others = self.choice.versions.folders - {""}
        try:
            return read_sitemaps(self.tree, self.pattern, folders, others, url_of, self.track)
        except MergeError as error:
            message = f"{error}. Only the kept version needs a sitemap: {self._how_to_write(self.places[0])}"
            raise MergeError(message, error.problems) from None

    def _how_to_write(self, place: VersionPlace) -> str:
        """How to write the sitemap of a version that has none that can be used, as a part of a sentence."""
        path = path_in(place.folder, FLAT)
        first = f"remove {path}, and " if self.tree.is_file(path) else ""
        return f"{first}{self.building(place.folder)} --base-url {place.base_url} writes one"

    def _undated(self, places: Iterable[VersionPlace], published: Published) -> Iterator[str]:
        """Notes on the versions that have no dates because Zensical wrote their sitemaps, as if it was run by mike."""
        for place in places:
            sitemaps = [each for each in published.sitemaps if place.holds(each.folder)]
            entries = [entry for each in sitemaps for entry in each.entries]
            page = next((page for entry in entries if (page := published.pages.get(entry.loc))), None)
            is_by_zensical = page and any(name.startswith("zensical") for name in page.markup.generators)
            is_ours_too = any(is_ours(Path(self.tree.place(each.path))) for each in sitemaps)
            if is_by_zensical and not is_ours_too and not any(entry.lastmod for entry in entries):
                yield (
                    f"{place.folder} has no dates, because Zensical wrote its sitemap: check out the sources that it "
                    f"was built from, run {self.building(place.folder)}, and then this command again"
                )

    def _unlisted(self, published: Published) -> Iterator[str]:
        """Problems with the versions whose pages are to be listed, but that have no sitemap that could be used."""
        for place in self.places:
            if not any(place.holds(sitemap.folder) for sitemap in published.sitemaps):
                how = self._how_to_write(place)
                yield f"{place.folder} has no usable sitemap, so its pages are not listed: {how}"

    def _goals(self) -> Callable[[VersionPlace], Goals]:
        """A function that returns where ``sitemap-plugins retire`` points the pages of a place's language."""

        @cache
        def goals_of(language: str | None) -> Goals:
            roles = roles_of(self.choice, language)
            folders = (place.folder for place in (*roles.kept, *roles.old))
            pages = {each: pages_in(each, self.tree.pages(each, self.choice.versions.folders)) for each in folders}
            return Goals(roles, pages, self.tree.built_markup)

        return lambda place: goals_of(place.version.language)


def _misled(
    omitted: Iterable[Omitted], places: Iterable[VersionPlace], goals_of: Callable[[VersionPlace], Goals]
) -> Iterator[str]:
    """Problems with pages that the canonical version lacks, but to which their canonical links lead."""
    place_of = {place.folder: place for place in places if place.folder}
    misled: list[Omitted] = []
    for each in omitted:
        folder = next((folder for folder in place_of if each.page.name.startswith(f"{folder}/")), None)
        if folder is not None and each.key == "canonical":
            place = place_of[folder]
            goals = goals_of(place)
            if goals.is_missing(each.detail) and not goals.leads_away(place, place.below(each.page.name)):
                misled.append(each)
    if misled:
        yield (
            f"{misled[0].page.name} has a canonical link to {misled[0].detail:.200}, which does not exist, so it was "
            f"not listed{and_more_pages(len(misled) - 1)}: mike's canonical_version writes such links, and "
            "sitemap-plugins retire corrects them; run it, and then this command again"
        )


def _announce_languages(tree: Tree, published: Published, merged: Merge, base_url: str | None) -> Merge:
    """Add the robots.txt that announces the sitemaps at the root and in the folders of several languages, and notes.

    Lines for other sitemaps stay, unless these are gone. A sitemap that an index names needs no line. ``base_url`` is
    the URL of the root; None stands for the one that most of these sitemaps have.
    """
    folders = tuple(path_in(each.language.folder, "") for each in merged.languages if each.language.folder)
    own = [each for each in published.sitemaps if not each.folder or each.path.startswith(folders)]
    if len(merged.languages) < 2 or not own:
        return merged
    root_url = base_url or Counter(each.root_url for each in own).most_common(1)[0][0]
    if not any(each.base_url.startswith(root_url) for each in own):
        problem = (
            f"no sitemap lists pages below --base-url {root_url}, so none is announced; "
            f"{own[0].path} lists pages below {own[0].base_url}"
        )
        return msgspec.structs.replace(merged, problems=(*merged.problems, problem))
    robots_txt, unusable = read_robots(tree.root)
    lines = [url for url, _ in read_sitemap_lines(robots_txt or b"") if usable_url(url)]
    urls = [url for url in lines if (path := file_path(root_url, url)) is None or tree.is_file(path)]
    url_of = {"": root_url} | {each.folder: each.base_url for each in own}
    repeating = [path for path in published.repeating if path.rpartition("/")[0] in url_of]
    named = {part for path in repeating for part in read_parts(tree, path)}
    urls += [each.url for each in own if each.path not in named]
    paths = [path.rpartition("/") for path in repeating if path not in named]
    urls += [url_of[folder] + quote_path(name) for folder, _, name in paths]
    site = Site(base_url=root_url, policy=Policy(preview=preview_at(root_url), is_local=is_local(root_url)))
    robots = RobotsTxt(robots_txt) if robots_txt is not None else None
    files, notes = announce(site, [*dict.fromkeys(urls)], Settings(robots=not unusable), robots)
    return msgspec.structs.replace(
        merged,
        files=(*merged.files, *files),
        notes=(*merged.notes, *(note.message for note in notes)),
        problems=(*merged.problems, *(note.message for note in unusable)),
    )
