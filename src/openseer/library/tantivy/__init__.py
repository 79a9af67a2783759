"""The embedded search index: Tantivy, one writer process, any number of readers."""
