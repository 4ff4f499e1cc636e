"""Readers of reference formats, one per file."""
