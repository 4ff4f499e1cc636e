"""Natural language: sentences, terms, stems, numbers with units."""
