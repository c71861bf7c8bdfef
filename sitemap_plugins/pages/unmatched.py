"""Report options without effect on this site, such as globs, rules and sections that match no page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from sitemap_plugins.model import Candidate, Entry, Markup, Note, Omitted, Site
from sitemap_plugins.options.settings import Settings, facts_of_options
from sitemap_plugins.options.types import Globs
from sitemap_plugins.pages.canonical import other_spelling
from sitemap_plugins.pages.omit import needs_content
from sitemap_plugins.values.text import and_more_pages, closest, join_words
from sitemap_plugins.values.urls import encode_url, path_below, usable_url

_SEEN: Final = "match is for the path of the URL, source for the path of the source file"


def unmatched_notes(candidates: Sequence[Candidate], settings: Settings) -> list[Note]:
    """A note for each glob, rule and section that matches no page, and each option that has no effect here."""
    checks = (_unused_globs, _unused_rules, _unused_groups, _unused_options)
    return [Note(kind="unmatched", message=message) for check in checks for message in check(candidates, settings)]


def untranslated_candidates(site: Site, omitted: Sequence[Omitted]) -> Iterator[Candidate]:
    """The pages that are left out because they are not translated: options are written for all languages of a site."""
    for page in (each.page for each in omitted if each.page.omit == "untranslated"):
        loc = usable_url(page.loc)
        if loc and (path := path_below(page.base_url or site.base_url, loc)):
            yield Candidate(page=page, path=path, entry=Entry(loc=loc))


def _unused_globs(candidates: Sequence[Candidate], settings: Settings) -> Iterator[str]:
    taken_back = [pattern for pattern in settings.exclude.patterns if pattern.startswith("!")]
    if taken_back and len(taken_back) == len(settings.exclude.patterns):
        yield f"exclude: {taken_back[0]!r} re-includes what an earlier glob excludes, but there is none"
        return
    for pattern in settings.exclude.patterns:
        glob = Globs((pattern.removeprefix("!"),))
        if any(glob.matches(candidate.path) for candidate in candidates):
            continue
        source = next((each for each in candidates if glob.matches(each.page.name)), None)
        if source:
            yield (
                f"exclude: {pattern!r} matches no page, only the source file {source.page.name}; globs match the path "
                f"of the URL: write {source.path!r}, or a rule of pages with source and exclude: true"
            )
        else:
            close = closest(pattern, (each.path for each in candidates))
            example = f"; did you mean '{close}'?" if close else ", such as guides/install/"
            yield f"exclude: {pattern!r} matches no page; globs match the path of the URL{example}"
    for pattern in settings.files.patterns:
        glob = Globs((pattern.removeprefix("!"),))
        if not any(glob.matches(each.page.output or "") for each in candidates):
            yield f"files: {pattern!r} matches no file in the output; globs match its path, such as downloads/a.pdf"
    for pattern in settings.generated_pages.named if settings.generated_pages else ():
        glob = Globs((pattern.removeprefix("!"),))
        if not any(each.page.generated and glob.matches(each.path) for each in candidates):
            yield f"generated_pages: {pattern!r} matches no page without a source file; globs match the path of the URL"


def _unused_rules(candidates: Sequence[Candidate], settings: Settings) -> Iterator[str]:
    for number, rule in enumerate(settings.pages):
        if not any(rule.applies(candidate.path, candidate.page.name) for candidate in candidates):
            yield f"pages[{number}]: the rule matches no page; {_SEEN}{_source_hint(rule.source, candidates)}"


def _source_hint(source: Globs | None, candidates: Sequence[Candidate]) -> str:
    """How to write a glob for source files that begins with the folder of the documents, or has backslashes."""
    for pattern in source.patterns if source else ():
        written = pattern.replace("\\", "/")
        while written.strip("/"):
            glob = Globs((written,))
            if any(glob.matches(each.page.name) for each in candidates):
                if written == pattern:  # the rest of the rule does not match
                    return ""
                return f", relative to the folder of the documents, with slashes: write {written!r}"
            written = written.partition("/")[2]
    return ""


def _unused_groups(candidates: Sequence[Candidate], settings: Settings) -> Iterator[str]:
    if not settings.sections and not settings.news:
        return
    for name, section in settings.sections.items():
        if not any(each.section == name or section.holds(each) for each in candidates):
            yield f"sections.{name}: it matches no page; {_SEEN}{_source_hint(section.source, candidates)}"
    if settings.news and not any(each.news or settings.news.holds(each) for each in candidates):
        asked = settings.news.language and settings.news.publication_language is None
        mistaken = "; to set the language of the publication, use publication_language" if asked else ""
        yield f"news: it matches no page; {_SEEN}{_source_hint(settings.news.source, candidates)}{mistaken}"


def _unused_options(candidates: Sequence[Candidate], settings: Settings) -> Iterator[str]:
    for name, each in facts_of_options().items():
        if each.needs and getattr(settings, name) and not getattr(settings, each.needs.partition(":")[0]):
            yield f"{name}: it has no effect without {each.needs}"
    if settings.content_selector and not needs_content(settings):
        readers = [name for name, each in facts_of_options().items() if each.reads_content]
        yield f"content_selector: it has no effect without {join_words(readers, 'or')}"
    if settings.follow_canonical and not any(
        other_spelling(each.page.markup or Markup(), encode_url(each.page.loc)) for each in candidates
    ):
        yield "follow_canonical: it has no effect, because the canonical links are the same as the URLs of the host"
    if not settings.news and (named := [each.page.name for each in candidates if each.news]):
        yield f"news: true in {named[0]}{and_more_pages(len(named) - 1)} has no effect without the option news"
