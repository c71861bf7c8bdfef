"""When files last changed, according to git, and changes to branches; the only package that starts a process."""

from sitemap_plugins.git.dates import Export, GitDates
from sitemap_plugins.git.history import PLAIN_DATES, DateRules, History, HistoryReader
from sitemap_plugins.git.process import git_version, run_git, toplevel_of
from sitemap_plugins.git.repository import HistoryError, find_merge_base, is_in_history, read_files, remote_urls
from sitemap_plugins.git.walk import DateKind, SkippedCommit, SkipReason

__all__ = [
    "PLAIN_DATES",
    "DateKind",
    "DateRules",
    "Export",
    "GitDates",
    "History",
    "HistoryError",
    "HistoryReader",
    "SkipReason",
    "SkippedCommit",
    "find_merge_base",
    "git_version",
    "is_in_history",
    "read_files",
    "remote_urls",
    "run_git",
    "toplevel_of",
]
