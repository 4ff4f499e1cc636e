"""A research server that says what it found, where, and how it knows."""

__version__ = "0.1.0"
ISSUES_URL = "https://github.com/sourcewright/sourcewright/issues"
"""Where to report a defect."""
