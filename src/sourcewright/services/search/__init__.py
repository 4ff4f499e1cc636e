"""Web search: engines, fallback, ranking, search and read."""
