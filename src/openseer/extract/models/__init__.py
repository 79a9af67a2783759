"""Trained models of the extractors, each with a card."""
