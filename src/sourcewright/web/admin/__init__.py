"""Administration of the HTTP server: the admin key, and what it opens."""
