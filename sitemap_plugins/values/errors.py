"""The error that commands show to people as it is."""

from __future__ import annotations

from typing import ClassVar


class ExplainedError(Exception):
    """Something that a command cannot do. The message says why, and what to do."""

    option: ClassVar[str] = ""
    """The option of the command that it is about, if any."""

    is_temporary: ClassVar[bool] = False
    """Whether the command may succeed later, although nothing is corrected."""
