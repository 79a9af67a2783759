"""Evaluation against gold standards."""
