"""The HTTP server: the web application around the MCP endpoint; the only importer of Starlette."""
