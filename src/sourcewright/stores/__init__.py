"""Stores: everything that is kept on disk."""
