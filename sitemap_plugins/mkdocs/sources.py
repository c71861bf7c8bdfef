"""The author's own files behind the files of a MkDocs build."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File


def source_of(file: File, config: MkDocsConfig) -> str | None:
    """The absolute path of the author's file behind a file of the build, None where a plugin made it up.

    A temporary file that a plugin made is no source: its dates are those of the build.
    """
    source = file.abs_src_path or ""
    is_own = file.generated_by is None and source.startswith(config.docs_dir.rstrip(os.sep) + os.sep)
    return source if is_own else None
