"""Requests to sources: rate limit, retries, circuit breaker, coalescing, access tokens."""
