"""Papers: identification, resolution, fetch into the library, download into a folder."""
