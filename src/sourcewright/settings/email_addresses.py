"""Validates the contact e-mail address; detects placeholders copied from documentation."""

import re

INVALID_FORMAT = "Invalid email format. Please provide a valid email address."
"""Wording fixed by the specification of the download tools."""
_FORM = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}"
    r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]"
)
_MOST_CHARACTERS = 254
"""The limit of SMTP (RFC 5321)."""

_RESERVED_TOP_LEVEL = frozenset(
    {"example", "invalid", "local", "localdomain", "localhost", "test"}
)
"""Reserved top-level domains, which cannot receive mail (RFC 2606, RFC 6761, RFC 6762)."""
_PLACEHOLDER_DOMAINS = frozenset(
    {"domain.com", "domain.edu", "domain.org", "test.com", "test.org"}
)
_PLACEHOLDER_DOMAIN = re.compile(
    r"(?:my|your)-?(?:company|domain|email|host|institution|organi[sz]ation|org|school|site|uni|university)"
)
"""The first label of a registered domain, as in `yourdomain.com`."""
_PLACEHOLDER_NAMES = re.compile(r"you|your[-._]?(?:own[-._]?)?(?:e?-?mail|name|address|user\w*)?")


def flaw_of(address: str, *, echo: str) -> str | None:
    """Why an address is not sent to anybody; None if it may be somebody's."""
    if not is_address(address):
        return f"{INVALID_FORMAT} It must look like name@university.edu, got {echo}."
    if is_placeholder(address):
        return f"is the placeholder {echo}, which some sources reject: set your own e-mail address"
    return None


def is_address(text: str) -> bool:
    """Whether a text is a syntactically valid e-mail address."""
    return len(text) <= _MOST_CHARACTERS and _FORM.fullmatch(text) is not None and ".." not in text


def is_placeholder(address: str) -> bool:
    """Whether an address is a placeholder from documentation, not a user's own."""
    name, _, domain = address.lower().rpartition("@")
    labels = domain.split(".")
    return (
        labels[-1] in _RESERVED_TOP_LEVEL
        or "example" in labels[-2:]
        or ".".join(labels[-2:]) in _PLACEHOLDER_DOMAINS
        or _PLACEHOLDER_DOMAIN.fullmatch(labels[-2]) is not None
        or _PLACEHOLDER_NAMES.fullmatch(name) is not None
    )
