"""Compares two published states of a site: which of its URLs are lost, and which pages changed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from sitemap_plugins.html.main_part import Anchor, MainPart
from sitemap_plugins.published.following import follow
from sitemap_plugins.published.html_files import stem_of
from sitemap_plugins.published.snapshot import FACTS, Fact, Snapshot, SnapshotPage
from sitemap_plugins.values.progress import Track, untracked
from sitemap_plugins.values.urls import ends_of, is_local, preview_at

LossKind: TypeAlias = Literal["removed", "redirects", "form"]
"""What kind of URL is lost: a page, a redirect, or the old form of the URL of a page that is still there."""

_KINDS: Final[tuple[LossKind, ...]] = get_args(LossKind)
_SHARE: Final = 2  # at least half of the pages have moved if the whole site has
_WHOLE_SITE: Final = 3  # pages; fewer tell nothing about the site


class Loss(msgspec.Struct, frozen=True, kw_only=True):
    """A URL that was published and now leads nowhere: ``path`` is its decoded path below the base.

    ``page`` is the page that was there, None for a redirect. ``moved_to`` is the path where the same page is now, if
    only the form of its URL changed. ``also`` are the paths of the same page in other versions, and those that still
    redirect to it. ``why`` completes the sentence "PATH …" with what is wrong; empty if nothing is there.
    """

    path: str
    page: SnapshotPage | None = None
    moved_to: str | None = None
    also: tuple[str, ...] = ()
    why: str = ""


class LossFinding(msgspec.Struct, frozen=True, kw_only=True):
    """Lost URLs with one cause, so that one change restores all of them.

    ``cause`` is what happened to them (``version 1.9``, ``.html → /``), empty for a single page or redirect.
    """

    kind: LossKind
    cause: str = ""
    losses: tuple[Loss, ...]


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


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The differences between two states of a site.

    ``url_change`` are the base URLs before and after, if the site has moved. ``lost`` are the findings about lost URLs,
    the largest first. ``added``, ``changed`` and ``lost_anchors`` are about pages, in the order of their paths.
    ``unknown`` is what was not compared, with the names of the states for which it is unknown.
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
    """What changed from the old state to the new one.

    ``changed_sources`` are the files of the repository that changed between them, None if that is not known. ``track``
    follows the loop over the pages whose texts are compared.
    """
    kept = [page for path, page in sorted(old.pages.items()) if path in new.pages]
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
            if path not in moved and url_stem(path) not in stems and not _is_known(old, page)
        ),
        changed=tuple(changed),
        lost_anchors=tuple(lost_anchors),
        unknown={
            fact: names for fact in FACTS if (names := tuple(each.name for each in (old, new) if fact in each.unknown))
        },
    )


def find_losses(old: Snapshot, new: Snapshot) -> tuple[LossFinding, ...]:
    """The URLs of the old state that lead nowhere in the new one, grouped by their causes."""
    pages = [
        Loss(path=path, page=page, why=why)
        for path, page in sorted(old.pages.items())
        if page.is_listed or "unlisted" not in new.unknown
        if (why := follow(new, path).problem) is not None
    ]
    redirects, behind = _lost_redirects(old, new, {loss.path for loss in pages})
    findings, rest = _by_folder(old, new, [*pages, *redirects])
    found, rest = _by_form(old, new, rest)
    findings += found
    for kind in ("removed", "redirects"):
        of_kind = (loss for loss in rest if (loss.page is None) is (kind == "redirects"))
        findings += (LossFinding(kind=kind, losses=(loss,)) for loss in _once(old, of_kind))
    findings = [_with_redirects(finding, behind) for finding in findings]
    return tuple(sorted(findings, key=lambda each: (-len(each.losses), _KINDS.index(each.kind), each.losses[0].path)))


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


def _site_urls(state: Snapshot, base_url: str) -> set[str]:
    """The URL of a state without its scheme; if the state is a version, also the URL without its folder."""
    url = base_url.partition("://")[2].rstrip("/")
    above, _, folder = url.rpartition("/")
    is_version = state.is_version or re.split(r"[/\\]", state.name.rstrip("/\\"))[-1] == folder
    return {url, above} if above and is_version else {url}


def _is_known(old: Snapshot, page: SnapshotPage) -> bool:
    """Whether the old state had this page, or may have had it outside the sitemap."""
    return old.serves(page.path) or ("unlisted" in old.unknown and not page.is_listed)


def _by_folder(old: Snapshot, new: Snapshot, losses: Sequence[Loss]) -> tuple[list[LossFinding], Sequence[Loss]]:
    """A finding for each version, alias and language that is entirely gone, and the other losses."""
    findings: list[LossFinding] = []
    for folder in sorted(old.folders.keys() - new.folders.keys()):
        start = f"{folder}/"
        inside = [loss for loss in losses if loss.path.startswith(start)]
        known = (path for path in (*old.pages, *old.redirects) if path.startswith(start) and "#" not in path)
        if inside and not any(follow(new, path).is_found for path in known):
            kind: LossKind = "removed" if any(loss.page for loss in inside) else "redirects"
            findings.append(LossFinding(kind=kind, cause=f"{old.folders[folder]} {folder}", losses=tuple(inside)))
            losses = [loss for loss in losses if not loss.path.startswith(start)]
    return findings, losses


def url_stem(path: str) -> str:
    """The path of a URL without the ending that depends on the form of the URL."""
    return stem_of(path.removesuffix("/"))


def _by_form(old: Snapshot, new: Snapshot, losses: Sequence[Loss]) -> tuple[list[LossFinding], Sequence[Loss]]:
    """A finding for each change in the form of URLs whose pages are still there, and the other losses."""
    fresh = [path for path in new.pages if not old.serves(path)]
    moved: dict[str, list[Loss]] = defaultdict(list)
    rest: list[Loss] = []
    find = _finder(fresh, [path for path in new.redirects if path not in old.redirects])
    find_again = _finder(new.pages, new.redirects) if old.gone else find
    for loss in losses:
        target = (find_again if loss.path in old.gone else find)(loss.path)
        if target is not None and (landing := follow(new, target)).is_found:
            moved[_change(loss.path, target)].append(msgspec.structs.replace(loss, moved_to=landing.path))
        else:
            rest.append(loss)
    prefix, shifted = _by_prefix(old, [loss for loss in rest if loss.page], unique(fresh, url_stem))
    if shifted:
        moved[prefix] += shifted
        paths = {loss.path for loss in shifted}
        rest = [loss for loss in rest if loss.path not in paths]
    return [LossFinding(kind="form", cause=cause, losses=tuple(each)) for cause, each in moved.items()], rest


def _finder(pages: Iterable[str], redirects: Iterable[str]) -> Callable[[str], str | None]:
    """A function that finds the only page, or else the only redirect, whose URL is another form of a path's."""
    same = unique(pages, url_stem)
    folded = unique(pages, lambda path: url_stem(path).casefold())
    redirected = unique(redirects, url_stem)

    def find(path: str) -> str | None:
        stem = url_stem(path)
        known = ((same, stem), (folded, stem.casefold()), (redirected, stem))
        return next((paths[key] for paths, key in known if key in paths), None)

    return find


