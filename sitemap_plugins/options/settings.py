"""Declare all options, with types, defaults and bounds, and read them for all hosts."""

# No annotations from __future__ here: they would be text, which msgspec evaluates in every build.

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, ClassVar, Final, Literal, Self, TypeAlias

import msgspec

from sitemap_plugins.model import Candidate, ChangeFrequency
from sitemap_plugins.options.convert import Facts, Mistake, convert_fields, fields_of
from sitemap_plugins.options.types import (
    Alternates,
    BaseURL,
    CanonicalVersionSite,
    Filename,
    FileNames,
    FilePath,
    Globs,
    Hook,
    HostPattern,
    HostURL,
    IgnoreRevs,
    ImageChoice,
    LanguageCode,
    LanguageSite,
    MediaURL,
    NewsLanguage,
    PageChoice,
    PageName,
    PlainName,
    Schema,
    SectionName,
    Selector,
    SourcePattern,
    Text,
    Title,
    WrittenDate,
    XDefault,
)
from sitemap_plugins.rules import KINDS, Level
from sitemap_plugins.values.dates import DateStyle
from sitemap_plugins.values.languages import REGIONS, code_of
from sitemap_plugins.values.text import closest, did_you_mean, short_repr
from sitemap_plugins.values.urls import file_key

URL_LIMIT: Final = 50_000
"""The most URLs in a sitemap, and the most sitemaps in an index (sitemaps.org protocol; SM-LIM-01)."""

SIZE_LIMIT: Final = 52_428_800
"""The most bytes of a sitemap, uncompressed and with the closing tag (sitemaps.org protocol; SM-LIM-02)."""

_MIN_SIZE: Final = 4096  # bytes: enough for the elements around the URLs and one URL of the greatest length

Priority: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
Share: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
Indent: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=8)]
LastModSource: TypeAlias = Annotated[
    Literal["front_matter", "git", "mtime", "page"], msgspec.Meta(description="date sources")
]
Separately: TypeAlias = bool | Literal["separate"]
Engine: TypeAlias = Annotated[Literal["google", "bing", "yandex", "baidu"], msgspec.Meta(description="search engines")]


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The size from which a sitemap is split; never more than the protocol allows."""

    urls: Annotated[int, msgspec.Meta(ge=1, le=URL_LIMIT)] = URL_LIMIT
    bytes: Annotated[int, msgspec.Meta(ge=_MIN_SIZE, le=SIZE_LIMIT)] = SIZE_LIMIT


class PageGroup(msgspec.Struct, frozen=True, kw_only=True):
    """A group of pages: those that match all conditions that are set, or none if no condition is set.

    A list of globs in place of the mapping stands for ``match``.
    """

    SHORTHAND: ClassVar[str] = "match"

    match: Globs | None = None
    source: Globs | None = None
    language: LanguageCode | None = None

    def holds(self, candidate: Candidate) -> bool:
        """Whether the page is in the group."""
        is_any = self.match is not None or self.source is not None or self.language is not None
        return (
            is_any
            and (self.match is None or self.match.matches(candidate.path))
            and (self.source is None or self.source.matches(candidate.page.name))
            and (self.language is None or self.language == code_of(candidate.page.language))
        )


class Section(PageGroup, frozen=True, kw_only=True):
    """A part of the site with its own sitemap; ``archive: year`` makes one for each year of publication."""

    archive: Literal["year"] | None = None


class NewsGroup(PageGroup, frozen=True, kw_only=True):
    """The pages that are news, and the name and language of their publication."""

    name: Title | None = None
    publication_language: NewsLanguage | None = None


class FeedFile(PlainName):
    """The file name of a feed."""

    ENDINGS = (".xml", ".rss", ".atom")
    EXAMPLE = "changes.xml"


class Feeds(msgspec.Struct, frozen=True, kw_only=True):
    """The feeds of changed pages: their file names, how many pages they list, and whether pages link to them."""

    rss: FeedFile | None = None
    atom: FeedFile | None = None
    count: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 50
    title: Title | None = None
    head_links: bool = False

    ONE_OF: ClassVar[tuple[str, ...]] = ("rss", "atom")  # has to be there

    def __bool__(self) -> bool:
        """Whether there is a feed to write."""
        return bool(self.rss or self.atom)


class Uploader(Text):
    """The name of the uploader of a video."""

    LENGTH = 255


class Tag(Text):
    """A keyword for the subject of a video."""

    LENGTH = 100


class Restricted(msgspec.Struct, frozen=True):
    """The countries or platforms in which a video may (``allow``) or may not (``deny``) be shown."""

    KNOWN: ClassVar[frozenset[str]]

    relationship: Literal["allow", "deny"]
    values: tuple[str, ...]

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a mapping of ``allow`` or ``deny`` to a list of words. Raises ValueError for anything else."""
        message = f"{short_repr(value)} is not a mapping such as {{deny: [{', '.join(sorted(cls.KNOWN)[:2])}]}}"
        if not isinstance(value, Mapping) or len(value) != 1:
            raise ValueError(message)
        ((relationship, words),) = value.items()
        words = words.replace(",", " ").split() if isinstance(words, str) else words
        if relationship not in {"allow", "deny"} or not isinstance(words, Sequence) or not words:
            raise ValueError(message)
        if unknown := [word for word in words if not isinstance(word, str) or word not in cls.KNOWN]:
            hint = " (YAML reads the code of Norway as a boolean: write it in quotes)" if False in unknown else ""
            raise ValueError(f"{short_repr(unknown[0])} is not a known value such as {min(cls.KNOWN)}{hint}")
        return cls("allow" if relationship == "allow" else "deny", tuple(str(word) for word in words))

    @classmethod
    def schema(cls) -> Schema:
        """The schema of a mapping with one key; it allows any text instead of a list."""
        words = {"type": ["string", "array"], "items": {"enum": sorted(cls.KNOWN)}, "minItems": 1, "minLength": 1}
        return {
            "type": "object",
            "properties": {"allow": words, "deny": words},
            "additionalProperties": False,
            "minProperties": 1,
            "maxProperties": 1,
        }


