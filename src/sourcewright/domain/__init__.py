"""Domain model: identifiers, works, evidence, errors. Standard library only, no I/O."""
