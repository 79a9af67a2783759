"""Uploaded files and fetched URLs."""
