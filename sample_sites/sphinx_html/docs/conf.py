"""The configuration of Tidewatch's documentation."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

project = "Tidewatch"
author = "The Tidewatch developers"
extensions = ["sphinx.ext.autodoc", "sphinx.ext.viewcode", "sitemap_plugins.sphinx"]
html_theme = "nature"
html_last_updated_fmt = "%d %B %Y"
html_baseurl = "https://harbour.example/software/tidewatch"

sitemap_options = {
    "adjust": "sitemap_rules:adjust",
    "expose": True,  # pages show the dates of the sitemap
    "record": "site-record.json",
    "pages": [
        {"match": "howto/**", "priority": 0.6},
        {"source": "howto/calibrate.rst", "changefreq": "yearly"},
        {"source": "releases.rst", "depends_on": "../tidewatch/__init__.py"},
    ],
}
