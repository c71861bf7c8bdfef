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

# The reasons to leave a page out that another rule covers, or that no finished site can show.
_NO_FINDINGS: Final = frozenset({"invalid-url", "generated", "too-large", "hook", "duplicate"})
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
    "no-base-url": Rule(
        "info",
        "The URL of the site is unknown, so most rules cannot be checked.",
        ("SM-LOC-01",),
    ),
    "no-sitemap": Rule("warning", "The site has no sitemap.", ("SM-XML-10",), hides=("unlisted",)),
    "base-url": Rule(
        "warning",
        "A sitemap lists URLs of another site, or with another scheme, than the canonical links of its pages.",
        ("CAN-09", "SM-LOC-04"),
        hides=("listed-unwritten", "listed-canonical", "listed-outside", "unlisted", "canonical-spelling"),
    ),
    # What is listed.
    **{f"listed-{key}": Rule(level, meaning, REASONS[key].rules) for key, (level, meaning) in _LISTED.items()},
    "unlisted": Rule("info", "No announced sitemap lists a page.", ("SM-LOC-11",)),
}
"""All rules by their ids, in the order in which findings of the same level are shown."""


class Explanation(msgspec.Struct, frozen=True):
    """Why a rule matters and how to fix what it finds, one paragraph of Markdown each, and examples.

    ``bad`` and ``good`` have the content of files by their paths, see `sitemap_plugins.check.examples`. ``see`` are
    pages of the manual, with the anchors of sections.
    """

    why: str
    fix: str
    bad: Mapping[str, str]
    good: Mapping[str, str]
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
