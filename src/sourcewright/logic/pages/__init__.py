"""Web pages: bot challenges, meta refresh, failures, the paper that a page declares."""
