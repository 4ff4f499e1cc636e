"""Readers: documents of every format, in worker processes; pages in a browser."""
