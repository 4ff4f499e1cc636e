"""Papers: identifiers, works, library entries, references and citations."""
