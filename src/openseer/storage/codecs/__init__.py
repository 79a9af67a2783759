"""Binary formats of stored values."""
