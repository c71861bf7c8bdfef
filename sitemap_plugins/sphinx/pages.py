"""Collects all pages of a Sphinx site as `Page` values, with the files and the fields that Sphinx does not keep.

It does not record which files generated documents and plots are made of, and it replaces the quotes and dashes in field
lists with typographic ones.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib.machinery import all_suffixes
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from docutils import nodes
from msgspec import structs
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.builders.singlehtml import SingleFileHTMLBuilder

from sitemap_plugins.formats.paths import ERROR_PAGES
from sitemap_plugins.model import Content, Markup, Note, Page
from sitemap_plugins.options.settings import PageValues, Settings
from sitemap_plugins.sphinx.gettext import Translation

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_MODULES = tuple(all_suffixes())

_PREFIX: Final = "sitemap"
_NAMES: Final = {_PREFIX, *(f"{_PREFIX}_{name}" for name in PageValues.__struct_fields__)}
_RUNS: Final = re.compile(r"([-.])\1+")
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
# The characters that docutils writes for quotes, dashes and dots. A single quote of one language is a double quote of
# another.
_ALIKE: Final = {
    "'": "'\"\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019\u201a\u2039\u203a",
    "-": "\u2013\u2014",
    ".": "\u2026",
}
_STRAIGHT: Final = str.maketrans({character: plain for plain, made in _ALIKE.items() for character in made})


class Collector(msgspec.Struct, frozen=True, kw_only=True):
    """Collects the pages of a site.

    ``locate`` returns the URL of a page for its path in Sphinx, and ``excluded`` whether the author leaves that path
    out.
    """

    app: Sphinx
    settings: Settings
    translation: Translation
    generated: GeneratedDocuments
    locate: Callable[[str], str]
    excluded: Callable[[str], bool]

    def collect(self, without_source: Mapping[str, Sequence[str]]) -> Iterator[Page]:
        """All pages, in Sphinx's order.

        ``without_source`` are the names of pages that Sphinx and its extensions write without a document, each with the
        documents that date it. Such a page replaces a document of the same name that does not.
        """
        app = self.app
        documents = {name: page for name, page in self.plan() if name in without_source.get(name, (name,))}
        own = set(app.config.html_additional_pages)
        others = {*without_source, *own, *_module_pages(app.env)} - documents.keys()
        if isinstance(app.builder, SingleFileHTMLBuilder):
            others &= {app.config.root_doc}
        pages = documents | {name: self._page(name, (), generated=name not in own) for name in sorted(others)}
        for name, page in pages.items():
            shown = self.sources_of(each for each in without_source.get(name, ()) if each in app.env.found_docs)
            yield structs.replace(page, sources=tuple(dict.fromkeys([*page.sources, *shown]))) if shown else page

    def page_of_list(self, name: str, title: str) -> Page:
        """The page for the option ``html``, which is not written yet."""
        page = self._page(name, (), generated=True)
        return structs.replace(page, title=title, markup=Markup(), content=Content(title=title))

    def plan(self) -> Iterator[tuple[str, Page]]:
        """The documents and their pages, which need not be written yet."""
        documents = sorted(self.app.env.found_docs)
        single = isinstance(self.app.builder, SingleFileHTMLBuilder)
        for document in [self.app.config.root_doc] if single else documents:
            # A single page is made of all documents.
            made_of = dict.fromkeys([document, *documents] if single else [document])
            included = [file for each in made_of for file in self._included_in(each)]
            yield document, self._page(document, self.sources_of(made_of), tuple(included))

    def sources_of(self, documents: Iterable[str]) -> tuple[str, ...]:
        """The files that documents are made of, as absolute paths; the first document's own file comes first."""
        return tuple(dict.fromkeys(source for each in documents for source in self._sources_of(each)))

    def _sources_of(self, document: str) -> Iterator[str]:
        env = self.app.env
        yield str(env.doc2path(document))
        yield from self.translation.catalogues_of(document)
        if self.settings.git.dependencies:
            yield from self.generated.sources_of(document)
            yield from self._dependencies_of(document)

    def _dependencies_of(self, document: str) -> Iterator[str]:
        knows_tracked = "git" in self.settings.lastmod  # the time of a file that this build made says nothing
        for name in sorted(map(os.fspath, self.app.env.dependencies.get(document, ()))):
            path = os.path.normpath(os.path.join(self.app.srcdir, name))
            if not name.endswith(".mo") and (knows_tracked or not self._is_made(path)):  # .mo is made of .po
                yield path

    def _included_in(self, document: str) -> Iterator[str]:
        """The files that a document includes. Sphinx does not tell them from the modules that autodoc documents."""
        if self.settings.git.dependencies and not any(self.generated.sources_of(document)):
            for file in self._dependencies_of(document):
                if not file.endswith(_MODULES) and not self._is_made(file):
                    yield file

    def _is_made(self, path: str) -> bool:
        """Whether this build made a file, unless git tracks it: the innermost known folder around it decides."""
        source, output, doctrees = map(os.fspath, (self.app.srcdir, self.app.outdir, self.app.doctreedir))
        beside = ((output, "jupyter_execute"), (doctrees, "plot_directive"))
        made = (os.path.join(os.path.dirname(folder), name) for folder, name in beside)
        folders = (source, output, doctrees, *made, *self.generated.folders)
        inside = [each for each in folders if path.startswith(os.path.join(each, ""))]
        return max(inside, key=len, default=source) != source

    def _page(
        self, name: str, sources: tuple[str, ...], included: tuple[str, ...] = (), *, generated: bool = False
    ) -> Page:
        app = self.app
        builder: Any = app.builder
        link, written = self.link_of(name), builder.get_target_uri(name)
        loc = self.locate(link)
        path = Path(builder.get_outfilename(name))
        # Before 8.1, Sphinx uses the file name in the page's own URL, although dirhtml has another one.
        own = {posixpath.join(app.config.html_baseurl or "", each) for each in (written, name + builder.out_suffix)}
        omit, detail = self._reason_to_omit(name, link, is_document=bool(sources))
        return Page(
            loc=loc,
            name=Path(app.env.doc2path(name, base=False)).as_posix() if sources else name,
            title=app.env.titles[name].astext() if name in app.env.titles else "",
            source=sources[0] if sources else None,
            sources=sources,
            included=included,
            front_matter=app.env.metadata.get(name, {}),
            generated=generated,
            omit=omit,
            omit_detail=detail,
            language=app.config.language or "",
            own_urls=own,
            output=path.relative_to(app.outdir).as_posix() if path.is_relative_to(app.outdir) else None,
        )

    def loc_of(self, name: str) -> str:
        """The URL of a page."""
        return self.locate(self.link_of(name))

    def link_of(self, name: str) -> str:
        """The path in a page's URL, from Sphinx."""
        builder: Any = self.app.builder
        if isinstance(builder, SingleFileHTMLBuilder):
            # This builder has only a fragment as the URL of its single page.
            return StandaloneHTMLBuilder.get_target_uri(builder, name)
        link: str = builder.get_target_uri(name)
        return link

    def _reason_to_omit(self, name: str, link: str, *, is_document: bool) -> tuple[str | None, str]:
        if name.removesuffix("/index") in ERROR_PAGES:
            return "error-page", ""
        if name == "search" and not is_document and not self._is_wanted(link):
            return "search-page", ""
        if self.excluded(link):
            return "excluded", "by sitemap_excludes"
        if is_document and (why := self.translation.why_untranslated(name, self.settings.translated_share)):
            return "untranslated", why
        return None, ""

    def _is_wanted(self, link: str) -> bool:
        """Whether the author lists a page without a document by its path; ``true`` alone does not list it."""
        choice = self.settings.generated_pages
        return choice is not None and bool(choice.named) and choice.matches(link)


