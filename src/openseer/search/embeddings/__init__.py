"""Text embeddings: encoder, tokenizer and model conversion."""
