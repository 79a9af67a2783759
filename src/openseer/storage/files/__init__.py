"""File stores."""
