"""The edges of pages: running heads, footers and page numbers."""
