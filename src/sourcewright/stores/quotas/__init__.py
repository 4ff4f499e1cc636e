"""The ledger of request limits of the HTTP server."""
