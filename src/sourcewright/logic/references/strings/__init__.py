"""Takes citation strings apart: authors, title, venue, year, volume, issue, pages, identifiers."""
