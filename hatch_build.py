"""What the package's metadata says about addresses: its URLs, and the README with links that work on an index.

hatchling runs it. hatch-fancy-pypi-readme replaces text too, but its replacements are constants of pyproject.toml: they
would repeat the addresses of sitemap_plugins/project.py, and a repository without an address would need other patterns.
"""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.metadata.plugin.interface import MetadataHookInterface

# A link or picture of Markdown whose target is a file of the repository; without spaces, so never across code.
RELATIVE = re.compile(r"(?P<kind>!?)\[(?P<text>[^][]*)\]\((?P<target>(?!\w+:|#)[^\s()]+)\)")


class Home(NamedTuple):
    """The ``root`` of a checkout, and the addresses in its sitemap_plugins/project.py."""

    root: Path
    manual: str
    repository: str | None

    def find(self, target: str) -> str | None:
        """The URL of a relative link: of a page or picture of the manual, else of a file of the repository, if any."""
        name, mark, anchor = target.partition("#")
        page = name.removeprefix("docs/") if name.startswith("docs/") else name.lower()
        if page.endswith(".py") or not (self.root / "docs" / page).is_file():
            kind = "tree" if name.endswith("/") else "blob"
            return self.repository and f"{self.repository}/{kind}/main/{target.rstrip('/')}"
        place = f"{page.removesuffix('.md')}/" if page.endswith(".md") else page
        return f"{self.manual}{'' if page == 'index.md' else place}{mark}{anchor}"

    def absolute(self, text: str) -> str:
        """The text with a URL for each relative link, or without the link if there is none."""
        return RELATIVE.sub(self._absolute, text)

    def _absolute(self, match: re.Match[str]) -> str:
        url = self.find(match["target"])
        return f"{match['kind']}[{match['text']}]({url})" if url else match["text"]

    def urls(self) -> dict[str, str]:
        """The project's URLs, under the labels that indexes know."""
        urls = {"Documentation": self.manual, "Changelog": self.find("CHANGELOG.md")}
        if self.repository:
            urls |= {"Source": self.repository, "Issues": f"{self.repository}/issues"}
        return {label: url for label, url in urls.items() if url}


def read_home(root: Path) -> Home:
    """The home as its source says."""
    names = runpy.run_path(str(root / "sitemap_plugins" / "project.py"))
    return Home(root, names["MANUAL"], names["REPOSITORY"])


class AddressHook(MetadataHookInterface):
    """Fills in ``readme`` and ``urls``, which pyproject.toml declares as dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """See the class."""
        home = read_home(Path(self.root))
        text = (home.root / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": home.absolute(text)}
        metadata["urls"] = home.urls()
