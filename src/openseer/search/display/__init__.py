"""Snippets and highlighting."""
