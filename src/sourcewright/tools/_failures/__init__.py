"""Error responses of the three tool families."""
