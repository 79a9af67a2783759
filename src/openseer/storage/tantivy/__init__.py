"""The search index in Tantivy."""
