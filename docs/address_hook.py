"""Gives MkDocs the addresses of the project; on Read the Docs, the manual has the URL of its version."""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig

from sitemap_plugins.project import MANUAL, REPOSITORY


def on_config(config: MkDocsConfig) -> None:
    """Set the URL of the site, and those for links to the repository, which exist only if it has an address."""
    config.site_url = config.site_url or MANUAL
    if REPOSITORY:
        config.repo_url = REPOSITORY
        config.repo_name = REPOSITORY.rpartition("/")[2]
        config.edit_uri = "edit/main/docs/"
