"""Evaluation against gold standards, benchmarks, and sample papers."""
