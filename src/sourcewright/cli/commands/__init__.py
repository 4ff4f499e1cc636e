"""Commands that are not tools."""
