"""Builders of the generated files: each makes one file's text out of what the code declares."""
