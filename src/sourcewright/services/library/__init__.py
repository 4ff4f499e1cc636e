"""The library of papers: catalogue, curation, export."""
