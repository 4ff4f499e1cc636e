"""Primary records of one field: filings, court cases, clinical trials, statistics, patents."""
