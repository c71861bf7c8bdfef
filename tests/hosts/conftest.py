"""Small sites, built in this process as the hosts' commands build them, and the results of these builds."""

from __future__ import annotations

import gettext
import gzip
import io
import json
import logging
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from types import CodeType
from typing import Any, Literal, NamedTuple, Self

import jinja2
import pytest

_LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
_LASTMOD = "{http://www.sitemaps.org/schemas/sitemap/0.9}lastmod"
_LINK = "{http://www.w3.org/1999/xhtml}link"
_COLOURS = re.compile(r"\x1b\[[\d;]*m")


class Said(NamedTuple):
    """One message of a build. ``level`` is ``debug``, ``info``, ``warning`` or ``error``."""

    level: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Built:
    """The result of a build. ``failed``: whether the host's command would have exited with a code other than 0."""

    output: Path
    failed: bool
    log: list[Said]

    def read(self, name: str = "sitemap.xml") -> bytes:
        return (self.output / name).read_bytes()

    def unzip(self, name: str = "sitemap.xml.gz") -> bytes:
        return gzip.decompress(self.read(name))

    def has(self, name: str) -> bool:
        return (self.output / name).exists()

    @property
    def locs(self) -> list[str]:
        return [element.text or "" for element in ET.fromstring(self.read()).iter(_LOC)]  # noqa: S314  # our own file

    @property
    def paths(self) -> list[str]:
        """The locs without the base URL that all sites use except those that test URLs."""
        return [loc.removeprefix("https://docs.example.org/") for loc in self.locs]

    @property
    def days(self) -> dict[str, str]:
        """The day of each page's lastmod by path; empty if the page has none."""
        root = ET.fromstring(self.read())  # noqa: S314  # our own file
        return {path: (url.findtext(_LASTMOD) or "")[:10] for path, url in zip(self.paths, root, strict=True)}

    def alternates(self, name: str = "sitemap.xml") -> dict[str, dict[str, str]]:
        """The hreflang links of each page that has any, by language code; all URLs as in `paths`."""
        base = "https://docs.example.org/"
        root = ET.fromstring(self.read(name))  # noqa: S314  # our own file
        links = {
            (url.findtext(_LOC) or "").removeprefix(base): {
                link.get("hreflang", ""): link.get("href", "").removeprefix(base) for link in url.iter(_LINK)
            }
            for url in root
        }
        return {path: each for path, each in links.items() if each}

    @property
    def warnings(self) -> list[str]:
        return [each.text for each in self.log if each.level in {"warning", "error"}]

    @property
    def our_warnings(self) -> list[str]:
        """The warnings of this project. Hosts and other plugins have their own."""
        return [text for text in self.warnings if "sitemap: " in text]

    @property
    def announced(self) -> list[str]:
        """The URLs in robots.txt as in `paths`."""
        lines = self.read("robots.txt").decode().splitlines()
        start = "Sitemap: "
        return [
            line.removeprefix(start).removeprefix("https://docs.example.org/")
            for line in lines
            if line.startswith(start)
        ]

    def said(self, *parts: str, level: str | None = None) -> list[str]:
        """The messages that contain all these parts."""
        return [
            each.text
            for each in self.log
            if (level is None or each.level == level) and all(part in each.text for part in parts)
        ]


class Site:
    """A folder with a small site. ``host_url`` is the host's own option for the site's URL."""

    host_url: str
    suffix: str

    def __init__(self, root: Path) -> None:
        self.root = root
        self.docs = root / "docs"
        self.docs.mkdir(parents=True, exist_ok=True)

    def at(self, root: Path) -> Self:
        """A site for the same host in another folder."""
        return type(self)(root)

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file below the root."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def build(self, options: object = None, **config: Any) -> Built:
        """Build the site in this process, with these options of the plugin."""
        raise NotImplementedError

    def build_strictly(self, options: object = None, **config: Any) -> Built:
        """A build in which warnings are errors, and which has none."""
        built = self.build(options, strict=True, **config)
        assert not built.failed, built.warnings
        return built

    def refer_to_all(self) -> None:
        """Keep the host from warning about documents that no other document names."""

    @contextmanager
    def _modules_of_its_own(self) -> Iterator[None]:
        """Remove the modules that a build imports from the site's folder, and its import paths, after the build."""
        path = sys.path.copy()
        try:
            yield
        finally:
            sys.path[:] = path
            for name, module in list(sys.modules.items()):
                if str(getattr(module, "__file__", None) or "").startswith(str(self.root)):
                    del sys.modules[name]


