"""Work pages."""
