"""Papers: identification, resolution, fetching, downloading."""
