"""HTML: main text with roles, and the metadata of the page."""
