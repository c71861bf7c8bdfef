"""Points search engines from old versions to the kept one, or undoes that."""

from sitemap_plugins.retire.outcome import ENDS, Counts, End, FolderOutcome, PageChange, PageOutcome, Restored, Retired
from sitemap_plugins.retire.retiring import restore_all, retire
from sitemap_plugins.retire.safeguards import RetireError

__all__ = [
    "ENDS",
    "Counts",
    "End",
    "FolderOutcome",
    "PageChange",
    "PageOutcome",
    "Restored",
    "RetireError",
    "Retired",
    "restore_all",
    "retire",
]
