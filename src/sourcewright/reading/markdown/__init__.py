"""Markdown: writing it, splitting it into sections, removing hidden text."""
