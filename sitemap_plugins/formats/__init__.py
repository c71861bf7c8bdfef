"""Bytes in and out: each file format that search engines and feed readers know, as pure functions."""
