"""Producers of PDFs for the bench: each sets the same documents with its own program."""
