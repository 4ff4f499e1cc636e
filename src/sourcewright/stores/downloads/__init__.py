"""Downloads: files in a user's folders."""
