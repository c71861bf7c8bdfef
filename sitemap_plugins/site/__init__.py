"""A published site, as files in a folder or as its server sent it, and what a build of its pages would list."""
