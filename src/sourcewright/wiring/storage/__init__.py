"""Wiring of stores."""
