"""From pages to entries: what git, the rendered page and its front matter say."""
