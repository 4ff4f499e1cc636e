"""Hash-chained logs: provenance and audit."""
