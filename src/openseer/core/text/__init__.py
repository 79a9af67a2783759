"""Text functions: normalisation, person names, spelling variants, CJK bigrams, diffs."""
