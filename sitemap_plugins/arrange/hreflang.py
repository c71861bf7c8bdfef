"""Alternates: the entries of pages in several languages name one another, and only what is really listed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import urljoin

from sitemap_plugins.arrange.clusters import Claim, Cluster, Clusters, Conflict, Member, alternates_of
from sitemap_plugins.conversion import listing
from sitemap_plugins.languages import InvalidLanguageError, has_only_three_letters, parse_language, probably_meant
from sitemap_plugins.model import Candidate, Dropped, Language, Note, Site
from sitemap_plugins.option_types import XDefault
from sitemap_plugins.settings import Settings
from sitemap_plugins.urls import InvalidURLError, encode_url, page_key


def translate(
    site: Site, listed: Sequence[Candidate], dropped: Sequence[Dropped], settings: Settings
) -> tuple[list[Candidate], list[Note]]:
    """The candidates with their alternates, and what the authors should know of their languages.

    A page's language and its translations are what the host knows; else what the site's ``languages`` make of its URL:
    pages with one path below their language's base are one page. An author's own ``alternates`` come on top. Languages
    whose base no page of this build lies below are declared: nobody here can see whether the page is there.
    """
    codes, notes = _read_codes(listed)
    if not codes and not site.languages:
        return list(listed), _needless(listed) + notes
    places = {candidate.entry.loc: _place(candidate.entry.loc, site.languages) for candidate in listed}
    # A language is built here even if all of its pages are left out.
    built = {place.language.base_url for place in places.values() if place}
    built |= {place.language.base_url for each in dropped if (place := _place(each.page.loc, site.languages))}
    members = _members(listed, codes, places)
    clusters = Clusters(members.values())
    names = {member.loc: member.name for member in members.values()}
    translations = _Translations(site, listed, dropped, members, built)
    for candidate in listed:
        claims, mistaken = translations.claims(candidate)
        notes += mistaken
        for claim in claims:
            clusters.join(claim)
    notes += [_conflict(conflict, names) for conflict in clusters.conflicts]
    notes += _declare(site, members.values(), clusters, places, built)
    default, about_default = _set_default(site, listed, clusters, settings.x_default)
    links = {id(cluster): alternates_of(cluster, default) for cluster in clusters}
    translated = [
        replace(candidate, entry=replace(candidate.entry, alternates=found))
        if (cluster := clusters.of.get(candidate.entry.loc)) is not None and (found := links[id(cluster)])
        else candidate
        for candidate in listed
    ]
    return translated, notes + about_default


def _read_codes(listed: Iterable[Candidate]) -> tuple[dict[str, str], list[Note]]:
    """The hreflang code of each language whose pages have translations, and what is wrong with the others."""
    written = dict.fromkeys(candidate.page.language for candidate in listed if candidate.page.translation)
    codes: dict[str, str] = {}
    notes: list[Note] = []
    for language in written:
        try:
            code = parse_language(language)
        except InvalidLanguageError as error:
            message = f"the language {language!r} {error}; its pages have no alternates"
            notes.append(Note(kind="language-code", message=message))
            continue
        if other := next((name for name, known in codes.items() if known == code), None):
            message = (
                f"the languages {other!r} and {language!r} are both {code}; the pages of the second have no alternates"
            )
            notes.append(Note(kind="language-code", message=message))
            continue
        codes[language] = code
        notes += about_code(code)
    return codes, notes


def about_code(code: str) -> list[Note]:
    """What is to be known of a code that is valid: a slip perhaps, or one that search engines may pass over."""
    if meant := probably_meant(code):
        message = f"the language code {code!r} is valid, but was {meant!r} meant?"
        return [Note(kind="language-code", message=message)]
    if has_only_three_letters(code):
        message = f"the language {code!r} has no code of two letters, so search engines may pass its alternates over"
        return [Note(kind="three-letter-language", message=message)]
    return []


class _Place(NamedTuple):
    """The language whose base a URL lies below, and the path below it."""

    language: Language
    path: str


def _place(loc: str, languages: Iterable[Language]) -> _Place | None:
    """Where a URL lies; of several bases the longest counts."""
    found = [language for language in languages if loc.startswith(language.base_url)]
    if not found:
        return None
    language = max(found, key=lambda language: len(language.base_url))
    return _Place(language, loc[len(language.base_url) :])


def _members(
    listed: Iterable[Candidate], codes: Mapping[str, str], places: Mapping[str, _Place | None]
) -> dict[str, Member]:
    members = {}
    for candidate in listed:
        page, loc = candidate.page, candidate.entry.loc
        if page.translation:
            if page.language in codes:
                group = ("translation", page.translation)
                members[loc] = Member(loc, codes[page.language], group, page.name)
        elif place := places[loc]:
            members[loc] = Member(loc, place.language.code, ("path", place.path), page.name)
    return members


class _Translations:
    """Finds the page that an author means by the value of ``alternates``."""

    def __init__(  # everything that a page may be called by
        self,
        site: Site,
        listed: Iterable[Candidate],
        dropped: Iterable[Dropped],
        members: Mapping[str, Member],
        built: Collection[str],
    ) -> None:
        self._base_url = site.base_url
        self._members = members
        self._languages = {language.code: language for language in site.languages}
        self._built = built
        self._known = _known(site.languages)
        self._by_source = {candidate.page.name: candidate.entry.loc for candidate in listed}
        self._left_out: dict[str, str] = {}
        for each in dropped:
            self._left_out |= {each.page.name: each.reason, page_key(each.page.loc): each.reason}

    def claims(self, candidate: Candidate) -> tuple[list[Claim], list[Note]]:
        """What the page says of its translations, and what is wrong with that."""
        loc = candidate.entry.loc
        claims: list[Claim] = []
        notes: list[Note] = []
        for code, text in candidate.alternates.items():
            try:
                claims.append(Claim(loc, code, self._find(loc, code, text)))
            except InvalidURLError as error:
                message = f"alternates.{code}: {error}"
                notes.append(Note(kind="alternates", page=candidate.page.name, message=message))
        return claims, notes

    def _find(self, loc: str, code: str, text: str) -> str:
        """The URL of a page of this build, or of one in a language that is declared. Raises `InvalidURLError`."""
        if loc not in self._members:
            message = "the language of this page itself is not known: name it in the option languages"
            raise InvalidURLError(message)
        href = self._by_source.get(text) or self._resolve(code, text)
        if href not in self._members and (obstacle := self._obstacle(code, href)):
            reason = self._left_out.get(text) or self._left_out.get(page_key(href))
            message = f"{href} {f'is left out: {reason}' if reason else obstacle}"
            raise InvalidURLError(message)
        return href

    def _resolve(self, code: str, text: str) -> str:
        """An absolute URL, or one relative to the base of its language."""
        language = self._languages.get(code)
        try:
            return encode_url(urljoin(language.base_url if language else self._base_url, text))
        except InvalidURLError as error:
            message = f"{text!r} {error}"
            raise InvalidURLError(message) from None
        except ValueError as error:
            message = f"{text!r} is not a URL ({error})"
            raise InvalidURLError(message) from None

    def _obstacle(self, code: str, href: str) -> str:
        """Why a page that is not listed cannot be an alternate; empty when it is one that has only been declared."""
        place = _place(href, self._languages.values())
        if href.startswith(self._base_url) and not place:
            return "is not in the sitemap"
        if place and place.language.code != code:
            return f"is in {place.language.code}"
        if place and place.language.base_url in self._built:
            return "is not in the sitemap"
        if place:
            is_there = code not in self._known or page_key(href) in self._known[code]
            return "" if is_there else f"is not among the pages of {code}"
        return "is a page of another site: name the URL of its language in the option languages"


def _known(languages: Iterable[Language]) -> dict[str, dict[str, str]]:
    """The URLs that are known to exist, by language; others may write a page with index.html."""
    return {
        each.code: {page_key(url): url for url in sorted(each.pages)} for each in languages if each.pages is not None
    }


def _declare(
    site: Site,
    members: Collection[Member],
    clusters: Clusters,
    places: Mapping[str, _Place | None],
    built: Collection[str],
) -> list[Note]:
    """Add the pages of the languages that this build cannot see, each with the path it has here."""
    notes = [note for language in site.languages if language.same_paths for note in about_code(language.code)]
    elsewhere = [language for language in site.languages if language.same_paths and language.base_url not in built]
    if elsewhere and places and not built:
        message = (
            f"languages: none of the URLs is this site's own, {site.base_url}, so nothing is known of its translations"
        )
        notes.append(Note(kind="languages", message=message))
    known = _known(elsewhere)
    for member in members:
        place = places[member.loc]
        if place is None or place.language.code != member.code:
            continue
        for language in elsewhere:
            href = language.base_url + place.path
            if language.pages is not None and href not in language.pages:
                href = known[language.code].get(page_key(href), "")
            # Below it another language may have its base, to which the page belongs then.
            if (there := _place(href, site.languages)) and there.language is language:
                clusters.declare(member.loc, language.code, href)
    return notes


def _set_default(
    site: Site, listed: Iterable[Candidate], clusters: Clusters, wanted: XDefault
) -> tuple[str | None, list[Note]]:
    """The language of ``x-default``, once the page that lets readers choose is put beside the home pages."""
    notes: list[Note] = []
    if wanted.page is not None:
        locs = {page_key(candidate.entry.loc): candidate.entry.loc for candidate in listed}
        try:
            href = urljoin(site.base_url, wanted.page)
        except ValueError:  # it is no URL at all
            href = wanted.page
        selector = locs.get(page_key(href))
        obstacle = clusters.choose(selector, _home(site, clusters)) if selector else f"{href} is not in the sitemap"
        if obstacle:
            notes.append(Note(kind="x-default", message=f"x_default: {obstacle}, so no page is x-default"))
    language = wanted.language
    if language == "":
        try:
            language = parse_language(site.default_language) if site.default_language else None
        except InvalidLanguageError:
            language = None
    elif language and len(clusters.of) and all(cluster.find(language) is None for cluster in clusters):
        known = sorted({code for cluster in clusters for code in (*cluster.members, *cluster.declared)})
        message = f"x_default: no page is in {language}; the languages are {listing(known)}"
        notes.append(Note(kind="x-default", message=message))
    return language, notes


def _home(site: Site, clusters: Clusters) -> Cluster | None:
    """The cluster of the home pages, if they are translations of one another."""
    bases = [site.base_url, *(language.base_url for language in site.languages)]
    found = (clusters.of.get(base + name) for base in bases for name in ("", "index.html"))
    return next((cluster for cluster in found if cluster is not None and len(cluster) > 1), None)


def _conflict(conflict: Conflict, names: Mapping[str, str]) -> Note:
    where = f"alternates.{conflict.claim.code}: " if conflict.claim else ""
    return Note(kind="alternates", page=names[conflict.loc], message=where + conflict.message)


def _needless(listed: Iterable[Candidate]) -> list[Note]:
    """Authors' words on translations that a site of one language has no use for."""
    message = "alternates: this site has one language; name all of them and their URLs in the option languages"
    return [
        Note(kind="alternates", page=candidate.page.name, message=message)
        for candidate in listed
        if candidate.alternates
    ]
