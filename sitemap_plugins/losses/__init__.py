"""Finds the URLs of a snapshot that lead nowhere in a later one, and tells who lost them; for builds and ``diff``."""
