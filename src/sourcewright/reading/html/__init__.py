"""HTML: main content as Markdown, tables, formulas, metadata, hidden text."""
