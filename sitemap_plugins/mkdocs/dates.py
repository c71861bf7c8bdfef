"""Dates of MkDocs pages: the author's files that each page is made of, and the dates that the theme gets.

mkdocs-monorepo, and TechDocs with it, copies the documents of all projects into one temporary folder.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache, partial, wraps
from html import unescape
from itertools import chain
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from jinja2 import TemplateError, meta

from sitemap_plugins.git.process import toplevel_of
from sitemap_plugins.mkdocs.blocks import COMMANDS, command_files, object_files, read_text, unknown_blocks
from sitemap_plugins.model import Note, Page, Site
from sitemap_plugins.reading import SOURCE, read_file
from sitemap_plugins.session.dating import REVISION, expose_dates, unshown_note, without_depends_on
from sitemap_plugins.session.lifecycle import BuildSession
from sitemap_plugins.values.text import join_first

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File
    from mkdocs.structure.pages import Page as MkDocsPage

    from sitemap_plugins.session.includes import Include

_SHOWN: Final = (f"{REVISION}_raw_iso_datetime", f"{REVISION}_raw_iso_date", "revision_date")

_MANY: Final = 5  # names of pages in one message

_PYTHON: Final = "python"  # the name of its handler in mkdocstrings
_SNIPPETS: Final = "pymdownx.snippets"
_MKDOCS_CLICK: Final = ("mkdocs-click", "mkdocs_click")  # the names of the extension and of its module
_MKAUTODOC: Final = "mkautodoc"
# They include files that only the text of a page names; most sites have none of them, and need no code that reads it.
_INCLUDING: Final = frozenset({"mdx_include", "markdown_include.include", "markdown_include_variants", "table-reader"})
# A heading of a documented object, or the anchor instead of a heading that is not shown.
_ANCHOR: Final = re.compile(r'<(?:h[1-6] id="(?P<shown>[\w.]+)" class="doc |a id="(?P<hidden>[\w.]+)"></a>)')


class PageDates:
    """Finds the files that date the pages of one build, while these are built, and passes the dates on to the theme.

    Besides its own file, a page can be made of snippets, included files, the templates of macros, and documented code,
    which count if the option ``git.dependencies`` is on. They come from each tool itself, with its own settings. A file
    that a tool appends to every page (``auto_append`` of the snippets) is not part of any page's own text, so it does
    not count.
    """

    def __init__(self, config: MkDocsConfig, session: BuildSession) -> None:
        self._config = config
        self._session = session
        self._is_wanted = session.settings.git.dependencies
        self._plugins: Mapping[str, Any] = config.plugins if self._is_wanted else {}
        extensions = config.markdown_extensions if self._is_wanted else []
        self._has_snippets = _SNIPPETS in extensions
        self._has_commands = any(name in extensions for name in _MKDOCS_CLICK)
        self._has_objects = _MKAUTODOC in extensions
        self._including = _INCLUDING.intersection(extensions) | _INCLUDING.intersection(self._plugins)
        self._listed: dict[str, list[MkDocsPage]] = {}
        self._included: defaultdict[str, dict[str, None]] = defaultdict(dict)  # the files by page
        self._documented: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._documenting: dict[str, MkDocsPage] = {}
        # By page, the identifiers that mkdocstrings looked up for it, each with the name of its handler.
        self._identifiers: defaultdict[str, dict[str, str]] = defaultdict(dict)
        self._rendered = ""  # the name of the page that MkDocs renders
        self._with_blocks: dict[str, tuple[MkDocsPage, str]] = {}
        self._unsupported: dict[str, None] = {}
        self._read = 0  # how many files include-markdown had read before this page

    def notice_templates(self, page: MkDocsPage, markdown: str) -> None:
        """Collect the files and templates that a page names, and that these name. Call this before macros render it."""
        if self._including:
            self._add(self._included, page, self._named_files(page))
        plugin = self._plugins.get("macros")
        if plugin is None or not _is_rendered(page, plugin):
            return
        environment = getattr(plugin, "_env", None)
        if environment is None:
            self._unsupported["macros"] = None
        elif environment.block_start_string in markdown:
            self._add(self._included, page, _templates(environment, markdown))

    def notice_text(self, page: MkDocsPage, markdown: str) -> None:
        """Collect the files that plugins included in a page, and the snippets it names. Call this after the plugins."""
        self._add(self._included, page, self._newly_included())
        if "8<" in markdown and self._has_snippets:
            self._add(self._included, page, self._snippets(markdown))
        if "mkdocstrings" in self._plugins:
            self._documenting[page.file.src_uri] = page
            self._rendered = page.file.src_uri
            self._watch(getattr(self._plugins["mkdocstrings"], "_handlers", None))
        # mkdocs-gallery makes each of its pages of an example, or of a README.
        if example := getattr(self._plugins.get("gallery"), "md_to_src", {}).get(page.file.src_uri):
            self._add(self._documented, page, [self._path_of(os.fspath(example))])
        if self._is_wanted and (":::" in markdown or self._has_objects):
            self._with_blocks[page.file.src_uri] = page, markdown

    def complete(self) -> None:
        """Find the files of documented code when all pages are rendered. git reads on in the background."""
        self._rendered = ""
        self._resolve_objects()
        for name, page in self._documenting.items():
            files = filter(os.path.isfile, map(self._path_of, self._other_identifiers(name)))
            self._add(self._documented, page, files)
        if self._with_blocks:
            self._resolve_blocks()
        known = chain(self._included.values(), self._documented.values())
        self._session.dating.expect({file for files in known for file in files})

    def notice_listed(self, page: MkDocsPage, context: Mapping[str, Any]) -> bool:
        """Note the pages that a page lists. Call this when its context is complete; returns whether it lists any."""
        listed = _listed_on(page, context, self._config)
        if listed is not None:
            self._listed[page.file.src_uri] = listed
        return listed is not None

    def sources_of(self, page: MkDocsPage) -> tuple[str, ...]:
        """The files that date a page: the files that it and the posts that it shows are made of."""
        listed = self._listed.get(page.file.src_uri)
        pages = [page] if listed is None else [page, *listed] if listed else []
        files: list[str | None] = []
        for each in pages:
            name = each.file.src_uri
            files += [source_of(each.file, self._config), *self._included[name], *self._documented[name]]
        return tuple(dict.fromkeys(filter(None, files)))

    def included_by(self, page: MkDocsPage) -> tuple[str, ...]:
        """The files whose text a page includes, as absolute paths, without those of objects that it documents."""
        return tuple(self._included[page.file.src_uri])

    def notes(self, site: Site, pages: Collection[Page]) -> Iterator[Note]:
        """Notes on files that could not be determined, and on dates that no page shows, of the pages to publish."""
        for tool in self._unsupported:
            message = (
                f"the installed version of {tool} does not tell which files its pages show, so "
                "they do not count for the pages' dates: name them with depends_on"
            )
            yield Note(kind="dependencies", message=message)
        blocks = self._unknown_blocks()
        if names := without_depends_on((page for page in pages if page.name in blocks), site, self._session.settings):
            message = (
                f"blocks such as '::: {blocks[names[0]][0]:.50}' are of a tool that the plugin does not support, so "
                f"the files that they show do not count for the dates of {join_first(names, _MANY, 'page')}: name them "
                "with depends_on"
            )
            yield Note(kind="dependencies", message=message)
        exposed = [page for page in pages if REVISION in page.front_matter] if self._session.settings.expose else []
        if exposed and not any(page.shown_dates for page in exposed):
            yield unshown_note(self._config.theme.name or "of this site", "material", f"page.meta.{REVISION}")

    def expose(self, pages: Iterable[tuple[MkDocsPage, Page]], base_url: str | None) -> None:
        """Put the dates of the sitemap into the metadata of the pages."""
        known = {each.name: (meta.meta, each) for meta, each in pages}
        for name, shown in self._session.dates([page for _, page in known.values()], base_url).items():
            meta, page = known[name]
            expose_dates(meta, shown, page.language, created=self._session.settings.expose == "created")

    def _resolve_blocks(self) -> None:
        """Collect the files of the commands and objects that the blocks of mkdocs-click and mkautodoc show."""
        for page, markdown in self._with_blocks.values():
            self._add(self._documented, page, command_files(markdown) if self._has_commands else ())
            self._add(self._documented, page, object_files(page.content or "") if self._has_objects else ())

    def _resolve_objects(self) -> None:
        """Collect the files of the Python objects that mkdocstrings shows."""
        plugin = self._plugins["mkdocstrings"] if self._documenting else None
        # It has no handlers if it is disabled, and none for Python if no page shows a Python object.
        # Handlers do not know their own names before mkdocstrings 0.28.
        handler = getattr(getattr(plugin, "_handlers", None), "_handlers", {}).get(_PYTHON)
        if handler is None:
            return
        collection = getattr(handler, "_modules_collection", None)
        if collection is None:
            self._unsupported["mkdocstrings"] = None
            return
        for name, page in self._documenting.items():
            anchors = (match["shown"] or match["hidden"] for match in _ANCHOR.finditer(page.content or ""))
            identifiers = (each for each, language in self._identifiers[name].items() if language == _PYTHON)
            files = _object_files(collection, dict.fromkeys(chain(anchors, identifiers)))
            self._add(self._documented, page, files)

    def _watch(self, handlers: Any) -> None:
        """Record what the blocks of mkdocstrings look up, wherever they are: an object may be shown without an anchor.

        Each build of a language has handlers of its own, and they are created when a page needs them.
        """
        get_handler = getattr(handlers, "get_handler", None)
        if get_handler is None or "get_handler" in vars(handlers):
            return

        @wraps(get_handler)
        def get_watched(name: str, *args: Any, **options: Any) -> Any:
            handler = get_handler(name, *args, **options)
            if "collect" not in vars(handler):
                handler.collect = partial(self._collect, name, handler.collect)
            return handler

        handlers.get_handler = get_watched

    def _collect(self, language: str, collect: Callable[..., Any], identifier: str, *args: Any, **options: Any) -> Any:
        found = collect(identifier, *args, **options)
        self._identifiers[self._rendered][identifier] = language
        return found

    def _unknown_blocks(self) -> dict[str, list[str]]:
        """The blocks of each page, by its name, that show something of an unknown tool."""
        found = {
            name: [each for each in self._other_identifiers(name) if not os.path.isfile(self._path_of(each))]
            for name in self._documenting
        }
        if self._with_blocks:
            commands = [COMMANDS] if self._has_commands else []
            for name, (page, markdown) in self._with_blocks.items():
                known = [*commands, *self._identifiers[name]]
                found.setdefault(name, []).extend(unknown_blocks(markdown, page.content or "", known))
        return {name: blocks for name, blocks in found.items() if blocks}

    def _other_identifiers(self, name: str) -> list[str]:
        """What a page shows through handlers for other languages than Python: these name files, or are not known."""
        return [each for each, language in self._identifiers[name].items() if language != _PYTHON]

    def _path_of(self, identifier: str) -> str:
        return os.path.join(os.path.dirname(self._config.config_file_path), identifier)

    def _add(self, known: Mapping[str, dict[str, None]], page: MkDocsPage, files: Iterable[str]) -> None:
        paths = map(os.path.abspath, files)
        known[page.file.src_uri].update({original_of(path, self._config) or path: None for path in paths})

    def _newly_included(self) -> list[str]:
        """The files that include-markdown read for this page: it keeps one list for all pages."""
        plugin = self._plugins.get("include-markdown")
        if plugin is None:
            return []
        files = getattr(getattr(plugin, "_files_watcher", None), "included_files", None)
        if files is None:
            self._unsupported["include-markdown"] = None
            return []
        start, self._read = min(self._read, len(files)), len(files)
        return [str(file) for file in files[start:]]

    def _named_files(self, page: MkDocsPage) -> Iterable[str]:
        """The files that tools in `_INCLUDING` include, by the names in the page's file: plugins may replace them."""
        from sitemap_plugins.session.includes import INCLUDE, TABLES, find_included, find_named

        root, docs = os.path.dirname(os.path.abspath(self._config.config_file_path)), self._config.docs_dir
        written = [self._config.mdx_configs.get(name, {}).get("base_path") for name in INCLUDE]
        data = str(getattr(self._plugins.get(TABLES), "config", {}).get("data_path", "."))
        bases = [os.path.abspath(each) for each in (*written, ".") if isinstance(each, str)]
        bases += [os.path.join(folder, data) for folder in (root, docs)]
        source = page.file.abs_src_path or os.path.join(docs, page.file.src_uri)

        def includes_in(file: str) -> list[Include]:
            is_generated = file == source and page.file.abs_src_path is None  # then its text is in memory
            return [*find_named(page.file.content_string if is_generated else read_text(file), self._including)]

        return find_included(source, includes_in, bases, toplevel_of(root) or root).files

    def _snippets(self, markdown: str) -> list[str]:
        """The files that pymdownx.snippets includes, found by running it once more."""
        from pymdownx.snippets import SnippetExtension, SnippetPreprocessor

        used: list[str] = []

        class Recorder(SnippetPreprocessor):  # type: ignore[misc]  # the package has no types
            def get_snippet_path(self, path: str) -> str | None:
                found: str | None = super().get_snippet_path(path)
                used.extend([found] if found else [])
                return found

        settings = SnippetExtension(**self._config.mdx_configs.get(_SNIPPETS, {})).getConfigs()
        # Unreadable snippets stop the build, or are skipped, when the page is rendered; not here.
        settings |= {"check_paths": False, "url_download": False}
        with suppress(OSError, UnicodeError):
            recorder = Recorder(settings, SimpleNamespace(tab_length=4))
            recorder.seen = set()
            recorder.parse_snippets(markdown.split("\n"))
        return used


