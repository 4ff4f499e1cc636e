"""Key-value stores: in memory, in SQLite, layered, encrypted."""
