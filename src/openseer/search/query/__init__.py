"""Query parser, query explanation and query relaxation."""
