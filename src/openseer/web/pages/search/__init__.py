"""Result pages and feeds, advanced search, citing sentences, help."""
