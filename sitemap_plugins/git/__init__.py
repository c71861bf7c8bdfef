"""When files last changed, according to git, and changes to branches; the only package that starts a process."""

from sitemap_plugins.git.ancestry import find_merge_base, is_in_history, read_files
from sitemap_plugins.git.blobs import Blobs
from sitemap_plugins.git.dates import Export, GitDates
from sitemap_plugins.git.history import PLAIN_DATES, DateRules, History, HistoryReader, MemoryOf
from sitemap_plugins.git.memory import Basis, Memory, Row, digest_of
from sitemap_plugins.git.process import git_version, run_git, toplevel_of
from sitemap_plugins.git.repository import IGNORE_REVS, HistoryError, is_whole, read_ignored, remote_urls
from sitemap_plugins.git.walk import DateKind, SkippedCommit, SkipReason

__all__ = [
    "IGNORE_REVS",
    "PLAIN_DATES",
    "Basis",
    "Blobs",
    "DateKind",
    "DateRules",
    "Export",
    "GitDates",
    "History",
    "HistoryError",
    "HistoryReader",
    "Memory",
    "MemoryOf",
    "Row",
    "SkipReason",
    "SkippedCommit",
    "digest_of",
    "find_merge_base",
    "git_version",
    "is_in_history",
    "is_whole",
    "read_files",
    "read_ignored",
    "remote_urls",
    "run_git",
    "toplevel_of",
]
