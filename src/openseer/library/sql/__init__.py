"""The records in SQL: one language that SQLite speaks now and PostgreSQL will."""
