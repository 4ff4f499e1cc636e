"""Research sessions: step numbers, sources, coverage, refinement queries, summaries."""
