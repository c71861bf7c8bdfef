"""Where this build runs, according to its environment: on which service, at which URL, and with how much history."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from sitemap_plugins.git.history import DateRules
from sitemap_plugins.git.process import run_git, toplevel_of
from sitemap_plugins.git.repository import CATALOGUE, IGNORE_REVS
from sitemap_plugins.model import SHALLOW, FileDate, Note
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.reading import from_current
from sitemap_plugins.values.text import join_words
from sitemap_plugins.values.urls import InvalidURLError, page_key, parse_base_url, root_of, without_empty_folders
from sitemap_plugins.values.version_names import alias_in_url

# Reproducible-build tools without a date set SOURCE_DATE_EPOCH to the beginning of the ZIP calendar.
_PLACEHOLDER_EPOCH = 315_532_800

PLACEHOLDER_URL: Final = "http://localhost/"
"""The base URL of a site that has none, so that its pages can be dated."""


class Deployment(msgspec.Struct, frozen=True, kw_only=True):
    """What the environment says about a build.

    ``canonical_url`` is the site's URL according to the hosting service, from the variable ``canonical_variable``.
    ``as_of`` is ``SOURCE_DATE_EPOCH``. ``preview`` and ``robots_owner`` are as in `sitemap_plugins.model.Site`.
    ``unshallow`` says how to make the service clone the whole history; empty if there is no setting. ``service`` is
    where this runs, None for a person's machine. ``is_by_mike`` is true if mike runs the build, to add a version to a
    site.
    """

    canonical_url: str | None = None
    canonical_variable: str = "READTHEDOCS_CANONICAL_URL"
    preview: str | None = None
    robots_owner: str | None = None
    unshallow: str = ""
    service: str | None = None
    is_by_mike: bool = False
    as_of: datetime | None = None


READ_THE_DOCS: Final = "Read the Docs"

# The variables that services set to the site's URL, and for each a variable that is set on that service (PRE-02).
_CANONICAL: Final = {
    "READTHEDOCS_CANONICAL_URL": "READTHEDOCS_CANONICAL_URL",
    "URL": "NETLIFY",
    "VERCEL_PROJECT_PRODUCTION_URL": "VERCEL",  # without a scheme
    "CI_PAGES_URL": "GITLAB_CI",
}

# How to make each service clone the whole history, by a variable that the service sets.
_UNSHALLOW: Final = {
    "GITHUB_ACTIONS": "set fetch-depth: 0 for actions/checkout",
    "GITLAB_CI": 'set the variable GIT_DEPTH: "0"',
    "READTHEDOCS": "add git fetch --unshallow || true to build.jobs.post_checkout in .readthedocs.yaml",
    "VERCEL": "set the variable VERCEL_DEEP_CLONE=true",
    "BITBUCKET_BUILD_NUMBER": "set clone: depth: full in bitbucket-pipelines.yml",
    "TF_BUILD": "set fetchDepth: 0 in the checkout step",
    "TRAVIS": "set git: depth: false in .travis.yml",
    "APPVEYOR": "remove clone_depth from appveyor.yml",
    "CIRRUS_CI": "set the variable CIRRUS_CLONE_DEPTH=0",
}

# The variable that each service sets. Those that build on top of another one come first.
_SERVICES: Final = {
    "READTHEDOCS": "Read the Docs",
    "NETLIFY": "Netlify",
    "VERCEL": "Vercel",
    "CF_PAGES": "Cloudflare Pages",
    "GITHUB_ACTIONS": "GitHub Actions",
    "GITLAB_CI": "GitLab CI",
    "BITBUCKET_BUILD_NUMBER": "Bitbucket Pipelines",
    "TF_BUILD": "Azure Pipelines",
    "TRAVIS": "Travis CI",
    "APPVEYOR": "AppVeyor",
    "CIRRUS_CI": "Cirrus CI",
    "CIRCLECI": "CircleCI",
    "JENKINS_URL": "Jenkins",
    "CI": "another CI service",
}


def recognize_service(environ: Mapping[str, str]) -> str | None:
    """The name of the hosting or CI service on which this runs; None if there is none."""
    return next((name for variable, name in _SERVICES.items() if environ.get(variable)), None)


def read_deployment(environ: Mapping[str, str]) -> Deployment:
    """What the environment variables say about this build."""
    named = (name for name, service in _CANONICAL.items() if environ.get(name) and environ.get(service))
    variable = next(named, "READTHEDOCS_CANONICAL_URL")
    url = environ.get(variable) or None
    return Deployment(
        canonical_url=f"https://{url}" if url and variable.startswith("VERCEL_") else url,
        canonical_variable=variable,
        preview=_preview(environ),
        robots_owner=READ_THE_DOCS if environ.get("READTHEDOCS") == "True" else None,
        unshallow=next((how for name, how in _UNSHALLOW.items() if environ.get(name)), ""),
        service=recognize_service(environ),
        is_by_mike=bool(environ.get("MIKE_DOCS_VERSION")),
        as_of=_as_of(environ.get("SOURCE_DATE_EPOCH", "")),
    )


def _preview(environ: Mapping[str, str]) -> str | None:
    """The service whose variables say that this build is for a pull request or another temporary URL.

    Cloudflare Pages is left out: it does not say which branch is the production one, and mistaking the real site for a
    preview does more harm than the reverse.
    """
    get = environ.get
    is_preview = {
        "Read the Docs": get("READTHEDOCS_VERSION_TYPE") == "external",
        "Netlify": get("NETLIFY") == "true" and get("CONTEXT", "production") != "production",
        "Vercel": get("VERCEL") == "1" and get("VERCEL_ENV", "production") != "production",
        "GitLab CI": get("GITLAB_CI") == "true" and get("CI_PIPELINE_SOURCE") == "merge_request_event",
        # The event of a merge, which may well deploy, has another ref than an open pull request.
        "GitHub Actions": get("GITHUB_ACTIONS") == "true" and get("GITHUB_REF", "").startswith("refs/pull/"),
    }
    return next((service for service in is_preview if is_preview[service]), None)


def is_for_read_the_docs(root: str) -> bool:
    """Whether the project in a folder, or the repository around it, has a configuration for Read the Docs."""
    folders = filter(None, (root, toplevel_of(root)))
    return any(any(Path(folder).glob(".readthedocs.y*ml")) for folder in folders)


def _as_of(epoch: str) -> datetime | None:
    try:
        seconds = int(epoch)
        return datetime.fromtimestamp(seconds, UTC) if seconds > _PLACEHOLDER_EPOCH else None
    except (ValueError, OverflowError, OSError):
        return None


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


def whole_history(dates: Iterable[FileDate], rules: DateRules, setting: str) -> str:
    """How to get the dates that these shallow repositories lack, as the end of a sentence; empty if they lack none.

    ``setting`` makes the service that runs the build clone its repository as a whole, but not the submodules; it is
    empty if there is none. Old contents are fetched only if ``rules`` compare them.
    """
    files = [*dates]
    shallow = sorted({date.repository for date in files if date.reason == SHALLOW})
    ways = [way for toplevel in shallow for way in _ways(toplevel, files, rules, setting)]
    return join_words(ways) if ways else ""


def _ways(toplevel: str, files: Iterable[FileDate], rules: DateRules, setting: str) -> Iterator[str]:
    above = toplevel_of(os.path.dirname(toplevel))  # of a submodule
    folder = from_current(toplevel)
    where = "" if folder in {"", os.curdir} else f"-C {shlex.quote(folder)} "
    way = setting if setting and above is None else f"run git {where}fetch --unshallow"
    names = [date.path for date in files if date.repository == toplevel]
    has_catalogues = rules.catalogues and any(name.endswith(CATALOGUE.decode()) for name in names)
    # Only renames with edits in ignored commits need old contents.
    ignored = rules.ignore_revs or (rules.ignore_revs is None and os.path.exists(os.path.join(toplevel, IGNORE_REVS)))
    if not has_catalogues and not (ignored and rules.follow_renames):
        way = way.replace("--unshallow", "--unshallow --filter=blob:none")
    yield way
    if above and b"true" in run_git(above, "config", "--file", ".gitmodules", "--get-regexp", r"\.shallow$").stdout:
        yield "remove shallow = true from .gitmodules"
