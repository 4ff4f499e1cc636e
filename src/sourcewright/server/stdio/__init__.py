"""MCP over stdin and stdout: a front that answers at once, then the SDK."""
