"""Compares two published snapshots of a site: which of its URLs are lost, and which pages changed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

import msgspec

from sitemap_plugins.html.main_part import Anchor, MainPart
from sitemap_plugins.losses.finding import LossFinding, find_losses, url_stem
from sitemap_plugins.published.snapshot import FACTS, Fact, Snapshot, SnapshotPage
from sitemap_plugins.values.tasks import Track, untracked
from sitemap_plugins.values.urls import is_local, preview_at


class PageChange(msgspec.Struct, frozen=True, kw_only=True):
    """A page whose text or images changed. ``because_of`` are the changed files that it includes.

    It is empty if the page's own source changed, or if that is not known.
    """

    page: SnapshotPage
    because_of: tuple[str, ...] = ()


class LostAnchors(msgspec.Struct, frozen=True, kw_only=True):
    """The lost anchors of a page that links may lead to, in their order on the page.

    ``renamed`` maps the old anchors of headings to the new ones, if all other headings are the same as before.
    """

    page: SnapshotPage
    anchors: tuple[Anchor, ...]
    renamed: Mapping[str, str]

    @property
    def headings(self) -> tuple[str, ...]:
        """The names of the anchors of headings and labels."""
        return tuple(each.name for each in self.anchors if each.kind != "object")

    @property
    def objects(self) -> tuple[str, ...]:
        """The names of the anchors of API objects."""
        return tuple(each.name for each in self.anchors if each.kind == "object")


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The differences between two snapshots of a site.

    ``url_change`` are the base URLs before and after, if the site has moved. ``lost`` are the findings about lost URLs,
    the largest first. ``added``, ``changed`` and ``lost_anchors`` are about pages, in the order of their paths.
    ``unknown`` is what was not compared, with the names of the snapshots for which it is unknown.
    """

    url_change: tuple[str, str] | None
    lost: tuple[LossFinding, ...]
    added: tuple[SnapshotPage, ...]
    changed: tuple[PageChange, ...]
    lost_anchors: tuple[LostAnchors, ...]
    unknown: Mapping[Fact, tuple[str, ...]]


def compare(
    old: Snapshot, new: Snapshot, changed_sources: Collection[str] | None = None, track: Track = untracked
) -> Comparison:
    """What changed from the old snapshot to the new one.

    ``changed_sources`` are the files of the repository that changed between them, None if that is not known. ``track``
    follows the loop over the pages whose texts are compared.
    """
    kept = [page for path, page in sorted(old.pages.items()) if path in new.pages and not page.is_list]
    changed: list[PageChange] = []
    lost_anchors: list[LostAnchors] = []
    for page, before, after in _contents(old, new, track(kept, "comparing pages")):
        if before.digest != after.digest:
            changed.append(PageChange(page=page, because_of=_reasons(page, changed_sources)))
        if anchors := tuple(_lost_anchors(new, page, before, after)):
            lost_anchors.append(LostAnchors(page=page, anchors=anchors, renamed=_renamed(before, after)))
    lost = find_losses(old, new)
    moved = {loss.moved_to for finding in lost for loss in finding.losses}
    stems = {url_stem(path) for path in old.pages if path not in new.pages}
    return Comparison(
        url_change=_url_change(old, new),
        lost=lost,
        added=tuple(
            page
            for path, page in sorted(new.pages.items())
            if path not in moved and url_stem(path) not in stems and not page.is_list and not _is_known(old, page)
        ),
        changed=tuple(changed),
        lost_anchors=tuple(lost_anchors),
        unknown={
            fact: names for fact in FACTS if (names := tuple(each.name for each in (old, new) if fact in each.unknown))
        },
    )


def _url_change(old: Snapshot, new: Snapshot) -> tuple[str, str] | None:
    """The URLs of the site before and after, if it is now published elsewhere.

    A preview does not count, nor does a change to HTTPS. The folders of two versions are the same site.
    """
    before, after = old.base_url, new.base_url
    if (
        not before
        or not after
        or not _site_urls(old, before).isdisjoint(_site_urls(new, after))
        or any(is_local(each) or preview_at(each) for each in (before, after))
    ):
        return None
    return before, after


def _site_urls(snapshot: Snapshot, base_url: str) -> set[str]:
    """The URL of a snapshot without its scheme; if the snapshot is a version, also the URL without its folder."""
    url = base_url.partition("://")[2].rstrip("/")
    above, _, folder = url.rpartition("/")
    is_version = snapshot.is_version or re.split(r"[/\\]", snapshot.name.rstrip("/\\"))[-1] == folder
    return {url, above} if above and is_version else {url}


def _is_known(old: Snapshot, page: SnapshotPage) -> bool:
    """Whether the old snapshot had this page, or may have had it outside the sitemap."""
    return old.serves(page.path) or ("unlisted" in old.unknown and not page.is_listed)


def _contents(
    old: Snapshot, new: Snapshot, pages: Iterable[SnapshotPage]
) -> Iterator[tuple[SnapshotPage, MainPart, MainPart]]:
    """The pages whose files differ, each with its content before and after."""
    for page in pages:
        before, after = page.file, new.pages[page.path].file
        if before and after and old.read_file(before) == new.read_file(after):
            continue
        here, there = old.read_content(page.path), new.read_content(page.path)
        if here is not None and there is not None:
            yield new.pages[page.path], here, there


def _reasons(page: SnapshotPage, changed_sources: Collection[str] | None) -> tuple[str, ...]:
    if changed_sources is None or page.document is None or page.document in changed_sources:
        return ()
    return tuple(each for each in page.made_of if each in changed_sources)


def _lost_anchors(new: Snapshot, page: SnapshotPage, before: MainPart, after: MainPart) -> Iterator[Anchor]:
    kept = {anchor.name for anchor in after.anchors}
    for anchor in before.anchors:
        if anchor.name not in kept and f"{page.path}#{anchor.name}" not in new.redirects:
            yield anchor


def _renamed(before: MainPart, after: MainPart) -> dict[str, str]:
    """The headings at the same places with other anchors; none if there are more or fewer headings than before."""
    old, new = ([each.name for each in part.anchors if each.kind == "heading"] for part in (before, after))
    if len(old) != len(new):
        return {}
    pairs = {here: there for here, there in zip(old, new, strict=True) if here != there}
    is_clear = set(old).isdisjoint(pairs.values()) and set(new).isdisjoint(pairs)
    return pairs if is_clear else {}
