"""The store of research sessions."""
