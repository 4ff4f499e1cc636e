"""The browser: renders pages in a Chromium without network access of its own."""
