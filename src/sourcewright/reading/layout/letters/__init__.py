"""Letters of a document: accents, kashidas, and words that are divided at the end of a line."""
