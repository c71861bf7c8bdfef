"""Two published states of a site compared: which URLs are gone, moved or changed, and the redirects to add.

The package reads states from built folders, evidence and sitemaps; comparing them is pure.
"""
