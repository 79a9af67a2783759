"""Output formats of `openseer extract`."""
