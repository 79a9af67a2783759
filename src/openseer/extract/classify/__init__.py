"""Is a document a scholarly paper? Features, classifier and admission filter."""
