"""The command line; the only importer of the CLI library."""
