"""Reads the configuration of sphinx-sitemap, so that a project can switch from it without rewriting conf.py."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fnmatch import fnmatch
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

import msgspec

from sitemap_plugins.model import Note
from sitemap_plugins.options.convert import Mistake, convert_fields
from sitemap_plugins.options.settings import Indent, PageValues, Settings
from sitemap_plugins.options.types import Filename
from sitemap_plugins.values.languages import agree
from sitemap_plugins.values.text import join_words
from sitemap_plugins.values.urls import InvalidURLError, encode_url, parse_base_url

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

_SCHEME: Final = "{lang}{version}{link}"  # sphinx-sitemap's default


class SphinxSitemapConfig(msgspec.Struct, frozen=True, kw_only=True):
    """The options of sphinx-sitemap in conf.py; None if not set."""

    site_url: str | None = None
    sitemap_url_scheme: str | None = None
    sitemap_locales: tuple[str | None, ...] | None = None
    sitemap_filename: Filename | None = None
    sitemap_excludes: tuple[str, ...] | None = None
    sitemap_show_lastmod: bool | None = None
    sitemap_indent: Indent | None = None

    def apply(self, settings: Settings, options: Mapping[Any, object]) -> Settings:
        """Our settings with these values, except options that the author sets in ``options``."""
        new = {name: value for name, _, value in self._values() if name not in options}
        return msgspec.structs.replace(settings, **new)

    def _values(self) -> list[tuple[str, str, object]]:
        """The name of each option of ours that is set here, the name that it has here, and its value."""
        lastmod = () if self.sitemap_show_lastmod is False else None
        values = [
            ("filename", "sitemap_filename", self.sitemap_filename),
            ("lastmod", "sitemap_show_lastmod", lastmod),
            ("indent", "sitemap_indent", self.sitemap_indent),
        ]
        return [each for each in values if each[-1] is not None]

    def excludes(self, link: str) -> bool:
        """Whether a page is left out, by its path without escapes; ``*`` matches slashes too."""
        return any(fnmatch(unquote(link), pattern) for pattern in self.sitemap_excludes or ())

    def rebase(self, config: Config, base_url: str) -> str:
        """The URL of the folder that the build is published in: the site's, or the one that a scheme adds below it."""
        scheme = self.sitemap_url_scheme
        folder = _fill(scheme, config, "") if scheme and scheme.endswith("{link}") else ""
        return encode_url(base_url + folder) if folder.endswith("/") else base_url

    def locate(self, config: Config, base_url: str, link: str) -> str:
        """The URL of a page: Sphinx's own, unless a scheme is set."""
        return base_url + (link if self.sitemap_url_scheme is None else _fill(self.sitemap_url_scheme, config, link))

    def explain(self, app: Sphinx, base_url: str, example: str, settings: Settings) -> Iterator[Note]:
        """Notes on options that have another effect here than with sphinx-sitemap, for the link to an ``example``."""
        config = app.config
        was = base_url + _fill(self.sitemap_url_scheme or _SCHEME, config, example)
        plain = base_url + example
        # With the default configuration, only the installed package shows that sphinx-sitemap was used before.
        was_used = self != SphinxSitemapConfig() or find_spec("sphinx_sitemap") is not None
        if self.sitemap_url_scheme is None and was_used and was != plain:
            message = (
                f"the pages have the URLs from Sphinx, such as {plain}; sphinx-sitemap would give them "
                f'URLs such as {was}: set sitemap_url_scheme to "{{link}}" or "{_SCHEME}" to choose'
            )
            yield Note(kind="moved", message=message)
        elif self.sitemap_url_scheme is not None and was != plain:
            message = (
                f"sitemap_url_scheme gives the pages URLs such as {was}, but their canonical links follow "
                f"html_baseurl, such as {plain}, and search engines use those"
            )
            yield Note(kind="moved", message=message)
        own = (config.html_baseurl or "").rstrip("/")
        if self.site_url and own and own != self.site_url.rstrip("/"):
            message = (
                f"site_url gives the pages URLs below {self.site_url}, but their canonical links follow html_baseurl, "
                f"{own}/, and search engines use those"
            )
            yield Note(kind="moved", message=message)
        if was_used and not self.site_url and (unused := _site_url(config)) and unused.rstrip("/") != own:
            message = f"site_url, {unused}, is not used, because html_baseurl is set: remove one of them"
            yield Note(kind="moved", message=message)
        for ours, theirs, value in self._values():
            if getattr(settings, ours) != value:
                message = f"{theirs} has no effect, because sitemap_options sets {ours}: remove one of them"
                yield Note(kind="moved", message=message)
        yield from self._explain_locales(app, settings.languages)

    def _explain_locales(self, app: Sphinx, declared: Collection[str]) -> Iterator[Note]:
        """Notes on ``sitemap_locales``; ``declared`` are the codes in the option languages."""
        others = [each for each in self.sitemap_locales or () if each and each != app.config.language]
        locales = [each for each in others if not any(agree(each, code) for code in declared)]
        if not locales:
            return
        # The language of the sources has no catalogues. The build cannot tell which one it is, but it may be English.
        missing = [each for each in locales if each != "en" and not _has_catalogues(app, each)]
        if missing:
            message = f"sitemap_locales: there are no catalogues for {join_words(missing)} in locale_dirs"
            yield Note(kind="moved", message=message)
        message = (
            f"sitemap_locales: no alternates in {join_words(locales)} were written, because this build does not "
            "contain their pages: run sitemap-plugins merge over the folder with all languages, or set languages in "
            "sitemap_options"
        )
        yield Note(kind="languages-elsewhere", message=message)


