"""The host for Sphinx: collects all pages at the end of the build, dates them for the theme, and publishes them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC
from functools import partial
from html import unescape
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import structs
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.i18n import format_date
from sphinxcontrib.serializinghtml import SerializingHTMLBuilder

from sitemap_plugins import __version__
from sitemap_plugins.git.dates import Export
from sitemap_plugins.git.process import toplevel_of
from sitemap_plugins.model import Adjuster, LastMod, Note, Site
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.options.types import Hook
from sitemap_plugins.reading import PAGE, read_file
from sitemap_plugins.session.dating import unshown_note
from sitemap_plugins.session.deployment import PLACEHOLDER_URL
from sitemap_plugins.session.host import Host, read_options
from sitemap_plugins.session.lifecycle import BuildSession, LogLevel
from sitemap_plugins.session.publishing import Output
from sitemap_plugins.sphinx.files import (
    changed,
    collect_files,
    copied_files,
    other_feeds,
    recall,
    remember,
    remember_files,
    remembered_files,
)
from sitemap_plugins.sphinx.gettext import Translation, merge_progress, purge_progress, record_progress
from sitemap_plugins.sphinx.pages import (
    Collector,
    GeneratedDocuments,
    find_dating_documents,
    misplaced_fields,
    read_fields,
    record_scripts,
    restore_fields,
)
from sitemap_plugins.sphinx.sphinx_sitemap import SphinxSitemapConfig, find_misplaced, read_config
from sitemap_plugins.values.dates import moment_of
from sitemap_plugins.values.text import join_words, printable

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

log = logging.getLogger(__name__)
_LEVELS: Final = {"debug": "VERBOSE", "info": "INFO", "warning": "WARNING"}

_HOST: Final = Host(
    url_option="html_baseurl", generated_pages=False, lacks={"source": "sitemap-plugins build"}, is_lax=True
)  # is_lax for -D sitemap_options.text=1

# The only Sphinx theme whose script reads the sitemap, and so the only one that needs it in a preview.
_READ_SITEMAP = frozenset({"sphinx_immaterial"})

_LOOKED_AT: Final = 10  # pages of the same theme

_Shown: TypeAlias = Mapping[str, tuple[LastMod | None, LastMod | None]]
"""When each document last changed and when it was created, or None if unknown or not needed."""


def setup(app: Sphinx) -> dict[str, Any]:
    """``extensions = ["sitemap_plugins.sphinx"]``; the options are in the mapping ``sitemap_options``."""
    app.require_sphinx((7, 2))
    app.add_config_value("sitemap_options", {}, "", types=frozenset({dict}))
    app.add_event("sitemap-entry")
    app.connect("doctree-read", read_fields, priority=100)  # before Sphinx takes the field list away
    app.connect("doctree-read", restore_fields, priority=900)
    app.connect("doctree-read", record_progress)
    app.connect("doctree-read", record_scripts)
    app.connect("env-merge-info", merge_progress)
    app.connect("env-purge-doc", purge_progress)
    host = SphinxHost()
    app.connect("builder-inited", host.begin)
    app.connect("doctree-read", host.check_fields)
    app.connect("env-updated", host.date)
    # Before themes that copy the date (sphinx_immaterial at 500), and after the extensions that show other dates.
    app.connect("html-page-context", host.show_date, priority=100)
    app.connect("html-page-context", host.show_date, priority=900)
    app.connect("html-page-context", host.notice, priority=900)
    app.connect("build-finished", host.finish, priority=900)  # after the extensions that still write pages
    return {"version": __version__, "env_version": 2, "parallel_read_safe": True, "parallel_write_safe": True}


class SphinxHost:
    """One build of one application. With ``-j``, copies of it in worker processes are lost; they are not needed."""

    _translation: Translation  # from `begin` on, as the next two
    _generated: GeneratedDocuments
    _session: BuildSession

    def __init__(self) -> None:
        self._active = False
        self._settings = Settings()
        self._sphinx_sitemap = SphinxSitemapConfig()
        self._shown: _Shown = {}
        self._counterpart_of: Callable[[str], str | None] = lambda _: None
        self._without_source: dict[str, list[str]] = {}

    def begin(self, app: Sphinx) -> None:
        """Read the options, and start to read git in the background, if the builder makes a web site."""
        self._active = _makes_a_site(app.builder)
        if not self._active:
            return
        self._translation = Translation(app)
        self._generated = GeneratedDocuments(app)
        written = app.config.sitemap_options
        options = written if isinstance(written, Mapping) else {}  # Sphinx warned already
        read, mistakes = read_options(_HOST, options, app.confdir)
        # If sphinx-sitemap is loaded, its options are for it to read.
        self._sphinx_sitemap, misread = (SphinxSitemapConfig(), []) if _is_other_loaded(app) else read_config(app)
        misread += find_misplaced(app)
        self._settings = self._sphinx_sitemap.apply(read.settings, options)
        rules = structs.replace(read.rules, fuzzy=bool(app.config.gettext_allow_fuzzy_translations))
        read = structs.replace(read, settings=self._settings, rules=rules)
        self._session = BuildSession(_HOST, read, root=app.confdir, report=partial(_log, app))
        wrong = [*(f"sitemap_options: {mistake}" for mistake in mistakes), *map(str, misread)]
        self._session.log(Note(kind="option", message=f"{mistake} (it is ignored)") for mistake in wrong)
        if app.parallel <= 1 and not _is_other_loaded(app):
            self._start_git(app)

    def _start_git(self, app: Sphinx) -> None:
        """Start to read git in a thread. Sphinx must not fork workers after that, so with ``-j`` this comes later."""
        catalogues = dict.fromkeys(self._translation.directories, (".po",))  # they date documents in one language only
        folders = {os.fspath(app.srcdir): tuple(app.config.source_suffix), **catalogues}
        self._session.dating.start_git(folders, _export_of(app))

    def check_fields(self, app: Sphinx, doctree: nodes.document) -> None:
        """Warn about a misplaced field list when the document is read, as Sphinx does for other markup."""
        if self._active and (names := misplaced_fields(doctree)):
            message = (
                f"{join_words(names)}: the field list must come first in the document, before the title; elsewhere it "
                f"is part of the text (it is ignored)"
            )
            page = app.env.doc2path(app.env.docname, base=False)
            self._session.log([Note(kind="front-matter", page=os.fspath(page), message=message)])

    def date(self, app: Sphinx, env: object) -> Iterable[str]:
        """Find the dates and canonical links of pages when all documents are read; git reads on in the background.

        Returns the documents whose pages have to be written again, because these values changed.
        """
        if not self._active or _is_other_loaded(app):
            return ()
        base_url, _ = self._find_base_url(app)
        if base_url:
            self._session.find_canonical_version(self._sphinx_sitemap.rebase(app.config, base_url))
        collector = self._collector(app, base_url or PLACEHOLDER_URL)
        if self._session.canonical_version:
            self._counterpart_of = lambda name: self._session.superseded_by(collector.loc_of(name))
        if self._settings.expose:
            self._start_git(app)
        if self._session.dating.git:
            self._session.dating.expect(collector.sources_of(app.env.found_docs))
        if self._settings.expose:
            pages = dict(collector.plan())
            # This waits for git, so no thread is left running when Sphinx forks.
            dates = self._session.dates(
                pages.values(), self._sphinx_sitemap.rebase(app.config, base_url or PLACEHOLDER_URL)
            )
            self._shown = {name: dates.get(page.name, (None, None)) for name, page in pages.items()}
        return sorted({each for name, values in self._written_into_pages(app) for each in changed(app, name, values)})

    def _written_into_pages(self, app: Sphinx) -> Iterator[tuple[str, Mapping[str, object]]]:
        """The values that we write into pages, by the name under which they are stored for the next build."""
        yield f"sitemap-dates-{app.builder.name}.json", _as_text(self._shown)
        superseded = {name: url for name in app.env.found_docs if (url := self._counterpart_of(name))}
        yield f"sitemap-canonical-{app.builder.name}.json", superseded

    def show_date(
        self, app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object
    ) -> None:
        """Pass its date to the template of a page, if the option ``expose`` is set."""
        if self._active and self._settings.expose and not _is_other_loaded(app):
            _show_dates(app, {} if doctree is None else self._shown, pagename, context)

    def notice(self, app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object) -> None:
        """Note a page that has no document; the main process writes all of these. Pass the URL in another version."""
        if self._active and doctree is None and templatename.endswith(".html"):  # not opensearch.xml
            self._without_source[pagename] = find_dating_documents(app, pagename, context)
        if url := self._counterpart_of(pagename):
            context["pageurl"] = url

    def finish(self, app: Sphinx, exception: Exception | None) -> None:
        """Publish if the build succeeded; else leave everything as it was."""
        if not self._active:
            return
        if exception is None:
            for name, values in self._written_into_pages(app):
                remember(app, name, values)
            if _is_other_loaded(app):
                message = (
                    "sphinx_sitemap is loaded too and writes the sitemap, so this extension writes nothing: remove "
                    "one of them from extensions"
                )
                self._session.log([Note(kind="other-extension", message=message)])
            else:
                with self._session.report_read_errors():
                    self._publish(app)
        self._session.abort()

    def _publish(self, app: Sphinx) -> None:
        session = self._session
        base_url, notes = self._find_base_url(app)
        leftover = (
            "; the one from an earlier build is still there"
            if Path(app.outdir, self._settings.filename).exists()
            else ""
        )
        if not base_url:
            session.log(structs.replace(note, message=note.message + leftover) for note in notes)
            return
        session.log(notes)
        preview, only_page_list = session.deployment.preview, False
        if preview and app.config.html_theme not in _READ_SITEMAP:
            message = f"this is a preview on {preview}: no sitemap was written{leftover}"
            session.log([Note(kind="preview", message=message)])
            if not self._settings.html and not self._settings.previous_record:
                return
            only_page_list = True
        self._remember(app)
        self._start_git(app)
        collector = self._collector(app, base_url)
        pages = [*collector.collect(self._without_source)]
        pages += collect_files(app, self._settings, {page.output for page in pages}, collector.locate)
        session.log(
            [
                *self._sphinx_sitemap.explain(app, base_url, collector.link_of(app.config.root_doc), self._settings),
                *self._translation.notes(self._settings),
                *self._generated.notes(),
                *self._about_shown_dates(app),
            ]
        )
        base_url = self._sphinx_sitemap.rebase(app.config, base_url)
        site = Site(
            base_url=base_url,
            name=str(app.config.project),
            feeds=other_feeds(app, base_url),
            theme_reads_sitemap=app.config.html_theme in _READ_SITEMAP,
        )
        copied = copied_files(app)
        page_list = None
        if name := self._settings.html:
            from sitemap_plugins.sphinx.page_list import find_place, title_of_list

            own = collector.page_of_list(name, title_of_list(app))
            page_list, notes = find_place(
                app, name, own.loc, [*(page.output for page in pages if page.output), *copied]
            )
            session.log(notes)
            pages += [own] if page_list else []
        output = Output(
            directory=os.fspath(app.outdir),
            copied=copied,
            earlier=remembered_files(app),
            encoding=app.config.html_output_encoding,
            page_ending=getattr(app.builder, "out_suffix", None),
            page_list=page_list,
            only_page_list=only_page_list,
            is_partial=isinstance(app.builder, SingleFileHTMLBuilder),
        )
        remember_files(app, session.publish(site, pages, output, _listeners(app)).written)

    def _find_base_url(self, app: Sphinx) -> tuple[str | None, list[Note]]:
        own = self._sphinx_sitemap.site_url
        name = "site_url in conf.py" if own else "html_baseurl in conf.py"
        return self._session.find_base_url(own or app.config.html_baseurl, name)

    def _collector(self, app: Sphinx, base_url: str) -> Collector:
        return Collector(
            app=app,
            settings=self._settings,
            translation=self._translation,
            generated=self._generated,
            locate=partial(self._sphinx_sitemap.locate, app.config, base_url),
            excluded=self._sphinx_sitemap.excludes,
        )

    def _about_shown_dates(self, app: Sphinx) -> Iterator[Note]:
        """A note if the theme shows the day of the build as every page's last change, or no date in spite of expose."""
        if self._settings.expose:
            dates = [(name, date) for name, found in self._shown.items() for date in found if date]
            if dates and not _is_shown(app, ((name, _write_out(app, date)) for name, date in dates)):
                yield unshown_note(app.config.html_theme, "furo", "last_updated")
        elif "sphinx_last_updated_by_git" not in app.extensions:
            # Set if html_last_updated_fmt is, unless an old Sphinx wrote no page.
            today = getattr(app.builder, "globalcontext", {}).get("last_updated")
            if not today or not _is_shown(app, ((name, today) for name in sorted(app.env.found_docs))):
                return
            message = (
                "html_last_updated_fmt makes the theme show the day of the build as every page's last change; with "
                "expose in sitemap_options it shows the date in the sitemap"
            )
            yield Note(kind="shown-date", message=message)

    def _remember(self, app: Sphinx) -> None:
        """Store the pages without a document, and those that date them, for builds in which Sphinx reports none.

        Before version 8, Sphinx does not even report the index if nothing is out of date.
        """
        name = f"sitemap-pages-{app.builder.name}.json"
        if self._without_source:
            remember(app, name, self._without_source)
        else:
            known = recall(app, name).items()
            self._without_source = {page: posts for page, posts in known if isinstance(posts, list)}


