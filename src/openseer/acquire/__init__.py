"""Resources come in: from folders now; crawls of others, uploads and our own crawler stand beside."""