def _has_catalogues(app: Sphinx, locale: str) -> bool:
    return any(Path(app.srcdir, folder, locale, "LC_MESSAGES").is_dir() for folder in app.config.locale_dirs)


def _fill(scheme: str, config: Config, link: str) -> str:
    lang = f"{config.language}/" if config.language else ""
    version = f"{config.version}/" if config.version else ""
    return scheme.format(lang=lang, version=version, link=link)


def read_config(app: Sphinx) -> tuple[SphinxSitemapConfig, list[Mistake]]:
    """The options of sphinx-sitemap, and the mistakes in them.

    They are read from the raw values of conf.py and the command line. If they were registered, Sphinx would abort if
    another extension registers them too, even one that a theme loads later.
    """
    config: Any = app.config
    written = {
        name: value
        for name in SphinxSitemapConfig.__struct_fields__
        if (value := config.overrides.get(name, config._raw_config.get(name))) is not None  # noqa: SLF001  # the values as written
    }
    # site_url counts only if sphinx-sitemap would need it.
    site_url = _site_url(config)
    written.pop("site_url", None)
    for name in ("sitemap_locales", "sitemap_excludes"):
        if isinstance(text := written.get(name), str):  # from the command line
            written[name] = tuple(part.strip() for part in text.split(","))
    values, mistakes = convert_fields(written, SphinxSitemapConfig, lax=True)
    if site_url and (values or not config.html_baseurl):
        values["site_url"] = site_url
    if (scheme := values.get("sitemap_url_scheme")) is not None and (why := _mistake_in(scheme, config)):
        values.pop("sitemap_url_scheme")
        mistakes.append(Mistake("sitemap_url_scheme", f"{scheme!r} {why}; it may have {{lang}}, {{version}}, {{link}}"))
    return SphinxSitemapConfig(**values), mistakes


def _site_url(config: Any) -> str | None:
    """The value of ``site_url``, if it is a URL; many conf.py files use the name for other purposes.

    Empty folders stay in it, so that the session reports them.
    """
    written = config.overrides.get("site_url", config._raw_config.get("site_url"))  # noqa: SLF001  # the value as written
    try:
        return parse_base_url(written, is_written=False) if isinstance(written, str) else None
    except InvalidURLError:
        return None


def find_misplaced(app: Sphinx) -> Iterator[Mistake]:
    """Mistakes for our own options that are set in conf.py itself, like sphinx-sitemap's, where they have no effect."""
    config: Any = app.config
    known = {*Settings.__struct_fields__}
    for name, value in config._raw_config.items():  # noqa: SLF001  # the values as written
        option = name.removeprefix("sitemap_")
        if name == "sitemap" and isinstance(value, Mapping) and not known.isdisjoint(value):
            yield Mistake(name, "the mapping with the options is called sitemap_options")
        elif name == option or name in config:
            continue
        elif option in known and name not in SphinxSitemapConfig.__struct_fields__:
            yield Mistake(name, f'the options are in one mapping: write sitemap_options = {{"{option}": ...}}')
        elif option in PageValues.__struct_fields__:
            message = (
                "it is for pages: write it in the field list of a document, or in a rule: "
                f'sitemap_options = {{"pages": [{{"match": "guides/", "{option}": ...}}]}}'
            )
            yield Mistake(name, message)


def _mistake_in(scheme: str, config: Config) -> str:
    """What is wrong with a scheme: it cannot be filled in, or it gives all pages the same URL; empty if nothing is."""
    try:
        pages = {_fill(scheme, config, link) for link in ("a", "b")}
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        return f"cannot be filled in ({type(error).__name__}: {error})"
    return "" if len(pages) > 1 else "has no {link} in it"
