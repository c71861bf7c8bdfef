"""Add alternates to entries, only to pages that are listed, and compare them with the heads of pages (HL-13)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urljoin

import msgspec
from msgspec import structs

from sitemap_plugins.model import X_DEFAULT, Alternate, Candidate, Language, Markup, Note, Omitted, Site
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.options.types import XDefault
from sitemap_plugins.translations.clusters import Claim, Cluster, Clusters, Conflict, Member, alternates_of
from sitemap_plugins.values.languages import (
    InvalidLanguageError,
    agree,
    code_of,
    match_language,
    parse_language,
    primary_language,
    probably_meant,
)
from sitemap_plugins.values.text import and_more_pages, join_words
from sitemap_plugins.values.urls import InvalidURLError, absolute_url, encode_url, page_key

_SOURCES = (".md", ".markdown", ".rst", ".ipynb")


def translate(
    site: Site, listed: Sequence[Candidate], omitted: Sequence[Omitted], settings: Settings
) -> tuple[list[Candidate], list[Note]]:
    """Return the candidates with their alternates, and notes on their languages.

    The ``alternates`` in front matter come first. Then a page's translations are those that the host knows or, if it
    knows none at all, the pages with the same path below the base of another of the site's ``languages``. If no page
    of this build is below the base of a language, its pages are declared: the build cannot see if they exist.
    """
    codes, notes = _read_codes(listed)
    codes = _as_named(codes, [language.code for language in site.languages])
    notes += [note for language in site.languages if language.same_paths for note in language_code_notes(language.code)]
    bases = LanguageBases(site, listed, omitted)
    members = _members(listed, codes, bases.paths) or ({} if site.languages else _members_with_alternates(listed))
    # Mistakes in a preview, or in a version whose URLs the option languages does not name, need no fix.
    is_reported = site.policy.is_announced and (bool(codes) or not bases.is_foreign)
    if bases.is_foreign and listed:
        message = f"languages: none of the URLs is this site's own, {site.base_url}, so no language is linked"
        notes.append(Note(kind="languages", message=message))
    if not members:
        return list(listed), notes + (_unused_alternates_notes(listed) if is_reported else [])
    clusters = Clusters(members.values())
    about_alternates: list[Note] = []
    unlinked: set[tuple[str, str]] = set()
    # On few sites authors name translations, and comparing all pages takes time.
    if with_alternates := [candidate for candidate in listed if candidate.alternates]:
        translations = _Translations(site, listed, omitted, members, bases)
        for candidate in with_alternates:
            claims, mistaken = translations.claims(candidate)
            about_alternates += mistaken
            # If the author named a wrong page, none is assumed from the path.
            unlinked |= {(candidate.entry.loc, code) for code in translations.codes(candidate)} if mistaken else set()
            for claim in claims:
                clusters.join(claim)
    clusters.join_groups()
    for member in members.values():
        if (place := bases.paths[member.loc]) and place.language.code == member.code:
            for language in bases.elsewhere:
                href = bases.translation(place.path, language)
                if href and (member.loc, language.code) not in unlinked:
                    clusters.declare(member.loc, language.code, href)
    about_alternates += [_conflict_note(conflict, members[conflict.loc].name) for conflict in clusters.conflicts]
    default, about_default = _set_default(site, listed, clusters, settings.x_default)
    links = {id(cluster): alternates_of(cluster, default) for cluster in clusters}
    translated = [
        structs.replace(candidate, entry=replace(candidate.entry, alternates=found))
        if (cluster := clusters.of.get(candidate.entry.loc)) is not None and (found := links[id(cluster)])
        else candidate
        for candidate in listed
    ]
    return translated, notes + (about_alternates + about_default if is_reported else [])


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
            if href.startswith(self._base_url):
                return "is not in the sitemap"
            return "is a page of another site: name the URL of its language in the option languages"
        if place.language.code != code:
            return f"is in {place.language.code}"
        if place.language.base_url in self._built or href in self._left_out:
            return "is not in the sitemap"
        is_there = place.language.pages is None or page_key(href) in self._known[code]
        return "" if is_there else f"is not among the pages of {code}"


def _read_codes(listed: Iterable[Candidate]) -> tuple[dict[str, str], list[Note]]:
    """Return the hreflang code of each language whose pages have translations, and notes on wrong codes."""
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
        notes += language_code_notes(code)
    return codes, notes


def _as_named(codes: Mapping[str, str], named: Collection[str]) -> dict[str, str]:
    """The codes as the option ``languages`` names them: its ``pt`` is the ``pt-BR`` of pages if it fits no other."""
    found = dict(codes)
    for name in named:
        fitting = [written for written, code in codes.items() if match_language(name, codes.values()) == code]
        if len(fitting) == 1 and match_language(codes[fitting[0]], named) == name:
            found[fitting[0]] = name
    return found


def language_code_notes(code: str) -> Iterator[Note]:
    """A note on a valid code that may be a mistake, or that search engines may ignore."""
    if meant := probably_meant(code):
        yield Note(kind="language-code", message=f"the language code {code!r} is valid, but did you mean {meant!r}?")
    elif len(code.partition("-")[0]) == 3:
        message = f"the language {code!r} has no two-letter code, so search engines may ignore its alternates"
        yield Note(kind="three-letter-language", message=message)


def _members(
    listed: Iterable[Candidate], codes: Mapping[str, str], places: Mapping[str, LanguagePath | None]
) -> dict[str, Member]:
    """The pages whose language is known: from the host, or from their URLs if the host knows none."""
    members = {}
    for candidate in listed:
        page, loc = candidate.page, candidate.entry.loc
        if page.language in codes and page.translation:
            members[loc] = Member(loc, codes[page.language], ("translation", page.translation), page.name)
        elif not codes and (place := places[loc]):
            members[loc] = Member(loc, place.language.code, ("path", place.path), page.name)
    return members


def _members_with_alternates(listed: Iterable[Candidate]) -> dict[str, Member]:
    """The pages of a build of one language whose authors name translations in other builds."""
    return {
        candidate.entry.loc: Member(candidate.entry.loc, code, None, candidate.page.name)
        for candidate in listed
        if candidate.alternates and (code := code_of(candidate.page.language))
    }


class _Translations:
    """Finds the pages that authors name in ``alternates``."""

    def __init__(
        self,
        site: Site,
        listed: Iterable[Candidate],
        omitted: Iterable[Omitted],
        members: Mapping[str, Member],
        bases: LanguageBases,
    ) -> None:
        self._base_url = site.base_url
        self._members = members
        self._bases = bases
        self._is_alone = not site.languages and all(member.group is None for member in members.values())
        self._languages = {language.code: language for language in site.languages}
        self._codes = {*self._languages, *(member.code for member in members.values())}
        self._by_source = {candidate.page.name: candidate.entry.loc for candidate in listed}
        self._by_key = {page_key(candidate.entry.loc): candidate.entry.loc for candidate in listed}
        self._left_out: dict[str, str] = {}
        for each in omitted:
            self._left_out |= {each.page.name: each.reason, page_key(each.page.loc): each.reason}

    def codes(self, candidate: Candidate) -> list[str]:
        """The languages of the alternates of a page, in their order."""
        return [match_language(code, self._codes) for code in candidate.alternates]

    def claims(self, candidate: Candidate) -> tuple[list[Claim], list[Note]]:
        """Return the claims in the front matter of a page, and notes on wrong ones."""
        loc, name = candidate.entry.loc, candidate.page.name
        claims: list[Claim] = []
        notes: list[Note] = []
        for code, text in zip(self.codes(candidate), candidate.alternates.values(), strict=True):
            try:
                claims.append(Claim(loc, code, self._find(loc, code, text)))
            except _UnseenError as error:
                notes.append(Note(kind="languages-elsewhere", page=name, message=f"alternates.{code}: {error}"))
            except InvalidURLError as error:
                notes.append(Note(kind="alternates", page=name, message=f"alternates.{code}: {error}"))
        return claims, notes

    def _find(self, loc: str, code: str, text: str) -> str:
        """The URL of a page of this build or of another one. Raises `InvalidURLError` if it cannot be an alternate."""
        if loc not in self._members:
            raise InvalidURLError("the language of this page itself is not known: name it in the option languages")
        if text not in self._by_source and text.lower().endswith(_SOURCES):
            self._reject_source(code, text)
        href = self._by_source.get(text) or self._resolve(code, text)
        if href not in self._members:
            href = self._by_key.get(page_key(href), href)
        if href in self._members:
            return href
        reason = self._left_out.get(text) or self._left_out.get(page_key(href))
        is_elsewhere = href not in self._bases.paths and not reason
        if self._is_alone and href.startswith(urljoin(self._base_url, "/")) and is_elsewhere:
            return href
        if href in self._bases.paths:
            raise InvalidURLError(f"{href} is in no known language: add its language to the option languages")
        if why := self._bases.why_unlinked(code, href):
            if code not in self._codes and href.startswith(self._base_url) and not reason:
                raise _UnseenError(code)
            raise InvalidURLError(f"{href} {f'is left out: {reason}' if reason else why}")
        return href

    def _reject_source(self, code: str, text: str) -> None:
        reason = self._left_out.get(text)
        if code not in self._codes and not reason:
            raise _UnseenError(code)
        why = (
            f"is left out: {reason}" if reason else "is not a source file of this build; for other pages write the URL"
        )
        raise InvalidURLError(f"{text} {why}")

    def _resolve(self, code: str, text: str) -> str:
        """The absolute URL of a URL or a path below the base of its language. Raises `InvalidURLError`."""
        language = self._languages.get(code)
        try:
            return encode_url(urljoin(language.base_url if language else self._base_url, text))
        except InvalidURLError as error:
            raise InvalidURLError(f"{text!r} {error}") from None
        except ValueError as error:
            raise InvalidURLError(f"{text!r} is not a URL ({error})") from None


class _UnseenError(InvalidURLError):
    """Raised if this build has no pages in a language, which may be intended."""

    def __init__(self, code: str) -> None:
        super().__init__(f"this build has no pages in {code}, and the option languages does not name it")


def _set_default(
    site: Site, listed: Iterable[Candidate], clusters: Clusters, wanted: XDefault
) -> tuple[str | None, list[Note]]:
    """Return the language of ``x-default``, and notes. Also adds the language selector to the home pages, if set."""
    notes: list[Note] = []
    if wanted.page is not None:
        locs = {page_key(candidate.entry.loc): candidate.entry.loc for candidate in listed}
        href = absolute_url(site.base_url, wanted.page.lstrip("/")) or wanted.page
        selector = locs.get(page_key(href))
        why = clusters.choose(selector, _home_cluster(site, clusters)) if selector else f"{href} is not in the sitemap"
        if why:
            notes.append(Note(kind="x-default", message=f"x_default: {why}, so no page is x-default"))
    language = wanted.language
    if language == "":
        language = code_of(site.default_language or "") or None
    elif language and len(clusters.of) and all(cluster.find(language) is None for cluster in clusters):
        known = sorted({code for cluster in clusters for code in cluster})
        if (meant := match_language(language, known)) in known:
            return meant, notes
        if not any(each.is_unread and each.code == language for each in site.languages):
            message = f"x_default: no page in {language} is known; the languages are {join_words(known)}"
            notes.append(Note(kind="x-default", message=message))
    return language, notes


def _conflict_note(conflict: Conflict, name: str) -> Note:
    where = f"alternates.{conflict.claim.code}: " if conflict.claim else ""
    return Note(kind="alternates", page=name, message=where + conflict.message)


def _home_cluster(site: Site, clusters: Clusters) -> Cluster | None:
    """The cluster of the home pages, or None if they are not translations of each other."""
    bases = [site.base_url, *(language.base_url for language in site.languages)]
    found = (clusters.of.get(base + name) for base in bases for name in ("", "index.html"))
    return next((cluster for cluster in found if cluster is not None and len(cluster) > 1), None)


def _unused_alternates_notes(listed: Iterable[Candidate]) -> list[Note]:
    """Notes on ``alternates`` in front matter that have no effect, because the language of the site is not known."""
    message = "alternates: the language of this site is not known; name all languages and URLs in the option languages"
    return [
        Note(kind="languages-elsewhere", page=candidate.page.name, message=message)
        for candidate in listed
        if candidate.alternates
    ]


def compare_with_pages(listed: Iterable[Candidate]) -> Iterator[Note]:
    """A note on the pages whose language or hreflang links differ from the sitemap.

    Pages without alternates, or without such values in their HTML, are not compared.
    """
    found: list[tuple[str, str]] = []
    for candidate in listed:
        markup, alternates = candidate.page.markup, candidate.entry.alternates
        if alternates and markup and (difference := disagreement(markup, candidate.entry.loc, alternates)):
            found.append((candidate.page.name, difference))
    if found:
        name, difference = found[0]
        yield Note(kind="language-mismatch", page=name, message=difference + and_more_pages(len(found) - 1))


def disagreement(markup: Markup, loc: str, alternates: Iterable[Alternate]) -> str:
    """How a page's language or hreflang links differ from its alternates, or an empty string if they agree.

    The text names the value of the page and the value of the sitemap.
    """
    links = list(alternates)
    own = next((link.hreflang for link in links if link.href == loc and link.hreflang != X_DEFAULT), None)
    if own and markup.language and not agree(markup.language, own):
        return f'its html element has lang="{markup.language}", but the sitemap has {own}'
    if not markup.hreflang:
        return ""
    head, sitemap = read_links(markup.hreflang, loc), {link.hreflang: link.href for link in links}
    for code in sorted(head.keys() | sitemap.keys()):
        there, here = head.get(code), sitemap.get(code)
        is_same = there is not None and here is not None and page_key(there) == page_key(here)
        # A page may omit x-default.
        if not is_same and not (code == X_DEFAULT and there is None):
            is_default = code == X_DEFAULT
            why = "no x_default is set for these pages" if is_default else "no listed page is known as that translation"
            listed = here or f"nothing, because {why}"
            return f"for {code} its head names {there or 'nothing':.200}, but the sitemap names {listed:.200}"
    return ""


def in_several_languages(links: Iterable[Alternate]) -> dict[str, list[str]]:
    """The pages that are linked in several languages, by `page_key`, with the codes (HL-11); invalid ones are ignored.

    Two countries or scripts of one language are not two languages.
    """
    named: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for link in links:
        if language := primary_language(link.hreflang):
            named[page_key(link.href)][link.hreflang] = language
    return {key: [*codes] for key, codes in named.items() if len({*codes.values()}) > 1}


def read_links(links: Iterable[tuple[str, str]], loc: str) -> dict[str, str]:
    """The absolute URLs of the hreflang links in a page's head, by language code; invalid links are ignored."""
    found: dict[str, str] = {}
    for written, href in links:
        try:
            code = X_DEFAULT if written.lower() == X_DEFAULT else parse_language(written)
            found.setdefault(code, urljoin(loc, href))
        except (InvalidLanguageError, ValueError):  # not a language, or not a URL
            continue
    return found
