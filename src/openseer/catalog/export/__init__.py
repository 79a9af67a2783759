"""Export formats: BibTeX, RIS, Refer, CSL-JSON, XML, Atom and RSS."""
