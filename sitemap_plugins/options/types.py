"""The types of options that are more than a number or a word; each parses its own value.

``WORDS`` say in the manual what can be written; those of the items of a list are in the plural. ``schema`` is the JSON
Schema for editors: it accepts every value that ``parse`` accepts, and refuses most others.
"""

from __future__ import annotations

import json
import os
import re
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeAlias

import msgspec

from sitemap_plugins.model import LastMod
from sitemap_plugins.options.convert import BOOLEANS
from sitemap_plugins.values.dates import parse_lastmod
from sitemap_plugins.values.languages import InvalidLanguageError, parse_language
from sitemap_plugins.values.text import CONTROL, join_words, one_line, short_repr
from sitemap_plugins.values.urls import InvalidURLError, encode_host, parse_base_url, root_of

if TYPE_CHECKING:
    from pathspec import PathSpec

Schema: TypeAlias = dict[str, Any]
"""A JSON Schema (draft-07)."""

_HOOK: Final = r"(?P<module>[A-Za-z_]\w*+(?:\.[A-Za-z_]\w*+)*+):(?P<function>[A-Za-z_]\w*+)"
_ALL: Final = ("*",)
_PLAIN: Final = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_PAGE_NAME: Final = r"[A-Za-z0-9][A-Za-z0-9_-]*"
_OTHER_PAGES: Final = frozenset({"404", "index"})
_NOT_OTHER: Final = "(?!(?:404|[Ii][Nn][Dd][Ee][Xx])$)"  # in a schema, the case cannot be ignored
_SWITCHES: Final = {**BOOLEANS, "1": True, "0": False}  # on the command line of Sphinx, all values are text
_DEVICE: Final = r"(?i:con|prn|aux|nul|(?:com|lpt)[0-9])"  # with any extension (Microsoft, "Naming Files")
_PAGE: Final = frozenset("/.")  # a path of a page has one of these characters; a language code has none

# Regular expressions of schemas are of the kind that JavaScript, Rust and Python read in the same way.
_CODE: Final = r"^\s*[A-Za-z]{2,3}(?:[-_.@]|\s*$)"
_WEB: Final = r"^\s*[Hh][Tt][Tt][Pp][Ss]?://"
_RELATIVE: Final = r"\s*(?!/|[A-Za-z]:)"
_WORD: Final = r"[A-Za-z_][^\s.:]*"
_PART: Final = r"[^{}\\/.]|\{path\}|\{lang\}"  # of a pattern for sources


def text_like(pattern: str, expected: str) -> Schema:
    """The schema of text in which a regular expression is found; ``expected`` completes the sentence "Expected …"."""
    return {"type": "string", "pattern": pattern, "patternErrorMessage": f"Expected {expected}."}


def one_or_more(item: Schema) -> Schema:
    """The schema of a text or a list of such texts."""
    return {**item, "type": ["string", "array"], "items": item}


class Phrase(str):
    """Text of one form, which ``EXPECTED`` names to complete the sentences "Expected …" and "… is not …".

    ``PATTERN``, a regular expression, is found in all texts that ``parse`` accepts. It may be found in others, too: a
    schema cannot know languages and names of devices.
    """

    EXPECTED: ClassVar[str]
    PATTERN: ClassVar[str] = r"\S"
    MORE: ClassVar[Schema] = {}

    @classmethod
    def schema(cls) -> Schema:
        """The schema of a text in which `PATTERN` is found, or of any text if that is empty; `MORE` has precedence."""
        return {**(text_like(cls.PATTERN, cls.EXPECTED) if cls.PATTERN else {"type": "string"}), **cls.MORE}

    @classmethod
    def refused(cls, value: object) -> ValueError:
        """The error for a value of another form."""
        return ValueError(f"{short_repr(value)} is not {cls.EXPECTED}")


