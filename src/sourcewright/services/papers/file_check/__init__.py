"""The right-file check: whether a PDF is the paper that was asked for."""