def unique(paths: Iterable[str], key_of: Callable[[str], str]) -> dict[str, str]:
    """The paths by their keys, without paths that share a key."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        found[key_of(path)].append(path)
    return {key: several[0] for key, several in found.items() if len(several) == 1}


def _change(before: str, after: str) -> str:
    """The difference between two forms of the URL of a page, such as ``.html → /``."""
    stem, other = url_stem(before), url_stem(after)
    if stem != other:
        return "capitalization"
    return f"{before[len(stem) :] or 'no ending'} → {after[len(other) :] or 'no ending'}"


def _by_prefix(old: Snapshot, losses: Sequence[Loss], targets: Mapping[str, str]) -> tuple[str, list[Loss]]:
    """The change of folders that most pages of the site went through, such as ``/ → /docs/``, and these pages."""
    if not _is_whole_site(len(losses), old):
        return "", []
    moves: dict[str, list[Loss]] = defaultdict(list)
    longer = _by_end(targets, {url_stem(loss.path) for loss in losses})
    for loss in losses:
        stem = url_stem(loss.path)
        for other in longer.get(stem, ()):
            moves[f"/ → /{other.removesuffix(stem)}"].append(msgspec.structs.replace(loss, moved_to=targets[other]))
        for end in ends_of(stem):
            if end in targets:
                moves[f"/{stem.removesuffix(end)} → /"].append(msgspec.structs.replace(loss, moved_to=targets[end]))
    cause = max(sorted(moves), key=lambda each: len(moves[each]), default="")
    most = moves[cause] if cause else []
    return (cause, most) if _is_whole_site(len(most), old) else ("", [])


def _is_whole_site(number: int, site: Snapshot) -> bool:
    """Whether this number of pages is at least half of a site."""
    return number >= _WHOLE_SITE and number * _SHARE >= len(site.pages)


def _by_end(stems: Iterable[str], wanted: Container[str]) -> Mapping[str, list[str]]:
    """The stems by those of their ends that are wanted."""
    found: dict[str, list[str]] = defaultdict(list)
    for stem in stems:
        for end in ends_of(stem):
            if end in wanted:
                found[end].append(stem)
    return found


def _once(old: Snapshot, losses: Iterable[Loss]) -> Iterator[Loss]:
    """The losses, with each page once: in the folders of aliases and other versions, it is the same loss."""
    same: dict[str, list[Loss]] = defaultdict(list)
    folders = sorted(old.folders, key=len, reverse=True)
    for loss in losses:
        folder = next((each for each in folders if loss.path.startswith(f"{each}/")), "")
        is_alias = folder and old.folders[folder] in {"version", "alias"}
        same[loss.path[len(folder) + 1 :] if is_alias else f"/{loss.path}"].append(loss)
    for first, *others in same.values():
        yield msgspec.structs.replace(first, also=tuple(each.path for each in others)) if others else first


def _lost_redirects(
    old: Snapshot, new: Snapshot, lost: Container[str]
) -> tuple[Sequence[Loss], Mapping[str, Sequence[str]]]:
    """The lost redirects that led somewhere, and the paths that still redirect to each page that is ``lost``."""
    gone: list[Loss] = []
    behind: dict[str, list[str]] = defaultdict(list)
    for path, redirect in sorted(old.redirects.items()):
        before = follow(old, path)
        if "#" in path or path in old.pages or not (before.is_found or path in old.gone):
            continue
        why = follow(new, path).problem
        if why is None:
            continue
        there = new.redirect_from(path)
        if before.path in lost and there is not None and there.target == redirect.target:
            behind[before.path].append(path)
        elif "redirects" not in new.unknown or new.files is not None:  # what .htaccess may redirect counts, as pages do
            gone_too = f"led to /{before.path}, which is also gone" if before.path in lost else ""
            gone.append(Loss(path=path, why=why or gone_too))
    return gone, behind


def _with_redirects(finding: LossFinding, behind: Mapping[str, Sequence[str]]) -> LossFinding:
    """The finding, with the paths that still redirect to what is lost."""
    losses = [
        msgspec.structs.replace(loss, also=(*loss.also, *others)) if others else loss
        for loss in finding.losses
        for others in [[path for lost in (loss.path, *loss.also) for path in behind.get(lost, ())]]
    ]
    return msgspec.structs.replace(finding, losses=tuple(losses))


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
