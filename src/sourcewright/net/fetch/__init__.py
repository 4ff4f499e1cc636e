"""Fetches pages and files by URL: pages that a user names, PDFs, links, parts of a page."""
