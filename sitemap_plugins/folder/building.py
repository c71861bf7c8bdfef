"""The host for a built folder: reads its pages, finds out where they are and what they are made of, and publishes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from msgspec import structs

from sitemap_plugins.built import infer_base_url
from sitemap_plugins.folder.addresses import STYLES, StyleName, stated_urls, style_of, write_url
from sitemap_plugins.folder.configuration import Configuration, ConfigurationError
from sitemap_plugins.folder.generators import Document, Generator, Project, find_project, recognize_generator
from sitemap_plugins.folder.html_files import SUFFIXES, HTMLFile, read_html_files
from sitemap_plugins.folder.includes import Includes, base_folders, enabled_extensions
from sitemap_plugins.folder.own_sitemaps import files_of, is_by, read_top_sitemap
from sitemap_plugins.folder.site_finding import read_cname, site_url_of
from sitemap_plugins.folder.source_texts import SourceTexts
from sitemap_plugins.folder.sources import Source, find_sources, match_sources
from sitemap_plugins.folder.translations import Wording, find_wordings
from sitemap_plugins.model import Adjuster, Note, Page
from sitemap_plugins.options import Filename, Mistake, Settings, read_settings
from sitemap_plugins.publish.author_hooks import import_hook
from sitemap_plugins.publish.localizing import read_languages
from sitemap_plugins.publish.output import read_output
from sitemap_plugins.publish.ownership import SERVER_FILES
from sitemap_plugins.publish.session import BuildSession, Output, Publication, date_rules
from sitemap_plugins.rules import Level
from sitemap_plugins.values.text import join_words
from sitemap_plugins.values.urls import InvalidURLError, parse_base_url

if TYPE_CHECKING:
    from sitemap_plugins.model import Content

_FEW: Final = 5  # pages, which may well have changed at one moment
_ERROR_PAGES: Final = frozenset({"404.html", "404/index.html"})
_SITEMAPS: Final = ("sitemap.xml", "sitemap-index.xml")


class BuiltSite(NamedTuple):
    """What was published, and sentences on what was found: where, made by what, at which URL, from which sources."""

    publication: Publication | None
    findings: tuple[str, ...]


class SettingsError(ConfigurationError):
    """Options that cannot be used: all mistakes at once, a line each."""


def read_options(configuration: Configuration, *, base_url: str | None = None) -> tuple[Settings, list[Adjuster]]:
    """The author's options, and the hooks that they name. ``base_url`` comes before that of the options.

    Raises `SettingsError`.
    """
    written = {**configuration.options, **({} if base_url is None else {"base_url": base_url})}
    settings, mistakes = read_settings(written)
    _, missing = date_rules(settings, configuration.root)
    adjusters = []
    if settings.adjust:
        try:
            adjusters = [import_hook(settings.adjust, configuration.root)]
        except ValueError as error:
            mistakes.append(Mistake("adjust", str(error)))
    if wrong := [*mistakes, *missing]:
        place = f"{configuration.options_from}: " if configuration.options_from else ""
        raise SettingsError("\n".join(f"{place}{mistake}" for mistake in wrong))
    if "lastmod" not in written:
        settings = structs.replace(settings, lastmod=(*settings.lastmod, "page"))
    return settings.for_host(gzip=False, generated_pages=True), adjusters


def build_site(
    folder: str,
    configuration: Configuration,
    settings: Settings,
    adjusters: Sequence[Adjuster],
    report: Callable[[Level, Note], None],
    *,
    style: StyleName | None = None,
    dry_run: bool = False,
) -> BuiltSite:
    """Write the sitemaps of the site in ``folder``, an absolute path; with ``dry_run`` only find out which.

    Raises `ConfigurationError` if this is no site, and OSError for a disk that fails. Notes go to ``report``.
    """
    files = [*read_html_files(folder)]
    if not files:
        raise ConfigurationError(f"{folder} has no HTML page in it; is it the folder into which the site is built?")
    build = _Build(folder, configuration, settings, report, files)
    try:
        return build.run(adjusters, style, dry_run=dry_run)
    finally:
        build.session.abort()


class _Build:
    """What is known of one site while it is put together."""

    def __init__(
        self,
        folder: str,
        configuration: Configuration,
        settings: Settings,
        report: Callable[[Level, Note], None],
        files: Sequence[HTMLFile],
    ) -> None:
        self.folder = folder
        self.configuration = configuration
        self.settings = settings
        self.files = files
        self.generator = recognize_generator((file.markup for file in files if file.markup), configuration)
        names = self.generator.sitemaps if self.generator else _SITEMAPS
        if self.generator and settings.filename == Settings().filename:
            # The heads of the pages lead there, and search engines may know it already.
            self.settings = structs.replace(settings, filename=Filename(names[0]))
        self.sitemap = read_top_sitemap(folder, dict.fromkeys([*names, self.settings.filename]))

        rules, _ = date_rules(settings, configuration.root)
        elsewhere = {"canonical_version_url": "the plugins for MkDocs and Sphinx; run sitemap-plugins retire"}
        if not self.generator or self.generator.name != "Zensical":
            elsewhere["expose"] = "the plugins for MkDocs and Sphinx, and the extension for Zensical"
        self.session = BuildSession(self.settings, report, root=configuration.root, rules=rules, elsewhere=elsewhere)

    def run(self, adjusters: Sequence[Adjuster], style: StyleName | None, *, dry_run: bool) -> BuiltSite:
        found, place = self._find_url()
        base_url, notes = self.session.find_base_url(found, place or "base_url")
        self.session.log(notes)
        made_by = f"built by {self.generator.name}" if self.generator else "built by a generator that is not known here"
        findings = [f"{len(self.files)} HTML files in {self.folder}, {made_by}"]
        if base_url is None:
            return BuiltSite(None, tuple(findings))
        findings.append(
            f"URL: {base_url} ({'the option base_url' if self.settings.base_url else place or 'the environment'})"
        )
        locs = self._locate(base_url, style)
        wordings = find_wordings(self.files, locs, base_url)
        texts = SourceTexts(enabled_extensions(self.configuration), multimarkdown=self.configuration.tool == "mkdocs")
        sources = self._find_sources(wordings, texts)
        findings.append(self._describe(sources))
        includes = self._includes(texts, sources)
        self._start_git(sources, includes)
        pages = [
            self._page(file, locs[file.path], wordings[file.path], sources.get(file.path), texts, includes)
            for file in self.files
        ]
        pages = [*self._without_build_dates(pages), *self._other_files(base_url)]
        languages, about_languages = read_languages(self.settings, self.configuration.root, {})
        self.session.log(about_languages)
        site = self.session.site(
            base_url,
            languages=languages,
            default_language=next((each.language for each in wordings.values() if _is_at_root(each)), None),
            name=str(self.configuration.project.get("site_name") or ""),
            theme_reads_sitemap=bool(self.generator and self.generator.reads_sitemap),
        )
        taken = self._taken_over()
        output = Output(directory=self.folder, replaced=taken, is_kept=dry_run)
        return BuiltSite(self.session.publish(site, pages, output, adjusters), tuple(findings))

    def _find_url(self) -> tuple[str | None, str]:
        """The URL that the site has, and who says so: its pages, then its configuration, its sitemap, its domain."""
        heads = [file.markup for file in self.files if file.markup and not file.markup.refresh]
        canonicals = [url for head in heads for url in head.canonicals[:1]]
        own = (_public(infer_base_url(Path(self.folder), canonicals)), "the canonical links of the pages")
        are_many = len(canonicals) * 2 >= len(heads)
        named: Iterator[tuple[str | None, str]] = chain(
            [own] if are_many else (),
            [site_url_of(self.configuration) or (None, "")],
            [(_public(self.sitemap.base_url if self.sitemap else None), "the sitemap of the generator")],
            [own],
            (read_cname(self.folder) or (None, "") for _ in [None]),
        )
        return next(((url, place) for url, place in named if url), (None, ""))

    def _locate(self, base_url: str, style: StyleName | None) -> dict[str, str]:
        """The URL of each file, by its path."""
        paths = {file.path for file in self.files}
        if style:
            return {path: write_url(path, base_url, STYLES[style]) for path in paths}
        listed = [("", url) for url in self.sitemap.below(base_url)] if self.sitemap else []
        own = [
            (file.path, url)
            for file in self.files
            for url in (file.markup.canonicals if file.markup and not file.markup.refresh else ())
        ]
        stated = dict(stated_urls(base_url, [*listed, *own], paths))
        common = style_of(stated)
        return {path: stated.get(path) or write_url(path, base_url, common) for path in paths}

    def _find_sources(self, wordings: Mapping[str, Wording], texts: SourceTexts) -> dict[str, Source]:
        if self.settings.source:
            sources, notes = match_sources(self.files, wordings, self.settings.source, self.configuration.root)
            self.session.log(notes)
            return sources
        if self.generator is None:
            return {}
        documents = self._documents(self.generator, wordings, texts)
        return find_sources(self.files, wordings, documents, copies=self.generator.copies)

    def _documents(
        self, generator: Generator, wordings: Mapping[str, Wording], texts: SourceTexts
    ) -> Iterable[Document]:
        stems = {file.stem for file in self.files}
        project = Project(
            root=find_project(generator, self.folder, self.configuration.root),
            site=self.folder,
            configuration=self.configuration,
            read=texts.front_matter,
            is_built=stems.__contains__,
            folders=sorted({wording.folder for wording in wordings.values() if wording.folder}),
        )
        return generator.find_documents(project)

    def _describe(self, sources: Mapping[str, Source]) -> str:
        if not sources:
            hint = "" if self.settings.source else "; the option source can say where they are"
            return f"sources: none found, so git dates no page{hint}"
        folder = os.path.commonpath([os.path.dirname(source.file) for source in sources.values()])
        shown = os.path.relpath(folder, self.configuration.root)
        return f"sources: {len(sources)} of {len(self.files)} files are made from one in {shown}"

    def _includes(self, texts: SourceTexts, sources: Mapping[str, Source]) -> Mapping[str, tuple[str, ...]]:
        """The files that each source takes in, by the absolute path of the source."""
        if not self.settings.git.dependencies or not sources:
            return {}
        top = os.path.commonpath([self.configuration.root, *(source.file for source in sources.values())])
        includes = Includes(texts.names, base_folders(self.configuration), top)
        found = {source.file: includes.of(source.file) for source in sources.values()}
        return {file: names for file, names in found.items() if names}

    def _start_git(self, sources: Mapping[str, Source], includes: Mapping[str, Collection[str]]) -> None:
        if not sources:
            return
        files = [source.file for source in sources.values()]
        folder = os.path.commonpath([os.path.dirname(file) for file in files])
        self.session.start_git({folder: {os.path.splitext(file)[1] for file in files}})
        self.session.expect(file for found in includes.values() for file in found)

    def _page(
        self,
        file: HTMLFile,
        loc: str,
        wording: Wording,
        source: Source | None,
        texts: SourceTexts,
        includes: Mapping[str, tuple[str, ...]],
    ) -> Page:
        front_matter = texts.front_matter(source.file) if source else None
        name = source.name if source and not source.is_copy else file.path
        if front_matter and front_matter.problem:
            self.session.log([Note(kind="front-matter", page=name, message=front_matter.problem)])
        omit, detail = self._reason_to_omit(file, wording, source)
        page = Page(
            loc=loc,
            name=name,
            source=source.file if source else None,
            sources=(source.file, *includes.get(source.file, ())) if source else (),
            front_matter=self._translate(front_matter.values) if front_matter else {},
            markup=file.markup,
            unread=file.unread,
            generated=source is None,
            omit=omit,
            omit_detail=detail,
            language=wording.language,
            translation=wording.translation,
            output=file.path,
        )
        return (
            structs.replace(page, content=self._read_content(file, loc))
            if self.settings.reads_content and not omit
            else page
        )

    def _translate(self, values: Mapping[str, object]) -> Mapping[str, object]:
        return self.generator.translate(values) if self.generator else values

    def _reason_to_omit(self, file: HTMLFile, wording: Wording, source: Source | None) -> tuple[str | None, str]:
        """Why a page is left out, if that is known here, and what there is to add."""
        below = file.path.removeprefix(f"{wording.folder}/") if wording.folder else file.path
        if below in _ERROR_PAGES or (source is None and below.endswith(tuple(f"/{name}" for name in _ERROR_PAGES))):
            return "error-page", ""
        outputs = self.generator.outputs if self.generator else ""
        if file.is_fragment or (outputs and file.path.startswith(outputs)):
            return "fragment", ""
        if below in {"search.html", "search/index.html"} and source is None:
            return "search-page", ""
        if source and source.is_copy and self.settings.translated_share:
            return "untranslated", f"it is made from {source.name}"
        return None, ""

    def _read_content(self, file: HTMLFile, loc: str) -> Content | None:
        from sitemap_plugins.html.content import read_content

        html, _ = read_output(Path(self.folder, file.path), self.folder)
        return (
            None if html is None else read_content(html.decode(errors="replace"), loc, self.settings.content_selector)
        )

    def _without_build_dates(self, pages: Sequence[Page]) -> list[Page]:
        """The pages, without the dates that they name themselves if most of them name one and the same moment."""
        moments = Counter(moment for page in pages if page.markup for moment in {*page.markup.modified})
        build = {moment for moment, number in moments.items() if number > max(_FEW, len(pages) / 2)}
        if not build:
            return [*pages]
        message = (
            f"most pages name {min(build)} as the date of their last change, which is that of a build; it is not used"
        )
        self.session.log([Note(kind="shown-date", message=message)])
        return [_without_dates(page, build) for page in pages]

    def _other_files(self, base_url: str) -> Iterator[Page]:
        """The files that the option ``files`` lists besides the pages."""
        wanted = self.settings.files
        if not wanted.patterns:
            return
        for here, folders, names in os.walk(self.folder):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            place = Path(here).relative_to(self.folder)
            for path in ((place / name).as_posix() for name in sorted(names)):
                if path not in SERVER_FILES and not path.lower().endswith(SUFFIXES) and wanted.matches(path):
                    yield Page(loc=base_url + quote(path, safe="/~"), name=path, output=path)

    def _taken_over(self) -> list[str]:
        """The files of the generator's own sitemap, which ours takes the place of."""
        generator, found = self.generator, self.sitemap
        if not generator or not found or not is_by(generator, found, self.files, self.folder):
            return []
        paths = [*files_of(generator, self.folder, found)]
        message = (
            f"{join_words(paths)} {'are' if paths[1:] else 'is'} what {generator.name} wrote; ours takes its place"
        )
        self.session.log([Note(kind="taken-over", message=message)])
        return paths


def _is_at_root(wording: Wording) -> bool:
    """Whether readers of no other language find this one at the root."""
    return bool(wording.translation) and not wording.folder


def _public(url: str | None) -> str | None:
    """The URL, if others can open it: some generators write that of a preview into their sites."""
    try:
        return parse_base_url(url) if url else None
    except InvalidURLError:
        return None


def _without_dates(page: Page, moments: AbstractSet[str]) -> Page:
    markup = page.markup
    if markup is None or moments.isdisjoint(markup.modified):
        return page
    left = tuple(each for each in markup.modified if each not in moments)
    return structs.replace(page, markup=structs.replace(markup, modified=left))
