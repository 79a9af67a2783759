"""Ingest: the only package that knows the order of the steps."""
