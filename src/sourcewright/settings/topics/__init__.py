"""Declarations of the settings, one module per topic; `Settings` combines them."""
