"""Lists of references in laid-out documents: their labels and entries."""
