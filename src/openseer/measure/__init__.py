"""How good is the reading? Scores of the default configuration against gold."""
