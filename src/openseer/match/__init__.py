"""Entity resolution: blocking keys, sketch, pairwise matcher, clustering, field voting."""
