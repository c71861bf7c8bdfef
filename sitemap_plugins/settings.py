"""Every option, declared once: its type, its default and its bounds; all hosts read their options here."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

import msgspec
from pathspec import PathSpec

from sitemap_plugins.conversion import Mistake, convert_fields, did_you_mean
from sitemap_plugins.model import ChangeFrequency, LastMod
from sitemap_plugins.notes import KINDS, Level
from sitemap_plugins.urls import InvalidURLError, parse_base_url
from sitemap_plugins.w3c_date import parse_lastmod

_FILENAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\.xml")
_HOOK: Final = re.compile(r"(?P<module>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):(?P<function>[A-Za-z_]\w*)")

Priority: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=1)]
LastModSource: TypeAlias = Literal["front_matter", "git", "mtime"]


class Filename(str):
    """The name of the sitemap: a plain file name, since a sitemap covers only what lies beside and below it."""

    __slots__ = ()

    @classmethod
    def parse(cls, value: object) -> Self:
        """Raises ValueError for anything but a plain name that ends in .xml."""
        if not isinstance(value, str) or not _FILENAME.fullmatch(value):
            message = f"{value!r} is not a plain file name that ends in .xml, like sitemap.xml"
            raise ValueError(message)
        return cls(value)


class BaseURL(str):
    """The absolute URL of the site's root, encoded, with a slash at its end."""

    __slots__ = ()

    @classmethod
    def parse(cls, value: object) -> Self:
        """Raises ValueError for a URL that no sitemap could be built on."""
        if not isinstance(value, str):
            message = f"{value!r} is not a URL like https://docs.example.org/"
            raise ValueError(message)  # noqa: TRY004  # msgspec turns a ValueError into the option's message
        try:
            return cls(parse_base_url(value))
        except InvalidURLError as error:
            message = f"{value!r} {error}; it should look like https://docs.example.org/"
            raise ValueError(message) from None


class WrittenDate:
    """A last-modified date as an author wrote it."""

    __slots__ = ("value",)

    def __init__(self, value: LastMod) -> None:
        self.value = value

    @classmethod
    def parse(cls, value: object) -> Self:
        """Raises ValueError for what is not a date, see `parse_lastmod`."""
        return cls(parse_lastmod(value))


class Globs:
    """A list of globs in the dialect of .gitignore: the last one that matches decides, ``!`` takes back."""

    __slots__ = ("_spec", "patterns")

    def __init__(self, patterns: Sequence[str] = ()) -> None:
        self.patterns = tuple(patterns)
        # Not GitIgnoreSpec: it keeps what a pattern with a slash at its end excludes, as git does with folders, but
        # here that slash is the end of a page's URL, and "!" has to take it back.
        self._spec = PathSpec.from_lines("gitignore", self.patterns)

    @classmethod
    def parse(cls, value: object) -> Self:
        """One glob or a list of them. Raises ValueError for anything else and for globs that cannot match."""
        patterns = [value] if isinstance(value, str) else value
        if not isinstance(patterns, Sequence) or not all(isinstance(pattern, str) for pattern in patterns):
            message = f"{value!r} is not a list of globs"
            raise ValueError(message)
        for pattern in patterns:
            if not pattern.strip() or pattern.startswith("#"):
                message = f"{pattern!r} is a glob that matches nothing" + (" (write \\#)" if pattern.strip() else "")
                raise ValueError(message)
        try:
            return cls(patterns)
        except ValueError as error:
            message = f"{value!r} is not a list of globs ({error})"
            raise ValueError(message) from None

    def matches(self, path: str) -> bool:
        """Whether a path (relative, with forward slashes) matches."""
        return bool(self.patterns) and self._spec.match_file(path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Globs) and self.patterns == other.patterns

    def __hash__(self) -> int:
        return hash(self.patterns)


class PageChoice(Globs):
    """All pages (``true``), none (``false``) or those that match."""

    __slots__ = ()

    @classmethod
    def parse(cls, value: object) -> Self:
        """Raises ValueError as `Globs.parse` does."""
        if isinstance(value, bool):
            return cls(("*",) if value else ())
        try:
            return super().parse(value)
        except ValueError as error:
            message = f"{error}; true, false or a list of globs is expected"
            raise ValueError(message) from None


class Hook:
    """A function of the author's: itself, or where it is to be imported from."""

    __slots__ = ("name", "target")

    def __init__(self, target: Callable[..., Any] | tuple[str, str], name: str) -> None:
        self.target = target
        self.name = name

    @classmethod
    def parse(cls, value: object) -> Self:
        """``module:function``, or a function. Raises ValueError for anything else."""
        if callable(value):
            # Functions in conf.py have no module of their own.
            module = getattr(value, "__module__", None) or "builtins"
            name = getattr(value, "__qualname__", type(value).__name__)
            return cls(value, name if module == "builtins" else f"{module}:{name}")
        if isinstance(value, str) and (match := _HOOK.fullmatch(value)):
            return cls((match["module"], match["function"]), value)
        message = f"{value!r} is not of the form module:function"
        raise ValueError(message)


class PageValues(msgspec.Struct, frozen=True, kw_only=True):
    """What a page's front matter, or a rule of the ``pages`` option, can say of a page."""

    priority: Priority | None = None
    changefreq: ChangeFrequency | None = None
    lastmod: WrittenDate | None = None
    exclude: bool | None = None


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


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The options and their defaults. A None leaves it to the host."""

    filename: Filename = Filename("sitemap.xml")  # an immutable str
    base_url: BaseURL | None = None
    lastmod: tuple[LastModSource, ...] = ("front_matter", "git")
    lastmod_format: Literal["datetime", "date"] = "datetime"
    exclude: Globs = Globs()  # immutable
    pages: tuple[PageRule, ...] = ()
    generated_pages: PageChoice | None = None
    robots: bool = True
    gzip: bool | None = None
    adjust: Hook | None = None
    notes: dict[str, Level] = {}  # msgspec copies an empty dict for every instance

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
            mistakes.append(Mistake(f"notes.{kind}", "there is no such kind of note" + did_you_mean(str(kind), KINDS)))
            values.pop("notes", None)
    return Settings(**values), mistakes
