"""Turn pages into entries: front matter, dates and media, and the reasons to leave a page out."""
