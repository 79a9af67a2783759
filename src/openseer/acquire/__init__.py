"""Acquisition of input files: local folders, URLs, archives, bibliographies."""
