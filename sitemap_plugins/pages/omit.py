"""All reasons to leave a page out, with the functions that decide.

To add a reason, add a row to `REASONS`, and a predicate to `BEFORE` or `AFTER` unless a host or another step decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Final, TypeAlias

import msgspec

from sitemap_plugins.html.head import FORBIDDING
from sitemap_plugins.model import Candidate, Entry, Markup, Omitted, Page, Site
from sitemap_plugins.options.settings import Settings, facts_of_options
from sitemap_plugins.pages.canonical import IsPage, canonical_elsewhere, is_same_page, join
from sitemap_plugins.pages.crawl_rules import CrawlRules
from sitemap_plugins.values.dates import parse_moment
from sitemap_plugins.values.text import count_reasons


class Reason(msgspec.Struct, frozen=True):
    """A reason to leave a page out.

    ``wording`` is what the build log counts ("3 noindex", "3 drafts" if it ``is_noun``), ``meaning`` explains it in the
    manual, and ``rules`` are the ids of the rules that require it.
    """

    wording: str
    meaning: str
    rules: tuple[str, ...] = ()
    is_noun: bool = False


_NOUN: Final = partial(Reason, is_noun=True)

REASONS: Final[Mapping[str, Reason]] = {
    # The host decides, in `Page.omit`.
    "error-page": _NOUN(
        "error page", "Servers show it when a page does not exist (404), or when they fail (500).", ("CAN-08",)
    ),
    "search-page": _NOUN("search page", "It only shows search results.", ("CAN-08",)),
    "fragment": _NOUN(
        "fragment",
        "It has no head, because scripts insert it into pages, or it is a template of a theme, or the output of a "
        "notebook (MyST).",
    ),
    "application": _NOUN(
        "application page",
        "It is in a folder of JupyterLite or Storybook, whose pages are filled by scripts.",
        ("CAN-08",),
    ),
    "preview": _NOUN(
        "preview page",
        "It is in the folder of a [preview](versions.md#previews) of a change, such as `pr-preview/pr-12/`.",
        ("PRE-01",),
    ),
    "repeated": Reason("same as the home page", "mdBook writes the first chapter of a book to `index.html` as well."),
    "draft": _NOUN(
        "draft",
        "MkDocs only builds it for previews (`draft_docs`, `exclude_docs`), or Pelican wrote it to `drafts/`.",
        ("CAN-08",),
    ),
    "other": _NOUN(
        "other HTML file",
        "It is in the output but is not a page of MkDocs or Sphinx: it was copied, left over from an earlier build, or "
        "written by a plugin.",
    ),
    "unwritten": Reason("not written", "The build wrote no HTML file for it.", ("SM-LOC-10",)),
    "untranslated": Reason(
        "not translated",
        "It is a copy of the page in another language, or too few of its messages are translated (`translated_share`).",
        ("HL-12",),
    ),
    # Its URL decides.
    "outside": Reason(
        "outside the base URL", "Its URL is not below the base URL of the site.", ("SM-LOC-04", "SM-LOC-05")
    ),
    "invalid-url": _NOUN(
        "invalid URL",
        "Its URL is invalid or too long, or has a tracking parameter.",
        ("SM-LOC-01", "SM-LOC-02", "SM-LOC-03", "SM-LOC-06", "SM-LOC-12", "SM-XML-05"),
    ),
    # The author decides, then the page itself: see `BEFORE`.
    "excluded": Reason(
        "excluded", "Its front matter, a rule of `pages`, the option `exclude` or `sitemap_excludes` excludes it."
    ),
    "generated": Reason(
        "generated",
        "A tool generated it without a source file, and the option `generated_pages` does not list it.",
        ("CAN-08",),
    ),
    "noindex": Reason(
        "noindex", "A robots meta tag, or `X-Robots-Tag` in `_headers`, says `noindex`.", ("CAN-01", "CAN-11")
    ),
    "redirect": _NOUN(
        "redirect", "A meta refresh, or a rule of `_redirects`, leads to another page.", ("CAN-05", "CAN-12")
    ),
    "canonical": Reason("canonical elsewhere", "Its canonical link leads to another page.", ("CAN-02", "VER-01")),
    # The author's hooks decide, then the files beside the pages: see `AFTER`.
    "hook": Reason("by a hook", "A hook (`adjust`, `sitemap_entry`, the event `sitemap-entry`) returned `DROP`."),
    "robots": Reason("disallowed by robots.txt", "The site's robots.txt blocks it.", ("CAN-06", "CAN-07")),
    # Other pages and the limits of a file decide.
    "duplicate": _NOUN("duplicate URL", "Another page has the same URL.", ("SM-LOC-09",)),
    "too-large": Reason("too large", "Its entry is larger than a sitemap may be.", ("SM-LIM-02",)),
}


class Subject(msgspec.Struct, frozen=True):
    """A page that may be left out; ``entry`` includes the changes of the author's hooks so far."""

    candidate: Candidate
    entry: Entry
    site: Site
    settings: Settings
    crawl_rules: CrawlRules
    is_page: IsPage


Predicate: TypeAlias = Callable[[Subject], str | None]
"""A function that returns the detail if the page is left out for this reason, else None."""


