"""Pure functions, in packages by subject; no input or output."""
