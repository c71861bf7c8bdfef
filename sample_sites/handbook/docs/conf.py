"""The configuration of the orchard's handbook."""

project = "Orchard handbook"
author = "The orchard keepers"
extensions = ["myst_parser", "sitemap_plugins.sphinx"]
html_theme = "furo"
html_baseurl = "https://orchard.example/"
html_extra_path = ["extra"]

sitemap_options = {
    "files": ["**/*.pdf", "/licence.txt"],
    "gzip": True,
    "images": "separate",
    "limit": {"urls": 3},
    "schema_location": True,
    "sections": {
        "trees": ["trees/**"],  # by URL
        "tools": {"source": "tools/*.md"},
        "downloads": {"match": ["**/*.pdf", "/licence.txt"]},
        "seasons": {},  # pages say themselves that they are in it
    },
    "text": True,
}
