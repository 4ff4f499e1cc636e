"""The instance: health, doctor, MCP resources."""
