"""Reads sites from their servers, and tells search engines what changed there."""
