"""Page layout: lines, columns, paragraphs, sentences, headings and language of the text."""
