"""Main content, tables and self-description of HTML pages, from their text alone."""
