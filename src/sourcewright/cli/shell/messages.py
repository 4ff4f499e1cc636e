"""Rewrites the message of a tool's error for a user at a terminal."""

import re

from sourcewright.settings.declared import EMAIL_NEEDED, MISSING_EMAIL

_ARGUMENT_LIST = re.compile(r" \(accepted arguments: [\w, ]*\)$")


def terminal_message(message: str) -> str:
    """The message without the tool's arguments, which are options of other names at a terminal."""
    return _ARGUMENT_LIST.sub("", message).replace(MISSING_EMAIL, EMAIL_NEEDED)
