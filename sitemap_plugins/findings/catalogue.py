"""Every rule of ``check`` in one table: its level, its meaning, the rules of the specification, and what it hides.

The ids are words. A rule with the id of a kind of note (`sitemap_plugins.rules`) means the same. Why a rule matters,
how to fix what it finds, and examples are in ``rules.toml`` beside this module.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias

import msgspec

from sitemap_plugins.pages.omit import REASONS

FindingLevel: TypeAlias = Literal["error", "warning", "info"]
LEVELS: Final[tuple[FindingLevel, ...]] = ("error", "warning", "info")
"""The levels, worst first."""


class Rule(msgspec.Struct, frozen=True):
    """A rule: its level, what a finding means in one sentence, and the ids of the specification (docs/rules.md).

    A rule that ``needs_tree`` cannot tell anything about a live site, of which only the listed pages are read.
    ``hides`` are rules whose hits say nothing new where this one has a hit: in the same file, or on the whole site if
    the hit has no file. `EVERYTHING` stands for all other rules.
    """

    level: FindingLevel
    meaning: str
    rules: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()
    needs_tree: bool = False


EVERYTHING: Final = "*"

SILENT_LIVE: Final = "This rule needs all files of a site, so it finds nothing on a live site."
"""What an explanation of a rule says that ``needs_tree``."""

# Reasons of `REASONS` to leave a page out. The other ones cannot be seen in a finished site, or have their own rule.
_LISTED: Final[Mapping[str, tuple[FindingLevel, str]]] = {
    "unwritten": ("error", "The sitemap lists a URL at which there is no file."),
    "outside": ("error", "The sitemap lists a URL that is not below the URL of the site."),
    "noindex": ("error", "The sitemap lists a page that tells search engines not to index it."),
    "canonical": ("error", "The sitemap lists a page whose canonical link leads to another page."),
    "redirect": ("error", "The sitemap lists a URL that redirects to another one."),
    "robots": ("error", "The sitemap lists a page or file that robots.txt blocks."),
    "error-page": ("warning", "The sitemap lists an error page."),
    "preview": ("warning", "The sitemap lists a page of a preview."),
    "draft": ("warning", "The sitemap lists a draft."),
    "excluded": ("warning", "The sitemap lists a page that the configuration of the project excludes."),
    "search-page": ("info", "The sitemap lists a search page."),
    "fragment": ("info", "The sitemap lists a file that is only a part of a page."),
    "untranslated": ("info", "The sitemap lists a copy of a page in another language."),
}
_OF_LISTING: Final = tuple(f"listed-{key}" for key in _LISTED)

RULES: Final[Mapping[str, Rule]] = {
    # The whole site.
    "no-base-url": Rule(
        "info", "The URL of the site is unknown, so most rules are not checked.", ("SM-LOC-01",), needs_tree=True
    ),
    "no-sitemap": Rule(
        "warning", "A site of ten pages or more has no sitemap.", ("SM-XML-10",), hides=("unlisted",), needs_tree=True
    ),
    "base-url": Rule(
        "warning",
        "A sitemap, or the canonical links of most pages, have another scheme, host or path before the paths of pages.",
        ("CAN-09", "SM-LOC-04"),
        hides=(*_OF_LISTING, "unlisted", "canonical-spelling", "canonical-target", "hreflang-target"),
    ),
    "not-replaced": Rule(
        "warning",
        "The project enables the plugin, but the sitemap is the generator's own.",
        hides=("build-dates", "one-date"),
    ),
    "not-deployed": Rule("error", "The server does not send the sitemap that was built."),
    "unanswered": Rule("warning", "The server gives no answer that tells whether a listed URL works."),
    # Sitemaps as files.
    "unreadable": Rule(
        "error",
        "A sitemap cannot be read.",
        ("SM-XML-02", "SM-XML-04", "SM-XML-05", "SM-IDX-06"),
        hides=(EVERYTHING,),
    ),
    "not-a-sitemap": Rule(
        "error",
        "A file that is announced as a sitemap is something else, such as an HTML page.",
        ("SM-XML-03", "SM-IDX-06"),
        hides=(EVERYTHING,),
    ),
    "too-large": Rule(
        "error",
        "A sitemap is larger than 50 MiB, or lists more than 50,000 URLs.",
        ("SM-LIM-01", "SM-LIM-02", "SM-IDX-01"),
        hides=(EVERYTHING,),
    ),
    "wrong-namespace": Rule("error", "A sitemap or an extension has the wrong namespace.", ("SM-XML-03",)),
    "undeclared-namespace": Rule(
        "error",
        "A sitemap uses a prefix such as `image:` without declaring its namespace.",
        ("SM-XML-08",),
        hides=(EVERYTHING,),
    ),
    "unescaped-ampersand": Rule(
        "error",
        "A sitemap has a raw `&`, or an entity that XML does not define.",
        ("SM-XML-04",),
        hides=(EVERYTHING,),
    ),
    "doctype": Rule("error", "A sitemap has a DOCTYPE.", ("SM-XML-09",), hides=(EVERYTHING,)),
    "not-utf8": Rule("error", "A sitemap is not encoded as UTF-8.", ("SM-XML-01", "SM-TXT-01")),
    "gzip-differs": Rule(
        "error", "A compressed copy differs from the sitemap beside it.", ("SM-GZ-01",), needs_tree=True
    ),
    "nested-index": Rule("error", "A sitemap index lists another index.", ("SM-IDX-02",)),
    "index-elsewhere": Rule(
        "error", "A sitemap index lists a sitemap of another host, or outside its own folder.", ("SM-IDX-05",)
    ),
    "outside-folder": Rule("error", "A sitemap lists URLs outside the folder that it is in.", ("SM-LOC-05",)),
    "invalid-url": Rule(
        "error",
        "A URL in a sitemap is missing, not absolute, invalid or too long, or has a tracking parameter.",
        ("SM-LOC-01", "SM-LOC-02", "SM-LOC-03", "SM-LOC-06", "SM-LOC-12", "SM-XML-05"),
        hides=("alternate-link",),
    ),
    "two-locs": Rule("error", "An entry of a sitemap has two `loc` elements.", ("SM-LOC-01", "SM-XML-06")),
    "invalid-date": Rule("error", "A date in a sitemap is not valid.", ("SM-MOD-01",)),
    "invalid-changefreq": Rule("error", "A `changefreq` is not one of the seven words.", ("SM-CF-01",)),
    "invalid-priority": Rule("error", "A `priority` is not a number from 0.0 to 1.0.", ("SM-PRI-01",)),
    "language-code": Rule(
        "error",
        "A language code is invalid, used twice, or probably a typo.",
        ("HL-06", "HL-07", "HL-09", "HL-10", "HL-11"),
    ),
    "alternate-link": Rule(
        "error",
        'A link to a translation has no absolute URL, or lacks `rel="alternate"`.',
        ("HL-01", "HL-04"),
        hides=("hreflang-self", "hreflang-return", "hreflang-target"),
    ),
    "byte-order-mark": Rule("warning", "A sitemap begins with a byte order mark.", ("SM-XML-01",)),
    "empty-sitemap": Rule("warning", "A sitemap lists nothing.", ("SM-XML-10",)),
    "announced-twice": Rule("warning", "A sitemap and its compressed copy are both announced.", ("SM-GZ-01",)),
    "index-date": Rule(
        "warning", "The date of a sitemap in an index is older than that of a page in it.", ("SM-IDX-04",)
    ),
    "preview-host": Rule(
        "warning",
        "A sitemap or robots.txt has URLs of a preview, or of a machine that readers cannot reach.",
        ("SM-LOC-12", "PRE-01"),
        hides=("listed-outside",),
    ),
    "double-escaping": Rule("warning", "A URL in a sitemap has a character that is escaped twice.", ("SM-XML-04",)),
    "double-encoding": Rule(
        "warning", "A URL in a sitemap has a character that is percent-encoded twice.", ("SM-LOC-06",)
    ),
    "unencoded-url": Rule("warning", "A URL in a sitemap is not percent-encoded.", ("SM-LOC-06",)),
    "long-url": Rule("info", "A URL in a sitemap has more than 1,024 characters, the limit of Yandex.", ("SM-LOC-03",)),
    "url-fragment": Rule("warning", "A URL in a sitemap has a fragment.", ("SM-LOC-07",)),
    "duplicate-element": Rule("warning", "An element occurs twice in an entry of a sitemap.", ("SM-XML-06",)),
    "unknown-element": Rule(
        "warning",
        "A sitemap has an element that the protocol and its extensions do not have at this place.",
        ("SM-XML-08", "SM-IDX-03"),
    ),
    "missing-media": Rule(
        "warning", "A sitemap lists an image or video of the site that has no file.", needs_tree=True
    ),
    "image-field": Rule("warning", "An image in a sitemap has no absolute URL, or there are too many."),
    "video-field": Rule("warning", "A required value of a video is missing, or a value is not valid."),
    "news-field": Rule("warning", "A required value of news is missing, or a value is not valid."),
    "schema-only": Rule(
        "info",
        "A sitemap has a form that the text of the protocol allows and its schema rejects.",
        ("SM-MOD-01", "SM-XML-06"),
    ),
    "rare-language-code": Rule(
        "info", "A language code has three letters; not all search engines support such codes.", ("HL-07",)
    ),
    "retired-tag": Rule("info", "A sitemap has tags that search engines no longer read."),
    "one-priority": Rule("info", "A sitemap gives all pages the same high priority.", ("SM-PRI-02",)),
    # What announces sitemaps.
    "missing-sitemap": Rule(
        "error", "A sitemap index or robots.txt names a sitemap that does not exist.", ("SM-IDX-06", "RB-04")
    ),
    "sitemap-elsewhere": Rule(
        "info", "The site's robots.txt announces a sitemap in a folder that is not here.", ("RB-04",)
    ),
    "announced-elsewhere": Rule(
        "warning",
        "A `Sitemap` line of robots.txt names this site's sitemap with another scheme or host.",
        ("RB-04", "SM-LOC-04"),
    ),
    "relative-sitemap": Rule("error", "A `Sitemap` line of robots.txt is not one absolute URL.", ("RB-04",)),
    "robots-without-sitemap": Rule("warning", "The site's robots.txt does not announce the sitemap.", ("RB-04",)),
    "robots-blocks-sitemap": Rule("warning", "The site's robots.txt blocks crawlers from the sitemap.", ("RB-15",)),
    "robots-encoding": Rule("error", "The site's robots.txt is not UTF-8.", ("RB-02",)),
    "robots-size": Rule("warning", "The site's robots.txt is longer than what search engines read.", ("RB-03",)),
    "unannounced": Rule(
        "info", "A sitemap is neither in robots.txt, nor in an index, nor at a known place.", needs_tree=True
    ),
    "unannounced-urls": Rule(
        "info",
        "The sitemap of a language, which nothing announces, lists a URL that has no page or redirects.",
        ("SM-LOC-10", "CAN-05"),
        needs_tree=True,
    ),
    # What is listed.
    **{f"listed-{key}": Rule(level, meaning, REASONS[key].rules) for key, (level, meaning) in _LISTED.items()},
    "listed-twice": Rule("warning", "A URL is listed twice.", ("SM-LOC-09",)),
    "listed-in-two-forms": Rule("warning", "A page is listed with two forms of its URL.", ("SM-LOC-08",)),
    "markdown-listed": Rule("warning", "The sitemap lists the Markdown source of a page.", ("SM-LOC-10",)),
    "hidden-noindex": Rule(
        "info", "The site's robots.txt hides the `noindex` of a page.", ("CAN-01", "CAN-07"), needs_tree=True
    ),
    "unlisted": Rule("info", "A page is in no sitemap.", ("SM-LOC-11",), needs_tree=True),
    # Translations.
    "hreflang-self": Rule("error", "A page with translations does not name itself among them.", ("HL-02",)),
    "several-languages": Rule("error", "One page is linked as a page in several languages.", ("HL-11",)),
    "hreflang-return": Rule(
        "error", "A translation does not link back to a page that links to it.", ("HL-03", "HL-05")
    ),
    "hreflang-target": Rule(
        "error", "A link to a translation leads to a page that does not exist or must not be indexed.", ("HL-12",)
    ),
    "language-mismatch": Rule(
        "info", "Pages declare a different language, or different translations, from the sitemap.", ("HL-13",)
    ),
    "hreflang-heads": Rule(
        "info", "The head of a page links to a translation that is missing or does not link back.", ("HL-03", "HL-12")
    ),
    # Canonical links and versions.
    "canonical-target": Rule(
        "warning", "A canonical link leads to a page that does not exist.", ("VER-03",), needs_tree=True
    ),
    "canonical-translation": Rule(
        "error", "The canonical link of a translation leads to the original.", ("HL-12",), needs_tree=True
    ),
    "canonical-chain": Rule(
        "warning", "A canonical link leads to a page that leads on to another one.", ("VER-03",), needs_tree=True
    ),
    "several-canonicals": Rule("warning", "A page has canonical links to several pages.", ("CAN-03",)),
    "canonical-spelling": Rule(
        "info",
        "Canonical links use a different form of the pages' URLs than the sitemap, with or without `.html` or a final "
        "slash.",
        ("CAN-02",),
    ),
    "competing-versions": Rule(
        "warning",
        "Pages of other versions may be indexed beside the same pages of the canonical version.",
        ("VER-01",),
        needs_tree=True,
    ),
    "preview-indexable": Rule(
        "warning", "Pages of a preview may be indexed beside those of the site.", ("PRE-01",), needs_tree=True
    ),
    # Redirects.
    "redirect-dead": Rule("error", "A redirect leads to no page or file, or in circles.", needs_tree=True),
    "redirect-chain": Rule("info", "A redirect leads to another one instead of the page.", needs_tree=True),
    "redirect-anchor": Rule("info", "A redirect leads to an anchor that the page does not have.", needs_tree=True),
    # Dates.
    "build-dates": Rule(
        "warning",
        "The dates in a sitemap are the time of the build.",
        ("SM-MOD-02",),
        hides=("one-date", "shown-date"),
        needs_tree=True,
    ),
    "future-date": Rule("warning", "A date is later than its file, or than the last commit.", ("SM-MOD-03",)),
    "one-date": Rule("info", "Nearly all dates in a sitemap are the same day.", ("SM-MOD-02",)),
    "shown-date": Rule("info", "Pages show a different last-modified date from the sitemap.", ("SM-MOD-04",)),
    # Other files.
    "dead-llms-link": Rule("warning", "A link in `llms.txt` leads to a page that does not exist.", needs_tree=True),
}
"""All rules by their ids, in the order in which findings of the same level are shown."""


class RuleExplanation(msgspec.Struct, frozen=True):
    """Why a rule matters and how to fix what it finds, one paragraph of Markdown each, and examples.

    ``bad`` and ``good`` have the parts that matter of files, by their paths; false stands for a file that is missing.
    If there are URLs among them, the site is live: the server answers with the status there, or sends that content.
    The tests complete them to whole sites (``tests/check/examples.py``). ``see`` are pages of the manual, with the
    anchors of sections.
    """

    why: str
    fix: str
    bad: Mapping[str, str | Literal[False]]
    good: Mapping[str, str | Literal[False]]
    see: tuple[str, ...] = ()


def explain(rule: str) -> RuleExplanation:
    """The explanation of a rule."""
    written = _explanations()[rule]
    return RuleExplanation(
        why=" ".join(written["why"].split()),
        fix=" ".join(written["fix"].split()),
        bad=written["bad"],
        good=written["good"],
        see=tuple(written.get("see", ())),
    )


@cache
def _explanations() -> Mapping[str, Any]:
    return tomllib.loads(files("sitemap_plugins.findings").joinpath("rules.toml").read_text(encoding="utf-8"))
