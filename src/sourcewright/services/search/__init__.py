"""Web search: engines, fallback, ranking, and reading of results."""
