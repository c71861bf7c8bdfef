"""Sites for the tests of ``check``, and the snapshot of the reports about all examples of the manual.

``python -m tests.check.sites`` writes the snapshot again. Read its diff before you commit it.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from sitemap_plugins.check.checking import check
from sitemap_plugins.commands.check import describe_site
from sitemap_plugins.findings.catalogue import RULES, explain
from sitemap_plugins.findings.grouping import Finding
from sitemap_plugins.findings.printing import describe_findings
from sitemap_plugins.folder.configuration import Configuration, read_configuration, read_settings_of
from sitemap_plugins.site.published_site import PublishedSite, read_site
from tests.check.examples import complete
from tests.findings.test_grouping import EXPLAINED

WRITTEN = 1_780_000_000  # 2026-05-28
IN_FOLDERS = [rule for rule in RULES if "://" not in "".join(EXPLAINED.get(rule, {}).get("bad", ()))]
"""The rules about what is in a folder; the others are about the answers of a server (tests/live)."""

SNAPSHOT = Path(__file__).with_name("reports.txt")


def write(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write these files into a folder, all at the same time in their metadata."""
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
        os.utime(folder / path, (WRITTEN, WRITTEN))
    return folder


def read(folder: Path, *, with_project: bool = True) -> PublishedSite:
    """The site in a folder, with the configuration in the same folder if it counts."""
    configuration = read_configuration(str(folder)) if with_project else Configuration(root=str(folder))
    return read_site(str(folder), configuration, read_settings_of(configuration))


def find(folder: Path, files: Mapping[str, bytes], *, with_project: bool = True) -> tuple[Finding, ...]:
    """The findings about a site with these files."""
    return check(read(write(folder, files), with_project=with_project))


def report_examples() -> str:
    """What ``check`` prints about the bad example of each rule."""
    texts = []
    for rule in IN_FOLDERS:
        with tempfile.TemporaryDirectory() as folder:
            site = read(write(Path(folder), complete(explain(rule).bad)))
            texts.append("\n".join([f"# {rule}", *describe_site(site), *describe_findings(check(site)), ""]))
    return "\n".join(texts)


if __name__ == "__main__":
    SNAPSHOT.write_text(report_examples(), encoding="utf-8")
