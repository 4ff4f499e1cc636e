"""Resource links: where an answer that is too large can be read."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from sourcewright.services.artifacts import Artifacts
from sourcewright.tools._base import Answer
from sourcewright.tools._results import CAMEL, UNTRUSTED, Trust

_LONGEST_NAME = 200


class Linked(Answer):
    """A body that is kept for a while, and what is to be known without reading it."""

    model_config = CAMEL

    resource: str
    bytes: int
    mime_type: str
    summary: str
    expires_at: str
    linked: Literal[True] = True
    trust: Trust = UNTRUSTED

    def links(self) -> tuple[Mapping[str, Any], ...]:
        link = {
            "type": "resource_link",
            "uri": self.resource,
            "name": self.link_name()[:_LONGEST_NAME],
            "mimeType": self.mime_type,
            "size": self.bytes,
        }
        return (link,)

    def link_name(self) -> str:
        return self.summary


async def kept_apart(
    body: bytes, mime_type: str, artifacts: Artifacts, *, about: str
) -> dict[str, Any] | None:
    """The fields that say where a body is kept; None where nothing can be kept."""
    kept = await artifacts.keep(body, mime_type)
    if kept is None:
        return None
    until = datetime.fromtimestamp(kept.expires_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "resource": kept.uri,
        "bytes": kept.size_bytes,
        "mime_type": mime_type,
        "summary": f"{kept.size_bytes} bytes of {mime_type} {about}",
        "expires_at": until,
    }
