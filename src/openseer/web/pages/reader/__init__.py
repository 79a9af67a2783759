"""Reading view of a paper, and evidence page of its extraction."""
