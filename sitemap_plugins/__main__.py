"""``python -m sitemap_plugins`` is the command ``sitemap-plugins``."""

from __future__ import annotations

from sitemap_plugins.commands.main import main

if __name__ == "__main__":
    main(prog_name="sitemap-plugins")
