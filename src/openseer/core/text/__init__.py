"""Text functions: normalization, person names, spelling variants, CJK bigrams, diffs and patterns."""
