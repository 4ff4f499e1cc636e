"""Stores: what is kept on disk."""