def needs_content(settings: Settings) -> bool:
    """Whether an option that is set needs the content of each page, not only its head."""
    return any(each.reads_content and getattr(settings, name) for name, each in facts_of_options().items())


def wording_of(key: str) -> str:
    """The wording of one of the `REASONS` for messages; for any other reason of a host, that is the key."""
    return REASONS[key].wording if key in REASONS else key


def omit(page: Page, key: str, detail: str = "") -> Omitted:
    """The page as left out for one of the `REASONS`, or for another reason of a host."""
    return Omitted(page=page, key=key, reason=wording_of(key), detail=detail)


def count_omitted(omitted: Iterable[Omitted]) -> str:
    """How many pages are left out for each reason, as in ``2 drafts, 1 excluded``."""
    nouns = {reason.wording for reason in REASONS.values() if reason.is_noun}
    return ", ".join(count_reasons((each.reason for each in omitted), nouns))


def find_reason(predicates: Iterable[tuple[str, Predicate]], subject: Subject) -> tuple[str, str] | None:
    """The key of the first reason that applies, and its detail, or None."""
    found = ((key, predicate(subject)) for key, predicate in predicates)
    return next(((key, detail) for key, detail in found if detail is not None), None)


def _excluded(subject: Subject) -> str | None:
    candidate = subject.candidate
    if candidate.exclude:
        return candidate.exclude_by
    is_matched = candidate.exclude is None and subject.settings.exclude.matches(candidate.path)
    return "by the option exclude" if is_matched else None


def _generated(subject: Subject) -> str | None:
    choice = subject.settings.generated_pages
    is_chosen = choice is None or choice.matches(subject.candidate.path)
    if is_chosen or not subject.candidate.page.generated:
        return None
    return "it has no source file; the option generated_pages can list it"


def _canonical(subject: Subject) -> str | None:
    page = subject.candidate.page
    url = canonical_elsewhere(page.markup or Markup(), subject.entry.loc, subject.is_page)
    # To keep readers on the same page, the version selector of a theme reads this sitemap, which is not announced.
    is_needed = subject.site.theme_reads_sitemap and url and is_same_page(url, page.superseded_by or "")
    return None if is_needed else url


# A page that tells crawlers to ignore it is left out even if its author lists it. The author's choices come first,
# because they are the better reason for the log. A page that redirects has a canonical link to its target, too.
BEFORE: Final[tuple[tuple[str, Predicate], ...]] = (
    ("excluded", _excluded),
    ("generated", _generated),
    ("noindex", lambda subject: noindex_in(subject.candidate.page.markup or Markup(), subject.site.as_of)),
    ("redirect", lambda subject: refresh_in(subject.candidate.page.markup or Markup(), subject.entry.loc)),
    ("canonical", _canonical),
)
"""The reasons that are checked before the author's hooks run, in this order."""

AFTER: Final[tuple[tuple[str, Predicate], ...]] = (
    ("robots", lambda subject: subject.crawl_rules.disallowed(subject.entry.loc)),
    ("noindex", lambda subject: subject.crawl_rules.noindex(subject.entry.loc)),
    ("redirect", lambda subject: subject.crawl_rules.redirected(subject.entry.loc)),
)
"""The reasons that are checked after the hooks, for the URL that the hooks gave the page."""


def noindex_in(markup: Markup, as_of: datetime | None) -> str | None:
    """The robots directives that keep a page out of all indexes at the moment ``as_of``, or None (CAN-01)."""
    if forbidding := markup.robots & FORBIDDING:
        return f"robots meta tag: {', '.join(sorted(forbidding))}"
    is_past = any(_is_past(date, as_of) for date in markup.unavailable_after)
    return "robots meta tag: unavailable_after" if is_past else None


def refresh_in(markup: Markup, loc: str) -> str | None:
    """The target of the meta refresh of the page at ``loc`` if it is another page, else None (CAN-05)."""
    target = join(loc, markup.refresh) if markup.refresh else loc
    return None if is_same_page(target, loc) else target


def reason_in_markup(markup: Markup, loc: str, is_page: IsPage = lambda _: False) -> tuple[str, str] | None:
    """Why a rendered page must not be listed under ``loc``, as the key of a reason and its detail, or None.

    ``is_page`` tells whether a URL belongs to another page of the site. A date from which the page is unavailable does
    not count: the callers have no clock.
    """
    found = (
        ("noindex", noindex_in(markup, None)),
        ("redirect", refresh_in(markup, loc)),
        ("canonical", canonical_elsewhere(markup, loc, is_page)),
    )
    return next(((key, detail) for key, detail in found if detail is not None), None)


def _is_past(date: str, as_of: datetime | None) -> bool:
    if as_of is None:
        return False
    try:
        moment = parse_moment(date)
    except ValueError:
        from email.utils import parsedate_to_datetime

        try:
            moment = parsedate_to_datetime(date)
        except (ValueError, OverflowError):
            return False
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) < as_of


def explain(omitted: Omitted) -> str:
    """The page that is left out, and why."""
    return f"{omitted.page.name}: {omitted.reason}" + (f" ({omitted.detail:.200})" if omitted.detail else "")