class PlainName(Phrase):
    """The name of a file in the folder of the sitemap, which ends in one of ``ENDINGS``, like ``EXAMPLE``."""

    ENDINGS: ClassVar[tuple[str, ...]]
    EXAMPLE: ClassVar[str]

    def __init_subclass__(cls) -> None:
        cls.EXPECTED = f"a plain file name that ends in {join_words(cls.ENDINGS, 'or')}, like {cls.EXAMPLE}"
        cls.PATTERN = f"^{_PLAIN}(?:{'|'.join(map(re.escape, cls.ENDINGS))})$"

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a file name. Raises ValueError if it has a folder, another extension, or is a device on Windows."""
        if not isinstance(value, str) or not re.fullmatch(_PLAIN, value) or not value.endswith(cls.ENDINGS):
            raise cls.refused(value)
        stem = value.partition(".")[0]
        if re.fullmatch(_DEVICE, stem):
            raise ValueError(
                f"{value!r} is not allowed, because {stem} is the name of a device on Windows, with any extension"
            )
        return cls(value)


class Filename(PlainName):
    """The name of the sitemap: it has no folder, because a sitemap covers only URLs in its own folder and below."""

    ENDINGS = (".xml",)
    EXAMPLE = "sitemap.xml"

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a file name. Raises ValueError if it has a folder, does not end in .xml, or is robots.xml."""
        name = super().parse(value)
        if name.lower() == "robots.xml":
            raise ValueError(f"{value!r} is not allowed, because its text sitemap would be named robots.txt")
        return name


class PageName(Phrase):
    """The name of a page that is added to the site: a host makes ``NAME.html`` or ``NAME/`` of it."""

    WORDS: ClassVar[str] = "`true`, `false` or a name"
    EXPECTED = "true, false or a name of letters, digits, hyphens and underscores, like all-pages, without an extension"
    PATTERN = f"^{_NOT_OTHER}{_PAGE_NAME}$"
    MORE: ClassVar[Schema] = {"type": ["boolean", "string"]}

    @classmethod
    def parse(cls, value: object) -> Self | None:
        """Parse ``true`` ("sitemap"), ``false`` (None) or a name. Raises ValueError if it is not a plain name."""
        if isinstance(value, str):
            value = _SWITCHES.get(value.lower(), value)
        if isinstance(value, bool):
            return cls("sitemap") if value else None
        if not isinstance(value, str) or not re.fullmatch(_PAGE_NAME, value):
            raise cls.refused(value)
        if re.fullmatch(_DEVICE, value):
            raise ValueError(f"{value!r} is not allowed, because it is the name of a device on Windows")
        if value.lower() in _OTHER_PAGES:
            raise ValueError(f"{value!r} is not allowed, because the site has another page of that name")
        return cls(value)


class BaseURL(Phrase):
    """The absolute URL of the site's root, encoded, with a trailing slash. ``written`` is what its author wrote."""

    WORDS: ClassVar[str] = "a URL"
    EXPECTED = "a URL like https://docs.example.org/"
    PATTERN = rf"{_WEB}\S"
    written: str

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a URL. Raises ValueError if it cannot be the base URL of a sitemap."""
        if not isinstance(value, str):
            raise cls.refused(value)
        try:
            url = cls(parse_base_url(value))
        except InvalidURLError as error:
            raise ValueError(f"{value!r} {error}; it should look like https://docs.example.org/") from None
        url.written = value
        return url


class HostURL(BaseURL):
    """The URL of the root of a host, the only place where a robots.txt counts (RFC 9309, section 2.3)."""

    WORDS = "host URLs"
    EXPECTED = "the root URL of a host, like https://docs.example.org/"
    PATTERN = rf"{_WEB}[^\s/]+/?\s*$"

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a URL. Raises ValueError if it is not the root of a host."""
        url = super().parse(value)
        _, _, path = url.written.partition("://")[2].strip().partition("/")
        if path:
            raise ValueError(
                f"{value!r} has a path, but robots.txt is only read at the root of a host: write {root_of(url)}"
            )
        return url


