"""Finding and fetching files: local folders, URLs, archives, bibliographies."""
