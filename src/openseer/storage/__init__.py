"""Storage: protocols, codecs and their backends; `open.py` chooses the backends."""
