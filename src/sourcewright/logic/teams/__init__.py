"""Pure functions on the findings that users keep and share."""
