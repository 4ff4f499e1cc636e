"""Text: plain text, Unicode, charsets, dates, names, redaction."""
