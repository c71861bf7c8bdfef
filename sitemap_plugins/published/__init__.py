"""Reads what is published in a folder: its files, its sitemaps, and the pages behind their URLs."""
