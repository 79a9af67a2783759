"""Office formats of ZIP members: DOCX, PPTX and ODT, with what all readers of word processors share."""
