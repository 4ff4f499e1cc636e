"""Validates host patterns in settings: one host name, or `*.` and a domain."""

import re

_LONGEST_NAME = 253
_LONGEST_LABEL = 63
"""Both limits are those of DNS (RFC 1035)."""


def pattern_error(pattern: str) -> str | None:
    """Why a text is not a valid host pattern, as a predicate for a message; None if it is valid."""
    name = pattern.removeprefix("*.")
    if "*" in name:
        return "has a * that is not a single leading *."
    if not re.fullmatch(r"[a-z0-9.-]+", name):
        return "has a character that is not allowed in an ASCII host name"
    if "." not in name:
        return "does not name a single domain" if name != pattern else "has no dot"
    return _flaw_of_labels(name)


def _flaw_of_labels(name: str) -> str | None:
    labels = name.split(".")
    if not all(labels):
        return "has an empty label between its dots"
    if any(label.startswith("-") or label.endswith("-") for label in labels):
        return "has a label that begins or ends with a hyphen"
    if len(name) > _LONGEST_NAME or max(map(len, labels)) > _LONGEST_LABEL:
        return "is longer than a host name may be"
    return "is an IP address, not a host name" if labels[-1].isdecimal() else None
