"""Home, browsing, statistics and author pages."""
