"""Points search engines from old versions to the kept one, or undoes that."""

from sitemap_plugins.retire.outcome import ENDS, Change, Counts, End, FolderOutcome, PageOutcome, Restored, Retired
from sitemap_plugins.retire.retiring import restore_all, retire
from sitemap_plugins.retire.safeguards import RetireError

__all__ = [
    "ENDS",
    "Change",
    "Counts",
    "End",
    "FolderOutcome",
    "PageOutcome",
    "Restored",
    "RetireError",
    "Retired",
    "restore_all",
    "retire",
]
