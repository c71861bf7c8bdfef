"""Converts pages of MkDocs, ProperDocs and mkdocs-static-i18n to `Page` values, and reads their configuration."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from sitemap_plugins.formats.paths import ERROR_PAGES, stem_of
from sitemap_plugins.mkdocs.dates import shown_dates, source_of
from sitemap_plugins.model import Adjuster, Language, Note, Page
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.values.text import join_words

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File
    from mkdocs.structure.pages import Page as MkDocsPage


def collect(
    page: MkDocsPage,
    config: MkDocsConfig,
    settings: Settings,
    loc: str,
    own_url: str | None,
    base_url: str | None,
    sources: tuple[str, ...],
    included: tuple[str, ...],
    html: str,
) -> Page:
    """A page published at ``loc``.

    ``own_url`` is its URL in MkDocs. ``base_url`` is set if its language has its own site. ``sources`` are the files
    that date it, and ``included`` those of them whose text it includes. ``html`` is empty before it is rendered.
    """
    file, source = page.file, source_of(page.file, config)
    language, translation = _translation_of(file)
    return Page(
        loc=loc,
        name=file.src_uri,
        title=str(page.title or ""),
        source=source,
        sources=sources,
        included=included,
        shown_dates=shown_dates(page.meta, html),
        front_matter=_front_matter(page),
        generated=file.generated_by is not None and source is None,
        omit=_reason_to_omit(page, settings),
        omit_detail=f"its copy {file.dest_uri}" if _is_copy(file) else "",
        # The language of the theme is that of the pages if the author sets it.
        language=language or str(config.theme.get("language") or config.theme.get("locale") or ""),
        translation=translation,
        base_url=base_url,
        own_urls=(own_url,) if own_url else (),
        output=file.dest_uri,
    )


def _front_matter(page: MkDocsPage) -> dict[str, Any]:
    """The front matter; a copy of an untranslated page does not have the alternates of the original."""
    values = dict(page.meta)
    if _is_copy(page.file):
        values.pop("sitemap_alternates", None)
        nested = values.get("sitemap")
        if isinstance(nested, Mapping):
            values["sitemap"] = {name: value for name, value in nested.items() if name != "alternates"}
    return values


def _translation_of(file: File) -> tuple[str, str]:
    """The page's language and its name in all languages, if static-i18n sets them; else both are empty."""
    language, translation = getattr(file, "locale", None), getattr(file, "norm_src_uri", None)
    if language and _is_copy(file):
        return language, ""
    return (language, translation) if language and translation else ("", "")


def _reason_to_omit(page: MkDocsPage, settings: Settings) -> str | None:
    below = page.file.dest_uri.removeprefix(f"{getattr(page.file, 'locale', None)}/")
    if stem_of(below) in ERROR_PAGES:
        return "error-page"
    if not is_published(page.file):
        return "draft"
    # If a page has no translation, static-i18n writes a copy of the page in the default language.
    return "untranslated" if _is_copy(page.file) and settings.translated_share else None


def _is_copy(file: File) -> bool:
    wanted = getattr(file, "locale_alternate_of", None)
    return wanted is not None and wanted != getattr(file, "locale", wanted)


def is_published(file: File) -> bool:
    """Whether the file belongs to the site, and not only to its preview."""
    return file.inclusion.is_included()  # type: ignore[no-untyped-call,no-any-return]


def is_built(file: File, *, is_local: bool) -> bool:
    """Whether this build writes the file; a preview also has the drafts."""
    return file.inclusion.is_in_serve() if is_local else is_published(file)  # type: ignore[no-untyped-call]


def default_language(config: MkDocsConfig) -> str | None:
    """The language that static-i18n builds at the site's root, if that plugin is enabled."""
    language = getattr(config.plugins.get("i18n"), "default_language", None)
    return language if isinstance(language, str) else None


def has_only_one_language(config: MkDocsConfig) -> bool:
    """Whether static-i18n builds only one of the site's languages."""
    return getattr(getattr(config.plugins.get("i18n"), "config", None), "build_only_locale", None) is not None


