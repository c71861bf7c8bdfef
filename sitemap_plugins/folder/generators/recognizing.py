"""Recognizes the generator of a site from its pages, and lists the facts about each generator.

To add a generator, add a row to `GENERATORS`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from sitemap_plugins.folder.configuration import Configuration
from sitemap_plugins.folder.generators import hugo, mkdocs, myst
from sitemap_plugins.folder.generators.source import ReadFrontMatter, Source, with_date
from sitemap_plugins.model import Markup
from sitemap_plugins.session.includes import FindNeeded, find_in_mdbook, find_in_myst

FindDocuments: TypeAlias = Callable[[Configuration, ReadFrontMatter, str, str], Iterator[tuple[str, Source]]]
"""Finds the sources of pages, each after the stem of its page.

The last arguments are the absolute folders of the project and of the built site.
"""


class Generator(msgspec.Struct, frozen=True):
    """A generator: its name in messages, and how ``meta name=generator`` begins in the pages that it makes.

    ``configurations`` are globs of the files in the folder of its project. ``find_documents`` is None if only edit
    links and the option ``source`` tell the sources of pages. ``find_needed`` finds the files that it includes in a
    page, if its syntax has no other meaning. ``fields`` are the elements besides loc that its own sitemap can have for
    a page, and ``sitemaps`` are the files of that sitemap, which ours replaces; the first is the one for search
    engines. ``reads_sitemap`` is true if a script of its theme looks up the URLs of links in the sitemap, ``is_part``
    if its pages are often a part of a site by another generator. ``omit`` has top folders without pages for readers,
    and the reason to leave out their files. ``generated`` are the beginnings of the paths of pages that it makes of
    others, which its plugin lists only on request. ``copied`` are the folders of the project whose files are copied
    unchanged into the site. ``translate`` turns the generator's front matter into ours. ``sign`` is a glob for a file
    that all its sites have, ``credit`` is in a comment of its own sitemap, and ``advice`` a sentence for the author.
    """

    name: str
    marks: tuple[str, ...] = ()
    configurations: tuple[str, ...] = ()
    find_documents: FindDocuments | None = None
    find_needed: FindNeeded | None = None
    fields: frozenset[str] = frozenset({"lastmod", "changefreq", "priority", "alternates"})
    sitemaps: tuple[str, ...] = ("sitemap.xml",)
    reads_sitemap: bool = False
    is_part: bool = False
    omit: Mapping[str, str] = {}
    generated: tuple[str, ...] = ()
    copied: tuple[str, ...] = ()
    translate: Callable[[Mapping[str, object]], Mapping[str, object]] = lambda values: values
    sign: str = ""
    credit: bytes = b""
    advice: str = ""

    def is_named_by(self, generators: Iterable[str]) -> bool:
        """Whether a page that names these generators names this one."""
        return any(text.lower().startswith(self.marks) for text in generators)


def _last_updated(values: Mapping[str, object]) -> Mapping[str, object]:
    return with_date(values, values.get("lastUpdated"))


def _last_update(values: Mapping[str, object]) -> Mapping[str, object]:
    written = values.get("last_update")
    return with_date(values, written.get("date") if isinstance(written, Mapping) else None)


_HINTS: Final = ("changefreq", "priority")
_WITH_INDEX: Final = ("sitemap-index.xml", "sitemap-0.xml")

GENERATORS: Final = (
    Generator(
        "Zensical",
        ("zensical",),
        configurations=("zensical.toml", "mkdocs.y*ml"),
        find_documents=lambda configuration, read, *_: mkdocs.find_documents(configuration, read),
        fields=frozenset(),
        reads_sitemap=True,
    ),
    Generator(
        "MkDocs",
        ("mkdocs",),
        configurations=("mkdocs.y*ml",),
        find_documents=lambda configuration, read, *_: mkdocs.find_documents(configuration, read),
        fields=frozenset({"lastmod", "alternates"}),
        reads_sitemap=True,
    ),
    Generator(
        "Docusaurus",
        ("docusaurus ",),
        configurations=("docusaurus.config.*",),
        fields=frozenset({"lastmod", *_HINTS}),
        copied=("static",),
        translate=_last_update,
    ),
    Generator(
        "VitePress",
        ("vitepress ",),
        configurations=(".vitepress",),
        fields=frozenset({"lastmod", "alternates"}),
        copied=("public", "src/public", "docs/public"),
        translate=_last_updated,
    ),
    Generator(
        "Starlight",
        ("starlight ",),
        configurations=("astro.config.*",),
        sitemaps=_WITH_INDEX,
        copied=("public",),
        translate=_last_updated,
    ),
    Generator("Astro", ("astro ",), configurations=("astro.config.*",), sitemaps=_WITH_INDEX, copied=("public",)),
    Generator("Gatsby", ("gatsby",), configurations=("gatsby-config.*",), sitemaps=_WITH_INDEX, copied=("static",)),
    Generator("docfx", ("docfx ",), configurations=("docfx.json",), fields=frozenset({"lastmod", *_HINTS})),
    Generator(
        "MyST",
        ("mystmd",),
        configurations=("myst.yml",),
        find_documents=lambda _, __, project, site: myst.find_documents(project, site),
        find_needed=find_in_myst,
        fields=frozenset(),
        omit={"build/": "fragment"},
    ),
    Generator(
        "Hugo",
        ("hugo ",),
        configurations=("hugo.*", "config.toml", "config.yaml", "config.json", "config"),
        copied=("static",),
        translate=hugo.translate,
    ),
    Generator(
        "pkgdown",
        configurations=("_pkgdown.y*ml", "pkgdown/_pkgdown.y*ml", "inst/_pkgdown.y*ml"),
        fields=frozenset(),
        copied=("pkgdown/assets",),
        sign="pkgdown.yml",
    ),
    Generator(
        "Nuxt",
        configurations=("nuxt.config.*",),
        fields=frozenset({"lastmod", *_HINTS, "alternates", "images", "videos", "news"}),
        copied=("public",),
        sign="_nuxt/builds/latest.json",
        credit=b"generated by @nuxtjs/sitemap",
    ),
    Generator(
        "Sphinx",
        sitemaps=(),
        generated=("genindex", "py-modindex", "_modules"),
        sign="_static/documentation_options.js",
        advice="with Sphinx, enable the extension sitemap_plugins.sphinx instead: it knows the sources of all pages",
    ),
    Generator(
        "mdBook",
        configurations=("book.toml",),
        find_needed=find_in_mdbook,
        sitemaps=(),
        sign="ayu-highlight*.css",  # newer versions have a hash in its name
    ),
    Generator("Doxygen", ("doxygen ",), sitemaps=(), omit={"search/": "search-page"}),
    Generator("Antora", ("antora ",), fields=frozenset({"lastmod"}), is_part=True),
    Generator("Eleventy", ("eleventy ",), sitemaps=()),
    Generator("Pelican", ("pelican",), sitemaps=(), omit={"drafts/": "draft"}),
    Generator("pdoc", ("pdoc ", "pdoc3 "), sitemaps=()),
)
"""The generators, the most specific first: Starlight's pages also name Astro, and count for Starlight alone.

