"""Use cases of the tools, written against ports and providers."""
