"""Export formats."""
