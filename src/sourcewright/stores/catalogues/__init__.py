"""Catalogues."""
