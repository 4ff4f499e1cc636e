"""Citations: whether two descriptions name the same work."""
