"""References in exchange formats: BibTeX, CSL-JSON, RIS and plain lists, read and written."""
