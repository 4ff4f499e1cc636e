"""Instance."""
