"""Worker processes that read documents under limits of memory and time."""