def _log(app: Sphinx, level: LogLevel, note: Note) -> None:
    """Log a note; a warning about a document names it as its location, as Sphinx's own warnings do."""
    page = note.page or ""
    # Sphinx prints a location unescaped.
    document = app.env.path2doc(page) if level == "warning" and page and page == printable(page) else None
    text = f"{page}: {note.message}" if page and not document else note.message
    # All lines go through here, so that no text in them steers a terminal or CI service.
    log.log(_LEVELS[level], "sitemap: %s", printable(text), type="sitemap", subtype=note.kind, location=document)


def _is_other_loaded(app: Sphinx) -> bool:
    return "sphinx_sitemap" in app.extensions


def _makes_a_site(builder: object) -> bool:
    """Whether the builder makes a web site, not an e-book, help files or JSON, which use subclasses of it."""
    is_html = isinstance(builder, StandaloneHTMLBuilder) and not isinstance(builder, SerializingHTMLBuilder)
    return is_html and not builder.embedded  # type: ignore[attr-defined]  # it is a StandaloneHTMLBuilder here


def _listeners(app: Sphinx) -> list[Adjuster]:
    """The author's functions connected to the event ``sitemap-entry``."""
    listeners = sorted(app.events.listeners["sitemap-entry"], key=lambda each: each.priority)
    return [Adjuster(Hook.parse(each.handler).name, partial(each.handler, app)) for each in listeners]