class MkDocsSite(Site):
    """A site built as ``mkdocs build`` and ``mkdocs serve`` do it."""

    host_url = "site_url"
    suffix = "md"

    def pages(self, *names: str, **contents: str) -> None:
        """Write documents with only a title, and documents with the given content (``guide="..."``)."""
        for name in names:
            self.write(f"docs/{name}", f"# Title of {Path(name).stem}\n")
        for name, content in contents.items():
            self.write(f"docs/{name}.md", content)

    def build(
        self,
        options: object = None,
        *,
        plugins: list[object] | None = None,
        strict: bool = False,
        command: Literal["build", "gh-deploy", "serve"] = "build",
        dirty: bool = False,
        again: bool = False,
        address: str = "http://127.0.0.1:8000/",
        **config: object,
    ) -> Built:
        """``options`` are the plugin's own, ``plugins`` the other plugins, ``config`` the rest of mkdocs.yml.

        ``again`` keeps the plugin objects of the last build, as a preview does. ``address`` is the URL of the preview.
        """
        from mkdocs import utils
        from mkdocs.commands.build import build
        from mkdocs.config import load_config
        from mkdocs.config.defaults import MkDocsConfig

        clean_directory = utils.clean_directory
        if not again:
            MkDocsConfig.plugins.plugin_cache.clear()
        values = {"site_name": "Sample", "site_url": "https://docs.example.org/"} | config
        values["plugins"] = [*(plugins or []), {"sitemap": options}]
        file = self.write(
            "mkdocs.yml", json.dumps({name: value for name, value in values.items() if value is not None})
        )
        with _listening("mkdocs") as log, self._modules_of_its_own():
            try:
                loaded = load_config(str(file), strict=strict)
                if not again:
                    loaded.plugins.on_startup(command=command, dirty=dirty)
                serve_url = address if command == "serve" else None
                loaded.site_url = serve_url or loaded.site_url
                build(loaded, serve_url=serve_url, dirty=dirty)
                failed = False
            except SystemExit:
                failed = True
            finally:
                utils.clean_directory = clean_directory  # after a failed build static-i18n does not restore it
        return Built(output=self.root / "site", failed=failed, log=log)


class SphinxSite(Site):
    """A site built as ``sphinx-build`` does it."""

    host_url = "html_baseurl"
    suffix = "rst"

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.extensions: list[str] = ["sitemap_plugins.sphinx"]
        self.code = ""

    def pages(self, *names: str, **contents: str) -> None:
        """Write documents with only a title, and documents with the given content (``guide="..."``)."""
        for name in names:
            title = f"Title of {Path(name).stem}"
            self.write(f"docs/{name}", f"{title}\n{'=' * len(title)}\n")
        for name, content in contents.items():
            self.write(f"docs/{name}.rst", content)

    def refer_to_all(self) -> None:
        """Add a toctree to the root document, so that Sphinx does not warn about the documents of a test."""
        root = self.docs / "index.rst"
        whole = root.read_text() if root.exists() else ""
        is_alone = not any(path.suffix in {".rst", ".md"} and path != root for path in self.docs.rglob("*"))
        if whole and "toctree" not in whole and not is_alone:
            root.write_text(f"{whole}\n.. toctree::\n   :glob:\n\n   **\n")

    def build(
        self,
        options: object = None,
        *,
        builder: str = "html",
        strict: bool = False,
        force: bool = False,
        parallel: int = 1,
        overrides: Mapping[str, object] | None = None,
        **config: object,
    ) -> Built:
        """``options`` become ``sitemap_options``, ``config`` the rest of conf.py, followed by ``self.code``.

        ``overrides`` are given on the command line with ``-D``.
        """
        from sphinx import locale
        from sphinx.application import Sphinx
        from sphinx.pycode import ModuleAnalyzer
        from sphinx.util.docutils import docutils_namespace, patch_docutils

        values: Mapping[str, Any] = {
            "project": "Sample",
            "html_baseurl": "https://docs.example.org/",
            "html_theme": "basic",
            "show_warning_types": True,
            "extensions": self.extensions,
        } | config
        lines = [f"{name} = {value!r}" for name, value in values.items()]
        lines += [f"sitemap_options = {options!r}"] if options is not None else []
        self.write("docs/conf.py", "\n".join([*lines, self.code]))
        self.refer_to_all()
        ModuleAnalyzer.cache.clear()  # Sphinx caches the modules of other sites by name
        locale.translators.clear()  # and their catalogues
        gettext._translations.clear()
        output = self.root / "output" / builder
        status, warning = io.StringIO(), io.StringIO()
        with (
            _without_debug_messages(),
            self._modules_of_its_own(),
            patch_docutils(self.docs),
            docutils_namespace(),
        ):
            app = Sphinx(
                self.docs,
                self.docs,
                output,
                self.root / "doctrees",
                builder,
                confoverrides=dict(overrides or {}),
                status=status,
                warning=warning,
                warningiserror=strict,
                keep_going=True,
                verbosity=1,
                parallel=parallel,
            )
            app.build(force_all=force)
        return Built(
            output=output, failed=bool(app.statuscode), log=[*_lines(status, "info"), *_lines(warning, "warning")]
        )


