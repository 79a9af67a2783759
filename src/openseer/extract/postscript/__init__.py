"""PostScript and EPS: converted to PDF by Ghostscript, and read as such."""
