"""Web search: operators, results, hints, filters."""
