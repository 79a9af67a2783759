"""Records to index: projection, synchronization, embeddings."""
