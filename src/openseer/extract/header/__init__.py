"""Header of a paper: title, authors, affiliations, abstract, identifiers, publication data."""
