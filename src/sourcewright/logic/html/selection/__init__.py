"""Selection of the main content: what the shape of a page says beside the classifier."""
