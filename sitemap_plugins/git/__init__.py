"""When files last changed, according to git, and changes to branches; the only package that starts a process."""

from sitemap_plugins.git.ancestry import find_merge_base, is_in_history
from sitemap_plugins.git.blobs import Blobs
from sitemap_plugins.git.clocks import is_later, now_from_head
from sitemap_plugins.git.dates import Export, GitDates
from sitemap_plugins.git.history import PLAIN_DATES, DateRules, History, HistoryReader, MemoryOf
from sitemap_plugins.git.links import Files, read_files, route_of
from sitemap_plugins.git.memory import Basis, Memory, Row, digest_of
from sitemap_plugins.git.process import git_version, run_git, toplevel_of
from sitemap_plugins.git.renames import RULES_VERSION, RulesVersion
from sitemap_plugins.git.repository import (
    CATALOGUE,
    IGNORE_REVS,
    HistoryError,
    is_absent,
    is_whole,
    read_ignored,
    remote_urls,
)
from sitemap_plugins.git.walk import DateKind, SkippedCommit, SkipReason

__all__ = [
    "CATALOGUE",
    "IGNORE_REVS",
    "PLAIN_DATES",
    "RULES_VERSION",
    "Basis",
    "Blobs",
    "DateKind",
    "DateRules",
    "Export",
    "Files",
    "GitDates",
    "History",
    "HistoryError",
    "HistoryReader",
    "Memory",
    "MemoryOf",
    "Row",
    "RulesVersion",
    "SkipReason",
    "SkippedCommit",
    "digest_of",
    "find_merge_base",
    "git_version",
    "is_absent",
    "is_in_history",
    "is_later",
    "is_whole",
    "now_from_head",
    "read_files",
    "read_ignored",
    "remote_urls",
    "route_of",
    "run_git",
    "toplevel_of",
]
