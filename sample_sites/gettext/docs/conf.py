"""The configuration of the Carillon manual. For another language than English, say so on the command line:

python -m sphinx -D language=nl -D html_baseurl=https://carillon.example/nl/ -b html docs SITE/nl
"""

project = "Carillon"
author = "The Carillon bell ringers"
extensions = ["sitemap_plugins.sphinx"]
html_theme = "alabaster"
html_baseurl = "https://carillon.example/"
html_extra_path = ["extra"]
language = "en"
gettext_compact = False  # one catalogue for each page, also for those in folders
