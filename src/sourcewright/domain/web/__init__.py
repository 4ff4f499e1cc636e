"""Web pages and searches: queries, hits, readings, links, lenses, claims."""
