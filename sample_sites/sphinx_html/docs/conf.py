"""The configuration of Tidewatch's documentation."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

project = "Tidewatch"
author = "The Tidewatch developers"
extensions = ["sphinx.ext.autodoc", "sphinx.ext.viewcode", "sitemap_plugins.sphinx"]
html_theme = "alabaster"
html_baseurl = "https://harbour.example/software/tidewatch"

sitemap_options = {
    "adjust": "sitemap_rules:adjust",
    "pages": [
        {"match": "howto/**", "priority": 0.6},
        {"source": "howto/calibrate.rst", "changefreq": "yearly"},
    ],
}
