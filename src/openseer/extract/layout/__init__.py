"""Lines, paragraphs, sentences and the language of a text."""