def _listed_on(page: MkDocsPage, context: Mapping[str, Any], config: MkDocsConfig) -> list[MkDocsPage] | None:
    """The pages whose excerpts date a page that lists them; None if it lists no pages.

    Material's blog lists posts with excerpts, its tags plugin lists titles. The result is empty for a list of titles
    and for the later pages of a pagination: posts move from one page to the next, so no file tells when such a page
    changed.
    """
    excerpts = context.get("posts")
    posts: list[Any] = [getattr(each, "post", None) for each in excerpts] if isinstance(excerpts, list) else []
    if posts and all(hasattr(post, "file") for post in posts):
        first, *_ = getattr(page, "pages", None) or [page]
        return posts if page is first else []
    # The name is material/tags, or materialx/tags in MaterialX.
    tags = (plugin for name, plugin in config.plugins.items() if name.rpartition("/")[2].startswith("tags"))
    listings = (listing for plugin in tags for listing in getattr(plugin, "listings", None) or ())
    return [] if any(listing.page is page for listing in listings) else None


def shown_dates(meta: Mapping[str, Any], html: str) -> tuple[str, ...]:
    """The date in a page's metadata, from the first name that has one, if the page shows it in any form.

    Plugins give dates to all pages, but themes have templates that do not show them, such as those of Material's blog.
    """
    found = [str(meta[name]) for name in _SHOWN if meta.get(name)]
    forms = [str(value) for name, value in meta.items() if value and str(name).startswith((REVISION, "revision_date"))]
    is_shown = any(form in html for form in forms) or (found and any(map(unescape(html).__contains__, forms)))
    return tuple(found[:1]) if is_shown else ()


