"""Use cases: what the tools do, in terms of ports and providers."""
