"""The Python client: the tools of this package as functions, without a server between."""
