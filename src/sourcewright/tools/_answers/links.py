"""Resource links, for responses that are too large."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from sourcewright.services.artifacts import Artifacts
from sourcewright.tools._base import Answer
from sourcewright.tools._results import CAMEL, UNTRUSTED, Trust

_MAX_NAME_LENGTH = 200


class LinkedAnswer(Answer):
    """A link to a stored body, with a short description."""

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
            "name": self.link_name()[:_MAX_NAME_LENGTH],
            "mimeType": self.mime_type,
            "size": self.bytes,
        }
        return (link,)

    def link_name(self) -> str:
        return self.summary


async def store_linked(
    body: bytes, mime_type: str, artifacts: Artifacts, *, description: str
) -> dict[str, Any] | None:
    """Store a body as an artifact, and return the link fields; None if it cannot be stored."""
    artifact = await artifacts.keep(body, mime_type)
    if artifact is None:
        return None
    until = datetime.fromtimestamp(artifact.expires_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "resource": artifact.uri,
        "bytes": artifact.size_bytes,
        "mime_type": mime_type,
        "summary": f"{artifact.size_bytes} bytes of {mime_type} {description}",
        "expires_at": until,
    }
