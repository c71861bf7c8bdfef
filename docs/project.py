"""Write what depends on the project's addresses and on action.yml into files that cannot look these up.

    python docs/project.py

* CITATION.cff and .github/ISSUE_TEMPLATE/config.yml
* the badge below the title of README.md
* links to the repository, where a text speaks of it (``MENTIONS``)
* the hook in check.md, and the section about action.yml at the end of ci.md

The addresses are those of ``sitemap_plugins/project.py``. Without the address of the repository, the badge and all
links to it are left out, and examples have a placeholder. A test compares the files with what this program writes.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

from sitemap_plugins import __version__
from sitemap_plugins.project import MANUAL, REPOSITORY

ROOT = Path(__file__).resolve().parent.parent
WRITTEN = "python -m nox -s reference writes"

CITATION = f"""\
# {WRITTEN} this file from pyproject.toml and the addresses in sitemap_plugins/project.py.
cff-version: 1.2.0
message: If you use this software, please cite it as below.
type: software
title: {{title}}
abstract: "{{abstract}}"
authors:
  - name: {{author}}
version: {__version__}
license: {{licence}}
url: {{manual}}
"""

CONTACTS = f"""\
# {WRITTEN} this file from the addresses in sitemap_plugins/project.py.
blank_issues_enabled: true
contact_links:
  - name: Troubleshooting
    about: Most messages and wrong dates have an explanation here.
    url: {{manual}}troubleshooting/
"""

ADVISORY = """\
  - name: Vulnerability
    about: Please report it privately, not as an issue.
    url: {repository}/security/advisories/new
"""

BADGE = "[![Tests]({repository}/actions/workflows/tests.yml/badge.svg)]({repository}/actions/workflows/tests.yml)\n\n"

PLACEHOLDER = "https://github.com/OWNER/sitemap-plugins"

# Words about the repository and where they lead below its address, by file; each file has its words once.
MENTIONS = {
    "README.md": ("a clone of this repository", ""),
    "SECURITY.md": ("security page of the repository", "/security/advisories/new"),
    "docs/rules.md": ("`tests/` in the repository", "/tree/main/tests"),
    "docs/troubleshooting.md": ("clone the repository of the plugin", ""),
}

ACTION = f"""\
<!-- action: {WRITTEN} what follows from action.yml. -->

## As a GitHub action

The plugin's repository is also an action. It installs the plugin in an environment of its own and runs the commands for
sites that are already built. With `branch` and `retire: true`, it replaces the last two steps of the
[workflow for mike](mike.md#github-actions), and fetches the branch if the clone does not have it. There, a function
that you set with the option [`adjust`](options.md#adjust) can import only the plugin and Python's own modules.

```yaml
- uses: {{action}}@v{__version__}
  with:
    branch: gh-pages
    retire: true
```

Without `branch`, it writes the sitemap of a site that any generator built:

```yaml
- uses: {{action}}@v{__version__}
  with:
    path: public
```

| input | meaning |
| --- | --- |
{{rows}}"""

HOOK = """\
  - repo: {repository}
    rev: v{version}
"""


def files(manual: str = MANUAL, repository: str | None = REPOSITORY) -> dict[str, str]:
    """The text of each file by its path, for these addresses."""
    texts = {name: _read(name) for name in MENTIONS}
    for name, (words, below) in MENTIONS.items():
        texts[name] = _link(texts[name], words, repository and repository + below)
    texts["README.md"] = _with_badge(texts["README.md"], repository)
    texts["CITATION.cff"] = _citation(manual, repository)
    advisory = ADVISORY.format(repository=repository) if repository else ""
    texts[".github/ISSUE_TEMPLATE/config.yml"] = CONTACTS.format(manual=manual) + advisory
    address = repository or PLACEHOLDER
    texts["docs/ci.md"] = _read("docs/ci.md").partition("<!-- action:")[0] + _action(address)
    hook = HOOK.format(repository=address, version=__version__)
    texts["docs/check.md"] = re.sub(r"  - repo: .*\n    rev: .*\n", hook, _read("docs/check.md"))
    return texts


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def _link(text: str, words: str, url: str | None) -> str:
    """The text with these words as a link, or without the link. Raises ValueError if it does not have them once."""
    bare = re.sub(rf"\[{re.escape(words)}]\([^)]*\)", words, text)
    if bare.count(words) != 1:
        raise ValueError(f"write {words!r} once, or change MENTIONS in docs/project.py")
    return bare.replace(words, f"[{words}]({url})") if url else bare


def _with_badge(readme: str, repository: str | None) -> str:
    title, blank, rest = readme.partition("\n\n")
    if rest.startswith("[![Tests]"):
        rest = rest.partition("\n\n")[2]
    return title + blank + (BADGE.format(repository=repository) if repository else "") + rest


def _citation(manual: str, repository: str | None) -> str:
    project = tomllib.loads(_read("pyproject.toml"))["project"]
    text = CITATION.format(
        title=project["name"],
        abstract=project["description"],
        author=project["authors"][0]["name"],
        licence=project["license"],
        manual=manual,
    )
    return text + (f"repository-code: {repository}\n" if repository else "")


def _action(repository: str) -> str:
    """The section about the action. ``uses:`` names owner and repository, which is the path of its address."""
    action = "/".join(repository.split("/")[-2:])
    inputs = yaml.safe_load(_read("action.yml"))["inputs"]
    rows = "".join(f"| `{name}` | {each['description']} |\n" for name, each in inputs.items())
    return ACTION.format(action=action, rows=rows)


if __name__ == "__main__":
    for path, content in files().items():
        (ROOT / path).write_text(content, encoding="utf-8", newline="\n")
        print(path)
