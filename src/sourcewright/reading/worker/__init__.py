"""Worker processes that read documents under memory and time limits."""
