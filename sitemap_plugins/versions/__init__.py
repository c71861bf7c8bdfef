"""Recognizes the versions in a published folder, and chooses the canonical one."""