def _export_of(app: Sphinx) -> Export | None:
    """The commit that sphinx-multiversion exported into the source folder of this build, if any.

    The repository is the one with conf.py, because sphinx-multiversion reads the author's own configuration.
    """
    versions = getattr(app.config, "smv_metadata", None) or {}
    version = versions.get(getattr(app.config, "smv_current_version", None), {})
    folder, toplevel = version.get("basedir"), toplevel_of(os.path.realpath(app.confdir))
    return Export(folder, toplevel, os.path.basename(folder)) if folder and toplevel else None


def _as_text(shown: _Shown) -> dict[str, list[str | None]]:
    """The dates in the form that is stored for the next build."""
    return {name: [each.isoformat() if each else None for each in dates] for name, dates in shown.items()}


def _show_dates(app: Sphinx, shown: _Shown, document: str, context: dict[str, Any]) -> None:
    """Pass a page's dates to its template; if there is none, the day of the build is not shown either."""
    names = ("last_updated", "created")
    for name, moment in zip(names, shown.get(document, (None, None)), strict=True):
        if moment is not None or name == "last_updated":
            context[name] = _write_out(app, moment) if moment is not None else None


def _write_out(app: Sphinx, moment: LastMod) -> str:
    """A date in UTC, in the format ``html_last_updated_fmt`` or else as Sphinx writes dates in this language."""
    form = app.config.html_last_updated_fmt or _("%b %d, %Y")
    return format_date(form, date=moment_of(moment).astimezone(UTC), language=app.config.language)


def _is_shown(app: Sphinx, texts: Iterable[tuple[str, str]]) -> bool:
    """Whether the theme shows these dates: whether one of the first few documents in ``texts`` has its date."""
    builder: Any = app.builder
    for document, text in islice(texts, _LOOKED_AT):
        try:
            page = read_file(builder.get_outfilename(document), PAGE, inside=app.outdir)
        except OSError:
            continue  # reported when it is read for the sitemap
        if text in unescape(page.decode(app.config.html_output_encoding, errors="replace")):
            return True
    return False
