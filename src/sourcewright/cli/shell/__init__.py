"""What the shell's user sees of the command tree: help pages and completion."""
