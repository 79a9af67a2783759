"""Parsers of bibliography files: BibTeX, RIS, CSL-JSON, CSV."""
