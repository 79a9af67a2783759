"""Sections, headings and the outline of a paper."""
