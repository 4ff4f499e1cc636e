"""References as people exchange them: BibTeX, CSL-JSON, RIS and plain lists, in and out."""
