"""Claims: evidence for or against a claim in a text (sentences, terms, quantities, negations)."""