class Countries(Restricted, frozen=True):
    """Countries by their ISO 3166-1 alpha-2 codes."""

    KNOWN = REGIONS


class Platforms(Restricted, frozen=True):
    """The kinds of device that Google distinguishes."""

    KNOWN = frozenset({"web", "mobile", "tv"})


class VideoValues(msgspec.Struct, frozen=True, kw_only=True):
    """The values that an author sets for a video; missing ones may come from the page that embeds it."""

    thumbnail_loc: MediaURL | None = None
    title: Title | None = None
    description: Text | None = None
    content_loc: MediaURL | None = None
    player_loc: MediaURL | None = None
    duration: Annotated[int, msgspec.Meta(ge=1, le=28_800)] | None = None
    expiration_date: WrittenDate | None = None
    rating: Annotated[float, msgspec.Meta(ge=0.0, le=5.0)] | None = None
    view_count: Annotated[int, msgspec.Meta(ge=0, le=10**15)] | None = None
    publication_date: WrittenDate | None = None
    tags: Annotated[tuple[Tag, ...], msgspec.Meta(max_length=32)] = ()
    family_friendly: bool | None = None
    restriction: Countries | None = None
    requires_subscription: bool | None = None
    uploader: Uploader | None = None
    uploader_info: MediaURL | None = None
    platform: Platforms | None = None
    live: bool | None = None


class JSONFile(PlainName):
    """The name of a data file in the folder of the sitemap."""

    ENDINGS = (".json",)
    EXAMPLE = "site-record.json"


