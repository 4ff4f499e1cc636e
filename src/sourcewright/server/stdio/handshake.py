"""Answers the MCP handshake and the first requests exactly as the SDK would."""

import os
from typing import Any, Final

from sourcewright.server import identity
from sourcewright.server.backend import Offer
from sourcewright.server.stdio import batches, frames, shapes
from sourcewright.server.stdio.frames import RpcRequest

UNSUPPORTED_VERSION: Final = -32022


class FrontHandshake:
    """Answers the requests that it fully understands, and returns what to replay to the SDK.

    The replay puts the SDK into the same state. The first request decides the era of the
    connection: with an `initialize` handshake, or the stateless protocol of 2026. Until the SDK
    takes over, requests without side effects are answered here; after an `initialize` or first
    request that is not understood, everything is left to the SDK.
    """

    def __init__(self, offer: Offer) -> None:
        self.replay_id: Final = f"{identity.NAME}-{os.urandom(8).hex()}"
        self.instructions: Final = identity.instructions(offer.tools)
        tools = identity.listed(offer.tools, output_schemas=offer.output_schemas)
        self._lists: dict[str, dict[str, Any]] = {
            "tools/list": {"tools": tools},
            "prompts/list": {"prompts": list(offer.prompts)},
        }
        self._era: str | None = None
        self._initialized = False
        self._version: str | None = None
        self._all_to_sdk = False

    @property
    def takes_batches(self) -> bool:
        return self._version == batches.VERSION and not self._all_to_sdk

    @property
    def is_open(self) -> bool:
        """Whether the era of the connection is decided."""
        return self._era is not None

    def consider(self, request: RpcRequest) -> tuple[bytes | None, RpcRequest | None]:
        """Return the response, if known, and the request to pass on to the SDK, if any."""
        if self._all_to_sdk:
            return None, request
        if self._era == "modern":
            answer = self._modern(request)
            return answer, None if answer else request
        if self._era is None and _is_modern(request):
            return self._open_modern(request)
        return self._handshake(request)

    def _handshake(self, request: RpcRequest) -> tuple[bytes | None, RpcRequest | None]:
        is_first = self._era is None
        if request.method == "initialize":
            return self._initialize(request)
        body_of_result = self._plain_result(request)
        if body_of_result is None:
            self._all_to_sdk = is_first
            return None, request
        self._era = "handshake"
        replay_ping = RpcRequest(self.replay_id, "ping", None) if is_first else None
        return frames.result(request.id, body_of_result), replay_ping

    def _initialize(self, request: RpcRequest) -> tuple[bytes | None, RpcRequest | None]:
        if self._initialized or not shapes.is_handshake(request.params):
            self._all_to_sdk = True
            return None, request
        self._era = "handshake"
        self._initialized = True
        requested_version = (request.params or {})["protocolVersion"]
        versions = identity.HANDSHAKE_VERSIONS
        self._version = requested_version if requested_version in versions else versions[-1]
        answer = {
            "protocolVersion": self._version,
            "capabilities": identity.CAPABILITIES,
            "serverInfo": identity.server_info(),
            "instructions": self.instructions,
        }
        replay = request._replace(id=self.replay_id)
        return frames.result(request.id, answer), replay

    def _plain_result(self, request: RpcRequest) -> dict[str, Any] | None:
        if not shapes.is_plain_call(request.params):
            return None
        if request.method == "ping":
            return {}
        return self._lists.get(request.method) if self._initialized else None

    def _open_modern(self, request: RpcRequest) -> tuple[bytes | None, RpcRequest | None]:
        answer = self._modern(request)
        if answer is None:
            self._all_to_sdk = True
            return None, request
        self._era = "modern"
        meta = (request.params or {})["_meta"]
        return answer, RpcRequest(self.replay_id, "server/discover", {"_meta": meta})

    def _modern(self, request: RpcRequest) -> bytes | None:
        version = shapes.modern_version(request.params)
        if version is None or request.method == "initialize":
            return None
        if version not in identity.MODERN_VERSIONS:
            data = {"supported": list(identity.MODERN_VERSIONS), "requested": version}
            message = "Unsupported protocol version"
            return frames.error(request.id, UNSUPPORTED_VERSION, message, data)
        body = self._modern_body(request) if set(request.params or {}) == {"_meta"} else None
        if body is None:
            return None
        server_meta = {"_meta": {shapes.SERVER_INFO: identity.server_info()}}
        return frames.result(
            request.id, {**body, **identity.COMPLETE_RESULT, **identity.CACHE_HINT, **server_meta}
        )

    def _modern_body(self, request: RpcRequest) -> dict[str, Any] | None:
        if request.method == "server/discover":
            return {
                "supportedVersions": list(identity.MODERN_VERSIONS),
                "capabilities": identity.CAPABILITIES,
                "instructions": self.instructions,
            }
        return self._lists.get(request.method)


def _is_modern(request: RpcRequest) -> bool:
    """Whether a first request carries the `_meta` envelope of the 2026 protocol."""
    meta = (request.params or {}).get("_meta")
    return (
        request.method != "initialize"
        and isinstance(meta, dict)
        and shapes.PROTOCOL_VERSION in meta
    )
