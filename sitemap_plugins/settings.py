"""Every option, declared once: its type, its default and its bounds; all hosts read their options here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from sitemap_plugins.conversion import Mistake, convert_fields, did_you_mean, shown
from sitemap_plugins.file_options import EvidenceFile, FileNames, IgnoreRevs
from sitemap_plugins.model import ChangeFrequency
from sitemap_plugins.notes import KINDS, Level
from sitemap_plugins.option_types import (
    Alternates,
    BaseURL,
    Filename,
    Globs,
    Hook,
    LanguageSite,
    PageChoice,
    WrittenDate,
    XDefault,
    parse_code,
)

Priority: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
Share: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
Indent: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=8)]
LastModSource: TypeAlias = Literal["front_matter", "git", "mtime"]


class PageValues(msgspec.Struct, frozen=True, kw_only=True):
    """What a page's front matter, or a rule of the ``pages`` option, can say of a page."""

    priority: Priority | None = None
    changefreq: ChangeFrequency | None = None
    lastmod: WrittenDate | None = None
    exclude: bool | None = None
    alternates: Alternates | None = None
    depends_on: FileNames | None = None


class PageRule(PageValues, frozen=True, kw_only=True):
    """Values for every page that matches: ``match`` sees the URL path below the base, ``source`` the source file.

    Where both are given, both have to match.
    """

    match: Globs | None = None
    source: Globs | None = None

    def __post_init__(self) -> None:
        if self.match is None and self.source is None:
            message = "a rule needs 'match' (globs for the URL) or 'source' (globs for the source file)"
            raise ValueError(message)

    def applies(self, path: str, source: str) -> bool:
        """Whether the rule is for the page with this path below the base URL and this source file."""
        return (self.match is None or self.match.matches(path)) and (self.source is None or self.source.matches(source))


class GitOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What counts as a change of a page, and which date of the commit is its own."""

    date: Literal["committer", "author", "landed"] = "committer"
    follow_renames: bool = True
    ignore_revs: IgnoreRevs = IgnoreRevs()  # immutable
    dependencies: bool = True
    bulk_share: Share = 0.5


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The options and their defaults. A None leaves it to the host."""

    filename: Filename = Filename("sitemap.xml")  # an immutable str
    base_url: BaseURL | None = None
    lastmod: tuple[LastModSource, ...] = ("front_matter", "git")
    lastmod_format: Literal["datetime", "date"] = "datetime"
    git: GitOptions = GitOptions()  # immutable
    expose: bool | Literal["created"] = False
    evidence: EvidenceFile | None = None
    exclude: Globs = Globs()  # immutable
    pages: tuple[PageRule, ...] = ()
    generated_pages: PageChoice | None = None
    robots: bool = True
    gzip: bool | None = None
    languages: dict[str, LanguageSite] = {}  # msgspec copies an empty dict for every instance
    x_default: XDefault = XDefault()  # immutable
    translated_share: Share = 0.5
    head_links: bool = False
    indent: Indent = 0
    adjust: Hook | None = None
    notes: dict[str, Level] = {}  # the same

    @property
    def filenames(self) -> tuple[str, str]:
        """The sitemap and the compressed one beside it, whether that is to be written or not to be there."""
        return self.filename, f"{self.filename}.gz"

    def for_host(self, *, gzip: bool, generated_pages: bool) -> Settings:
        """These settings with the host's own defaults where the author decided nothing."""
        return msgspec.structs.replace(
            self,
            gzip=gzip if self.gzip is None else self.gzip,
            generated_pages=PageChoice.parse(generated_pages) if self.generated_pages is None else self.generated_pages,
        )


def read_settings(options: Mapping[Any, object]) -> tuple[Settings, list[Mistake]]:
    """The settings that these options make, and every mistake in them; a wrong option has its default value."""
    values, mistakes = convert_fields(options, Settings)
    written = options.get("notes")
    for kind in written if isinstance(written, Mapping) else ():
        if kind not in KINDS:
            word = kind if isinstance(kind, str) else shown(kind)
            mistakes.append(Mistake(f"notes.{word}", "there is no such kind of note" + did_you_mean(word, KINDS)))
            values["notes"].pop(word, None)
    values["languages"], found = _read_languages(values.get("languages", {}))
    git = values.get("git", GitOptions())
    if git.date == "landed" and git.ignore_revs.files:
        message = (
            "cannot be used with date: landed, since on the first-parent line a commit is seen only together with all "
            "that was merged with it; leave out one of them"
        )
        found.append(Mistake("git.ignore_revs", message))
        values["git"] = msgspec.structs.replace(git, ignore_revs=IgnoreRevs())
    return Settings(**values), mistakes + found


def _read_languages(written: Mapping[str, LanguageSite]) -> tuple[dict[str, LanguageSite], list[Mistake]]:
    """The languages by their codes; two with one code or one URL cannot be told apart."""
    languages: dict[str, LanguageSite] = {}
    mistakes: list[Mistake] = []
    for name, site in written.items():
        place = f"languages.{name}"
        try:
            code = parse_code(name)
        except ValueError as error:
            mistakes.append(Mistake(place, str(error)))
            continue
        same = next((other for other, known in languages.items() if known.url == site.url), None)
        if code in languages:
            mistakes.append(Mistake(place, f"there are two languages with the code {code}"))
        elif same:
            mistakes.append(Mistake(place, f"{site.url} is the URL of {same} already"))
        else:
            languages[code] = site
    return languages, mistakes
