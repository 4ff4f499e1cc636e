"""A research server that says what it found, where, and how it knows."""

__version__ = "0.1.0"
