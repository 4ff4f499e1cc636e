"""Failure envelopes of the three tool families."""
