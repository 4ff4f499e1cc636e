"""MCP clients: where each keeps its configuration, and how a server is entered there."""
