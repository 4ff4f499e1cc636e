"""The dashboard of the operator at /dashboard."""
