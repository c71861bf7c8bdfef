"""The record of a build: its dates, redirects and what is gone, for later builds and for ``diff``."""
