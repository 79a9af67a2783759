"""Re-ranking of candidates: features, linear model, forward index, training."""
