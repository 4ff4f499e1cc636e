"""Subcommands of `sourcewright library` that have modules of their own."""
