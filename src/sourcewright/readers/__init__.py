"""Readers turn the bytes of one kind of document into text; one kind per file."""
