"""Notation in a text: formulas, exponents and indices."""