@contextmanager
def _without_debug_messages() -> Iterator[None]:
    """Sphinx makes hundreds in every build, and shows them only with ``-vv``."""
    logging.disable(logging.DEBUG)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def _lines(stream: io.StringIO, level: str) -> list[Said]:
    return [Said(level, line) for line in _COLOURS.sub("", stream.getvalue()).splitlines() if line.strip()]


@contextmanager
def _listening(name: str) -> Iterator[list[Said]]:
    """Collect everything that is logged under this name, including debug messages."""
    notes_to_log: list[Said] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            notes_to_log.append(Said(record.levelname.lower(), record.getMessage()))

    logger = logging.getLogger(name)
    level, listener = logger.level, Listener()
    logger.addHandler(listener)
    logger.setLevel(logging.DEBUG)
    try:
        yield notes_to_log
    finally:
        logger.removeHandler(listener)
        logger.setLevel(level)


def _compile_once(compile_template: Callable[..., CodeType]) -> Callable[..., CodeType]:
    """Compile each template of the themes once for all sites."""
    compiled: dict[tuple[object, ...], CodeType] = {}

    def find_or_compile(
        environment: jinja2.Environment, source: str, name: str | None = None, filename: str | None = None, **how: Any
    ) -> CodeType:
        about = (type(environment), environment.autoescape, *sorted(environment.extensions))
        key = (source, name, filename, *how.items(), *about)
        if key not in compiled:
            compiled[key] = compile_template(environment, source, name, filename, **how)
        return compiled[key]

    return find_or_compile


@pytest.fixture(scope="session", autouse=True)
def what_all_sites_share() -> Iterator[None]:
    """Cache compiled templates and the list of installed themes, and copy no styles: most of the time of small builds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jinja2.Environment, "compile", _compile_once(jinja2.Environment.compile))
        for module in ("mkdocs.utils", "sphinx.theming"):
            patch.setattr(f"{module}.entry_points", cache(entry_points))
        patch.setattr("sphinx.builders.html.StandaloneHTMLBuilder.copy_theme_static_files", lambda *_: None)
        # sphinx-sitemap is installed for the comparison; these sites have not used it.
        patch.setattr("sitemap_plugins.sphinx.sphinx_sitemap.find_spec", lambda _: None)
        yield


@pytest.fixture
def mkdocs_site(tmp_path: Path) -> MkDocsSite:
    """An empty site for MkDocs."""
    return MkDocsSite(tmp_path / "mkdocs")


@pytest.fixture
def sphinx_site(tmp_path: Path) -> SphinxSite:
    """An empty site for Sphinx."""
    return SphinxSite(tmp_path / "sphinx")


@pytest.fixture(params=["mkdocs", "sphinx"])
def any_site(request: pytest.FixtureRequest) -> Any:
    """An empty site, once for each host."""
    return request.getfixturevalue(f"{request.param}_site")


@pytest.fixture
def shown_type() -> Callable[[str], str]:
    """Return what Sphinx appends to a warning of this type. Before 7.3 it has no such setting."""
    from sphinx import version_info

    return lambda name: f" [sitemap.{name}]" if version_info >= (7, 3) else ""
