"""The options that several commands have, each with the help for its command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from sitemap_plugins.commands.terminal import say
from sitemap_plugins.values.urls import InvalidURLError, parse_base_url, without_empty_folders

F = TypeVar("F", bound=Callable[..., Any])


def examples(*lines: str) -> str:
    """The end of a command's help: its most common calls, which the manual shows with what they print."""
    return "\n  ".join(["\b\nExamples:", *lines])  # click keeps the lines of a paragraph that starts so


def project_option(text: str, *, default: str | None = None) -> Callable[[F], F]:
    """The option ``--project``; ``text`` says what the configuration is for, and the default."""
    what = "The folder with the project's configuration, or one of several files in it, such as mkdocs.de.yml. "
    return click.option("--project", default=default, metavar="PATH", type=click.Path(exists=True), help=what + text)


def base_url_option(text: str) -> Callable[[F], F]:
    """The option ``--base-url``, where a site is published."""
    return click.option("--base-url", metavar="URL", callback=read_base_url, help=text)


def format_option(formats: Sequence[str], text: str) -> Callable[[F], F]:
    """The option ``--format`` with the parameter ``output``, by default the first of the ``formats``."""
    return click.option(
        "--format", "output", type=click.Choice(formats), default=formats[0], show_default=True, help=text
    )


def read_base_url(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """The URL in its normal form, with a warning if it has empty folders. Raises `click.BadParameter`."""
    try:
        url = None if value is None else parse_base_url(value)
    except InvalidURLError as error:
        raise click.BadParameter(f"{value!r} {error}; use a URL such as https://docs.example.org/") from None
    if value and without_empty_folders(value) != value:
        say(f"warning: --base-url has an empty folder in it (//): {url} is used", err=True)
    return url
