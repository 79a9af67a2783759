"""The records in SQL: one language that SQLite and PostgreSQL both speak."""