def _is_rendered(page: MkDocsPage, plugin: Any) -> bool:
    """Whether mkdocs-macros renders a page, by its front matter or else the plugin's option."""
    if page.meta.get("ignore_macros"):
        return False
    is_default = plugin.config.get("render_by_default", True)
    return bool(page.meta.get("render_macros", is_default))


def _templates(environment: Any, text: str) -> Iterator[str]:
    """The files of the templates that a text includes, imports or extends, directly or through others."""
    waiting, seen = [text], set[str]()
    while waiting:
        try:
            names = meta.find_referenced_templates(environment.parse(waiting.pop()))
        except TemplateError:  # the error stops the build, or is shown on the page, when that is rendered
            continue
        for name in names:
            if name and name not in seen:
                seen.add(name)
                with suppress(TemplateError):
                    source, file, _ = environment.loader.get_source(environment, name)
                    waiting.append(source)
                    yield from [file] if file else []


def _object_files(collection: Any, names: Iterable[str]) -> Iterator[str]:
    """The files that define the objects with these names."""
    for name in names:
        try:
            found = collection[name]
            paths = (found.final_target if found.is_alias else found).filepath
        except Exception:  # noqa: BLE001, S112  # griffe has many exceptions for unknown names
            continue
        yield from map(str, paths if isinstance(paths, list) else [paths])


