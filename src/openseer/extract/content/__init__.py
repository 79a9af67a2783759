"""Content extractors: acknowledgments, funders, keyphrases, key sentences and subjects."""
