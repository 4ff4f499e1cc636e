"""Response models of the tools, and the functions that fill them."""
