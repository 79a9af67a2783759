"""RTF: control words to paragraphs with styles, tables and notes."""
