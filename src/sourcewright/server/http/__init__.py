"""MCP over Streamable HTTP, for the web application."""
