"""The option ``--base-url`` of commands."""

from __future__ import annotations

import click

from sitemap_plugins.values.urls import InvalidURLError, parse_base_url


def read_base_url(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """The URL in its normal form. Raises `click.BadParameter`."""
    try:
        return None if value is None else parse_base_url(value)
    except InvalidURLError as error:
        raise click.BadParameter(f"{value!r} {error}; use a URL such as https://docs.example.org/") from None