Those without a sitemap of their own, and Antora, come last, since their pages may also be a part of a site by another
generator.
"""


UNKNOWN: Final = Generator("an unknown generator", sitemaps=())


def find_project(generator: Generator, site: str, root: str) -> str:
    """The folder of the project: the nearest one above the site with the generator's configuration, or else ``root``.

    If the site is not below ``root``, it may be anywhere, so ``root`` is tried first.
    """
    above = [*Path(site).parents]
    folders = above if Path(root) in above else [Path(root), *above]
    return next((str(folder) for folder in folders if is_configured(generator, folder)), root)


def is_configured(generator: Generator, folder: str | os.PathLike[str]) -> bool:
    """Whether a folder has a configuration of this generator."""
    return any(any(Path(folder).glob(pattern)) for pattern in generator.configurations)


def recognize_generator(
    markups: Iterable[Markup],
    configuration: Configuration,
    site: str,
    wrote: Callable[[Generator], bool] = lambda _: False,
) -> Generator:
    """The generator that most pages name, or else the one of the configuration. Few pages name Hugo.

    If pages name several, it is the one that ``wrote`` the sitemap, if that is known. One that a file shows, without a
    sitemap of its own, or whose pages are often a part of a site, counts if there is no other; without any, it is
    unknown. ``site`` is the built folder.
    """
    counted: Counter[str] = Counter()
    for names, number in Counter(markup.generators for markup in markups).items():
        if named := next((each for each in GENERATORS if each.is_named_by(names)), None):
            counted[named.name] += number
    with_sitemap = [each for each in GENERATORS if each.sitemaps and not each.is_part]
    others = [each for each in GENERATORS if each not in with_sitemap]
    named_in_pages = [each for each in GENERATORS if counted[each.name] and each.sitemaps]
    return (
        next((each for each in named_in_pages if len(named_in_pages) > 1 and wrote(each)), None)
        or max((each for each in with_sitemap if counted[each.name]), key=lambda each: counted[each.name], default=None)
        or next((each for each in with_sitemap if each.name.lower() == configuration.tool), None)
        or next((each for each in GENERATORS if each.sign and any(Path(site).glob(each.sign))), None)
        or max((each for each in others if counted[each.name]), key=lambda each: counted[each.name], default=UNKNOWN)
    )
