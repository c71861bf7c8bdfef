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

from sitemap_plugins.pages import REASONS

CheckLevel: TypeAlias = Literal["error", "warning", "info"]
LEVELS: Final[tuple[CheckLevel, ...]] = ("error", "warning", "info")
"""The levels, worst first."""


class Rule(msgspec.Struct, frozen=True):
    """A rule: its level, what a finding means in one sentence, and the ids of the specification (docs/rules.md).

    ``hides`` are rules whose hits say nothing new where this one has a hit: in the same file, or on the whole site if
    the hit has no file. `EVERYTHING` stands for all other rules.
    """

    level: CheckLevel
    meaning: str
    rules: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()


EVERYTHING: Final = "*"

# Reasons of `REASONS` to leave a page out. The other ones cannot be seen in a finished site, or have their own rule.
_LISTED: Final[Mapping[str, tuple[CheckLevel, str]]] = {
    "unwritten": ("error", "The sitemap lists a URL at which there is no file."),
    "outside": ("error", "The sitemap lists a URL that is not below the URL of the site."),
    "noindex": ("error", "The sitemap lists a page that tells search engines not to index it."),
    "canonical": ("error", "The sitemap lists a page whose canonical link leads to another page."),
    "redirect": ("error", "The sitemap lists a URL that redirects to another one."),
    "robots": ("error", "The sitemap lists a page that robots.txt blocks."),
    "error-page": ("warning", "The sitemap lists an error page."),
    "draft": ("warning", "The sitemap lists a draft."),
    "excluded": ("warning", "The sitemap lists a page that the configuration of the project excludes."),
    "search-page": ("info", "The sitemap lists the page of the search."),
    "fragment": ("info", "The sitemap lists a file that is only a part of a page."),
    "untranslated": ("info", "The sitemap lists a copy of a page in another language."),
}
_OF_LISTING: Final = tuple(f"listed-{key}" for key in _LISTED)

RULES: Final[Mapping[str, Rule]] = {
    # The whole site.
    "no-base-url": Rule("info", "The URL of the site is unknown, so most rules are not checked.", ("SM-LOC-01",)),
    "no-sitemap": Rule("warning", "The site has no sitemap.", ("SM-XML-10",), hides=("unlisted",)),
    "base-url": Rule(
        "warning",
        "A sitemap, or the canonical links of most pages, name the pages of this site with another scheme or host.",
        ("CAN-09", "SM-LOC-04"),
        hides=(*_OF_LISTING, "unlisted", "canonical-spelling", "canonical-target", "hreflang-target"),
    ),
    # What announces sitemaps.
    "missing-sitemap": Rule(
        "error", "A sitemap index or robots.txt names a sitemap that does not exist.", ("SM-IDX-06", "RB-04")
    ),
    "relative-sitemap": Rule("error", "A `Sitemap` line of robots.txt is not an absolute URL.", ("RB-04",)),
    "robots-without-sitemap": Rule("warning", "The site's robots.txt does not announce the sitemap.", ("RB-04",)),
    "robots-blocks-sitemap": Rule("warning", "The site's robots.txt blocks crawlers from the sitemap.", ("RB-15",)),
    "unannounced": Rule("info", "A sitemap is neither in robots.txt, nor in an index, nor at a known place."),
    # What is listed.
    "preview-host": Rule(
        "warning",
        "The sitemap lists URLs of a preview, or of a private network.",
        ("SM-LOC-12", "PRE-01"),
        hides=("listed-outside",),
    ),
    **{f"listed-{key}": Rule(level, meaning, REASONS[key].rules) for key, (level, meaning) in _LISTED.items()},
    "listed-twice": Rule("warning", "The announced sitemaps list a URL twice.", ("SM-LOC-09",)),
    "listed-in-two-forms": Rule(
        "warning", "The announced sitemaps list a page with two forms of its URL.", ("SM-LOC-08",)
    ),
    "markdown-listed": Rule("warning", "The sitemap lists the Markdown source of a page.", ("SM-LOC-10",)),
    "unlisted": Rule("info", "No announced sitemap lists a page.", ("SM-LOC-11",)),
    # Translations.
    "language-code": Rule(
        "error", "A language code is invalid, used twice, or probably a typo.", ("HL-06", "HL-07", "HL-10")
    ),
    "hreflang-self": Rule("error", "A page with translations does not name itself among them.", ("HL-02",)),
    "hreflang-return": Rule(
        "error", "A translation does not link back to a page that links to it.", ("HL-03", "HL-05")
    ),
    "hreflang-target": Rule(
        "error", "A link to a translation leads to a page that does not exist or must not be indexed.", ("HL-12",)
    ),
    "language-mismatch": Rule(
        "info", "Pages declare a different language, or different translations, from the sitemap.", ("HL-13",)
    ),
    "hreflang-heads": Rule("info", "The head of a page links to a translation that does not link back.", ("HL-03",)),
    # Canonical links and versions.
    "canonical-target": Rule("warning", "A canonical link leads to a page that does not exist.", ("CAN-04", "VER-03")),
    "canonical-chain": Rule(
        "warning", "A canonical link leads to a page that leads on to another one.", ("CAN-04", "VER-03")
    ),
    "canonical-spelling": Rule(
        "info",
        "Canonical links use a different form of the pages' URLs than the sitemap, with or without `.html` or a final "
        "slash.",
        ("CAN-02",),
    ),
    "competing-versions": Rule(
        "warning", "Pages of old versions may be indexed beside the same pages of the version to show.", ("VER-01",)
    ),
    # Dates.
    "build-dates": Rule(
        "warning", "The dates in a sitemap are the time of the build.", ("SM-MOD-02",), hides=("one-date", "shown-date")
    ),
    "future-date": Rule("warning", "A date is later than the file that has it.", ("SM-MOD-03",)),
    "one-date": Rule("info", "Nearly all dates in a sitemap are the same day.", ("SM-MOD-02",)),
    "shown-date": Rule("info", "Pages show a different last-modified date from the sitemap.", ("SM-MOD-04",)),
    # Other files.
    "dead-llms-link": Rule("warning", "A link in `llms.txt` leads to a page that does not exist."),
}
"""All rules by their ids, in the order in which findings of the same level are shown."""


class Explanation(msgspec.Struct, frozen=True):
    """Why a rule matters and how to fix what it finds, one paragraph of Markdown each, and examples.

    ``bad`` and ``good`` have the content of files by their paths, see `sitemap_plugins.check.examples`. ``see`` are
    pages of the manual, with the anchors of sections.
    """

    why: str
    fix: str
    bad: Mapping[str, str | Literal[False]]
    good: Mapping[str, str | Literal[False]]
    see: tuple[str, ...] = ()


def explain(rule: str) -> Explanation:
    """The explanation of a rule."""
    written = _explanations()[rule]
    return Explanation(
        why=" ".join(written["why"].split()),
        fix=" ".join(written["fix"].split()),
        bad=written["bad"],
        good=written["good"],
        see=tuple(written.get("see", ())),
    )


@cache
def _explanations() -> Mapping[str, Any]:
    return tomllib.loads(files("sitemap_plugins.check").joinpath("rules.toml").read_text(encoding="utf-8"))
