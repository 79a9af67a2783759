"""Download of files from the web."""
