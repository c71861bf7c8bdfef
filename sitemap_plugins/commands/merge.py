"""The command ``sitemap-plugins merge``: joins languages and versions that were built one by one into one folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import click

from sitemap_plugins.commands.target import Target, locked_folder, takes_target
from sitemap_plugins.commands.terminal import conclude, first_of, say, table
from sitemap_plugins.commands.versions import Versions, read_versions, version_options
from sitemap_plugins.options import Filename, XDefault, parse_code
from sitemap_plugins.publish.writing import would_change, write_locked

if TYPE_CHECKING:
    from sitemap_plugins.merge import LanguageFolder, Merge, Place, RootFiles
    from sitemap_plugins.merge.language_folders import LanguageSummary
    from sitemap_plugins.model import Omitted, OutputFile
    from sitemap_plugins.versions import Version, VersionTree

_EXAMPLES = 5
_MOST_VERSIONS = 100_000
_HEADINGS = ("language", "folder", "known by", "listed", "linked", "absent", "not indexable", "other lang")
_WORDS = 3  # of these columns; the others are numbers


def _read_x_default(context: click.Context, parameter: click.Parameter, value: str | None) -> XDefault | None:
    if value is None:
        return None
    if value == "none":
        return XDefault.parse(False)  # noqa: FBT003  # what an author writes in the option
    try:
        return XDefault.parse(value)
    except ValueError as error:
        raise click.BadParameter(f"{error}; the path of a page has a slash in it, and none is none") from None


def _read_languages(
    context: click.Context,
    parameter: click.Parameter,
    values: Iterable[str],
) -> list[LanguageFolder]:
    from sitemap_plugins.merge import LanguageFolder

    found: dict[str, LanguageFolder] = {}
    for value in values:
        name, equals, folder = value.partition("=")
        path = PurePosixPath(folder.replace("\\", "/"))
        if not equals or not folder or path.is_absolute() or ".." in path.parts:
            raise click.BadParameter(
                f"{value!r} is not of the form CODE=FOLDER, with FOLDER relative to ROOT (. is ROOT itself)"
            )
        try:
            code = parse_code(name)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None
        key = "" if path == PurePosixPath(".") else path.as_posix()
        if key in found or any(each.code == code for each in found.values()):
            raise click.BadParameter(f"{code} or {path} is named twice")
        found[key] = LanguageFolder(folder=key, code=code, evidence="--language", mapped=True)
    return [*found.values()]


def _read_policy(context: click.Context, parameter: click.Parameter, value: str) -> int | None:
    """How many of the newest releases are listed beside the version that is kept; None for all versions."""
    if value in {"canonical", "all"}:
        return 0 if value == "canonical" else None
    name, _, number = value.partition(":")
    if name != "newest" or not number.isdecimal() or not number.isascii() or not 0 < int(number[:6]) <= _MOST_VERSIONS:
        raise click.BadParameter(f"{value!r} is none of canonical, newest:N (N is 1 or more) and all")
    return int(number[:6])


def _check_folders(root: str, languages: Sequence[LanguageFolder]) -> None:
    """Raise `click.BadParameter` where the named languages cannot be joined."""
    hint = "'--language'"
    for language in languages:
        folder = language.folder or "."
        if not _is_folder(Path(root, folder)):
            message = f"there is no folder {folder} below {root}; FOLDER is relative to ROOT"
            raise click.BadParameter(message, param_hint=hint)
    if len(languages) == 1:
        message = "one language has nothing to be joined with: name all of them, such as "
        raise click.BadParameter(f"{message}--language en=. --language fr=fr", param_hint=hint)


@click.command("merge")
@takes_target
@click.option(
    "--language",
    "languages",
    multiple=True,
    metavar="CODE=FOLDER",
    callback=_read_languages,
    help="A language and its folder below ROOT (. is ROOT); once for each language, and only those are joined. By "
    "default they are found by the names of the folders and the languages of the pages in them.",
)
@click.option(
    "--x-default",
    metavar="CODE|PATH|none",
    callback=_read_x_default,
    help="The language, or the page to choose one, for readers of no other. By default the one that the sitemaps name, "
    "else the language at ROOT itself.",
)
@version_options
@click.option(
    "--versions",
    "policy",
    default="canonical",
    show_default=True,
    metavar="POLICY",
    callback=_read_policy,
    help="Which versions the sitemap at ROOT lists: canonical (the one that is kept), newest:N (the newest N releases "
    "too), all (pre-releases and development versions too).",
)
@click.option(
    "--with-removed",
    is_flag=True,
    help="Also list pages that only older releases have, each from the newest release that has it.",
)
@click.option("--pattern", default="sitemap*.xml", show_default=True, help="The names of the sitemaps.")
@click.option("--dry-run", is_flag=True, help="Show what would be done, and write nothing.")
def merge_command(
    target: Target,
    languages: list[LanguageFolder],
    x_default: XDefault | None,
    layout: str | None,
    keep: Sequence[str],
    policy: int | None,
    pattern: str,
    *,
    with_removed: bool,
    dry_run: bool,
) -> None:
    """Combine languages and versions that were built separately and are published below ROOT.

    Languages: reads the sitemaps in ROOT and its folders, and writes into them which pages are translations of one
    another: those with the same path in the folders of two languages, and those that name one another in their
    sitemaps. Only pages that exist and may be indexed are named, and each names all others.

    Versions: writes a sitemap at ROOT that lists the pages of the canonical version, and announces it in robots.txt if
    ROOT is the root of a host. Languages are joined within that version; other versions keep their own sitemaps as they
    are, and these are announced nowhere.

    Merging again changes nothing.
    """

    def write(root: str) -> tuple[_Outcome, list[str]]:
        with locked_folder(root, dry_run=dry_run):
            _check_folders(root, languages)
            versions = read_versions(Path(root), layout, keep)
            if versions is None:
                outcome = _merge_languages(root, languages, x_default, pattern)
            else:
                outcome = _merge_versions(
                    root, versions, languages, x_default, pattern, policy, with_removed=with_removed
                )
            return outcome, would_change(outcome.files, root) if dry_run else write_locked(outcome.files, root)

    (outcome, changed), about_branch = target.work(write, "Update the sitemaps", dry_run=dry_run)
    verb = "would change" if dry_run else "changed"
    about_files = f"{verb}: {', '.join(changed)}" if changed else "nothing to change"
    conclude([*outcome.lines, about_files, *about_branch], outcome.problems)


class _Outcome(NamedTuple):
    """What is to be written, and what is to be said: ``lines``, and ``problems`` because of which the command fails."""

    files: Sequence[OutputFile]
    lines: Sequence[str]
    problems: Sequence[str]


def _merge_languages(root: str, languages: list[LanguageFolder], x_default: XDefault | None, pattern: str) -> _Outcome:
    from sitemap_plugins.built import read_published
    from sitemap_plugins.merge import merge

    published = read_published(Path(root), pattern)
    if not published.sitemaps:
        _refuse(root, pattern, published.problems)
    merged = merge(published, languages, x_default)
    return _Outcome(merged.files, _describe(merged), merged.problems)


def _merge_versions(
    root: str,
    versions: Versions,
    languages: Sequence[LanguageFolder],
    x_default: XDefault | None,
    pattern: str,
    newest: int | None,
    *,
    with_removed: bool,
) -> _Outcome:
    """Join the languages of the versions that are announced, and write the root."""
    from sitemap_plugins.built import count_listed, read_published
    from sitemap_plugins.merge import LanguageFolder, merge, merge_root, other_versions
    from sitemap_plugins.publish.root_files import read_host_files, read_robots

    tree, choice = versions
    path = Path(root)
    root_url, places = _find_places(root, versions, newest, with_removed=with_removed)
    names = tree.folders - {""}
    published = read_published(path, pattern, [place.folder for place in places], names)
    if not published.sitemaps:
        _refuse(root, pattern, published.problems)
    if not languages and len(tree.languages) > 1:
        languages = [
            LanguageFolder(folder=each.folder, code=each.version.language, evidence="folder", mapped=True)
            for each in choice.kept
            if each.version.language
        ]
    merged = merge(published, languages, x_default, may_be_one=True)
    filename, beside = _root_sitemap(path, tree)
    robots_txt, about_robots = read_robots(path)
    host_files, about_host_files = read_host_files(path)
    problems = [note.message for note in (*about_robots, *about_host_files)]
    at_root = merge_root(
        root_url,
        places,
        published,
        merged.links,
        filename=filename,
        beside=[root_url + name for name in beside],
        robots_txt=robots_txt,
        may_announce=not about_robots,
        host_files=host_files,
    )
    if not any(at_root.listed.values()) and not beside:
        problems.append(f"no page is left for the sitemap of the root{_because(at_root.omitted)}")
    # Of one language there is nothing to say: a folder such as "stable" is a version, and no word in Slovak.
    about_languages = _describe(merged) if len(merged.languages) > 1 else []
    others = {
        version: count_listed(path, version.real_folder, pattern, names - {version.real_folder})
        for version in other_versions(tree, places)
    }
    return _Outcome(
        files=(*_removals(path / filename, at_root.files), *merged.files, *at_root.files),
        lines=(*versions.lines(), *about_languages, *_describe_root(places, at_root, others)),
        problems=(*tree.problems, *merged.problems, *problems),
    )


def _find_places(root: str, versions: Versions, newest: int | None, *, with_removed: bool) -> tuple[str, list[Place]]:
    """The URL of the root, and the versions to announce below it."""
    from sitemap_plugins.merge import choose_places

    root_url = versions.tree.root_url
    if root_url is None:
        raise click.ClickException(
            f"no page and no sitemap says the URL of {root}: build the versions with one (site_url, html_baseurl)"
        )
    places = choose_places(*versions, newest, with_removed=with_removed)
    if apart := next((place for place in places if not place.base_url.startswith(root_url)), None):
        raise click.ClickException(
            f"{apart.version.name} is published at {apart.base_url}, which is not below {root_url}: a sitemap at the "
            "root of one host cannot list the pages of another; merge the folder of each host by itself"
        )
    return root_url, places


def _describe_root(
    places: Iterable[Place], at_root: RootFiles, others: Mapping[Version, tuple[int, int]]
) -> Iterator[str]:
    """What is listed at the root, and what is not."""
    for place in places:
        if place.folder:
            removed = " that no newer version has" if place.only_removed else ""
            number = at_root.listed.get(place.folder, 0)
            yield f"{place.folder}: {number:,} page{'s' * (number != 1)}{removed} listed at the root"
    for version, (listed, absent) in others.items():
        missing = f", {absent} of which do not exist" if absent else ""
        pages = f"{listed:,} page{'s' * (listed != 1)}"
        yield f"{version.folder or '.'}: {pages} in its own sitemap{missing}; not announced"
    if at_root.omitted:
        yield f"left out: {len(at_root.omitted)}{_because(at_root.omitted)}"
    if at_root.absent:
        yield f"listed by the versions but not there: {sum(at_root.absent.values())}"
    yield from (f"note: {note.message}" for note in at_root.notes)


def _root_sitemap(root: Path, tree: VersionTree) -> tuple[Filename, list[Filename]]:
    """The name of the sitemap at the root, and those of others there that are to be announced beside it."""
    from sitemap_plugins.merge import BESIDE, FLAT
    from sitemap_plugins.publish.ownership import is_ours
    from sitemap_plugins.versions import lists_versions

    is_material = tree.root_site is not None and tree.root_site.is_material
    if not is_material and (
        not (root / FLAT).exists()
        or lists_versions(root, {name for folder in tree.folders for name in folder.split("/") if name})
    ):
        return FLAT, []
    if (root / BESIDE).exists() and not is_ours(root / BESIDE):
        raise click.ClickException(
            f"{root / FLAT} and {root / BESIDE} are there already and were not written by this command: rename one"
        )
    return BESIDE, [FLAT] if (root / FLAT).exists() else []


def _removals(sitemap: Path, files: Sequence[OutputFile]) -> list[OutputFile]:
    """That there must be nothing more of the parts of a sitemap that an earlier run wrote and this one does not."""
    from sitemap_plugins.built import read_parts
    from sitemap_plugins.publish.ownership import ForeignFiles
    from sitemap_plugins.sitemaps import companions

    if all(file.path != sitemap.name for file in files):
        return []  # the index stays, and names them
    earlier = [each for part in read_parts(sitemap) for each in (part.name, *companions(part.name))]
    return ForeignFiles(sitemap.parent).removals(earlier, files)


def _because(omitted: Sequence[Omitted]) -> str:
    """How many pages were left out for which reason, and the first of them."""
    if not omitted:
        return ""
    reasons = Counter(each.reason for each in omitted)
    counts = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
    first = omitted[0]
    detail = f" ({first.detail})" if first.detail else ""
    return f" ({counts}), such as {first.page.name}: {first.reason}{detail}"


def _refuse(root: str, pattern: str, problems: Iterable[str]) -> NoReturn:
    for problem in problems:
        say(f"problem: {problem}", err=True)
    raise click.ClickException(
        f"there is no sitemap that could be used in {root} (files {pattern}): build the site with one first"
    )


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # no folder can have that name
        return False


def _describe(merged: Merge) -> list[str]:
    """The table of what was decided for languages, and sentences on what is not in it."""
    lines = _table(merged.languages) if merged.languages else []
    counts = (
        f"pages in several languages: {merged.clusters}; links: {merged.alternates} (before: {merged.before}); "
        f"x-default: {merged.x_default or 'none'}"
    )
    lines.append(counts)
    if merged.declared:
        lines.append(f"declared translations on other sites, which nobody could check here: {merged.declared}")
    if merged.refuted:
        lines.append(f"links that led to no listed page and were removed: {len(merged.refuted)}")
        lines += first_of([f"  {each}" for each in merged.refuted], _EXAMPLES)
    if merged.conflicts:
        lines.append(f"links that contradict others, and so were passed over: {len(merged.conflicts)}")
        lines += first_of([f"  {each}" for each in merged.conflicts], _EXAMPLES)
    return [*lines, *(f"note: {remark}" for remark in merged.remarks)]


def _table(languages: Iterable[LanguageSummary]) -> list[str]:
    """A line for each language."""
    rows: list[tuple[str, ...]] = [_HEADINGS]
    for each in languages:
        numbers = (each.listed, each.translated, each.absent, each.closed, each.foreign)
        rows.append((each.language.code, each.language.folder or ".", each.language.evidence, *map(str, numbers)))
    return table(rows, words=_WORDS)
