"""Finds the files whose history dates the pages of a site: their sources, and the files that these include."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping

from sitemap_plugins.folder.configuration import Configuration
from sitemap_plugins.folder.includes import Includes, base_folders
from sitemap_plugins.folder.source_texts import SourceTexts
from sitemap_plugins.session import BuildSession


def start_git(
    session: BuildSession, configuration: Configuration, texts: SourceTexts, sources: Collection[str]
) -> Mapping[str, tuple[str, ...]]:
    """Start to read the history of sources (absolute paths) and their includes. Return the files that date each source.

    These are the source itself, first, and the files that it includes, unless the option ``git.dependencies`` is off.
    No file dates a list of pages by tags.
    """
    if not sources:
        return {}
    folder = os.path.commonpath([os.path.dirname(source) for source in sources])
    session.dating.start_git({folder: {os.path.splitext(source)[1] for source in sources}})
    dating: dict[str, tuple[str, ...]] = {source: (source,) for source in sources}
    if session.settings.git.dependencies:
        top = os.path.commonpath([configuration.root, *sources])
        includes = Includes(texts.names, base_folders(configuration), top)
        dating = {source: (source, *includes.of(source)) for source in sources}
    if configuration.plugins("tags"):
        dating |= {source: () for source in sources if texts.lists_tags(source)}
    session.dating.expect(file for files in dating.values() for file in files[1:])
    return dating
