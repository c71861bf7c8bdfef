"""Tells how much of each document is translated, and from which gettext catalogues."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx import version_info
from sphinx.util.i18n import docname_to_domain, search_image_for_language

from sitemap_plugins.model import Note
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.reading import CATALOGUE, read_file
from sitemap_plugins.values.catalogues import CatalogueError, shown_messages

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_ATTRIBUTE = "sitemap_translation_progress"


def record_progress(app: Sphinx, doctree: nodes.document) -> None:
    """Store the numbers of translated and of all messages; Sphinx itself has them only in the doctrees.

    A document without any text may be translated by a picture, if it has a file for the language.
    """
    progress = doctree.get("translation_progress") or {}
    numbers = progress.get("translated", 0), progress.get("total", 0)
    pictures = (image.get("original_uri", image["uri"]) for image in doctree.findall(nodes.image))
    if not numbers[1] and any(search_image_for_language(name, app.env) != name for name in pictures):
        numbers = (1, 1)
    _progress(app.env)[app.env.docname] = numbers


def merge_progress(app: Sphinx, env: Any, docnames: Iterable[str], other: Any) -> None:
    """Take over the numbers from a process that read some of the documents."""
    theirs = _progress(other)
    _progress(env).update((name, theirs[name]) for name in docnames if name in theirs)


def purge_progress(app: Sphinx, env: Any, docname: str) -> None:
    """Forget a document that is read again or was removed."""
    _progress(env).pop(docname, None)


def _progress(env: Any) -> dict[str, tuple[int, int]]:
    """The numbers by document, in an attribute of the environment, so that Sphinx pickles them with it."""
    found: dict[str, tuple[int, int]] = vars(env).setdefault(_ATTRIBUTE, {})
    return found


class Translation:
    """The translation of the documents in this build, if it is one; without catalogues it is not."""

    def __init__(self, app: Sphinx) -> None:
        self._app = app
        self._doubtful: dict[str, None] = {}
        self._used: set[str] = set()

    @cached_property
    def directories(self) -> tuple[str, ...]:
        """The folders with catalogues for this build's language, as absolute paths."""
        config = self._app.config
        # For pt_BR, Sphinx uses catalogues for pt as well.
        languages = [config.language or "", (config.language or "").partition("_")[0]]
        folders = [
            os.path.abspath(os.path.join(self._app.srcdir, directory, language, "LC_MESSAGES"))
            for directory in config.locale_dirs
            for language in dict.fromkeys(languages)
            if language
        ]
        return tuple(folder for folder in folders if any(Path(folder).rglob("*.[mp]o")))

    @cached_property
    def _is_translation(self) -> bool:
        """Whether this build is a translation. Sphinx does not tell which language the documents were written in.

        With ``-D language`` it is one, unless conf.py has the same language. The language in conf.py may come from an
        environment variable, so it is one if that language has catalogues. For English, the language of most sources,
        most documents must have translated messages: translation services keep empty catalogues for the language of
        the sources, too.
        """
        config: Any = self._app.config
        if not config.language or not self._folders:
            return False
        if "language" in config.overrides and config.language != self._own_language:
            return True
        if config.language.partition("_")[0] != "en":
            return bool(self.directories)
        started = [translated for translated, _ in _progress(self._app.env).values() if translated]
        return len(started) * 2 > len(self._app.env.found_docs)

    @property
    def _own_language(self) -> str:
        """The language in conf.py, by default English. Sphinx before 7.3 overwrites it with the command line's."""
        config: Any = self._app.config
        if version_info < (7, 3):
            return "en"
        return str(config._raw_config.get("language") or "en")  # noqa: SLF001  # the value in conf.py

    @cached_property
    def _folders(self) -> list[str]:
        """The names of the folders with catalogues, of all languages."""
        folders = (Path(self._app.srcdir, each) for each in self._app.config.locale_dirs)
        return [found.parent.name for folder in folders for found in folder.glob("*/LC_MESSAGES")]

    @property
    def _folder_of_other_spelling(self) -> str | None:
        """The name of a folder with catalogues that only its spelling keeps from this language (uk_UA for uk-ua)."""
        wanted = (self._app.config.language or "").replace("-", "_").casefold()
        return next((name for name in self._folders if name.replace("-", "_").casefold() == wanted), None)

    def catalogues_of(self, document: str) -> Iterator[str]:
        """The ``.po`` files with a document's translation, as absolute paths.

        For pt_BR, Sphinx does not compile those for pt, and shows only compiled ones.
        """
        compiled = {*self._files_of(document, ".mo")}
        yield from (path for path in self._files_of(document, ".po") if f"{path[:-3]}.mo" in compiled)

    def _files_of(self, document: str, suffix: str) -> Iterator[str]:
        domain = docname_to_domain(document, self._app.config.gettext_compact)
        paths = (os.path.join(folder, *f"{domain}{suffix}".split("/")) for folder in self.directories)
        yield from (path for path in paths if Path(path).is_file())

    def why_untranslated(self, document: str, share: float) -> str:
        """Why a document does not count as translated, if less than ``share`` of its messages are; empty if it does."""
        if not share or not self._is_translation:
            return ""
        translated, total = _progress(self._app.env).get(document, (0, 0))
        catalogues = [*self._files_of(document, ".po")]
        if translated:
            self._used.update(catalogues)
        else:
            self._doubtful |= dict.fromkeys(catalogues)
        if total:
            is_enough = translated >= share * total
            return "" if is_enough else f"{translated} of {total} messages, see the option translated_share"
        if any(self._files_of(document, ".mo")):
            # A list of documents shows their translated titles.
            return "" if self._app.env.toctree_includes.get(document) else "it has no messages"
        return "its catalogue was not read" if catalogues else "it has no catalogue"

    def notes(self, settings: Settings) -> Iterator[Note]:
        """A note for each catalogue that cannot be read and that no document has a translated message from.

        Also one if the option ``translated_share`` has no effect, and one if Sphinx would find catalogues if the
        language were spelled as their folder.
        """
        if settings.translated_share != Settings().translated_share and not self._folders:
            message = "translated_share: it has no effect, because locale_dirs has no catalogues"
            yield Note(kind="unmatched", message=message)
        config = self._app.config
        if "language" in config.overrides and config.language != self._own_language and not self._folders:
            message = (
                f"language: locale_dirs has no catalogues, so all pages count as written in {config.language}; if "
                "they are to be translated, correct locale_dirs"
            )
            yield Note(kind="unmatched", message=message)
        if not self.directories and (folder := self._folder_of_other_spelling):
            message = (
                f"language: Sphinx finds no catalogues for {config.language!r}, so it translates no page; set language "
                f"to {folder!r}, the name of their folder"
            )
            yield Note(kind="unmatched", message=message)
        for path in sorted(self._doubtful.keys() - self._used):
            try:
                shown_messages(read_file(path, CATALOGUE))
                continue  # it is still empty, or was not compiled
            except CatalogueError as error:
                why = str(error)
            except OSError as error:
                why = f"it cannot be read ({error.strerror or error})"
            name = os.path.relpath(path, self._app.srcdir).replace(os.sep, "/")
            yield Note(kind="catalogue", message=f"{name}: {why}; its pages count as not translated")
