"""Finds the site's base URL: from the option, the host's own setting, or the hosting service."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sitemap_plugins.model import Note
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.session.deployment import Deployment
from sitemap_plugins.values.urls import InvalidURLError, page_key, parse_base_url, root_of, without_empty_folders

PLACEHOLDER_URL: Final = "http://localhost/"
"""The base URL of a site that has none, so that its pages can be dated."""


def find_base_url(
    settings: Settings, deployment: Deployment, host_url: str | None, host_option: str, *, is_written: bool = True
) -> tuple[str | None, list[Note]]:
    """The site's base URL: the option, else the host's own, else the hosting service's; and a note if there is none.

    ``""`` and ``/`` mean "none" in every host. ``host_option`` is the name of the host's setting (``site_url``), and
    ``is_written`` tells whether the author wrote the URL there.
    """
    written = (host_url or "").strip()
    written = "" if written == "/" else written
    if settings.base_url:
        differs = written and page_key(written) != page_key(settings.base_url)
        message = (
            f"the sitemap uses the option base_url, {settings.base_url}, but the canonical links use {host_option}, "
            f"{written}: set only one of them"
        )
        return settings.base_url, [Note(kind="base-url", message=message)] if differs else []
    candidate = written or deployment.canonical_url
    if candidate is None:
        message = (
            f"no sitemap was written, because the site has no URL: set {host_option} to the URL at which it will be "
            f"published"
        )
        return None, [Note(kind="no-base-url", message=message)]
    try:
        base_url = parse_base_url(candidate, is_written=is_written)
        about = empty_folder_notes(host_option, candidate, base_url) if is_written else ()
        return base_url, [*about, *_version_notes(base_url, deployment)]
    except InvalidURLError as error:
        name = host_option if written else deployment.canonical_variable
        message = f"no sitemap was written, because {name} {candidate!r} {error}"
        return None, [Note(kind="no-base-url", message=message)]


def empty_folder_notes(name: str, written: str, base_url: str) -> Iterator[Note]:
    """A note if the base URL is only used without the empty folders that its setting has."""
    if without_empty_folders(written) != written:
        message = f"{name} has an empty folder in it (//), {written}: write {base_url}, which the sitemap uses"
        yield Note(kind="base-url", message=message)


def _version_notes(base_url: str, deployment: Deployment) -> Iterator[Note]:
    """A note if the hosting service, or mike, publishes this build as another version than the one in its URLs."""
    if deployment.is_by_mike:
        from sitemap_plugins.values.version_names import alias_in_url

        root_url, _, version = base_url.rstrip("/").rpartition("/")
        if message := alias_in_url(f"{root_url}/", {version}):
            yield Note(kind="other-version", message=message)
        return
    published = deployment.canonical_url or ""
    is_elsewhere = published.startswith(root_of(base_url)) and page_key(published) != page_key(base_url)
    if is_elsewhere and deployment.robots_owner is not None:
        message = (
            f"this build is published at {published}, but its pages and its sitemap have URLs below {base_url}, which "
            "belong to another version, or to none"
        )
        yield Note(kind="other-version", message=message)
