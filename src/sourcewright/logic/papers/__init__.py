"""Papers: authors, licences, retraction notices, records, file names."""
