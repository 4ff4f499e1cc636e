"""Sources: classification, quality score, duplicates, detected DOI."""
