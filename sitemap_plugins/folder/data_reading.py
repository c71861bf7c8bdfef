"""Reads TOML and JSON, and defines the error for invalid text. YAML has its own module."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any, Final

# tomllib takes quadratic time for a key with many parts (a.a.a.a). No real table is nested so deeply.
_LONG_KEY: Final = re.compile(
    r"""(?<![\w"'-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){100}"""  # a hundred parts and their dots
)
TOO_DEEP: Final = "its values are nested too deeply"


class DataError(ValueError):
    """Invalid text. The message is a sentence, and ``line`` is the number of the line, if known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def decode(content: bytes) -> str:
    """Decode a file in UTF-8 or, with a byte order mark, in UTF-16. Raises `DataError`."""
    try:
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            return content.decode("utf-16")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError("it is not text in UTF-8; save it with that encoding", line) from None


def read_toml(text: str) -> dict[str, Any]:
    """The top-level table of a TOML text. Raises `DataError`."""
    if found := _LONG_KEY.search(text):
        raise DataError("a key has a hundred parts or more", text.count("\n", 0, found.start()) + 1)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise DataError(TOO_DEEP) from None
    except ValueError as error:
        raise DataError(f"it is not TOML: {error}") from None


def read_json(text: str, *, beginning: bool = False) -> object:
    """The JSON value of a text, or, with ``beginning``, the value that the text begins with. Raises `DataError`."""
    try:
        return json.JSONDecoder().raw_decode(text)[0] if beginning else json.loads(text)
    except RecursionError:
        raise DataError(TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise DataError(f"it is not JSON: {error.msg}", error.lineno) from None
    except ValueError as error:  # a number with more digits than Python accepts
        raise DataError(f"it is not JSON: {error}") from None
