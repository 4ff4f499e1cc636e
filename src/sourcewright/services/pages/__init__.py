"""Reading web pages: requests, fallback through several readers, errors."""
