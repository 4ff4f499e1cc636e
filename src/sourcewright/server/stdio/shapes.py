"""Validates the parameters of requests that the front answers; others are left to the SDK."""

from typing import Any, Final

PROTOCOL_VERSION: Final = "io.modelcontextprotocol/protocolVersion"
CLIENT_CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"
CLIENT_INFO: Final = "io.modelcontextprotocol/clientInfo"
SERVER_INFO: Final = "io.modelcontextprotocol/serverInfo"

_ENVELOPE: Final = frozenset(
    {PROTOCOL_VERSION, CLIENT_CAPABILITIES, CLIENT_INFO, "progressToken", "traceparent"}
)
_HANDSHAKE: Final = frozenset({"protocolVersion", "capabilities", "clientInfo", "_meta"})


def is_plain_call(params: dict[str, Any] | None) -> bool:
    """Whether a request after a handshake has no parameters except ordinary metadata."""
    if not params:
        return True
    return set(params) == {"_meta"} and _is_plain_meta(params["_meta"])


def is_handshake(params: dict[str, Any] | None) -> bool:
    """Whether the parameters of an `initialize` request are certainly valid."""
    if not params or not set(params) <= _HANDSHAKE:
        return False
    return (
        isinstance(params.get("protocolVersion"), str)
        and _are_capabilities(params.get("capabilities"))
        and _is_implementation(params.get("clientInfo"))
        and ("_meta" not in params or _is_plain_meta(params["_meta"]))
    )


def modern_version(params: dict[str, Any] | None) -> str | None:
    """Return the version in the `_meta` envelope of the 2026 protocol; None if it is invalid."""
    meta = params.get("_meta") if params else None
    if not isinstance(meta, dict) or not set(meta) <= _ENVELOPE:
        return None
    version = meta.get(PROTOCOL_VERSION)
    is_valid = (
        _are_capabilities(meta.get(CLIENT_CAPABILITIES))
        and (CLIENT_INFO not in meta or _is_implementation(meta[CLIENT_INFO]))
        and _is_token(meta.get("progressToken", 0))
        and isinstance(meta.get("traceparent", ""), str)
    )
    return version if is_valid and isinstance(version, str) else None


def _is_plain_meta(meta: object) -> bool:
    return (
        isinstance(meta, dict)
        and PROTOCOL_VERSION not in meta
        and _is_token(meta.get("progressToken", 0))
    )


def _is_token(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _are_capabilities(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    return all(_is_capability(name, entry) for name, entry in value.items())


def _is_capability(name: str, entry: object) -> bool:
    if not isinstance(entry, dict):
        return False
    if name == "roots":
        return set(entry) <= {"listChanged"} and isinstance(entry.get("listChanged", True), bool)
    if name == "tasks":
        return _is_all_objects(entry)
    return all(isinstance(inner, dict) for inner in entry.values())


def _is_all_objects(value: object) -> bool:
    return isinstance(value, dict) and all(_is_all_objects(inner) for inner in value.values())


def _is_implementation(value: object) -> bool:
    if not isinstance(value, dict) or not {"name", "version"} <= set(value):
        return False
    texts = {name: entry for name, entry in value.items() if name != "icons"}
    return all(isinstance(entry, str) for entry in texts.values()) and all(
        _is_icon(icon) for icon in _icons(value.get("icons", []))
    )


def _icons(value: object) -> list[Any]:
    """Return the items of a list; for anything else, one invalid icon."""
    return value if isinstance(value, list) else [None]


def _is_icon(icon: object) -> bool:
    if not isinstance(icon, dict) or not set(icon) <= {"src", "mimeType", "sizes"}:
        return False
    sizes = icon.get("sizes", [])
    return (
        isinstance(icon.get("src"), str)
        and isinstance(icon.get("mimeType", ""), str)
        and isinstance(sizes, list)
        and all(isinstance(size, str) for size in sizes)
    )
