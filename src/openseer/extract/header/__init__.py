"""The header of a paper: title, authors, affiliations, abstract, identifiers, publication."""
