"""Shared foundations: errors, settings, the domain model, text functions, tree inference and worker processes."""
