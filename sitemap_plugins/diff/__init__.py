"""Compares two snapshots of a site, and finds what replaces lost pages and the redirects to add."""
