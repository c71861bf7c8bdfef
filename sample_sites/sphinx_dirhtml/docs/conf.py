"""The configuration of the Hivescale manual."""

project = "Hivescale"
author = "The Hivescale workshop"
extensions = ["myst_parser", "sitemap_plugins.sphinx"]
html_theme = "furo"
html_baseurl = "https://hivescale.example/"
html_extra_path = ["extra"]

sitemap_options = {
    "gzip": True,
    "generated_pages": ["genindex/"],
}
