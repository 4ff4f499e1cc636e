"""The MCP adapter; the only importer of the MCP SDK."""
