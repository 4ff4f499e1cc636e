"""File check."""
