"""The command ``sitemap-plugins rule``: explains what ``check`` finds."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Literal

import click
from msgspec import Meta, Struct, structs, to_builtins

from sitemap_plugins.commands.check import complete_rules, read_rules
from sitemap_plugins.commands.shared_options import examples, format_option
from sitemap_plugins.commands.terminal import say, say_json, screen_width
from sitemap_plugins.findings.catalogue import LEVELS, RULES, SILENT_LIVE, explain
from sitemap_plugins.findings.printing import VersionedReport
from sitemap_plugins.project import MANUAL
from sitemap_plugins.values.text import table

_WIDTH: Final = 100


class RuleReport(Struct, frozen=True, kw_only=True):
    """A rule of ``check``."""

    rule: Annotated[str, Meta(description="Its id.")]
    level: Annotated[Literal["error", "warning", "info"], Meta(description="`error`, `warning` or `info`.")]
    meaning: Annotated[str, Meta(description="What a finding means, in one sentence.")]
    why: Annotated[str, Meta(description="Why it matters, in Markdown.")]
    fix: Annotated[str, Meta(description="How to fix it, in Markdown.")]
    bad: Annotated[
        Mapping[str, str | Literal[False]],
        Meta(
            description="The files of an example that breaks the rule, by path; false for a file that is missing. "
            "A URL has what the server sends for it: a status, or content that differs from the file."
        ),
    ]
    good: Annotated[Mapping[str, str | Literal[False]], Meta(description="The same files without the mistake.")]
    references: Annotated[tuple[str, ...], Meta(description="The rules of the specification behind it.")]
    hides: Annotated[
        tuple[str, ...], Meta(description="Rules that are not reported where this one is; `*` stands for all others.")
    ]
    needs_tree: Annotated[
        bool, Meta(description="Whether the rule needs all files of a site, so that it finds nothing on a live site.")
    ]
    url: Annotated[str, Meta(description="The rule in the manual.")]


class RulesReport(VersionedReport, frozen=True, kw_only=True):
    """What ``rule`` prints with ``--format json``."""

    rules: Annotated[tuple[RuleReport, ...], Meta(description="The rules.")]


@click.command(
    "rule", epilog=examples("sitemap-plugins rule invalid-date", "sitemap-plugins rule 'listed-*' --format json")
)
@click.argument("rules", nargs=-1, metavar="[RULE]...", callback=read_rules, shell_complete=complete_rules)
@format_option(("text", "json"), "Print text, or one JSON object.")
def rule_command(rules: frozenset[str], output: str) -> None:
    """Explain rules of check: what they mean, why they matter, and how to fix what they find, with examples.

    RULE is the id of a rule, such as listed-noindex, or a pattern such as 'listed-*'. Without one, all are listed.
    """
    chosen = [rule for rule in RULES if not rules or rule in rules]
    if output == "json":
        say_json(to_builtins(RulesReport(rules=tuple(map(_report, chosen)))))
    elif rules:
        say(*(line for rule in chosen for line in _describe(_report(rule))))
    else:
        rows = [(RULES[rule].level, rule, RULES[rule].meaning) for rule in chosen]
        say(*table(sorted(rows, key=lambda row: LEVELS.index(row[0])), words=3, width=screen_width()))


def _report(rule: str) -> RuleReport:
    return RuleReport(
        rule=rule,
        level=RULES[rule].level,
        meaning=RULES[rule].meaning,
        **{name: value for name, value in structs.asdict(explain(rule)).items() if name != "see"},
        references=RULES[rule].rules,
        hides=RULES[rule].hides,
        needs_tree=RULES[rule].needs_tree,
        url=f"{MANUAL}check-rules/{rule}/",
    )


def _describe(rule: RuleReport) -> Iterator[str]:
    references = f" ({', '.join(rule.references)})" if rule.references else ""
    yield f"{rule.rule}: {rule.level}{references}"
    width = min(_WIDTH, screen_width() or _WIDTH)
    silent = [SILENT_LIVE] if rule.needs_tree else []
    for text in (rule.meaning, rule.why, f"Fix: {rule.fix}", *silent):
        yield from textwrap.wrap(text, width, initial_indent="  ", subsequent_indent="  ", break_long_words=False)
    yield f"  {rule.url}"
    for which, files in (("bad", rule.bad), ("good", rule.good)):
        for path, content in files.items():
            lines = [] if content is False else content.strip("\n").split("\n")
            yield f"  {which}: {'no ' if content is False else ''}{path}"
            yield from (f"    {line}" for line in lines)
