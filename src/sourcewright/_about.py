"""The version of the package, and where to report a defect."""

__version__ = "0.1.0"
ISSUES_URL = "https://github.com/sourcewright/sourcewright/issues"
"""Where to report a defect."""
