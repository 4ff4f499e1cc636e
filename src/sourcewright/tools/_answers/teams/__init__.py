"""Arguments and answers of the tools for users and teams."""
