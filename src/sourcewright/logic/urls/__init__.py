"""Urls."""
