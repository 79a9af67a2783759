"""Structured logs and counters."""
