"""What is kept: records (the truth), files, and the index (a projection of both)."""
