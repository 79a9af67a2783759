"""Inference of gradient-boosted trees."""
