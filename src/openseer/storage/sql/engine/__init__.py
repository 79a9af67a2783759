"""Database engines: connections, dialects, migrations, transfer."""
