"""Tables of a page: where they are, their columns, rows and cells, and parts over several pages."""
