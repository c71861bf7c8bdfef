"""Reads the author's options for a built folder."""

from __future__ import annotations

from typing import Final

from msgspec import structs

from sitemap_plugins.folder.configuration import Configuration, ConfigurationError
from sitemap_plugins.session import Host, HostOptions, read_options

FOLDER: Final = Host(
    url_option="--base-url or the option base_url",
    lastmod=("front_matter", "git", "page"),
    lacks={
        "canonical_version_url": "the plugins for MkDocs and Sphinx; run sitemap-plugins retire",
        "expose": "the plugins for MkDocs and Sphinx, and in the Markdown extension for Zensical",
    },
)
ZENSICAL: Final = structs.replace(FOLDER, lacks={})
"""The Markdown extension of Zensical, which only shows dates; the command publishes."""


class SettingsError(ConfigurationError):
    """Options that cannot be used. The message has all mistakes, one on each line."""


def read_settings_of(configuration: Configuration, host: Host = FOLDER, *, base_url: str | None = None) -> HostOptions:
    """The author's options. ``base_url`` overrides the option. Raises `SettingsError`."""
    written = {**configuration.options, **({} if base_url is None else {"base_url": base_url})}
    options, mistakes = read_options(host, written, configuration.root)
    if mistakes:
        place = f"{configuration.options_from}: " if configuration.options_from else ""
        raise SettingsError("\n".join(f"{place}{mistake}" for mistake in mistakes))
    return options
