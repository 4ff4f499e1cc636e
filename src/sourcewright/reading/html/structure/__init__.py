"""Structure of pages: infoboxes, code and threads, prepared before a page is split into blocks."""
