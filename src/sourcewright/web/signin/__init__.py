"""Sign-in: OAuth access tokens and API keys, and what a client is told about them."""
