"""Cursor of a citation graph: where the next page starts, as an opaque text for the caller."""

import base64
import binascii
import json
from dataclasses import asdict, dataclass, fields

from sourcewright.base.errors import InvalidInput

MAX_CURSOR = 4000
_BAD = "the cursor was not returned by this tool; omit it to start from the beginning"


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphCursor:
    """The start of the next page in each direction, and the call that it continues."""

    paper: str
    direction: str
    citing: str | None = None
    """None if there are no more works in this direction."""
    cited: str | None = None
    citing_provider: str | None = None
    cited_provider: str | None = None

    @property
    def provider(self) -> str | None:
        return self.citing_provider or self.cited_provider

    def side_provider(self, *, forward: bool) -> str:
        """The index whose cursor it is."""
        return (self.citing_provider if forward else self.cited_provider) or ""

    def encode(self) -> str:
        text = json.dumps(asdict(self), separators=(",", ":"))
        return base64.urlsafe_b64encode(text.encode()).decode()


def decode_cursor(text: str | None, paper: str, direction: str) -> GraphCursor | None:
    """The cursor of the same call.

    Raises:
        InvalidInput: It is malformed, or of another paper or direction.
    """
    if text is None:
        return None
    names = {one.name for one in fields(GraphCursor)}
    try:
        values = json.loads(base64.b64decode(text[:MAX_CURSOR], altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError):
        raise InvalidInput(_BAD) from None
    if not isinstance(values, dict) or values.keys() != names:
        raise InvalidInput(_BAD)
    if not all(value is None or isinstance(value, str) for value in values.values()):
        raise InvalidInput(_BAD)
    if values["paper"] != paper or values["direction"] != direction:
        raise InvalidInput("the cursor belongs to another paper or direction; omit it")
    return GraphCursor(**values)
