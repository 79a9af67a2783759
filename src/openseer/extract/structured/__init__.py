"""Documents without pages: blocks of text with their roles, typeset into pages for the extractors."""