class NoteName(str):
    """The name of a kind of note."""

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a name. Raises ValueError if there is no such kind."""
        if isinstance(value, str) and value in KINDS:
            return cls(value)
        word = value if isinstance(value, str) else short_repr(value)
        raise ValueError("unknown kind of note" + did_you_mean(word, KINDS))

    @classmethod
    def schema(cls) -> Schema:
        """The schema of a name."""
        return {"enum": [*KINDS]}


class PageValues(msgspec.Struct, frozen=True, kw_only=True):
    """The values that front matter, or a rule of the ``pages`` option, can set for a page."""

    priority: Priority | None = None
    changefreq: ChangeFrequency | None = None
    lastmod: WrittenDate | None = None
    exclude: bool | None = None
    alternates: Alternates | None = None
    depends_on: FileNames | None = None
    images: ImageChoice | None = None
    videos: tuple[VideoValues, ...] | None = None
    news: bool | None = None
    published: WrittenDate | None = None
    section: SectionName | None = None


class PageRule(PageValues, frozen=True, kw_only=True):
    """Values for all matching pages: ``match`` has globs for the URL path below the base, ``source`` for source files.

    If both are given, both must match.
    """

    WORDS: ClassVar[str] = "rules with `match` or `source`"
    ONE_OF: ClassVar[tuple[str, ...]] = ("match", "source")  # has to be there

    match: Globs | None = None
    source: Globs | None = None

    def __post_init__(self) -> None:
        if all(getattr(self, name) is None for name in self.ONE_OF):
            raise ValueError("a rule needs 'match' (globs for the URL) or 'source' (globs for the source file)")

    def applies(self, path: str, source: str) -> bool:
        """Whether the rule applies to the page with this path below the base URL and this source file."""
        return (self.match is None or self.match.matches(path)) and (self.source is None or self.source.matches(source))


GONE: Final = "gone"
"""The id of lost URLs in `IgnoredFinding.rule`, and of the note about them."""


class IgnoredFinding(msgspec.Struct, frozen=True, kw_only=True):
    """Findings of ``check`` and ``diff`` that are not reported, and the reason why.

    ``rule`` is the name of a rule or a pattern such as ``listed-*``; ``gone`` is that of lost URLs, in builds, too.
    ``match`` has globs for the URL path below the base, or for the file if the finding is about no URL; None matches
    all.
    """

    WORDS: ClassVar[str] = "findings with `rule` and `reason`"
    EXAMPLE: ClassVar[str] = "{rule: its name, reason: why it is ignored}"

    rule: Text
    reason: Text
    match: Globs | None = None


class GitOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What counts as a change of a page, and which date of a commit is used."""

    date: Literal["committer", "author", "landed"] = "committer"
    follow_renames: bool = True
    ignore_revs: IgnoreRevs = IgnoreRevs()  # immutable
    dependencies: bool = True
    bulk_share: Share = 0.5


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The options and their defaults, with `Facts` about some of them.

    None leaves the choice to the host or means that the option is not set.
    """

    filename: Filename = Filename("sitemap.xml")  # an immutable str
    base_url: BaseURL | None = None
    follow_canonical: bool = False
    canonical_version_url: CanonicalVersionSite | None = None
    lastmod: tuple[LastModSource, ...] = ("front_matter", "git")
    lastmod_format: DateStyle = "datetime"
    git: GitOptions = GitOptions()  # immutable
    source: tuple[SourcePattern, ...] = ()
    expose: Annotated[bool | Literal["created"], Facts(needs="lastmod: [front_matter, git]")] = False
    record: JSONFile | None = None
    record_content: Annotated[bool, Facts(needs="record: site-record.json")] = False
    previous_record: FilePath | None = None
    exclude: Globs = Globs()  # immutable
    pages: tuple[PageRule, ...] = ()
    generated_pages: PageChoice | None = None
    files: Globs = Globs()  # immutable
    # msgspec copies an empty dict for every instance.
    sections: Annotated[
        dict[Annotated[str, SectionName], Section], Facts(words="a mapping of sections to globs", in_preview="default")
    ] = {}
    limit: Annotated[Limits, Facts(in_preview="default")] = Limits()  # immutable
    robots: bool = True
    cross_submit: tuple[HostURL, ...] = ()
    gzip: Annotated[bool | Literal["only"] | None, Facts(in_preview="bool")] = None
    text: Annotated[bool, Facts(in_preview="default")] = False
    feeds: Annotated[Feeds, Facts(in_preview="default", reads_content=True)] = Feeds()  # immutable
    html: Annotated[PageName | None, Facts(reads_content=True)] = None
    images: Annotated[Separately, Facts(in_preview="bool", reads_content=True)] = False
    videos: Annotated[Separately, Facts(in_preview="bool", reads_content=True)] = False
    image_hosts: Annotated[tuple[HostPattern, ...], Facts(needs="images: true")] = ()
    content_selector: Selector | None = None
    news: Annotated[NewsGroup | None, Facts(in_preview="default", reads_content=True)] = None
    engines: tuple[Engine, ...] = ()
    languages: Annotated[
        dict[Annotated[str, LanguageCode], LanguageSite], Facts(words="a mapping of languages to sites")
    ] = {}
    x_default: XDefault = XDefault()  # immutable
    translated_share: Share = 0.5
    head_links: bool = False
    indent: Indent = 0
    schema_location: bool = False
    adjust: Hook | None = None
    ignored_findings: tuple[IgnoredFinding, ...] = ()
    notes: Annotated[dict[Annotated[str, NoteName], Level], Facts(words="a mapping of message kinds to levels")] = {}

    @property
    def filenames(self) -> tuple[str, str]:
        """The names of the sitemap and of its compressed copy, whether or not that is written."""
        return self.filename, f"{self.filename}.gz"

    @property
    def named_files(self) -> dict[str, PlainName]:
        """The files that options name, by the name of the option, such as ``feeds.rss``."""
        return _named_files(msgspec.structs.asdict(self))

    def unannounced(self) -> Self:
        """These settings, but with one flat sitemap, which scripts of themes read, and no other files."""
        default = Settings()
        changes = {
            name: bool(getattr(self, name)) if each.in_preview == "bool" else getattr(default, name)
            for name, each in facts_of_options().items()
            if each.in_preview
        }
        return msgspec.structs.replace(self, **changes)

    def for_host(self, *, gzip: bool, generated_pages: bool | None) -> Self:
        """These settings, with the host's defaults for options that the author did not set."""
        choice = None if generated_pages is None else PageChoice.parse(generated_pages)
        return msgspec.structs.replace(
            self,
            gzip=gzip if self.gzip is None else self.gzip,
            generated_pages=choice if self.generated_pages is None else self.generated_pages,
        )


