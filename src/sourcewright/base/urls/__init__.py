"""URLs: canonical form, host names, public suffixes, allowlists."""
