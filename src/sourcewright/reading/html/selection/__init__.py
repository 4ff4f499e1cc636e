"""Selection of the main content: boilerplate that the shape of a page shows, not the classifier."""
