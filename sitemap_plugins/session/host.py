"""What a host declares about itself, and the author's options as it uses them, with the function that they name."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, cast

import msgspec
from msgspec import structs

from sitemap_plugins.git.history import DateRules
from sitemap_plugins.model import Adjuster, Drop, Entry, Page
from sitemap_plugins.options.convert import Mistake
from sitemap_plugins.options.settings import LastModSource, Settings, read_settings
from sitemap_plugins.options.types import Hook
from sitemap_plugins.session.dating import date_rules


class Host(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that builds sites.

    ``url_option`` is its own setting for the base URL. ``gzip``, ``generated_pages`` and ``lastmod`` are its defaults
    for these options. ``lacks`` are the options that have no effect in it, each with where it has one: a site that sets
    one of them gets a note. ``is_lax`` means that values may be text, as on a command line.
    """

    url_option: str = "base_url"
    gzip: bool = False
    generated_pages: bool | None = True
    lastmod: tuple[LastModSource, ...] = Settings().lastmod
    lacks: Mapping[str, str] = {}
    is_lax: bool = False


class HostOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The author's options in a host: the settings, the rules for dates from git, and the hook ``adjust`` if set.

    ``without_effect`` are the options that the author set and the host lacks; in the settings they have their defaults.
    """

    settings: Settings = Settings()
    rules: DateRules = DateRules()
    adjusters: tuple[Adjuster, ...] = ()
    without_effect: tuple[str, ...] = ()


def read_options(
    host: Host, written: Mapping[Any, object], root: str | os.PathLike[str]
) -> tuple[HostOptions, list[Mistake]]:
    """The author's options, and every mistake in them. ``root`` is the folder of the configuration."""
    settings, mistakes = read_settings(written, lax=host.is_lax)
    defaults = Settings()
    without_effect = tuple(name for name in host.lacks if getattr(settings, name) != getattr(defaults, name))
    settings = structs.replace(settings, **{name: getattr(defaults, name) for name in without_effect})
    if "lastmod" not in written or any(mistake.where.startswith("lastmod") for mistake in mistakes):
        settings = structs.replace(settings, lastmod=host.lastmod)
    rules, missing = date_rules(settings, root)
    adjusters: tuple[Adjuster, ...] = ()
    if settings.adjust:
        try:
            adjusters = (import_hook(settings.adjust, root),)
        except ValueError as error:
            missing.append(Mistake("adjust", str(error)))
    settings = settings.for_host(gzip=host.gzip, generated_pages=host.generated_pages)
    options = HostOptions(settings=settings, rules=rules, adjusters=adjusters, without_effect=without_effect)
    return options, mistakes + missing


def import_hook(hook: Hook, directory: str | os.PathLike[str]) -> Adjuster:
    """The author's function, imported with ``directory`` (the configuration's folder) first on the path.

    Raises ValueError, with a message for people, if it cannot be imported or is not a function.
    """
    if not isinstance(hook.target, tuple):
        return Adjuster(hook.name, hook.target)
    module_name, function_name = hook.target
    folder = os.fspath(directory)
    try:
        with _first_on_path(folder):
            function = getattr(importlib.import_module(module_name), function_name)
    except (Exception, SystemExit) as error:  # an author's module may raise anything while it is imported
        raise ValueError(f"{hook.name} cannot be imported: {type(error).__name__}: {error}") from error
    if not callable(function):
        raise ValueError(f"{hook.name} is not a function")

    def call(entry: Entry, page: Page) -> Entry | Drop | None:
        with _first_on_path(folder):  # the function may have imports of its own
            return cast("Entry | Drop | None", function(entry, page))

    return Adjuster(hook.name, call)


@contextmanager
def _first_on_path(directory: str) -> Iterator[None]:
    sys.path.insert(0, directory)
    try:
        yield
    finally:
        with suppress(ValueError):  # the author's module may have removed it
            sys.path.remove(directory)
