"""The host for Sphinx: takes the pages from the environment when the build is finished, so that none is missing."""

from __future__ import annotations

import json
import os
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.util import logging
from sphinxcontrib.serializinghtml import SerializingHTMLBuilder

from sitemap_plugins import __version__
from sitemap_plugins.deployment import read_deployment
from sitemap_plugins.enrich.git_history import HistoryReader
from sitemap_plugins.enrich.page_markup import read_markup, relocate
from sitemap_plugins.model import Adjuster, Markup, Note, OutputFile, Page
from sitemap_plugins.pipeline import describe
from sitemap_plugins.publishing import find_base_url, heard, import_hook, is_ours, make_site, publish
from sitemap_plugins.settings import Hook, Settings, read_settings
from sitemap_plugins.writing import WriteError, write

if TYPE_CHECKING:
    from sphinx.application import Sphinx

log = logging.getLogger(__name__)

# The only Sphinx theme whose script reads the sitemap, and so the only one that needs it in a preview.
_NEEDS_SITEMAP = frozenset({"sphinx_immaterial"})
_OMITTED = {"404": "error page", "search": "search page"}


def setup(app: Sphinx) -> dict[str, Any]:
    """``extensions = ["sitemap_plugins.sphinx"]``, options in the mapping ``sitemap_options``."""
    app.add_config_value("sitemap_options", {}, "", types=frozenset({dict}))
    app.add_event("sitemap-entry")
    host = SitemapExtension()
    app.connect("builder-inited", host.begin)
    app.connect("html-page-context", host.notice)
    app.connect("build-finished", host.finish, priority=900)  # after the extensions that still write pages
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


class SitemapExtension:
    """One build of one application. With ``-j`` the workers' copies of it are lost, and nothing of them is needed."""

    def __init__(self) -> None:
        self._active = False
        self._settings = Settings()
        self._adjusters: list[Adjuster] = []
        self._reader: HistoryReader | None = None
        self._without_source: dict[str, None] = {}

    def begin(self, app: Sphinx) -> None:
        """Read the options and start reading git in the background, if the builder makes a web site."""
        self._active = _makes_a_site(app.builder)
        if not self._active:
            return
        options = app.config.sitemap_options
        settings, mistakes = read_settings(options if isinstance(options, Mapping) else {})  # Sphinx warned already
        self._settings = settings.for_host(gzip=False, generated_pages=False)
        self._speak(Note(kind="option", message=f"sitemap_options: {mistake} (it is not used)") for mistake in mistakes)
        if settings.adjust:
            try:
                self._adjusters = [import_hook(settings.adjust, app.confdir)]
            except ValueError as error:
                self._speak([Note(kind="option", message=f"sitemap_options: adjust: {error} (it is not called)")])
        if app.parallel <= 1:
            self._start_reading(app)

    def _start_reading(self, app: Sphinx) -> None:
        """Let a thread read git's history, now if Sphinx forks no workers (no thread may run then), else at the end."""
        if self._reader is None and "git" in self._settings.lastmod and not _is_other_loaded(app):
            self._reader = HistoryReader(app.srcdir, tuple(app.config.source_suffix))

    def notice(self, app: Sphinx, pagename: str, templatename: str, context: object, doctree: object) -> None:  # noqa: ARG002  # Sphinx's signature
        """Notice a page that has no document behind it; the main process writes all of these."""
        if self._active and doctree is None:
            self._without_source[pagename] = None

    def finish(self, app: Sphinx, exception: Exception | None) -> None:
        """Publish, if the build went well; else leave everything as it was."""
        if not self._active:
            return
        if exception is None:
            if because := self._why_not(app):
                self._speak([because])
            else:
                self._publish(app)
        if self._reader:
            self._reader.stop()

    def _why_not(self, app: Sphinx) -> Note | None:
        """Whose sitemap there is already, or why there must be none."""
        if _is_other_loaded(app):
            message = "sphinx_sitemap is loaded too, so it writes the sitemap and this extension stands back"
            return Note(kind="other-extension", message=message)
        if own := _own_sitemap(app, self._settings):
            message = f"{own} is your own, so none was written: remove it, or set filename in sitemap_options"
            return Note(kind="own-sitemap", message=message)
        there = Path(app.outdir, self._settings.filename)
        if there.is_file() and not is_ours(there):
            message = (
                f"{there.name} in the output is not by this extension, so it was left alone: "
                "remove it or what writes it, or set filename in sitemap_options"
            )
            return Note(kind="own-sitemap", message=message)
        return None

    def _publish(self, app: Sphinx) -> None:
        deployment = read_deployment(os.environ)
        base_url, notes = find_base_url(
            self._settings, deployment, host_url=app.config.html_baseurl, host_option="html_baseurl in conf.py"
        )
        leftover = (
            "; the one of an earlier build is still there" if Path(app.outdir, self._settings.filename).exists() else ""
        )
        if not base_url:
            self._speak(replace(note, message=note.message + leftover) for note in notes)
            return
        self._speak(notes)
        if deployment.preview and app.config.html_theme not in _NEEDS_SITEMAP:
            message = f"this is a preview on {deployment.preview}: no sitemap was written{leftover}"
            self._speak([Note(kind="preview", message=message)])
            return
        self._remember(app)
        self._start_reading(app)
        history = self._reader.history() if self._reader else None
        publication = publish(
            make_site(base_url, deployment, history),
            collect(app, base_url, self._without_source),
            self._settings,
            app.outdir,
            history=history,
            adjust=[*self._adjusters, *_listeners(app)],
        )
        self._speak(publication.notes, app.env.path2doc)
        for dropped in publication.result.dropped:
            log.verbose("sitemap: %s", describe(dropped))
        if publication.summary:
            log.info("sitemap: %s", publication.summary)

    def _remember(self, app: Sphinx) -> None:
        """Keep the names of the pages without a document for builds that announce none of them.

        Before version 8 Sphinx does not even announce the index when nothing is out of date.
        """
        name = f"sitemap-pages-{app.builder.name}.json"
        if self._without_source:
            content = json.dumps(sorted(self._without_source)).encode()
            with suppress(WriteError):  # it is a memory, and the next build has another
                write([OutputFile(path=name, content=content)], app.doctreedir)
            return
        with suppress(FileNotFoundError):
            self._without_source = dict.fromkeys(json.loads(Path(app.doctreedir, name).read_bytes()))

    def _speak(self, notes: Iterable[Note], document_of: Callable[[str], str | None] | None = None) -> None:
        for level, note in heard(notes, self._settings):
            document = document_of(note.page) if document_of and note.page else None
            named = f"{note.page}: {note.message}" if note.page else note.message
            if level == "warning":
                text = note.message if document else named
                log.warning("sitemap: %s", text, type="sitemap", subtype=note.kind, location=document)
            else:
                log.info("sitemap: %s", named)