def languages_elsewhere(config: MkDocsConfig) -> dict[str, str]:
    """The URLs of the languages in Material's language selector (``extra.alternate``), if each is built separately.

    Empty if static-i18n builds all of them.
    """
    choices = config.extra.get("alternate")
    if default_language(config) or not isinstance(choices, Sequence):
        return {}
    found = {}
    for choice in choices:
        lang, link = (choice.get("lang"), choice.get("link")) if isinstance(choice, Mapping) else (None, None)
        if isinstance(lang, str) and isinstance(link, str):
            with suppress(ValueError):  # it is not a URL
                found[lang] = urljoin(config.site_url or "", link)
    return found


def other_tool_notes(
    config: MkDocsConfig, settings: Settings, languages: Collection[Language], locs: Iterable[str]
) -> Iterator[Note]:
    """Notes on settings of other tools that do not have the expected effect; ``locs`` are the pages' URLs."""
    if languages and (unseen := _languages_without_pages(languages, locs)):
        message = (
            f"extra.alternate names {join_words(unseen)}, which this build does not contain: run sitemap-plugins merge "
            "over the folder with all languages, or name them in the option languages"
        )
        yield Note(kind="languages-elsewhere", message=message)
    if settings.translated_share != Settings().translated_share:
        if settings.translated_share:
            message = "only 0 has an effect in MkDocs, which has no gettext catalogues: it lists copies"
            yield Note(kind="unmatched", message=f"translated_share: {message}")
        elif not default_language(config):
            message = "it has no effect without mkdocs-static-i18n, which copies untranslated pages"
            yield Note(kind="unmatched", message=f"translated_share: {message}")
    if settings.canonical_version_url and os.environ.get("MIKE_DOCS_VERSION") and not uncanonical_version(config):
        message = (
            "canonical_version_url: it has no effect with mike's canonical_version, which gives the pages of all "
            "versions the URLs of one: remove one of the two"
        )
        yield Note(kind="unmatched", message=message)
    if default_language(config) and settings.filename != "sitemap.xml":
        message = (
            "static-i18n writes sitemap.xml, which links copies of untranslated pages as translations: remove the "
            "option filename to replace that file"
        )
        yield Note(kind="moved", message=message)


def _languages_without_pages(languages: Collection[Language], locs: Iterable[str]) -> list[str]:
    """The languages in the theme's language selector that this build has no page in."""
    from sitemap_plugins.translations.hreflang import find_language_path

    seen = {place.language.base_url for place in (find_language_path(loc, languages) for loc in locs) if place}
    return [each.code for each in languages if not each.same_paths and each.base_url not in seen]


def hooks_of(config: MkDocsConfig) -> list[Adjuster]:
    """The functions ``sitemap_entry`` in the files that the author lists as hooks."""
    hooks: dict[str, Any] = dict(config.hooks or {})  # type: ignore[arg-type]  # a mapping, once loaded
    found = {name: getattr(hook, "sitemap_entry", None) for name, hook in hooks.items()}
    return [Adjuster(f"sitemap_entry in {name}", function) for name, function in found.items() if callable(function)]


def how_to_announce(config: MkDocsConfig) -> str:
    """How to announce the sitemap of a version that mike deploys, as the end of a sentence; empty without mike."""
    if version := uncanonical_version(config):
        return (
            f"version {version} is one of several: set mike's canonical_version, so that search engines show only one "
            "of them"
        )
    if "MIKE_DOCS_VERSION" in os.environ:
        return (
            "after mike deploy, run sitemap-plugins merge --retire --branch gh-pages, which writes the sitemap at the "
            "root, with the pages of one version, and announces it"
        )
    return ""


def uncanonical_version(config: MkDocsConfig) -> str | None:
    """The version that mike is deploying, unless its option ``canonical_version`` sets the version in pages' URLs."""
    options = getattr(config.plugins.get("mike"), "config", {})
    return None if options.get("canonical_version") else os.environ.get("MIKE_DOCS_VERSION")
