"""Home page, browsing lists, statistics, author and venue pages."""
