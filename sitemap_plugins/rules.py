"""Every kind of note in one table: its default level, its meaning, and the rules of the specification behind it.

A warning fails ``mkdocs build --strict`` and ``sphinx-build -W``. So a note is only a warning if the author can fix it
in the source or the options and the sitemap would otherwise be wrong. Facts of the environment are information.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import msgspec

Level: TypeAlias = Literal["ignore", "info", "warning"]


class NoteKind(msgspec.Struct, frozen=True):
    """The default level of a kind of note, its meaning in one sentence, and the ids of the rules that it implements.

    The ids are from the specification (``SM-LOC-03``); docs/rules.md lists them.
    """

    level: Level
    meaning: str
    rules: tuple[str, ...] = ()


KINDS: Final[Mapping[str, NoteKind]] = {
    # Problems that the author can fix, and that would make the sitemap wrong.
    "option": NoteKind(
        "warning",
        "An option is unknown, or its value is not allowed.",
        ("SM-CF-01", "SM-PRI-01", "SM-LIM-01", "SM-LIM-02", "HL-06"),
    ),
    "front-matter": NoteKind(
        "warning",
        "The front matter of a page has an unknown key, or an invalid value, such as an image that does not exist; it "
        "is ignored.",
        ("SM-MOD-01", "SM-CF-01", "SM-PRI-01", "HL-06"),
    ),
    "future-date": NoteKind(
        "warning", "A page sets a last-modified date that is later than the last commit; it is ignored.", ("SM-MOD-03",)
    ),
    "duplicate-url": NoteKind("warning", "Two pages have the same URL; only one of them is listed.", ("SM-LOC-09",)),
    "invalid-url": NoteKind(
        "warning",
        "The URL of a page is invalid or too long, or has a tracking parameter; the page is left out.",
        ("SM-LOC-01", "SM-LOC-02", "SM-LOC-03", "SM-LOC-06", "SM-LOC-12", "SM-XML-05"),
    ),
    "depends-on": NoteKind("warning", "A page depends on a file that does not exist."),
    "hook": NoteKind(
        "warning",
        "A hook such as `adjust` raised an exception or returned something invalid; the entry is unchanged.",
        ("SM-LOC-01", "SM-LOC-02", "SM-LOC-03", "SM-LOC-05", "SM-LOC-12", "SM-MOD-01", "SM-CF-01", "SM-PRI-01"),
    ),
    "base-url": NoteKind(
        "warning",
        "The option `base_url` differs from the URL in the canonical links of the pages, or the URL of the site has an "
        "empty folder in it (`//`).",
        ("CAN-09",),
    ),
    "lost-pages": NoteKind(
        "warning",
        "Nearly all pages are left out because their canonical links or redirects lead to URLs that do not exist in "
        "this build.",
        ("CAN-02", "CAN-05"),
    ),
    "alternates": NoteKind(
        "warning",
        "A page cannot be linked as a translation: it is missing, left out or in another language, or another page is "
        "already linked.",
        ("HL-05", "HL-10", "HL-11", "HL-12"),
    ),
    "language-code": NoteKind(
        "warning", "A language code is invalid, used twice, or probably a typo.", ("HL-06", "HL-07", "HL-10")
    ),
    "x-default": NoteKind(
        "warning", "The page or language in the option `x_default` cannot be the default.", ("HL-12",)
    ),
    "language-pages": NoteKind(
        "warning", "A file that lists the pages of another language cannot be read, or lists no pages.", ("HL-12",)
    ),
    "canonical-version": NoteKind(
        "warning",
        "The file in `canonical_version_url` cannot be read, or the theme does not write links to that version.",
        ("VER-03",),
    ),
    "catalogue": NoteKind(
        "warning", "A gettext catalogue cannot be read; its pages count as not translated.", ("HL-12",)
    ),
    "limit": NoteKind(
        "warning", "The entry of a single page is larger than a sitemap may be; it is left out.", ("SM-LIM-02",)
    ),
    "unread": NoteKind(
        "warning",
        "A file of the site is not read, because it is too large, not a regular file, or a link that points outside "
        "the output folder; its content is ignored.",
    ),
    "page-list": NoteKind(
        "warning", "The template `sitemap_page.html` fails, or a theme or plugin cannot show the page of all pages."
    ),
    "unwritable": NoteKind("warning", "A file cannot be read or written; it is unchanged."),
    "robots-blocks-sitemap": NoteKind("warning", "The site's robots.txt blocks crawlers from the sitemap.", ("RB-15",)),
    "robots-encoding": NoteKind("warning", "The site's robots.txt is not UTF-8; it is left alone.", ("RB-02",)),
    # Facts of the environment, and consequences of the author's choices.
    "no-base-url": NoteKind(
        "info",
        "The site has no public absolute URL, so no sitemap is written.",
        ("SM-LOC-01", "SM-LOC-02", "SM-LOC-12"),
    ),
    "unmatched": NoteKind(
        "info", "A glob, rule, section or host in the options matches no page, or an option has no effect on its own."
    ),
    "cross-submit": NoteKind(
        "info", "The robots.txt of another host must list the sitemap that has its pages.", ("SM-XS-01",)
    ),
    "canonical-spelling": NoteKind(
        "info",
        "Canonical links use a different form of the pages' URLs than the sitemap, with or without `.html` or a final "
        "slash.",
        ("CAN-02",),
    ),
    "outside": NoteKind(
        "info",
        "Some pages have URLs that are not below the base URL, so the sitemap may not list them.",
        ("SM-LOC-04", "SM-LOC-05"),
    ),
    "no-pages": NoteKind("info", "Every page is left out, so no sitemap is written.", ("SM-XML-10",)),
    "home-left-out": NoteKind("info", "The home page is not in the sitemap, where scripts of some themes look for it."),
    "theme-sitemap": NoteKind(
        "info", "Scripts of the theme read `sitemap.xml`, but the options make it an index, or only compress it."
    ),
    "source": NoteKind(
        "info",
        "A `source` pattern matches two files for a page, or no pattern matches any file, so the source is unclear.",
    ),
    "not-run": NoteKind(
        "info", "Zensical does not run a plugin that adds pages, or that changes their URLs or languages."
    ),
    "taken-over": NoteKind("info", "The generator wrote its own sitemap; this one replaces it."),
    "no-git": NoteKind(
        "info",
        "git cannot date the pages: it is not installed, is not allowed to read the repository, has no commits for "
        "them or for a file that they include, or a commit is too large to read.",
        ("SM-MOD-02",),
    ),
    "uncommitted-date": NoteKind(
        "info",
        "A rule or an uncommitted page sets a date that is later than the last commit, or, if no commit is known, a "
        "page sets a date that is later than SOURCE_DATE_EPOCH; the date is ignored for now.",
        ("SM-MOD-03",),
    ),
    "languages": NoteKind(
        "info", "None of the URLs in the option `languages` is this build's own; no page is linked.", ("HL-02", "HL-03")
    ),
    "languages-elsewhere": NoteKind(
        "info", "The site declares other languages, whose pages this build does not contain.", ("HL-12",)
    ),
    "three-letter-language": NoteKind(
        "info", "A language has no two-letter code; search engines may ignore a three-letter one.", ("HL-07",)
    ),
    "language-mismatch": NoteKind(
        "info", "Pages declare a different language, or different translations, from the sitemap.", ("HL-13",)
    ),
    "untranslated": NoteKind(
        "info",
        "Pages have the text of their originals, but hardly any page in their language is known to be translated.",
        ("HL-12",),
    ),
    "head-links": NoteKind("info", "Pages already have `hreflang` links, so `head_links` adds none.", ("HL-13",)),
    "moved": NoteKind("info", "A setting of another sitemap tool has a different effect here, or none."),
    "shallow": NoteKind("info", "The clone is shallow, so the dates of some pages are unknown.", ("SM-MOD-02",)),
    "previous-record": NoteKind(
        "info", "Pages of the last deployment are not compared with this build, or may come from another branch."
    ),
    "gone": NoteKind("info", "Pages or redirects of the last deployment lead nowhere in this build."),
    "wrong-clock": NoteKind(
        "info",
        "A commit's date is more than a day later than the last commit's, so its clock was wrong; no page gets this "
        "date.",
        ("SM-MOD-03",),
    ),
    "bulk-commit": NoteKind(
        "info", "Many pages get their date from one commit, which may not have changed their content.", ("SM-MOD-02",)
    ),
    "ignore-revs": NoteKind(
        "info", "A file with commits to ignore cannot be read or is not committed, or a line in it is not a commit id."
    ),
    "dependencies": NoteKind(
        "info",
        "The plugin cannot tell which files another tool includes in pages, does not find such a file or documented "
        "code, or cannot tell which source an installed file comes from.",
    ),
    "shown-date": NoteKind("info", "Pages show a different last-modified date from the sitemap.", ("SM-MOD-04",)),
    "section": NoteKind("info", "Several sections match the same page; the first of them lists it.", ("SM-LOC-09",)),
    "image": NoteKind(
        "info",
        "An image has no address or no file, or is blocked from search engines; or a page has more images than a "
        "sitemap may list.",
    ),
    "video": NoteKind(
        "info",
        "A video lacks something that search engines require, has expired, or is blocked from them; it is left out.",
    ),
    "news": NoteKind("info", "A news page lacks something that search engines require."),
    "text": NoteKind(
        "info", "The title or description of a page has control characters; they are removed.", ("SM-XML-05",)
    ),
    "partly-read": NoteKind(
        "info", "Parsing the whole page would take too long; only its beginning is read, and the page stays listed."
    ),
    "feed": NoteKind(
        "info",
        "The site already has a feed, or has no page that could go into one; no feed is written.",
        ("SM-FEED-01",),
    ),
    "engine": NoteKind("info", "A search engine in the option `engines` ignores something on this site."),
    "many-indexes": NoteKind("info", "There are more sitemap indexes than Google Search Console accepts."),
    "preview": NoteKind("info", "This build is a preview; nothing is announced to search engines.", ("PRE-01",)),
    "own-sitemap": NoteKind("info", "One of your own files has the name of a file of the plugin; it is left alone."),
    "other-extension": NoteKind("info", "The extension sphinx-sitemap is enabled too; only its sitemap is written."),
    "other-host": NoteKind("info", "The file `CNAME` in the site names another host than the base URL."),
    "other-version": NoteKind("info", "The pages declare a different version from the one they are published as."),
    "robots-below-root": NoteKind(
        "info", "The site is below a path, where crawlers do not read a robots.txt; none is written.", ("RB-01",)
    ),
    "robots-of-host": NoteKind("info", "The hosting service writes robots.txt itself, so none is created.", ("RB-01",)),
    "robots-blocks-assets": NoteKind(
        "info", "The site's robots.txt blocks crawlers from styles and scripts.", ("RB-16",)
    ),
    "robots-unreachable": NoteKind(
        "info", "The site's robots.txt announces a sitemap that search engines cannot reach.", ("RB-04",)
    ),
    "robots-size": NoteKind("info", "The site's robots.txt is longer than what search engines read.", ("RB-03",)),
    "robots-disallow-all": NoteKind(
        "info", "The site's robots.txt blocks the whole site; it is left alone.", ("RB-14",)
    ),
    "dirty-build": NoteKind("info", "Only some pages were built, so no new sitemap is written.", ("SM-LOC-11",)),
    # What is no problem on most sites.
    "undated": NoteKind("ignore", "A listed page has no date.", ("SM-MOD-02",)),
}


def level_of(kind: str, overrides: Mapping[str, Level]) -> Level:
    """The level at which a note of this kind is logged, given the ``notes`` option."""
    return overrides.get(kind, KINDS[kind].level)


class Explanation(msgspec.Struct, frozen=True):
    """Why a kind of note matters, how to fix the problem, words of its message, and sections of the manual.

    ``why`` and ``fix`` are one paragraph of Markdown each. In ``log``, an ellipsis stands for text that differs between
    messages; ``see`` are pages of the manual, with the anchors of sections.
    """

    why: str
    fix: str
    log: tuple[str, ...]
    see: tuple[str, ...]


def explain(kind: str) -> Explanation:
    """The manual's explanation of a kind of note. Builds do not need it, so it is read from its file on demand."""
    import tomllib
    from importlib.resources import files

    written = tomllib.loads(files("sitemap_plugins").joinpath("rules.toml").read_text(encoding="utf-8"))[kind]
    texts = {name: " ".join(written[name].split()) for name in ("why", "fix")}
    return msgspec.convert(written | texts, Explanation)