@cache
def facts_of_options() -> Mapping[str, Facts]:
    """What is declared about options, by their names."""
    return {name: facts for name, (_, facts) in fields_of(Settings).items()}


def read_settings(options: Mapping[Any, object], *, lax: bool = False) -> tuple[Settings, list[Mistake]]:
    """Read the options; also return every mistake in them. A wrong option keeps its default value.

    ``lax`` also reads numbers and booleans from text, because a command line has only text.
    """
    options, mistakes = _without_page_values(options)
    values, found = convert_fields(options, Settings)
    if lax:
        words = {name: value for name, value in options.items() if isinstance(value, str) and name not in values}
        read, _ = convert_fields(words, Settings, lax=True)
        values |= read
        found = [each for each in found if each.where not in read]
    mistakes += found
    found = _check_urls(values) + _check_sections(values) + _check_names(values)
    written = options.get("feeds")
    if isinstance(written, Mapping) and written.keys().isdisjoint(Feeds.ONE_OF):
        found.append(Mistake("feeds", "name a file, such as rss: changes.xml or atom: changes.atom"))
    git = values.get("git", GitOptions())
    if git.date == "landed" and git.ignore_revs.files:
        message = (
            "cannot be combined with date: landed, because on the first-parent line a merge hides the commits that it "
            "merged; remove one of them"
        )
        found.append(Mistake("git.ignore_revs", message))
        values["git"] = msgspec.structs.replace(git, ignore_revs=IgnoreRevs())
    return Settings(**values), mistakes + found


def _without_page_values(options: Mapping[Any, object]) -> tuple[Mapping[Any, object], list[Mistake]]:
    """The options without those for pages, and a mistake for each of these that says where to set it."""
    fields = Settings.__struct_fields__
    mistakes: dict[Any, Mistake] = {}
    for name in options:
        if not isinstance(name, str) or name in fields or closest(name, fields):
            continue
        if value := closest(name, PageValues.__struct_fields__):
            message = (
                f"unknown option; '{value}' is for pages: write it in their front matter, "
                f"or in a rule such as pages: [{{match: guides/, {value}: …}}]"
            )
            mistakes[name] = Mistake(name, message)
    return {name: value for name, value in options.items() if name not in mistakes}, [*mistakes.values()]


def _check_sections(values: dict[str, Any]) -> list[Mistake]:
    """Remove the sections that do not exist from the rules; return a mistake for each of these."""
    rules, sections = values.get("pages", ()), values.get("sections", {})
    unknown = {at: rule.section for at, rule in enumerate(rules) if rule.section and rule.section not in sections}
    good = (msgspec.structs.replace(rule, section=None) if at in unknown else rule for at, rule in enumerate(rules))
    values["pages"] = tuple(good)
    return [
        Mistake(f"pages[{at}].section", "unknown section" + did_you_mean(name, sections))
        for at, name in unknown.items()
    ]


def _check_names(values: dict[str, Any]) -> list[Mistake]:
    """Remove each option that names the same file as another one on any system; return a mistake for it."""
    named = {"filename": Settings().filename} | _named_files(values)
    places: dict[str, str] = {}
    mistakes = []
    for place, file in named.items():
        if (first := places.setdefault(file_key(file), place)) == place:
            continue
        message = f"{file} is also the value of {first}; choose another name"
        if file != named[first]:
            message = f"{file} and {named[first]}, the value of {first}, are the same file on Windows and macOS"
        mistakes.append(Mistake(place, message))
        option, _, kind = place.partition(".")
        if kind:
            values[option] = msgspec.structs.replace(values[option], **{kind: None})
        else:
            del values[option]
    return mistakes


def _named_files(values: Mapping[str, Any]) -> dict[str, PlainName]:
    """The files that these values of options name, and those that parts of the values name."""
    parts = dict(values)
    for name, value in values.items():
        if isinstance(value, msgspec.Struct):
            parts |= {f"{name}.{part}": each for part, each in msgspec.structs.asdict(value).items()}
    return {name: value for name, value in parts.items() if isinstance(value, PlainName)}


def _check_urls(values: dict[str, Any]) -> list[Mistake]:
    """Remove the languages at the URL of an earlier one; return a mistake for each of these."""
    languages: dict[str, LanguageSite] = values.get("languages", {})
    first = {site.url: code for code, site in reversed(languages.items())}
    values["languages"] = {code: site for code, site in languages.items() if code == first[site.url]}
    return [
        Mistake(f"languages.{code}", f"{site.url} is also the URL of {first[site.url]}; give each language its own URL")
        for code, site in languages.items()
        if code != first[site.url]
    ]
