"""Weighs what a text holds against a claim: sentences, terms, quantities, negations."""