def source_of(file: File, config: MkDocsConfig) -> str | None:
    """The absolute path of the author's file behind a file of the build, None if a plugin generated it.

    A temporary file of a plugin is not a source: its dates are from the build. But if it has the whole text of a
    document in its place, as with gen-files, the plugin only added to that document.
    """
    if file.generated_by is None:
        return original_of(file.abs_src_path, config) if file.abs_src_path else None
    path = os.path.join(config.docs_dir, *file.src_uri.split("/"))
    with suppress(OSError, ValueError):
        text = read_file(path, SOURCE).strip()
        return original_of(path, config) if text and text in file.content_bytes else None
    return None


def original_of(path: str, config: MkDocsConfig) -> str | None:
    """The author's file behind a document of the build; None if the path is not a document."""
    folders = _folders(config)
    path = os.path.normpath(path)
    if any(_is_below(own, path) for _, own in folders):
        return path
    originals = (os.path.join(own, path[len(built) + 1 :]) for built, own in folders if _is_below(built, path))
    return next(filter(os.path.lexists, originals), None)


def docs_folder(config: MkDocsConfig) -> str:
    """The author's own folder of documents; other projects may have documents in other folders."""
    return _folders(config)[-1][1]


def copied_notes(files: Iterable[File]) -> Iterator[Note]:
    """A note if mkdocs-multirepo imports documents of other repositories, because it removes their history."""
    number = sum(file.is_documentation_page() and hasattr(file, "repo") for file in files)
    if number:
        message = (
            f"{number} page{'s have' if number > 1 else ' has'} no date from git, because mkdocs-multirepo copies "
            "documents of other repositories without their history; add those repositories as submodules and include "
            "them with mkdocs-monorepo, or set lastmod in front matter"
        )
        yield Note(kind="no-git", message=message)


def _folders(config: MkDocsConfig) -> tuple[tuple[str, str], ...]:
    """The folders that are built, each with the author's folder that it is made from; the site's own comes last."""
    merged = getattr(getattr(config.plugins.get("monorepo"), "merger", None), "docs_dirs", None)
    return _merged_folders(config.docs_dir, tuple(map(tuple, merged or [("", config.docs_dir)])))


@lru_cache(maxsize=1)
def _merged_folders(built: str, merged: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The folders in reverse order: if projects have a file with the same path, the one merged last is built."""
    return tuple(
        (os.path.normpath(os.path.join(built, *alias.split("/"))), os.path.abspath(own))
        for alias, own in reversed(merged)
    )


def _is_below(folder: str, path: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)
