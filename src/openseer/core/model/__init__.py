"""The domain model: frozen classes that use the standard library only."""
