"""Questions and answers: the query language, and what a result shows."""
