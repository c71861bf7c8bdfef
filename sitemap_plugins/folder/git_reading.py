"""Which files git is to date for the pages of a site: their sources, and what these take in."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping

from sitemap_plugins.folder.configuration import Configuration
from sitemap_plugins.folder.includes import Includes, base_folders
from sitemap_plugins.folder.source_texts import SourceTexts
from sitemap_plugins.publish.session import BuildSession


def start_git(
    session: BuildSession, configuration: Configuration, texts: SourceTexts, sources: Collection[str]
) -> Mapping[str, tuple[str, ...]]:
    """Begin to read the history of sources (absolute paths) and of what they take in; returns what dates each of them.

    That is the source itself, first, and what it takes in, unless the option ``git.dependencies`` says otherwise. No
    file dates a list of pages by their tags.
    """
    if not sources:
        return {}
    folder = os.path.commonpath([os.path.dirname(source) for source in sources])
    session.start_git({folder: {os.path.splitext(source)[1] for source in sources}})
    dating: dict[str, tuple[str, ...]] = {source: (source,) for source in sources}
    if session.settings.git.dependencies:
        top = os.path.commonpath([configuration.root, *sources])
        includes = Includes(texts.names, base_folders(configuration), top)
        dating = {source: (source, *includes.of(source)) for source in sources}
    if configuration.plugins("tags"):
        dating |= {source: () for source in sources if texts.lists_tags(source)}
    session.expect(file for files in dating.values() for file in files[1:])
    return dating
