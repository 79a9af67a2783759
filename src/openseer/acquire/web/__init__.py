"""Fetching files from the web."""
