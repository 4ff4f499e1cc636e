"""The browser: pages rendered in a Chromium that has no network of its own."""
