"""Builders of the generated reference pages and of the manifest, one file each."""
