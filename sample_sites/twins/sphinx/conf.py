"""The same pages as those of the MkDocs twin, and the same options."""

project = "Pocket sundial"
author = "The sundial makers"
extensions = ["myst_parser", "sitemap_plugins.sphinx"]
html_theme = "alabaster"
html_baseurl = "https://sundial.example/"

sitemap_options = {
    "gzip": True,
    "pages": [{"match": "care/**", "priority": 0.6}],
}
