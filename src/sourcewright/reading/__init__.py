"""Readers: parse documents of every format in worker processes, and render pages in a browser."""
