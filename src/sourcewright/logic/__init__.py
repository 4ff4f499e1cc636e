"""Verbs: pure functions over the domain."""
