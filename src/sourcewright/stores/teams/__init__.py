"""What is kept of users: consent, memories, workspaces, usage."""
