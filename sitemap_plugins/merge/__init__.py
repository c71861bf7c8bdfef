"""Joins languages or versions that were built separately and published in one folder."""