def _is_other_loaded(app: Sphinx) -> bool:
    return "sphinx_sitemap" in app.extensions


def _makes_a_site(builder: object) -> bool:
    """Whether the builder makes a web site: no e-book, help file or JSON, which are made by subclasses of the same."""
    is_html = isinstance(builder, StandaloneHTMLBuilder) and not isinstance(builder, SerializingHTMLBuilder)
    return is_html and not builder.embedded  # type: ignore[attr-defined]  # it is a StandaloneHTMLBuilder here


def collect(app: Sphinx, base_url: str, without_source: Iterable[str]) -> Iterator[Page]:
    """All pages of the site, whether this build wrote them or an earlier one did; in Sphinx's order."""
    builder: Any = app.builder
    single = isinstance(builder, SingleFileHTMLBuilder)
    documents = sorted(app.env.found_docs)
    for document in [app.config.root_doc] if single else documents:
        # A single page is made of all documents.
        sources = tuple(str(app.env.doc2path(each)) for each in ([document, *documents] if single else [document]))
        yield _page(app, base_url, document, sources)
    if single:
        return
    own = set(app.config.html_additional_pages)
    for name in sorted({*without_source, *own, *_module_pages(app.env)} - app.env.found_docs):
        yield _page(app, base_url, name, (), generated=name not in own)


def _page(app: Sphinx, base_url: str, name: str, sources: tuple[str, ...], *, generated: bool = False) -> Page:
    builder: Any = app.builder
    target = written = builder.get_target_uri(name)
    if isinstance(builder, SingleFileHTMLBuilder):
        # It gives its one page nothing but a fragment for a URL.
        target = StandaloneHTMLBuilder.get_target_uri(builder, name)
    loc = base_url + target
    markup = _read_output(Path(builder.get_outfilename(name)), app.config.html_output_encoding)
    if markup:
        # Sphinx before 8.1 gives the name of the file for the page's own URL, which dirhtml has elsewhere.
        own = {posixpath.join(app.config.html_baseurl or "", each) for each in (written, name + builder.out_suffix)}
        markup = relocate(markup, own, loc)
    return Page(
        loc=loc,
        name=_source_name(app, name) if sources else name,
        sources=sources,
        front_matter=app.env.metadata.get(name, {}),
        markup=markup,
        generated=generated,
        omit=_OMITTED.get(name) or (None if markup else "no HTML page"),
    )


def _read_output(path: Path, encoding: str) -> Markup | None:
    """What the page on disk says; None when there is no such page."""
    try:
        return read_markup(path.read_bytes().decode(encoding, errors="replace"))
    except OSError:
        return None


def _source_name(app: Sphinx, document: str) -> str:
    """The path of a document below the source directory, with forward slashes: what its author calls it."""
    return Path(app.env.doc2path(document, False)).as_posix()  # noqa: FBT003  # positional in every Sphinx


def _module_pages(env: Any) -> Iterator[str]:  # noqa: ANN401  # a BuildEnvironment
    """The pages of ``sphinx.ext.viewcode``: it announces only those that it writes anew."""
    modules = [name for name, entry in getattr(env, "_viewcode_modules", {}).items() if entry]
    yield from (f"_modules/{module.replace('.', '/')}" for module in modules)
    yield from ["_modules/index"] if modules else []


def _own_sitemap(app: Sphinx, settings: Settings) -> str | None:
    """The author's own sitemap among the files that Sphinx copies as they are."""
    written = settings.filenames if settings.gzip else (settings.filename,)
    for extra, filename in product(app.config.html_extra_path, written):
        path = Path(app.confdir, extra)
        if path.name == filename and path.is_file():
            return str(extra)
        if (path / filename).is_file():
            return f"{extra}/{filename}"
    return None


def _listeners(app: Sphinx) -> list[Adjuster]:
    """The author's functions that are connected to the event ``sitemap-entry``."""
    return [
        Adjuster(Hook.parse(handler).name, partial(handler, app))
        for handler in (
            each.handler for each in sorted(app.events.listeners["sitemap-entry"], key=lambda each: each.priority)
        )
    ]
