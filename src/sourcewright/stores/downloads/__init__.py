"""Downloads: files saved into a user's folders."""
