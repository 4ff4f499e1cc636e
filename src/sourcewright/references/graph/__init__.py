"""Citation graphs: cursors of their pages, and drawings."""
