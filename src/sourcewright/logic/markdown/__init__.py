"""Markdown: writing it, cutting it into sections, removing hidden text."""
