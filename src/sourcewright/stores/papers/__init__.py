"""The paper store: PDFs and their metadata files."""
