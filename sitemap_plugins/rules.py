"""Every kind of note, its default level and what it means: one table, so that nothing is said at two levels.

A warning fails ``mkdocs build --strict`` and ``sphinx-build -W``. So it is reserved for what the author can mend in the
source or the options and what would make the sitemap wrong; a fact of the environment is information.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

Level: TypeAlias = Literal["ignore", "info", "warning"]


class NoteKind(NamedTuple):
    """The default level of a kind of note, and one sentence for the manual."""

    level: Level
    meaning: str


KINDS: Final[Mapping[str, NoteKind]] = {
    # What the author can mend, and what would make the sitemap wrong.
    "option": NoteKind("warning", "An option has a value it cannot have, or a name that does not exist."),
    "front-matter": NoteKind("warning", "A value that a page gives to the sitemap is not one of the allowed values."),
    "future-date": NoteKind(
        "warning", "A page gives a last-modified date that has not come yet; the date is left out."
    ),
    "duplicate-url": NoteKind("warning", "Two pages have one URL; the first one is listed."),
    "invalid-url": NoteKind("warning", "A URL is too long or cannot be one; the page is left out."),
    "depends-on": NoteKind("warning", "A page is said to depend on a file that does not exist."),
    "hook": NoteKind("warning", "An `adjust` function raised or returned something else than an entry."),
    "base-url": NoteKind("warning", "The option `base_url` is not the host's own URL, which the pages name."),
    "alternates": NoteKind(
        "warning",
        "A translation that a page names does not exist, is left out, or is another page's; it is not linked.",
    ),
    "language-code": NoteKind("warning", "A language has a code that search engines do not know, or another one's."),
    "x-default": NoteKind("warning", "The page or the language of the option `x_default` is not there."),
    "language-pages": NoteKind("warning", "The list of another language's pages cannot be read, or is empty."),
    "catalogue": NoteKind("warning", "A gettext catalogue cannot be read; its pages count as not translated."),
    "limit": NoteKind("warning", "A page alone is larger than a sitemap may be; it is left out."),
    "unwritable": NoteKind("warning", "A file could not be written; what was there before is still there."),
    "robots-blocks-sitemap": NoteKind("warning", "The site's robots.txt keeps crawlers from the sitemap itself."),
    "robots-encoding": NoteKind("warning", "The site's robots.txt is not UTF-8; it was left alone."),
    # Facts of the environment, and consequences of what the author chose.
    "no-base-url": NoteKind("info", "The site has no absolute URL, so there can be no sitemap."),
    "unmatched": NoteKind(
        "info", "A glob, rule, section or host is for no page, or an option needs another one to have an effect."
    ),
    "cross-submit": NoteKind("info", "Another host's robots.txt has to name the sitemap that lists its pages."),
    "outside": NoteKind("info", "Pages lie on another host or beside the base URL, so the sitemap may not list them."),
    "no-pages": NoteKind("info", "Every page was left out, so there is no sitemap."),
    "home-left-out": NoteKind("info", "The home page is not in the sitemap; some themes' scripts look for it."),
    "no-git": NoteKind("info", "git cannot date the pages: not installed, no repository, no commit, or not allowed."),
    "uncommitted-date": NoteKind(
        "info", "A date after the last commit, of a page that is not committed yet or from a rule; it is not used yet."
    ),
    "languages": NoteKind("info", "None of the URLs of the option `languages` is the one that this build is for."),
    "languages-elsewhere": NoteKind("info", "The site names other languages, which this build cannot see."),
    "three-letter-language": NoteKind("info", "A language has no code of two letters, the only ones Google promises."),
    "language-mismatch": NoteKind("info", "Pages name another language, or other translations, than the sitemap."),
    "head-links": NoteKind("info", "Pages have `hreflang` links of their own, so that none were added to them."),
    "moved": NoteKind("info", "What another tool's configuration means here, or that it has no effect."),
    "shallow": NoteKind("info", "The clone is shallow, so some pages have no date that could be trusted."),
    "bulk-commit": NoteKind(
        "info", "One commit dates a large share of all pages; it may have changed nothing that counts."
    ),
    "ignore-revs": NoteKind(
        "info", "A line of a file that names commits to be ignored names none, or it cannot be read."
    ),
    "dependencies": NoteKind("info", "What pages are made of could not be found out with this version of a tool."),
    "shown-date": NoteKind("info", "Pages show another date of their last change than the sitemap."),
    "section": NoteKind("info", "Two sections claim the same page; it is in the first of them."),
    "image": NoteKind("info", "A page has an image without an address, or more images than a sitemap may list."),
    "video": NoteKind("info", "A video lacks something that search engines ask for; it is left out."),
    "news": NoteKind("info", "A page that could be news lacks something that search engines ask for."),
    "text": NoteKind("info", "A page's title or description had control characters, which are left out."),
    "feed": NoteKind("info", "The site has a feed already, or nothing to put into one; none was written."),
    "engine": NoteKind("info", "A search engine of the option `engines` passes over something that there is."),
    "many-indexes": NoteKind("info", "There are more sitemap indexes than Google Search Console takes."),
    "preview": NoteKind("info", "This is a preview build; nothing is announced to search engines."),
    "own-sitemap": NoteKind("info", "The site already has a sitemap of its own under this name; it was left alone."),
    "other-extension": NoteKind("info", "Another extension writes the sitemap; this one stands back."),
    "robots-below-root": NoteKind("info", "The site lies below a path, where a robots.txt has no effect."),
    "robots-of-host": NoteKind("info", "The hosting service writes robots.txt itself; none was created."),
    "robots-blocks-assets": NoteKind("info", "The site's robots.txt keeps crawlers from styles and scripts."),
    "robots-disallow-all": NoteKind("info", "The site's robots.txt forbids everything; it was left alone."),
    "dirty-build": NoteKind("info", "Only some pages were built; the sitemap of the last whole build was kept."),
}


def level_of(kind: str, overrides: Mapping[str, Level]) -> Level:
    """The level at which a note of this kind is logged, given the ``notes`` option."""
    return overrides.get(kind, KINDS[kind].level)
