"""Records in SQL: the same statements for SQLite and PostgreSQL."""
