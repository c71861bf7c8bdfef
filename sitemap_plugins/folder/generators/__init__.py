"""The supported generators: how to recognize them, their sitemaps, and the sources of their pages."""

from sitemap_plugins.folder.generators.blog_posts import Blog, read_blogs
from sitemap_plugins.folder.generators.document import Document
from sitemap_plugins.folder.generators.recognizing import (
    GENERATORS,
    Generator,
    Project,
    find_project,
    recognize_generator,
)

__all__ = [
    "GENERATORS",
    "Blog",
    "Document",
    "Generator",
    "Project",
    "find_project",
    "read_blogs",
    "recognize_generator",
]
