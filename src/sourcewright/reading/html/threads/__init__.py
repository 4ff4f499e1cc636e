"""Forum threads and question-and-answer pages: finds their posts and writes them as Markdown."""
