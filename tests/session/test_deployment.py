"""What a build learns from the environment variables of hosting services."""

from datetime import UTC, datetime

import pytest

from sitemap_plugins.session.deployment import Deployment, read_deployment
from sitemap_plugins.values.urls import preview_at


def test_an_empty_url_is_none() -> None:
    assert read_deployment({"READTHEDOCS_CANONICAL_URL": ""}).canonical_url is None


def test_an_empty_environment() -> None:
    assert read_deployment({}) == Deployment(
        canonical_url=None, preview=None, robots_owner=None, unshallow="", as_of=None
    )


@pytest.mark.parametrize(
    ("environ", "preview"),
    [
        ({"READTHEDOCS": "True", "READTHEDOCS_VERSION_TYPE": "external"}, "Read the Docs"),
        ({"READTHEDOCS": "True", "READTHEDOCS_VERSION_TYPE": "branch"}, None),
        ({"NETLIFY": "true", "CONTEXT": "deploy-preview"}, "Netlify"),
        ({"NETLIFY": "true", "CONTEXT": "branch-deploy"}, "Netlify"),
        ({"NETLIFY": "true", "CONTEXT": "production"}, None),
        ({"NETLIFY": "true"}, None),
        ({"CONTEXT": "deploy-preview"}, None),
        ({"VERCEL": "1", "VERCEL_ENV": "preview"}, "Vercel"),
        ({"VERCEL": "1", "VERCEL_ENV": "production"}, None),
        ({"VERCEL": "1"}, None),
        ({"VERCEL_ENV": "preview"}, None),
        ({"CF_PAGES": "1", "CF_PAGES_BRANCH": "topic"}, None),
        ({"GITLAB_CI": "true", "CI_PIPELINE_SOURCE": "merge_request_event"}, "GitLab CI"),
        ({"GITLAB_CI": "true", "CI_PIPELINE_SOURCE": "push"}, None),
        ({"CI_PIPELINE_SOURCE": "merge_request_event"}, None),
        ({"GITHUB_ACTIONS": "true", "GITHUB_REF": "refs/pull/7/merge"}, "GitHub Actions"),
        ({"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "push"}, None),
        ({"GITHUB_REF": "refs/pull/7/merge"}, None),
    ],
)
def test_a_preview_is_recognized_by_the_variables_of_its_service(environ: dict[str, str], preview: str | None) -> None:
    assert read_deployment(environ).preview == preview


@pytest.mark.parametrize(("value", "owner"), [("True", "Read the Docs"), ("False", None), ("", None)])
def test_read_the_docs_owns_robots_txt(value: str, owner: str | None) -> None:
    assert read_deployment({"READTHEDOCS": value}).robots_owner == owner


@pytest.mark.parametrize(
    ("environ", "url", "variable"),
    [
        ({"NETLIFY": "true", "URL": "https://x.example"}, "https://x.example", "URL"),
        ({"URL": "https://x.example"}, None, "READTHEDOCS_CANONICAL_URL"),
        ({"NETLIFY": "true", "URL": ""}, None, "READTHEDOCS_CANONICAL_URL"),
        (
            {"VERCEL": "1", "VERCEL_PROJECT_PRODUCTION_URL": "x.example"},
            "https://x.example",
            "VERCEL_PROJECT_PRODUCTION_URL",
        ),
        ({"VERCEL_PROJECT_PRODUCTION_URL": "x.example"}, None, "READTHEDOCS_CANONICAL_URL"),
        ({"GITLAB_CI": "true", "CI_PAGES_URL": "https://a.gitlab.io/b"}, "https://a.gitlab.io/b", "CI_PAGES_URL"),
        ({"CI_PAGES_URL": "https://a.gitlab.io/b"}, None, "READTHEDOCS_CANONICAL_URL"),
        (
            {"READTHEDOCS_CANONICAL_URL": "https://r.example/", "NETLIFY": "true", "URL": "https://x.example"},
            "https://r.example/",
            "READTHEDOCS_CANONICAL_URL",
        ),
    ],
)
def test_each_service_has_its_own_variable_for_the_url(environ: dict[str, str], url: str | None, variable: str) -> None:
    """PRE-02."""
    deployment = read_deployment(environ)
    assert (deployment.canonical_url, deployment.canonical_variable) == (url, variable)


@pytest.mark.parametrize(
    ("epoch", "as_of"),
    [
        ("1772359200", datetime(2026, 3, 1, 10, 0, tzinfo=UTC)),
        ("315532801", datetime(1980, 1, 1, 0, 0, 1, tzinfo=UTC)),
        # The earliest date of the ZIP format stands for "no date"; earlier dates are not used either.
        ("315532800", None),
        ("-1", None),
        ("", None),
        ("soon", None),
        ("9" * 30, None),
        ("9" * 5000, None),
    ],
)
def test_the_date_of_the_build_is_source_date_epoch_if_it_is_valid(epoch: str, as_of: datetime | None) -> None:
    assert read_deployment({"SOURCE_DATE_EPOCH": epoch}).as_of == as_of


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({"GITHUB_ACTIONS": "true", "CI": "true"}, "set fetch-depth: 0 for actions/checkout"),
        ({"GITLAB_CI": "true", "CI": "true"}, 'set the variable GIT_DEPTH: "0"'),
        ({"READTHEDOCS": "True"}, "add git fetch --unshallow || true to build.jobs.post_checkout in .readthedocs.yaml"),
        ({"VERCEL": "1", "CI": "1"}, "set the variable VERCEL_DEEP_CLONE=true"),
        ({"BITBUCKET_BUILD_NUMBER": "7"}, "set clone: depth: full in bitbucket-pipelines.yml"),
        ({"TF_BUILD": "True"}, "set fetchDepth: 0 in the checkout step"),
        ({"TRAVIS": "true"}, "set git: depth: false in .travis.yml"),
        ({"APPVEYOR": "True"}, "remove clone_depth from appveyor.yml"),
        ({"CIRRUS_CI": "true"}, "set the variable CIRRUS_CLONE_DEPTH=0"),
        ({"CI": "true", "NETLIFY": "true"}, ""),
        ({"GITHUB_ACTIONS": ""}, ""),
    ],
)
def test_each_service_has_its_own_way_to_the_full_history(environ: dict[str, str], words: str) -> None:
    assert read_deployment(environ).unshallow == words


@pytest.mark.parametrize(
    ("url", "preview"),
    [
        ("https://docs--7.org.readthedocs.build/en/7/", "Read the Docs"),
        ("https://DOCS--7.Org.ReadTheDocs.build/", "Read the Docs"),
        ("https://deploy-preview-7--docs.netlify.app/", "Netlify"),
        ("https://deploy-preview-7--docs.netlify.app:8443/a/", "Netlify"),
        # A production site could be at these URLs.
        ("https://docs.readthedocs.io/en/latest/", None),
        ("https://docs.netlify.app/", None),
        ("https://main--docs.netlify.app/", None),
        ("https://docs.vercel.app/", None),
        ("https://topic.docs.pages.dev/", None),
        ("https://org.gitlab.io/docs/", None),
        ("https://readthedocs.build.example.org/", None),
        ("https://notreadthedocs.build/", None),
        ("https://example.org/deploy-preview-7--docs.netlify.app", None),
        ("https://deploy-preview-7.example.org/", None),
        ("", None),
    ],
)
def test_some_hosts_only_have_previews(url: str, preview: str | None) -> None:  # SM-LOC-12, PRE-01
    assert preview_at(url) == preview
