"""Which generator has built a site, by what its pages say, and what is known of that generator.

To add a generator, add a row to `GENERATORS`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from sitemap_plugins.folder.configuration import Configuration
from sitemap_plugins.folder.generators import docusaurus, hugo, mkdocs, myst, starlight, vitepress
from sitemap_plugins.folder.generators.document import Document, IsBuilt, ReadFrontMatter, with_date
from sitemap_plugins.model import Markup


class Project(NamedTuple):
    """What is known of the project that a site was built from.

    ``root`` is the absolute folder of the generator's configuration, ``site`` that of the built site. ``read`` gives
    the front matter of a file, ``is_built`` says whether the site has a page, ``folders`` are those of its languages,
    and ``language`` is the one outside of them.
    """

    root: str
    site: str
    configuration: Configuration
    read: ReadFrontMatter
    is_built: IsBuilt
    folders: Collection[str]
    language: str = ""


class Generator(NamedTuple):
    """A generator: its name for people, and how ``meta name=generator`` begins in the pages that it makes.

    ``configurations`` are globs of the files that are in the folder of its project. ``find_documents`` finds the
    sources of pages, ``fields`` are what its own sitemap can say of a page besides its URL, and ``sitemaps`` are its
    files, the one that search engines are given first. ``reads_sitemap`` says that a script of its theme looks up the
    URLs of links in the sitemap, and ``copies`` that a page which is not translated is there in every language.
    Below the folder ``outputs``, if there is one, lies what pages show, and no page.
    ``copied`` are the folders of the project from which files are copied into the site as they are.
    ``translate`` makes front matter that means something to the generator mean it to us.
    """

    name: str
    marks: tuple[str, ...]
    configurations: tuple[str, ...] = ()
    find_documents: Callable[[Project], Iterator[Document]] = lambda _: iter(())
    fields: frozenset[str] = frozenset({"lastmod", "changefreq", "priority", "alternates"})
    sitemaps: tuple[str, ...] = ("sitemap.xml",)
    reads_sitemap: bool = False
    copies: bool = False
    outputs: str = ""
    copied: tuple[str, ...] = ()
    translate: Callable[[Mapping[str, object]], Mapping[str, object]] = lambda values: values

    def is_named_by(self, markup: Markup) -> bool:
        """Whether a page says that this generator has made it."""
        return any(text.lower().startswith(self.marks) for text in markup.generators)


def _mkdocs(project: Project) -> Iterator[Document]:
    return mkdocs.find_documents(project.configuration, project.read)


def _last_updated(values: Mapping[str, object]) -> Mapping[str, object]:
    return with_date(values, values.get("lastUpdated"))


def _last_update(values: Mapping[str, object]) -> Mapping[str, object]:
    written = values.get("last_update")
    return with_date(values, written.get("date") if isinstance(written, Mapping) else None)


def _docusaurus(project: Project) -> Iterator[Document]:
    return docusaurus.find_documents(
        project.root, project.read, project.is_built, folders=project.folders, language=project.language
    )


GENERATORS: Final = (
    Generator("Zensical", ("zensical",), ("zensical.toml", "mkdocs.y*ml"), _mkdocs, frozenset(), reads_sitemap=True),
    Generator(
        "MkDocs",
        ("mkdocs",),
        ("mkdocs.y*ml",),
        _mkdocs,
        frozenset({"lastmod", "alternates"}),
        reads_sitemap=True,
    ),
    Generator(
        "Docusaurus",
        ("docusaurus ",),
        ("docusaurus.config.*",),
        _docusaurus,
        frozenset({"lastmod", "changefreq", "priority"}),
        copies=True,
        copied=("static",),
        translate=_last_update,
    ),
    Generator(
        "VitePress",
        ("vitepress ",),
        (".vitepress",),
        lambda project: vitepress.find_documents(project.root, project.is_built),
        frozenset({"lastmod", "alternates"}),
        copied=("public", "src/public", "docs/public"),
        translate=_last_updated,
    ),
    Generator(
        "Starlight",
        ("starlight ",),
        ("astro.config.*",),
        lambda project: starlight.find_documents(project.root, project.read),
        sitemaps=("sitemap-index.xml", "sitemap-0.xml"),
        copies=True,
        copied=("public",),
        translate=_last_updated,
    ),
    Generator(
        "MyST",
        ("mystmd",),
        ("myst.yml",),
        lambda project: myst.find_documents(project.root, project.site),
        frozenset(),
        outputs="build/",
    ),
    Generator(
        "Hugo",
        ("hugo ",),
        ("hugo.*", "config.toml", "config.yaml", "config.json", "config"),
        lambda project: hugo.find_documents(project.root, project.read, project.is_built),
        copied=("static",),
        translate=hugo.translate,
    ),
)
"""The generators, the most special first: Starlight's pages name Astro too."""


def find_project(generator: Generator, site: str, root: str) -> str:
    """The folder of the project: the nearest one above the site with the generator's configuration, else ``root``.

    A site that is not below ``root`` may lie anywhere, so there ``root`` comes first.
    """
    above = [*Path(site).parents]
    folders = above if Path(root) in above else [Path(root), *above]
    for folder in folders:
        if any(any(folder.glob(pattern)) for pattern in generator.configurations):
            return str(folder)
    return root


def recognize_generator(markups: Iterable[Markup], configuration: Configuration) -> Generator | None:
    """The generator that most pages name; Hugo is named by few. Where none is, that of the configuration."""
    counted: Counter[str] = Counter()
    for markup in markups:
        counted.update(each.name for each in GENERATORS if markup.generators and each.is_named_by(markup))
    if counted:
        return max(GENERATORS, key=lambda each: counted[each.name])
    tool = {"zensical": "Zensical", "mkdocs": "MkDocs"}.get(configuration.tool)
    return next((each for each in GENERATORS if each.name == tool), None)
