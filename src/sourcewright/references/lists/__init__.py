"""Lists of references in documents: where they begin and end, and their entries."""