class WrittenDate(msgspec.Struct, frozen=True):
    """A last-modified date as an author wrote it."""

    value: LastMod

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a date. Raises ValueError if it is not valid, see `parse_lastmod`."""
        return cls(parse_lastmod(value))

    @classmethod
    def schema(cls) -> Schema:
        """The schema of a date as text; it allows days that do not exist."""
        return text_like("^\\s*[0-9]{4}-[0-9]{2}-[0-9]{2}", "a date like 2026-03-01 or 2026-03-01T10:00:00+01:00")


class Globs(msgspec.Struct, frozen=True, dict=True):  # the dict holds the compiled patterns
    """A list of globs in the syntax of .gitignore: the last match decides, and ``!`` negates a glob."""

    WORDS: ClassVar[str] = "a list of globs"

    patterns: tuple[str, ...] = ()

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse one glob or a list of globs. Raises ValueError for anything else and for globs that cannot match."""
        patterns = [value] if isinstance(value, str) else value
        if not isinstance(patterns, Sequence) or not all(isinstance(pattern, str) for pattern in patterns):
            raise ValueError(f"{value!r} is not a list of globs")
        for pattern in patterns:
            if not pattern.strip() or pattern.startswith("#"):
                raise ValueError(
                    f"{pattern!r} is a glob that matches nothing" + (" (write \\#)" if pattern.strip() else "")
                )
            if pattern.strip() == "/":
                raise ValueError("'/' would match all pages; write index.html for the home page, or * for all pages")
        globs = cls(tuple(patterns))
        try:
            globs.matches("")
        except (ValueError, re.error) as error:
            raise ValueError(f"{value!r} is not a list of globs ({error})") from None
        return globs

    @classmethod
    def schema(cls) -> Schema:
        """The schema of one glob or a list of globs."""
        return one_or_more(text_like(r"^(?!#|\s*/\s*$)\s*\S", "a glob; write \\# for one that begins with #"))

    def matches(self, path: str) -> bool:
        """Whether the path (relative, with forward slashes) matches."""
        return bool(self.patterns) and self._compiled.match_file(path)

    @cached_property
    def _compiled(self) -> PathSpec[Any]:
        from pathspec import PathSpec  # only if there are patterns: it takes 10 ms

        # Not GitIgnoreSpec: there, as in git, "!" cannot undo a pattern with a trailing slash, which names a folder.
        # Here that slash is the end of a page's URL, and "!" must undo the pattern.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # Python's, about a literal bracket in brackets
            return PathSpec.from_lines("gitignore", self.patterns)


class PageChoice(Globs, frozen=True):
    """All pages (``true``), none (``false``) or the pages that match."""

    WORDS = "`true`, `false` or a list of globs"

    @property
    def named(self) -> tuple[str, ...]:
        """The globs that the author wrote; none for all pages."""
        return () if self.patterns == _ALL else self.patterns

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a boolean, a glob or a list of globs. Raises ValueError as `Globs.parse` does."""
        if isinstance(value, bool):
            return cls(_ALL if value else ())
        try:
            return super().parse(value)
        except ValueError as error:
            raise ValueError(f"{error}; true, false or a list of globs is expected") from None

    @classmethod
    def schema(cls) -> Schema:
        """The schema of a boolean, a glob or a list of globs."""
        globs = super().schema()
        return {**globs, "type": ["boolean", *globs["type"]]}


class Hook(msgspec.Struct, frozen=True):
    """A function of the author: the function itself, or the module and name to import it from."""

    WORDS: ClassVar[str] = "`module:function`"

    target: Callable[..., Any] | tuple[str, str]
    name: str

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse ``module:function`` or take a function. Raises ValueError for anything else."""
        if callable(value):
            # Functions in conf.py have no module of their own.
            module = getattr(value, "__module__", None) or "builtins"
            name = getattr(value, "__qualname__", type(value).__name__)
            return cls(value, name if module == "builtins" else f"{module}:{name}")
        if isinstance(value, str) and (match := re.fullmatch(_HOOK, value)):
            return cls((match["module"], match["function"]), value)
        raise ValueError(f"{value!r} is not of the form module:function")

    @classmethod
    def schema(cls) -> Schema:
        """The schema of the name of a function."""
        return text_like(
            rf"^{_WORD}(?:\.{_WORD})*:{_WORD}$", "a module and a function in it, like my_hooks:adjust_entry"
        )


class Alternates(dict[str, str]):
    """The translations of a page, as the author names them, by language code."""

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a mapping, or ``fr: a/, de: b/`` or JSON if values are text. Raises ValueError for anything else."""
        message = f"{short_repr(value)} is not a mapping such as {{fr: fr/installation/}}"
        if isinstance(value, str):
            value = read_pairs(value)
        if not isinstance(value, Mapping):
            raise ValueError(message)
        found = cls()
        for name, page in value.items():
            code = parse_code(name)
            if code in found:
                raise ValueError(f"there are two pages for {code}")
            if not isinstance(page, str) or not page.strip():
                raise ValueError(
                    f"{short_repr(page)} is not a page in {code}: write its URL, its path, or its source file"
                )
            found[code] = page.strip()
        return found

    @classmethod
    def schema(cls) -> Schema:
        """The schema of a mapping, or of one that is written as text."""
        page = text_like(r"\S", "the URL, the path or the source file of a page")
        pairs = text_like("[:{]", "a mapping such as {fr: fr/installation/}")
        codes = LanguageCode.schema()
        return {**pairs, "type": ["object", "string"], "propertyNames": codes, "additionalProperties": page}


def read_pairs(text: str) -> object:
    """Read a mapping from JSON or from ``fr: a/, de: b/``, which has no quotes that could become typographic ones.

    Text in neither form is returned unchanged. Raises ValueError if a name occurs twice.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        parts = (part.partition(":") for part in text.split(","))
        pairs = [(name.strip(), page) for name, _, page in parts]
        for name, number in Counter(name for name, _ in pairs).items():
            if number > 1:
                raise ValueError(f"there are two pages for {name}") from None
        return dict(pairs) if all(page for _, page in pairs) else text


