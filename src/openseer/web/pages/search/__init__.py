"""Search pages."""
