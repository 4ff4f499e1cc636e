"""Limits of bibliographies: their size, how many entries they have, how long a field may be.

A bibliography comes from anywhere. One that exceeds a limit on the whole is refused with the
reason; a field that is too long is cut, since no title, name or URL is as long.
"""

from sourcewright.base.errors import InvalidInput

MAX_BYTES = 16 * 1024 * 1024
MAX_DOCUMENT_BYTES = 64 * 1024 * 1024
"""Bytes of a document with a list of references, which may have figures."""
MAX_LINES = 50_000
"""Lines of a list of identifiers, one on each."""
MAX_TEXT_LINES = 500_000
"""Lines of a document in which a list of references is looked for."""
MAX_ENTRIES = 50_000
MAX_STRING = 200
"""`@string` abbreviations may contain each other, so that a short file could expand without limit."""
MAX_VALUE = 20_000
"""Characters of a field."""
MAX_AUTHORS = 5_000
"""The longest known list of authors is slightly longer; the rest is not checked."""
MAX_REFERENCE = 20_000
"""Characters of a reference that is parsed."""
MAX_MESSAGE_TEXT = 200


def refuse_if_too_many(count: int, what: str) -> None:
    """Refuse a bibliography with more than `MAX_ENTRIES`.

    Raises:
        InvalidInput: It has more.
    """
    if count > MAX_ENTRIES:
        raise InvalidInput(f"it has more than {MAX_ENTRIES} {what}")
