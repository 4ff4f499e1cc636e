"""Data formats: JSON values, XML parsing, media types, TOML, cache keys."""
