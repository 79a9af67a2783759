"""Metrics for each kind of gold standard."""
