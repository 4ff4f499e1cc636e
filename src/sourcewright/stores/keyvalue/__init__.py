"""Key-value stores: memory, SQLite, layered, sealed."""
