"""Reads the author's options as settings for a built folder, and imports the hooks that they name."""

from __future__ import annotations

from msgspec import structs

from sitemap_plugins.folder.configuration import Configuration, ConfigurationError
from sitemap_plugins.model import Adjuster
from sitemap_plugins.options import Mistake, Settings, read_settings
from sitemap_plugins.session.dating import date_rules
from sitemap_plugins.session.hooks import import_hook


class SettingsError(ConfigurationError):
    """Options that cannot be used. The message has all mistakes, one on each line."""


def read_options(configuration: Configuration, *, base_url: str | None = None) -> tuple[Settings, list[Adjuster]]:
    """The author's options, and the hooks that they name. ``base_url`` overrides the option.

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
