"""Output formats of an extraction."""
