"""Benchmarks: indexing, ingest and server load."""
