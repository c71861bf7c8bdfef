"""Finds the URLs of an old snapshot that lead nowhere in a new one, by what happened to them, and who lost them.

Before, old pages get the documents that they do not know of. Afterwards, those that the author ignores (the option
``ignored_findings``) are left out, and what the branch that is built does not have yet, because it is behind.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final, Literal, TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from sitemap_plugins.formats.paths import stem_of
from sitemap_plugins.git.branches import BranchError
from sitemap_plugins.git.commits import read_difference
from sitemap_plugins.git.repository import find_merge_base, is_in_history, read_files
from sitemap_plugins.options.settings import GONE, IgnoredFinding
from sitemap_plugins.published.snapshot import Snapshot, SnapshotPage
from sitemap_plugins.values.urls import ends_of

LossKind: TypeAlias = Literal["removed", "redirects", "form"]
"""What kind of URL is lost: a page, a redirect, or the old form of the URL of a page that is still there."""

_KINDS: Final[tuple[LossKind, ...]] = get_args(LossKind)
_SHARE: Final = 2  # at least half of the pages have moved if the whole site has
_WHOLE_SITE: Final = 3  # pages; fewer tell nothing about the site

_INDEXES: Final = frozenset({"index", "_index", "README"})

# The files that settings and redirects are in, such as mkdocs.en.yml and redirects.txt.
_SETTINGS: Final = re.compile(
    r"(?i)(?:\A|/)(?:(?:mkdocs|properdocs)[^/]*\.ya?ml|zensical\.toml|conf\.py|vercel\.json|[^/]*redirect[^/]*)\Z"
)


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


def find_losses(old: Snapshot, new: Snapshot) -> tuple[LossFinding, ...]:
    """The URLs of the old snapshot that lead nowhere in the new one, grouped by their causes."""
    pages = [
        Loss(path=path, page=page, why=why)
        for path, page in sorted(old.pages.items())
        if (page.is_listed or "unlisted" not in new.unknown) and not (page.is_list and new.has_list_of(path))
        if (why := new.follow(path).problem) is not None
    ]
    redirects, behind = _lost_redirects(old, new, {loss.path for loss in pages})
    findings, rest = _by_folder(old, new, [*pages, *redirects])
    found, rest = _by_form(old, new, rest)
    findings += found
    findings += (LossFinding(kind="removed" if loss.page else "redirects", losses=(loss,)) for loss in _once(old, rest))
    findings = [_with_redirects(finding, behind) for finding in findings]
    return tuple(sorted(findings, key=lambda each: (-len(each.losses), _KINDS.index(each.kind), each.losses[0].path)))


def _by_folder(old: Snapshot, new: Snapshot, losses: Sequence[Loss]) -> tuple[list[LossFinding], Sequence[Loss]]:
    """A finding for each version, alias and language that is entirely gone, and the other losses."""
    findings: list[LossFinding] = []
    for folder in sorted(old.folders.keys() - new.folders.keys()):
        start = f"{folder}/"
        inside = [loss for loss in losses if loss.path.startswith(start)]
        known = (path for path in (*old.pages, *old.redirects) if path.startswith(start) and "#" not in path)
        if inside and not any(new.follow(path).is_found for path in known):
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
        if target is not None and (landing := new.follow(target)).is_found:
            moved[_change(loss.path, target)].append(replace(loss, moved_to=landing.path))
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


def _by_prefix(old: Snapshot, losses: Sequence[Loss], fresh: Mapping[str, str]) -> tuple[str, list[Loss]]:
    """The change of folders that most pages of the site went through, such as ``/ → /docs/``, and these pages."""
    if not _is_whole_site(len(losses), old):
        return "", []
    moves: dict[str, list[Loss]] = defaultdict(list)
    longer = _by_end(fresh, {url_stem(loss.path) for loss in losses})
    for loss in losses:
        stem = url_stem(loss.path)
        for other in (*longer.get(stem, ()), *(end for end in ends_of(stem) if end in fresh)):
            end = min(stem, other, key=len)
            change = f"/{stem.removesuffix(end)} → /{other.removesuffix(end)}"
            moves[change].append(replace(loss, moved_to=fresh[other]))
    cause = max(sorted(moves), key=lambda each: len(moves[each]), default="")
    most = moves[cause] if cause else []
    return (cause, most) if _is_whole_site(len(most), old) else ("", [])


def _is_whole_site(number: int, site: Snapshot) -> bool:
    """Whether this number of pages is at least half of a site."""
    return number >= _WHOLE_SITE and number * _SHARE >= len(site.pages)


def _by_end(stems: Iterable[str], wanted: Container[str]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for stem in stems:
        for end in ends_of(stem):
            if end in wanted:
                found[end].append(stem)
    return found


def _once(old: Snapshot, losses: Iterable[Loss]) -> Iterator[Loss]:
    """The losses, with each page once: in the folders of aliases and other versions, it is the same loss."""
    same: dict[tuple[bool, str], list[Loss]] = defaultdict(list)
    folders = sorted(old.folders, key=len, reverse=True)
    for loss in losses:
        folder = next((each for each in folders if loss.path.startswith(f"{each}/")), "")
        is_alias = folder and old.folders[folder] in {"version", "alias"}
        same[loss.page is None, loss.path[len(folder) + 1 :] if is_alias else f"/{loss.path}"].append(loss)
    for first, *others in same.values():
        yield replace(first, also=tuple(each.path for each in others)) if others else first


def _lost_redirects(
    old: Snapshot, new: Snapshot, lost: Container[str]
) -> tuple[Sequence[Loss], Mapping[str, Sequence[str]]]:
    """The lost redirects that led somewhere, and the paths that still redirect to each page that is ``lost``."""
    gone: list[Loss] = []
    behind: dict[str, list[str]] = defaultdict(list)
    for path, redirect in sorted(old.redirects.items()):
        before = old.follow(path)
        if "#" in path or path in old.pages or not (before.is_found or path in old.gone):
            continue
        why = new.follow(path).problem
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
    losses = [
        replace(loss, also=(*loss.also, *others)) if others else loss
        for loss in finding.losses
        for others in [[path for lost in (loss.path, *loss.also) for path in behind.get(lost, ())]]
    ]
    return replace(finding, losses=tuple(losses))


def without_ignored(findings: Iterable[LossFinding], entries: Sequence[IgnoredFinding]) -> Iterator[LossFinding]:
    """The findings without the URLs that an entry for the rule ``gone`` matches.

    A page that is lost in several versions is only left out in those that match.
    """
    ignoring = [entry for entry in entries if fnmatchcase(GONE, entry.rule or "")]

    def is_ignored(path: str) -> bool:
        return any(entry.match is None or entry.match.matches(path or "index.html") for entry in ignoring)

    for finding in findings:
        kept = [(loss, [path for path in (loss.path, *loss.also) if not is_ignored(path)]) for loss in finding.losses]
        losses = tuple(_with_paths(loss, *paths) for loss, paths in kept if paths)
        if losses:
            yield replace(finding, losses=losses)


def paths_of(findings: Iterable[LossFinding]) -> Iterator[str]:
    """All lost paths, also those of the same page in other versions."""
    return (path for finding in findings for loss in finding.losses for path in (loss.path, *loss.also))


def _with_paths(loss: Loss, path: str, *also: str) -> Loss:
    if path == loss.path:
        return replace(loss, also=also)
    page = loss.page and replace(loss.page, path=path)
    return replace(loss, path=path, also=also, page=page, why="")  # it is only about the first path


def with_documents(old: Snapshot, new: Snapshot, files: Collection[str]) -> Snapshot:
    """The old snapshot with the documents of its pages.

    ``files`` are all files in the commit that it was built from. The new snapshot shows which folder the documents are
    in. A page has no document if no file, or more than one, would be published at its path.
    """
    folders = {
        page.document[: -len(end)]
        for path, page in new.pages.items()
        if page.document and (end := _end_of(page.document, url_stem(path)))
    }
    if len(folders) != 1:
        return old
    (folder,) = folders
    inside = (file for file in files if file.startswith(folder))
    documents = unique(inside, lambda file: _stem_of_document(file[len(folder) :]))
    pages = {
        path: page if page.document else replace(page, document=documents.get(url_stem(path)))
        for path, page in old.pages.items()
    }
    unknown = old.unknown - {"documents"} if any(page.document for page in pages.values()) else old.unknown
    return replace(old, pages=pages, unknown=unknown)


def _end_of(document: str, stem: str) -> str:
    """The end of a document's path that its page has as its stem; empty if there is none."""
    return next((end for end in ends_of(document) if stem and _stem_of_document(end) == stem), "")


