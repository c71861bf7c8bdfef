"""Where this build runs, read from environment variables: a preview, a hosting service, a fixed date."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

import msgspec

# Reproducible-build tools without a date set SOURCE_DATE_EPOCH to the beginning of the ZIP calendar.
_PLACEHOLDER_EPOCH = 315_532_800


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
        robots_owner="Read the Docs" if environ.get("READTHEDOCS") == "True" else None,
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


def _as_of(epoch: str) -> datetime | None:
    try:
        seconds = int(epoch)
        return datetime.fromtimestamp(seconds, UTC) if seconds > _PLACEHOLDER_EPOCH else None
    except (ValueError, OverflowError, OSError):
        return None
