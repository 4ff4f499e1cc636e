"""Research sessions: numbering of steps, sources, coverage, refinement queries, summaries."""
