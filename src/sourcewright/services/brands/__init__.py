"""Brands: what a homepage and brand guidelines state about a company, as pure functions."""
