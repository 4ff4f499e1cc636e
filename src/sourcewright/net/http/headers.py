"""HTTP headers: builds requests for the transport, and parses response headers."""

import re
from collections.abc import Iterable, Mapping

import httpcore2

from sourcewright.base.errors import InvalidHttp, InvalidInput
from sourcewright.net.http.body import accept_encoding
from sourcewright.net.http.exchange import Policy
from sourcewright.net.http.redirects import RequestStep
from sourcewright.net.http.target import Target

# Far more than any legitimate response has.
_MAX_HEADERS = 500
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
# Headers that describe the connection: only the client may set them.
_RESERVED = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-length",
        "host",
        "te",
        "transfer-encoding",
        "upgrade",
        "x-forwarded-proto",
    }
)


def request_for(
    step: RequestStep, policy: Policy, *, sandbox: Target | None, user_agent: str
) -> httpcore2.Request:
    """The transport request for one step, its path byte for byte as given.

    Raises:
        InvalidInput: A header or the method is not valid.
    """
    destination = sandbox or step.target
    headers = {"host": step.target.authority, "user-agent": user_agent, "accept": "*/*"}
    headers |= {name: value for name, value in step.headers.items() if name not in _RESERVED}
    headers["accept-encoding"] = accept_encoding()
    if step.body is not None:
        headers["content-length"] = str(len(step.body))
    if sandbox:
        headers["x-forwarded-proto"] = step.target.scheme
    if not _TOKEN.fullmatch(step.method):
        raise InvalidInput(f"{policy.source}: the request method is not valid")
    return httpcore2.Request(
        step.method,
        httpcore2.URL(
            scheme=destination.scheme,
            host=destination.host,
            port=destination.port,
            target=step.target.path,
        ),
        headers=[_header(name, value, policy.source) for name, value in headers.items()],
        content=step.body,
        extensions={"timeout": _timeouts(policy)},
    )


def read_headers(raw: Iterable[tuple[bytes, bytes]], source: str) -> Mapping[str, str]:
    """Headers by lower-case name, repeated ones joined with commas.

    Cookies may contain commas, so they are joined with line feeds, which no header contains.

    Raises:
        BadAnswer: There are too many.
    """
    pairs = list(raw)
    if len(pairs) > _MAX_HEADERS:
        raise InvalidHttp(source, f"sent {len(pairs)} headers, which is too many", cause="format")
    headers: dict[str, str] = {}
    for key, value in pairs:
        name = _text(key).lower()
        separator = "\n" if name == "set-cookie" else ", "
        headers[name] = (
            f"{headers[name]}{separator}{_text(value)}" if name in headers else _text(value)
        )
    return headers


def _header(name: str, value: str, source: str) -> tuple[bytes, bytes]:
    if not _TOKEN.fullmatch(name) or _CONTROL.search(value):
        raise InvalidInput(f"{source}: the header {name!r} is not valid")
    return name.encode("ascii"), value.strip().encode("utf-8")


def _timeouts(policy: Policy) -> dict[str, float]:
    read = policy.read_seconds
    return {"connect": policy.connect_seconds, "read": read, "write": read, "pool": read}


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
