"""Builds a site of two pages with the installed package and one host: ``python tests/installed.py mkdocs``.

``python -m nox -s build`` runs it in environments that have nothing but the wheel and the host, or no host (``none``).
"""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BASE = "https://docs.example.org/"
FILES = {
    "docs/index.md": "# Home\n",
    "docs/guide.md": "# Guide\n",
    "mkdocs.yml": f"site_name: Example\nsite_url: {BASE}\nplugins: [sitemap]\n",
    "docs/index.rst": "Home\n====\n\n.. toctree::\n\n   guide\n",
    "docs/guide.rst": "Guide\n=====\n",
    "docs/conf.py": f'extensions = ["sitemap_plugins.sphinx"]\nhtml_baseurl = "{BASE}"\n',
}
COMMANDS = {
    "mkdocs": ["mkdocs", "build", "--strict", "--site-dir", "site"],
    "sphinx": ["sphinx", "-W", "-b", "dirhtml", "docs", "site"],
}
URLS = {BASE, f"{BASE}guide/"}


def run(*command: str, folder: str) -> str:
    """What the command of a module prints; a failure ends this program."""
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def main(host: str) -> None:
    """Check the command line, and the sitemap that the host writes."""
    import sitemap_plugins

    place, version = Path(sitemap_plugins.__file__), importlib.metadata.version("sitemap-plugins")
    if Path(sys.prefix).resolve() not in place.resolve().parents or sitemap_plugins.__version__ != version:
        raise SystemExit(f"{place} is not the installed package, version {version}")
    script = Path(sys.executable).with_name("sitemap-plugins")
    subprocess.run([script, "--help"], check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as folder:
        if host not in COMMANDS:
            run("sitemap_plugins", "--help", folder=folder)
            return
        for name, content in FILES.items():
            if not (host == "mkdocs" and name.endswith((".rst", ".py"))):
                file = Path(folder, name)
                file.parent.mkdir(exist_ok=True)
                file.write_text(content, encoding="utf-8")
        run(*COMMANDS[host], folder=folder)
        urls = set(re.findall("<loc>([^<]+)</loc>", Path(folder, "site", "sitemap.xml").read_text(encoding="utf-8")))
    if urls != URLS:
        raise SystemExit(f"the sitemap of {host} lists {sorted(urls)}")


if __name__ == "__main__":
    main(sys.argv[1])
