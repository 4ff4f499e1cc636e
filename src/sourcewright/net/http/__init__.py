"""The HTTP client: guard, name resolution, redirects, bodies within limits."""
