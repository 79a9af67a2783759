"""Citation markers in the text and the references they name."""
