"""The command ``sitemap-plugins debug``: what a bug report should say, and nothing private."""

from __future__ import annotations

import os
import platform
import posixpath
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import click

from sitemap_plugins import __version__
from sitemap_plugins.commands.shared_options import examples, project_option
from sitemap_plugins.commands.terminal import say
from sitemap_plugins.folder.configuration import CONF_FOLDERS, ConfigurationError, locate_project, read_configuration
from sitemap_plugins.git.process import git_version
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.session.deployment import recognize_service
from sitemap_plugins.values.text import plural

_REQUIRED: Final = ("click", "msgspec", "pathspec", "PyYAML", "rich", "selectolax")
# The hosts, and what works together with us or changes what we see.
_COMPANIONS: Final = (
    "mkdocs", "properdocs", "sphinx", "zensical", "ablog", "furo", "mike", "mkautodoc", "mkdocs-awesome-nav",
    "mkdocs-click", "mkdocs-gen-files", "mkdocs-git-revision-date-localized-plugin", "mkdocs-include-markdown-plugin",
    "mkdocs-literate-nav", "mkdocs-macros-plugin", "mkdocs-material", "mkdocs-monorepo-plugin",
    "mkdocs-multirepo-plugin", "mkdocs-rss-plugin", "mkdocs-static-i18n", "mkdocs-techdocs-core", "mkdocstrings",
    "myst-parser", "pydata-sphinx-theme", "sphinx-autoapi", "sphinx-gallery", "sphinx-intl",
    "sphinx-last-updated-by-git", "sphinx-multiversion", "sphinx-sitemap",
)  # fmt: skip
_FILES: Final = ("sitemap.toml", "pyproject.toml")
_CONF: Final = tuple(posixpath.normpath(f"{folder}/conf.py") for folder in CONF_FOLDERS)


@click.command("debug", epilog=examples("sitemap-plugins debug"))
@project_option("Default: the current folder.", default=".")
def debug_command(project: str) -> None:
    """Show versions and settings to paste into a bug report.

    It shows the names of the options that are set, with a value only if it is true, false or a number. It shows no
    URL, no path and no environment variable.
    """
    facts = {
        "sitemap-plugins": __version__,
        "Python": f"{platform.python_version()} ({platform.python_implementation()})",
        "platform": f"{platform.system()} {platform.release()} {platform.machine()}",
        "git": git_version() or "not found",
        "packages": _versions(_REQUIRED),
        "also installed": _versions(_COMPANIONS) or "none that matters here",
        "service": recognize_service(os.environ) or "none recognized",
        **dict(_configuration(project)),
    }
    width = max(map(len, facts))
    say(*(f"{name + ':':{width + 1}} {value}" for name, value in facts.items()))


def _versions(names: tuple[str, ...]) -> str:
    found = []
    for name in names:
        with suppress(PackageNotFoundError):
            found.append(f"{name} {version(name)}")
    return ", ".join(found)


def _configuration(project: str) -> Iterator[tuple[str, str]]:
    """The names of the configuration files, and the options in them."""
    root, names = locate_project(project)
    here = [name for name in (*names, *_FILES, *_CONF) if os.path.isfile(os.path.join(root, name))]
    found = [f"{name} (not read)" if name in _CONF else name for name in here]
    yield "configuration", ", ".join(found) or "none found here; run it in the folder with the configuration"
    try:
        options = read_configuration(project).options
    except ConfigurationError:
        yield "options", "unknown, because a file is invalid: sitemap-plugins build says why"
        return
    if not options and here and here[0] in _CONF:
        yield "options", f"not read; copy sitemap_options from {here[0]}, without private values"
    else:
        yield "options", ", ".join(_describe(options)) or "none"


def _describe(options: Mapping[str, object]) -> Iterator[str]:
    """The names of options, with their values if those cannot be private."""
    known = {name: value for name, value in options.items() if name in Settings.__struct_fields__}
    for name, value in sorted(known.items()):
        yield f"{name}: {str(value).lower()}" if isinstance(value, bool | int | float) else name
    if unknown := len(options) - len(known):
        yield f"{unknown} unknown {plural(unknown, 'option')}"
