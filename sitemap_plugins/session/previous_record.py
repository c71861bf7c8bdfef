"""The record of the last deployment, with which a build compares its pages: the option ``previous_record``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sitemap_plugins.reading import ABSENT, RECORD, below_current, from_current, read_file

if TYPE_CHECKING:
    from sitemap_plugins.record import Record


class PreviousRecord:
    """The record in a file, which is read at once, because the host may empty its folder later in the build.

    The file is relative to ``root``, the folder of the configuration. Messages, which name commands to run, call it
    ``file``: its path from the current folder, except that an absolute path outside of that folder stays as it is.
    ``problem`` says why no page can be compared with it, if that is known. ``is_expected`` says that a missing file is
    a problem.
    """

    def __init__(self, file: str, root: str | os.PathLike[str], *, is_expected: bool) -> None:
        self.problem = ""
        path = os.path.join(root, file)
        self.file = (below_current(path) if os.path.isabs(file) else from_current(path)) or file
        self._content = b""
        try:
            self._content = read_file(path, RECORD)  # git show may leave an empty file
        except ABSENT:
            pass
        except OSError as error:
            self.problem = error.strerror or str(error)
        except ValueError as error:  # a name that is not valid on any system
            self.problem = str(error)
        if not self._content and is_expected:
            self.problem = self.problem or "there is no such file, or it is empty, as before the first deployment"

    def parse(self, base_url: str | None) -> Record | None:
        """The record, if it is of the site with this base URL; None for any site. Otherwise, sets ``problem``."""
        if not self._content:
            return None
        from sitemap_plugins.record import RecordError, parse_record

        try:
            record = parse_record(self._content)
        except RecordError as error:
            self.problem = str(error)
            return None
        if record.preview:
            self.problem = "the build of a preview wrote it"
        elif base_url not in {None, record.base}:
            self.problem = f"it is the record of another site, {record.base}"
        return None if self.problem else record
