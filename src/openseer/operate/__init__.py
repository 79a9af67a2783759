"""Keeping a library healthy."""