def parse_code(name: object) -> str:
    """Parse the code of a language. Raises ValueError if it is not valid."""
    try:
        return parse_language(name if isinstance(name, str) else short_repr(name))
    except InvalidLanguageError as error:
        # YAML reads the code of Norwegian as a boolean.
        hint = "; write it in quotes: 'no'" if name is False or name == "False" else ""
        raise ValueError(f"{short_repr(name)} {error}{hint}") from None


class PagesFile(Phrase):
    """The path of a file that lists the pages of another site."""

    EXPECTED = "the path of an objects.inv or of a sitemap"

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a path. Raises ValueError if it is empty or not text."""
        if not isinstance(value, str) or not value.strip():
            raise cls.refused(value)
        return cls(value)


class LanguageSite(msgspec.Struct, frozen=True):
    """The URL at which a language of the site is published, and the file that lists its pages, if known.

    A URL in place of the mapping stands for ``url``.
    """

    SHORTHAND: ClassVar[str] = "url"
    EXAMPLE: ClassVar[str] = "https://docs.example.org/de/ or {url: https://docs.example.org/de/, pages: de.xml}"

    url: BaseURL
    pages: PagesFile | None = None


class CanonicalVersionSite(LanguageSite, frozen=True):
    """The URL of the version that search engines should show, and the file that lists its pages.

    The file is required, because links are written only to pages that exist.
    """

    SHORTHAND = ""
    EXAMPLE = "{url: https://docs.example.org/en/stable/, pages: the-sitemap-of-that-version.xml}"

    pages: PagesFile


class XDefault(msgspec.Struct, frozen=True):
    """The page for readers of none of the languages: the page in ``language`` ("" is the site's default language).

    ``page`` is a page on which readers choose a language; it is the x-default of the home pages.
    """

    WORDS: ClassVar[str] = "`true`, `false`, a language or a page"

    language: str | None = ""
    page: str | None = None

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse ``true``, ``false``, a language, or the URL or path of a page. Raises ValueError for anything else."""
        if isinstance(value, bool):
            return cls("" if value else None)
        if isinstance(value, str) and not _PAGE.isdisjoint(value):
            return cls(page=value.strip())
        if isinstance(value, str):
            return cls(parse_code(value))
        raise ValueError(
            f"{short_repr(value)} is not true, false, a language such as en, or the path of a page such as /choose/"
        )

    @classmethod
    def schema(cls) -> Schema:
        """The schema of a boolean, a language or a page."""
        choice = text_like(
            f"[/.]|{_CODE}", "true, false, a language such as en, or the path of a page such as /choose/"
        )
        return {**choice, "type": ["boolean", "string"]}


_SECTION: Final = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
_SECTION_LENGTH: Final = 60
_RESERVED: Final = frozenset({"images", "index", "news", "pages", "videos"})


class Text(Phrase):
    """Text for people, on one line (see `one_line`); ``LENGTH`` is the most characters allowed."""

    EXPECTED = "text"
    LENGTH: ClassVar[int] = 2048

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse text. Raises ValueError if it is not text, is empty or too long, or has control characters."""
        if not isinstance(value, str):
            raise cls.refused(value)
        if CONTROL.search(value):
            raise ValueError(f"{short_repr(value)} has a control character in it")
        text = one_line(value, len(value))
        if not text:
            raise ValueError("it is empty")
        if len(text) > cls.LENGTH:
            raise ValueError(f"it has {len(text):,} characters; at most {cls.LENGTH:,} are allowed: {short_repr(text)}")
        return cls(text)


class Title(Text):
    """A short text, such as the title of a video or of a feed."""

    LENGTH = 100


class MediaURL(Phrase):
    """The address of an image or a video: an absolute URL, or a path below the base URL of the site."""

    EXPECTED = "a URL or a path below the base URL such as videos/tour.mp4"
    PATTERN = r"^\s*(?![Dd][Aa][Tt][Aa]:)\S"

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a URL or path. Raises ValueError if it is neither; the URL itself is checked once its base is known."""
        text = value.strip() if isinstance(value, str) else ""
        if not text or len(text.splitlines()) > 1 or CONTROL.search(str(value)):
            raise cls.refused(value)
        if text[:5].lower() == "data:":
            raise ValueError("search engines cannot fetch a data: URL")
        return cls(text)


class HostPattern(Phrase):
    """A host name, in which ``*`` matches anything."""

    WORDS: ClassVar[str] = "host names"
    EXPECTED = "a host name such as cdn.example.org or *.example.org"
    PATTERN = r"^\s*[^\s/:?#@]+\s*$"

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a pattern. Raises ValueError if no host name can match it."""
        if not isinstance(value, str) or not re.fullmatch(r"[\w.*-]+", value.strip()):
            raise cls.refused(value)
        labels = value.strip().lower().split(".")
        try:
            # In the form that URLs use.
            return cls(".".join(each if each.isascii() else encode_host(each) for each in labels))
        except UnicodeError:
            raise cls.refused(value) from None


class ImageChoice(msgspec.Struct, frozen=True):
    """Which images of a page are listed: ``added`` has URLs, ``removed`` has globs for URLs of images on the page."""

    added: tuple[MediaURL, ...] = ()
    removed: Globs = Globs()

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse ``false`` (no images), ``true``, or a list of URLs to add and globs with ``!`` to remove.

        Raises ValueError for anything else.
        """
        if isinstance(value, str) and value.strip().lower() in BOOLEANS:
            value = BOOLEANS[value.strip().lower()]
        if isinstance(value, bool):
            return cls(removed=Globs() if value else Globs(("*",)))
        words = value.split(",") if isinstance(value, str) else value
        if not isinstance(words, Sequence) or not all(isinstance(word, str) for word in words):
            raise ValueError(
                f"{short_repr(value)} is not true, false or a list of URLs; ! before a URL removes an image"
            )
        names = [word.strip() for word in words]
        if mistaken := next((name for name in names if "*" in name and not name.startswith("!")), None):
            raise ValueError(
                f"{short_repr(mistaken)} is a glob, and globs can only remove images: write '!{mistaken}', or a URL "
                f"to add one"
            )
        removed = Globs.parse([name[1:].strip() for name in names if name.startswith("!")])
        return cls(tuple(MediaURL.parse(name) for name in names if not name.startswith("!")), removed)

    @classmethod
    def schema(cls) -> Schema:
        """The schema of a boolean or a list; it allows any single text, which may have several items."""
        image = text_like(
            r"^\s*(?![Dd][Aa][Tt][Aa]:)(?:!\s*\S|[^!*\s][^*]*$)", "the URL of an image, or a glob that begins with !"
        )
        return {"type": ["boolean", "string", "array"], "items": image}


class SectionName(Phrase):
    """The name of a section of the site, which is also part of the file name of its sitemap."""

    EXPECTED = "a name of lower-case letters, digits and hyphens, such as user-guide"
    PATTERN = f"^{_SECTION}$"
    MORE: ClassVar[Schema] = {"maxLength": _SECTION_LENGTH, "not": {"enum": sorted(_RESERVED)}}

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a name. Raises ValueError if it cannot be part of a file name or is reserved for another file."""
        if not isinstance(value, str) or len(value) > _SECTION_LENGTH or not re.fullmatch(_SECTION, value):
            raise cls.refused(value)
        if value in _RESERVED:
            raise ValueError(f"{value!r} is a reserved name; choose another one")
        return cls(value)


class LanguageCode(Phrase):
    """The code of a language, as in ``hreflang``."""

    EXPECTED = "a language code such as en or pt-BR"
    PATTERN = _CODE

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a code. Raises ValueError as `parse_code` does."""
        return cls(parse_code(value))


class NewsLanguage(LanguageCode):
    """The language of a publication: its ISO 639 code, or ``zh-cn`` or ``zh-tw`` (Google, "News sitemaps")."""

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a code, without its script and region unless it is one of these two. Raises ValueError if not valid."""
        code = parse_code(value).lower()
        return cls(code if code in {"zh-cn", "zh-tw"} else code.partition("-")[0])


class Selector(Phrase):
    """A CSS selector for the element that holds the content of a page."""

    WORDS: ClassVar[str] = "a CSS selector"
    EXPECTED = "a CSS selector such as main.article"

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a selector. Raises ValueError if it is not valid."""
        from selectolax.lexbor import LexborHTMLParser, SelectolaxError

        if not isinstance(value, str) or not value.strip():
            raise cls.refused(value)
        try:
            LexborHTMLParser("").css(value)
        except (SelectolaxError, UnicodeError):
            raise cls.refused(value) from None
        return cls(value.strip())


class FileNames(tuple[str, ...]):
    """File names or globs, relative to the folder of the configuration, with forward slashes."""

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse one name, several names separated by commas, or a list. Raises ValueError for anything else."""
        names: Any = value.split(",") if isinstance(value, str) else value
        if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names) or not names:
            raise ValueError(f"{short_repr(value)} is not a file name or a list of file names")
        found = [name.strip() for name in names]
        for name in found:
            if not name:
                raise ValueError(f"{short_repr(value)} has an empty name in it")
            if not _can_be_a_name(name):
                raise ValueError(f"{short_repr(name)} is not a file name")
            if not _is_relative(name):
                raise ValueError(f"{short_repr(name)} is not relative to the folder of the configuration")
        return cls(found)

    @classmethod
    def schema(cls) -> Schema:
        """The schema of one or more names."""
        expected = "file names relative to the folder of the configuration, such as src/cli.py"
        name = rf"{_RELATIVE}[^\s,][^,]*"
        one = text_like(f"^{name}(?:,{name})*$", expected)
        item = text_like(rf"^{_RELATIVE}\S", expected)
        return {**one, "type": ["string", "array"], "items": item, "minItems": 1}


class FilePath(Phrase):
    """The path of a file, absolute or relative to the folder of the configuration; empty for none."""

    WORDS: ClassVar[str] = "the path of a file"
    EXPECTED = "the path of a file, like previous-record.json"
    PATTERN = ""

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a path. Raises ValueError if it cannot be one."""
        name = value.strip() if isinstance(value, str) else value
        if not isinstance(name, str) or (name and not _can_be_a_name(name)):
            raise cls.refused(value)
        return cls(name)


class SourcePattern(Phrase):
    """A pattern for the source files of pages, relative to the folder of the configuration.

    ``{path}``, which is required, stands for the path of the page, and ``{lang}`` for its language.
    """

    WORDS: ClassVar[str] = "path patterns"
    EXPECTED = "a pattern such as docs/{path}.md or docs/{lang}/{path}.md"
    PATTERN = rf"^(?!\s*(?:/|[A-Za-z]:))(?=[^\\]*\{{path\}})(?:{_PART}|[/.])*(?:{_PART})\.+(?:{_PART})+$"

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a pattern. Raises ValueError if it cannot name a file or names the same file for all pages."""
        if not isinstance(value, str) or not value.strip():
            raise cls.refused(value)
        text = value.strip()
        bare = text.replace("{path}", "a").replace("{lang}", "a")
        mistakes = {
            "has no {path}, which is the path of the page": "{path}" not in text,
            "has braces that are not {path} or {lang}": "{" in bare or "}" in bare,
            "has a backslash instead of a slash": "\\" in text,
            "is not relative to the folder of the configuration": not _is_relative(bare),
            "does not end with a file extension": bare.endswith("/") or not PurePosixPath(bare).suffix,
        }
        if mistake := next((what for what, is_made in mistakes.items() if is_made), None):
            raise ValueError(f"{short_repr(text)} {mistake}; write {cls.EXPECTED}")
        return cls(text)

    def fill(self, path: str, language: str) -> str:
        """The path of the source file of the page with this path and language."""
        return self.replace("{lang}", language).replace("{path}", path)


def _can_be_a_name(name: str) -> bool:
    try:
        return b"\0" not in os.fsencode(name)
    except UnicodeError:  # half a surrogate pair
        return False


def _is_relative(name: str) -> bool:
    return _can_be_a_name(name) and not name.startswith("/") and not PureWindowsPath(name).drive


class IgnoreRevs(msgspec.Struct, frozen=True):
    """The files that list commits to ignore; ``files`` is None to find the file automatically."""

    files: FileNames | None = None

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse ``true`` (find the file), ``false`` (no file) or file names. Raises ValueError for anything else."""
        if isinstance(value, bool):
            return cls(None if value else FileNames())
        try:
            return cls(FileNames.parse(value))
        except ValueError as error:
            raise ValueError(f"{error}; true, false or file names are expected") from None

    @classmethod
    def schema(cls) -> Schema:
        """The schema of a boolean or file names."""
        names = FileNames.schema()
        return {**names, "type": ["boolean", *names["type"]]}
