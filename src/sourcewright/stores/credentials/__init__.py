"""API keys and revoked tokens of the HTTP server."""
