"""The evidence of the last deployment, with which a build compares its pages: the option ``previous_evidence``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sitemap_plugins.reading import ABSENT, EVIDENCE, below_current, from_current, read_file

if TYPE_CHECKING:
    from sitemap_plugins.provenance import Evidence


class PreviousEvidence:
    """The evidence in a file, which is read at once, because the host may empty its folder later in the build.

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
            self._content = read_file(path, EVIDENCE)  # git show may leave an empty file
        except ABSENT:
            pass
        except OSError as error:
            self.problem = error.strerror or str(error)
        except ValueError as error:  # a name that is not valid on any system
            self.problem = str(error)
        if not self._content and is_expected:
            self.problem = self.problem or "there is no such file, or it is empty, as before the first deployment"

    def parse(self, base_url: str | None) -> Evidence | None:
        """The evidence, if it is of the site with this base URL; None for any site. Otherwise, sets ``problem``."""
        if not self._content:
            return None
        from sitemap_plugins.provenance import EvidenceError, parse_evidence

        try:
            evidence = parse_evidence(self._content)
        except EvidenceError as error:
            self.problem = str(error)
            return None
        if evidence.preview:
            self.problem = "the build of a preview wrote it"
        elif base_url not in {None, evidence.base}:
            self.problem = f"it is the evidence of another site, {evidence.base}"
        return None if self.problem else evidence
