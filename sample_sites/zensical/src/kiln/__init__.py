"""Watch a kiln."""

from kiln.probe import read

__all__ = ["read"]
