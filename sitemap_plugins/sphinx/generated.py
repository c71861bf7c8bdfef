"""Finds files that Sphinx does not record: those behind documents that tools generate, and the scripts of plots."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sitemap_plugins.model import Note

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx


def record_scripts(app: Sphinx, doctree: nodes.document) -> None:
    """Record the scripts that a document names in ``.. plot:: script.py``, when it is read.

    The directives of Matplotlib and PyVista only record what they made of a script, but it is the source of the nodes
    that they return. From now on, Sphinx reads the document again when the script changes.
    """
    if any(name.endswith("plot_directive") for name in app.extensions):
        for source in {node.source for node in doctree.findall()} - {doctree["source"]}:
            if source and os.path.isabs(source) and os.path.isfile(source):
                app.env.note_dependency(source)


class GeneratedDocuments:
    """The files that the documents of one build are generated from; unknown for the indexes of these tools."""

    def __init__(self, app: Sphinx) -> None:
        self._app = app

    def sources_of(self, document: str) -> Iterator[str]:
        """The files that a document is generated from, as absolute paths."""
        yield from self._examples(document)
        yield from (self._modules or {}).get(document, ())

    def notes(self) -> Iterator[Note]:
        """Notes on tools whose files could not be determined."""
        if "autoapi.extension" in self._app.extensions and self._modules is None:
            message = (
                "the installed version of sphinx-autoapi does not tell which files its pages show, so they do not "
                "count for the pages' dates: name them with depends_on"
            )
            yield Note(kind="dependencies", message=message)

    def _examples(self, document: str) -> Iterator[str]:
        """The example that sphinx-gallery generated a document from: it has the same path in the folder of examples."""
        for gallery, examples in self._galleries:
            if document.startswith(f"{gallery}/"):
                stem = os.path.join(examples, document[len(gallery) + 1 :])
                suffixes = sorted(self._gallery_options.get("example_extensions", [".py"]))
                yield from filter(os.path.isfile, (stem + suffix for suffix in suffixes))

    @cached_property
    def _galleries(self) -> list[tuple[str, str]]:
        """Pairs of a folder that sphinx-gallery writes documents into, as in their names, and the folder it reads."""
        options = self._gallery_options
        galleries, examples = (options.get(name, ()) for name in ("gallery_dirs", "examples_dirs"))
        pairs = zip(_as_list(galleries), _as_list(examples), strict=False)
        return [
            (os.path.normpath(gallery).replace(os.sep, "/"), os.path.normpath(os.path.join(self._app.srcdir, folder)))
            for gallery, folder in pairs
        ]

    @property
    def _gallery_options(self) -> Mapping[str, Any]:
        return getattr(self._app.config, "sphinx_gallery_conf", {})

    @cached_property
    def _modules(self) -> dict[str, list[str]] | None:
        """The files of the objects that sphinx-autoapi shows, by document; None if they cannot be determined."""
        env = self._app.env
        shown, known = (getattr(env, name, None) for name in ("autoapi_objects", "autoapi_all_objects"))
        if shown is None or known is None:
            return None
        return {each.include_path.lstrip("/"): [*dict.fromkeys(_files_of(each, known))] for each in shown.values()}


def _as_list(folders: Any) -> list[str]:
    """The folders as a list: sphinx-gallery accepts one or several, as text or as paths."""
    several = folders if isinstance(folders, list | tuple) else [folders]
    return [os.fspath(each) for each in several if isinstance(each, str | os.PathLike)]


def _files_of(shown: Any, known: Mapping[str, Any]) -> Iterator[str]:
    """The file of an object of sphinx-autoapi, and the files of imported objects that it shows."""
    members = [each.obj.get("original_path") for each in shown.children if _is_shown(each)]
    for name in filter(None, [shown.id, *members]):
        module = name
        while module and "file_path" not in getattr(known.get(module), "obj", {}):
            module = module.rpartition(".")[0]
        if module:
            yield known[module].obj["file_path"]


def _is_shown(member: Any) -> bool:
    """Whether a page shows a member. A member from an earlier build has this only if it was computed then."""
    try:
        return bool(member.display)
    except AttributeError:
        return False
