"""Checks a published site: from its state to findings."""

from __future__ import annotations

from itertools import chain

from sitemap_plugins.built.state import State
from sitemap_plugins.check.file_rules import FILE_RULES
from sitemap_plugins.check.findings import Finding, group


def check(state: State) -> tuple[Finding, ...]:
    """The findings about a site, worst first."""
    return group(chain.from_iterable(rule(state) for rule in FILE_RULES))