def _stem_of_document(path: str) -> str:
    """The stem of the URL of a document, such as ``guide`` for guide.md, guide/index.md and guide/README.md."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    return folder if stem in _INDEXES else f"{folder}/{stem}" if folder else stem


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    """The branch that is built, compared with the commit that was deployed.

    ``has_lost`` tells whether the branch itself lost a page. ``why`` says why it may lack other pages. ``is_behind``
    says that the deployed commit is known not to be in it, so it may still get these pages from there.
    """

    has_lost: Callable[[Loss], bool] = lambda _: False
    why: str = ""
    is_behind: bool = False


def branch_of(deployed: str | None, toplevel: str | None) -> Branch:
    """The branch of the repository at ``toplevel``, compared with the ``deployed`` commit.

    A branch lost a page if it contains that commit, or if their last common commit has the document of the page, and
    the branch does not. If others have changed no settings since then, it also lost the pages whose documents are still
    there as others left them, and redirects: only its own settings can be the reason.
    """
    if deployed is None or toplevel is None:
        return Branch(why="without git, the reason is unknown")
    if is_in_history(toplevel, deployed):
        return Branch(has_lost=lambda _: True)
    base = find_merge_base(toplevel, deployed)
    if base is None:
        return Branch(why="the branch may be behind, or the clone is too shallow to tell")
    there = read_files(toplevel, base)
    theirs = _changed(toplevel, base, deployed)

    def has_lost(loss: Loss) -> bool:
        document = loss.page.document if loss.page else None
        if document is None:
            return loss.page is None and theirs is not None
        if not os.path.lexists(os.path.join(toplevel, *document.split("/"))):
            return document in there
        return theirs is not None and document not in theirs

    return Branch(has_lost=has_lost, why="the branch may be behind", is_behind=True)


def _changed(toplevel: str, old: str, new: str) -> frozenset[str] | None:
    """The files that differ between two commits; None if settings do, which may change any URL."""
    try:
        changed = read_difference(toplevel, old, new).changed
    except BranchError:
        return None
    return None if any(_SETTINGS.search(path) for path in changed) else changed


def split_behind(findings: Iterable[LossFinding], branch: Branch) -> tuple[tuple[LossFinding, ...], tuple[Loss, ...]]:
    """The findings without what the branch may not have yet; and what that is.

    If the document of a page is not known, the page counts as lost.
    """
    behind: list[Loss] = []
    kept: list[LossFinding] = []
    for finding in findings:
        losses: list[Loss] = []
        for loss in finding.losses:
            is_known = loss.page is None or loss.page.document is not None
            is_new = branch.is_behind and is_known and not branch.has_lost(loss)
            (behind if is_new else losses).append(loss)
        if losses:
            kept.append(replace(finding, losses=tuple(losses)))
    return tuple(kept), tuple(behind)
