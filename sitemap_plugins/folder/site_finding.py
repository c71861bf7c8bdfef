"""Finds the built site, and the URL at which it will be published, from the files of the project."""

from __future__ import annotations

import os
from typing import Final

from sitemap_plugins.folder.configuration import Configuration, ConfigurationError
from sitemap_plugins.folder.hugo_configuration import read_main_files
from sitemap_plugins.reading import ABSENT, CONFIGURATION, read_file
from sitemap_plugins.values.text import join_words, short_repr
from sitemap_plugins.values.urls import InvalidURLError, parse_base_url

# Sphinx and Jupyter Book, Hugo and GitLab, Astro and Vite, Docusaurus, VitePress.
_CANDIDATES: Final = (
    "_build/html",
    "docs/_build/html",
    "build/html",
    "docs/build/html",
    "public",
    "dist",
    "build",
    "docs/.vitepress/dist",
    ".vitepress/dist",
    "site",
)
_HINT: Final = "name the folder: sitemap-plugins build FOLDER"


def find_site(configuration: Configuration) -> str:
    """The absolute path of the built folder: ``site_dir``, or else the only folder that looks like a site.

    Raises `ConfigurationError`.
    """
    if configuration.tool:
        site = configuration.path("site_dir", "site")
        if os.path.isdir(site):
            return site
        shown = _shown(site, configuration.root)
        raise ConfigurationError(
            f"there is no folder {shown}, the site_dir of {configuration.name}; "
            f"run the build first: {configuration.tool} build"
        )
    found: dict[str, str] = {}
    for name in _CANDIDATES:
        path = os.path.join(configuration.root, *name.split("/"))
        if _has_page(path):
            found.setdefault(os.path.realpath(path), name)
    names = [*found.values()]
    if not names:
        raise ConfigurationError(
            f"no site was found in {configuration.root}: there is no zensical.toml, no mkdocs.yml, and no page in "
            f"{join_words(_CANDIDATES, 'or')}; {_HINT}"
        )
    if len(names) > 1:
        raise ConfigurationError(f"{join_words(names)} each look like a site; {_HINT}")
    return os.path.join(configuration.root, *names[0].split("/"))


def site_url_of(configuration: Configuration) -> tuple[str, str] | None:
    """The URL in the generator's configuration, and the name of its place: ("https://…", "site_url in mkdocs.yml").

    The URL is as written. Only Zensical, MkDocs and Hugo have one here, because JavaScript is not run. Raises
    `ConfigurationError`.
    """
    if configuration.tool:
        return _text(configuration.project.get("site_url"), f"site_url in {configuration.name}")
    for name, values in read_main_files(configuration.root):
        if "baseurl" in values:
            return _text(values["baseurl"], f"baseURL in {name}")
    return None


def read_cname(site: str) -> tuple[str, str] | None:
    """The URL for the domain in the file CNAME of a built folder, which GitHub Pages reads, and the name of its place.

    Raises `ConfigurationError`.
    """
    try:
        domain = read_file(os.path.join(site, "CNAME"), CONFIGURATION, inside=site).decode("utf-8-sig").strip()
    except ABSENT:
        return None
    except OSError as error:
        raise ConfigurationError(f"CNAME cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ConfigurationError("CNAME is not text in UTF-8; write one line such as docs.example.org") from None
    reason = "is not a domain name"
    if "." in domain and "/" not in domain and ":" not in domain:
        try:
            return parse_base_url(f"https://{domain}/"), "the file CNAME"
        except InvalidURLError as error:
            reason = str(error)
    raise ConfigurationError(f"CNAME: {short_repr(domain)} {reason}; write one line such as docs.example.org")


def _text(value: object, place: str) -> tuple[str, str] | None:
    """The URL as written, with its place; None if it is empty or ``/``, which means no URL in every generator."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise ConfigurationError(f"{place} must be a URL such as https://docs.example.org/, not {short_repr(value)}")
    return (value.strip(), place) if value.strip() not in {"", "/"} else None


def _has_page(path: str) -> bool:
    try:
        names = os.listdir(path)
    except OSError:
        return False
    return any(name.endswith((".html", ".htm")) and os.path.isfile(os.path.join(path, name)) for name in names)


def _shown(path: str, root: str) -> str:
    return os.path.relpath(path, root) if path.startswith(os.path.join(root, "")) else path
