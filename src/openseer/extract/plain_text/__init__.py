"""Plain text: encodings, and the structure that its lines show."""
