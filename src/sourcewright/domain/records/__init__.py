"""Primary records: filings, cases, trials, statistics, patents, places, brands, answers."""
