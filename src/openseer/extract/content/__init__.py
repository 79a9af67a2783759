"""Acknowledgments, funders, keyphrases, key sentences and subjects."""
