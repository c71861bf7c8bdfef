"""The base URLs of a site's languages: those in this build, and the known pages of the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import msgspec

from sitemap_plugins.model import Candidate, Language, Omitted, Site
from sitemap_plugins.values.urls import page_key


class LanguagePath(msgspec.Struct, frozen=True):
    """The language to which a URL belongs, and its path below the base of the language."""

    language: Language
    path: str


def find_language_path(url: str, languages: Iterable[Language]) -> LanguagePath | None:
    """The language and path of a URL, or None if it is below no base. Of several bases, the longest one counts."""
    found = [language for language in languages if url.startswith(language.base_url)]
    language = max(found, key=lambda language: len(language.base_url), default=None)
    return LanguagePath(language, url[len(language.base_url) :]) if language else None


class LanguageBases:
    """The languages of a site, as far as a build with these pages knows them.

    ``paths`` has the language and path of each listed page by its loc. ``elsewhere`` are the languages without any page
    in this build, listed or left out.
    """

    def __init__(self, site: Site, listed: Collection[Candidate], omitted: Collection[Omitted]) -> None:
        self._base_url = site.base_url
        self._languages = site.languages
        # A base above the site's own base belongs to another build, even if it contains pages of this one.
        pages = [*(candidate.page for candidate in listed), *(each.page for each in omitted)]
        bases = (site.base_url, *{page.base_url for page in pages if page.base_url})
        own = [language for language in site.languages if language.base_url.startswith(bases)]
        self.paths: Mapping[str, LanguagePath | None] = {
            candidate.entry.loc: find_language_path(candidate.entry.loc, own) if own else None for candidate in listed
        }
        self._left_out = frozenset(each.page.loc for each in omitted) if site.languages else frozenset()
        left_out = (find_language_path(loc, own) for loc in self._left_out) if own else ()
        self._built = {place.language.base_url for place in (*self.paths.values(), *left_out) if place}
        self.elsewhere = [language for language in site.languages if language.base_url not in self._built]
        self._known = {
            each.code: {page_key(url): url for url in sorted(each.pages)}
            for each in self.elsewhere
            if each.pages is not None
        }

    @property
    def is_foreign(self) -> bool:
        """Whether the option languages is set but none of its URLs is in this build, which may be another version."""
        return not self._built and any(language.same_paths for language in self._languages)

    def translation(self, path: str, language: Language) -> str | None:
        """The URL of the page with this path in another build's language; None if it is known not to exist."""
        if not language.same_paths:
            return None
        href = language.base_url + path
        # Another tool may publish the same page with or without index.html.
        if language.pages is not None and href not in language.pages:
            href = self._known[language.code].get(page_key(href), "")
        # The page belongs to another language if that has a base below this one.
        place = find_language_path(href, self._languages)
        # A page of this build would already be linked if it were a translation.
        is_here = href in self.paths or href in self._left_out
        return href if place and place.language is language and not is_here else None

    def why_unlinked(self, code: str, href: str) -> str:
        """Why a page that is not listed cannot be an alternate; empty if another build may publish it."""
        place = find_language_path(href, self._languages)
        if place is None:
            is_here = href.startswith(self._base_url)
            return (
                "is not in the sitemap"
                if is_here
                else "is a page of another site: name the URL of its language in the option languages"
            )
        if place.language.code != code:
            return f"is in {place.language.code}"
        if place.language.base_url in self._built or href in self._left_out:
            return "is not in the sitemap"
        is_there = place.language.pages is None or page_key(href) in self._known[code]
        return "" if is_there else f"is not among the pages of {code}"
