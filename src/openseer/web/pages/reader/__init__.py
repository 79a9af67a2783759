"""Reading view and evidence pages."""
