"""Trained models of the extractors, each with a model card."""
