"""Parses citation strings: authors, title, venue, year, volume, issue, pages, identifiers."""