def find_dating_documents(app: Sphinx, name: str, context: Mapping[str, Any]) -> list[str]:
    """The documents that date a page without one: if ablog writes it, one of the same name and the posts it shows."""
    if "ablog" not in app.extensions or "collection" not in context:
        return []
    posts = () if getattr(app.config, "blog_archive_titles", False) else context["collection"]
    names = (name, *(getattr(post, "docname", None) for post in posts))
    return [*dict.fromkeys(each for each in names if isinstance(each, str))]


def _module_pages(env: Any) -> Iterator[str]:
    """The pages of ``sphinx.ext.viewcode``, which only reports pages that it writes in this build."""
    modules = [name for name, entry in getattr(env, "_viewcode_modules", {}).items() if entry]
    yield from (f"_modules/{module.replace('.', '/')}" for module in modules)
    yield from ["_modules/index"] if modules else []


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
    def folders(self) -> Iterator[str]:
        """The folders that sphinx-gallery writes into, as absolute paths."""
        for name in ("gallery_dirs", "backreferences_dir"):
            for folder in _as_list(self._gallery_options.get(name)):
                yield os.path.normpath(os.path.join(self._app.srcdir, folder))

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
    """The files that an object of sphinx-autoapi and the members that it shows come from, also by way of imports."""
    for name in [shown.id, *(each.id for each in shown.children if _is_shown(each))]:
        place = name
        while place and "file_path" not in (found := getattr(known.get(place), "obj", {})):
            place = found.get("original_path") or place.rpartition(".")[0]
        if place:
            yield known[place].obj["file_path"]


def _is_shown(member: Any) -> bool:
    """Whether a page shows a member. A member from an earlier build has this only if it was computed then."""
    try:
        return bool(member.display)
    except AttributeError:
        return False


def read_fields(app: Sphinx, doctree: nodes.document) -> None:
    """Store the fields for the sitemap at the top of a document, before Sphinx removes the field list."""
    found: dict[str, str] = {}
    for field in doctree.findall(nodes.field):
        if isinstance(field.parent, nodes.docinfo) and field[0].astext().startswith(_PREFIX):
            body: Any = field[1]
            found[field[0].astext()] = " ".join(_ESCAPE.sub(r"\1", body.rawsource).split())
    app.env.temp_data[_PREFIX] = found


def restore_fields(app: Sphinx, doctree: object) -> None:
    """Put the text that the author wrote into the document's metadata, if only the typography differs."""
    metadata = app.env.metadata.get(app.env.docname, {})
    written: Mapping[str, str] = app.env.temp_data.get(_PREFIX) or {}
    for name, text in written.items():
        shown = metadata.get(name)
        if isinstance(shown, str) and shown != text and _plain(shown) == _plain(text):
            metadata[name] = text


def misplaced_fields(doctree: nodes.document) -> list[str]:
    """The names of fields for the sitemap in a list right after the title, which Sphinx shows on the page."""
    titled = next(doctree.findall(nodes.section), ())
    content = (node for node in titled if not isinstance(node, nodes.title | nodes.Invisible))
    first = next(content, None)
    names = first.findall(nodes.field_name) if isinstance(first, nodes.field_list) else ()
    return [name for name in (each.astext() for each in names) if name in _NAMES]


def _plain(text: str) -> str:
    """The text with the same character for all quotes, single dashes and dots, and no white space."""
    return _RUNS.sub(r"\1", "".join(text.translate(_STRAIGHT).split()))
