"""The types of options that are more than a number or a word: each reads itself from what an author writes."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Self

from pathspec import PathSpec

from sitemap_plugins.conversion import shown
from sitemap_plugins.languages import InvalidLanguageError, parse_language
from sitemap_plugins.model import LastMod
from sitemap_plugins.urls import InvalidURLError, parse_base_url, root_of
from sitemap_plugins.w3c_date import parse_lastmod

_FILENAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\.xml")
_HOOK: Final = re.compile(r"(?P<module>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):(?P<function>[A-Za-z_]\w*)")
_PAGE: Final = frozenset("/.")  # the path of a page has one of them, and no language has


class Filename(str):
    """The name of the sitemap: a plain file name, since a sitemap covers only what lies beside and below it."""

    __slots__ = ()

    @classmethod
    def parse(cls, value: object) -> Self:
        """Raises ValueError for anything but a plain name that ends in .xml."""
        if not isinstance(value, str) or not _FILENAME.fullmatch(value):
            message = f"{value!r} is not a plain file name that ends in .xml, like sitemap.xml"
            raise ValueError(message)
        if value == "robots.xml":
            message = f"{value!r} cannot be, since robots.txt is another file"
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


class HostURL(BaseURL):
    """The URL of the root of a host, the only place where a robots.txt counts (RFC 9309, section 2.3)."""

    __slots__ = ()

    @classmethod
    def parse(cls, value: object) -> Self:
        """Raises ValueError for what is not the root of a host."""
        url = super().parse(value)
        if url != (root := root_of(url)):
            message = f"{value!r} has a path, and a robots.txt counts at the root of its host only: write {root}"
            raise ValueError(message)
        return url


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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # Python's, of a bracket within brackets, which means itself
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
        except (ValueError, re.error) as error:
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


class Alternates(dict[str, str]):
    """A page's translations: what the author calls them, by the language code."""

    __slots__ = ()

    @classmethod
    def parse(cls, value: object) -> Self:
        """A mapping; where a host knows only text ``fr: a/, de: b/`` or JSON. Raises ValueError for anything else."""
        message = f"{shown(value)} is not a mapping such as {{fr: fr/installation/}}"
        if isinstance(value, str):
            value = read_pairs(value)
        if not isinstance(value, Mapping):
            raise ValueError(message)  # noqa: TRY004  # msgspec turns a ValueError into the option's message
        found = cls()
        for name, page in value.items():
            code = parse_code(name)
            if code in found:
                message = f"there are two pages for {code}"
                raise ValueError(message)
            if not isinstance(page, str) or not page.strip():
                message = f"{shown(page)} is no page in {code}: write its URL, the path of that, or its source file"
                raise ValueError(message)
            found[code] = page.strip()
        return found


def read_pairs(text: str) -> object:
    """The mapping that text stands for: JSON, or ``fr: a/, de: b/``, where no quotes can become typographic ones."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pairs = [part.partition(":") for part in text.split(",")]
        names = [name.strip() for name, *_ in pairs]
        if twice := next((name for name in names if names.count(name) > 1), None):
            message = f"there are two pages for {twice}"
            raise ValueError(message) from None
        return dict(zip(names, (page for *_, page in pairs), strict=True)) if all(page for *_, page in pairs) else text


def parse_code(name: object) -> str:
    """The code of a language. Raises ValueError for what is none."""
    try:
        return parse_language(name if isinstance(name, str) else shown(name))
    except InvalidLanguageError as error:
        # YAML takes the code of Norwegian for a boolean.
        hint = "; write it in quotes: 'no'" if name is False or name == "False" else ""
        message = f"{shown(name)} {error}{hint}"
        raise ValueError(message) from None


class LanguageSite:
    """Where a language of the site is published, and perhaps the file that lists its pages."""

    __slots__ = ("pages", "url")

    def __init__(self, url: BaseURL, pages: str | None = None) -> None:
        self.url = url
        self.pages = pages

    @classmethod
    def parse(cls, value: object) -> Self:
        """A URL, or a mapping with ``url`` and ``pages``. Raises ValueError for anything else."""
        if not isinstance(value, Mapping):
            return cls(BaseURL.parse(value))
        if unknown := [name for name in value if name not in {"url", "pages"}]:
            message = f"there is no such name as {shown(unknown[0])}; the names are url and pages"
            raise ValueError(message)
        pages = value.get("pages")
        if pages is not None and (not isinstance(pages, str) or not pages.strip()):
            message = f"pages: {shown(pages)} is not the path of an objects.inv or of a sitemap"
            raise ValueError(message)
        return cls(BaseURL.parse(value.get("url")), pages)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LanguageSite) and (self.url, self.pages) == (other.url, other.pages)

    def __hash__(self) -> int:
        return hash((self.url, self.pages))


class XDefault:
    """What readers of none of the languages get: the page in ``language`` (the site's own default where it is "").

    ``page`` is a page that lets them choose, beside the home pages.
    """

    __slots__ = ("language", "page")

    def __init__(self, language: str | None = "", page: str | None = None) -> None:
        self.language = language
        self.page = page

    @classmethod
    def parse(cls, value: object) -> Self:
        """``true``, ``false``, a language, or a page by its URL or path. Raises ValueError for anything else."""
        if isinstance(value, bool):
            return cls("" if value else None)
        if isinstance(value, str) and not _PAGE.isdisjoint(value):
            return cls(page=value.strip())
        if isinstance(value, str):
            return cls(parse_code(value))
        message = f"{shown(value)} is not true, false, a language such as en, or the path of a page such as /choose/"
        raise ValueError(message)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, XDefault) and (self.language, self.page) == (other.language, other.page)

    def __hash__(self) -> int:
        return hash((self.language, self.page))
