"""Collections made by others, as streams of resources."""
