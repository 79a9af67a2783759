"""Generated test documents: PDF variants and synthetic extractions."""
