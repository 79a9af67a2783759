"""Classification of documents as scholarly: features, classifier and admission filter."""
