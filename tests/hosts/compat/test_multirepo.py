"""mkdocs-multirepo copies documents from other repositories without their history."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mkdocs_multirepo_plugin")


@pytest.fixture
def other(repository: Any, tmp_path: Path) -> str:
    """The URL of another repository with a document."""
    other = type(repository)(tmp_path / "other")
    other.write("docs/page.md", "# Page\n")
    other.write("docs/index.md", "# Whole\n")
    other.write("mkdocs.yml", "site_name: Whole\n")
    other.commit("2025-05-05T12:00:00+00:00")
    return f"{other.path.as_uri()}?branch=main"


@pytest.fixture
def site(mkdocs_site: Any, repository: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    repository.write("docs/index.md", "# Home\n")
    repository.commit("2026-01-01T12:00:00+00:00")
    monkeypatch.chdir(repository.path)
    return mkdocs_site.at(repository.path)


def test_pages_of_other_repositories_have_no_date_and_the_log_says_why(site: Any, other: str) -> None:
    options = {"repos": [{"section": "Other", "import_url": other}]}
    built = site.build(plugins=[{"multirepo": options}], edit_uri="edit/main/")
    assert not built.failed, built.warnings
    assert built.days == {"": "2026-01-01", "Other/": "", "Other/page/": ""}
    (said,) = built.said("no date from git", level="info")
    assert "2 pages have no date from git, because mkdocs-multirepo copies documents" in said
    assert "submodules" in said
