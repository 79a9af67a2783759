"""The search service: queries, ranking, snippets, pagination, similar works."""
