"""Compares two snapshots of a site: what is lost, what replaces it, and the redirects to add; the command ``diff``."""
