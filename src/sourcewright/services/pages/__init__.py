"""Reading pages: fetch, fallback through readers, failures."""
