"""Metadata of a page from JSON-LD, meta tags, microdata and the lines near its headline."""
