"""Settings of the HTTP server: address, allowed hosts and origins, limits, response headers."""

import ipaddress
import re

from sourcewright.settings import kinds
from sourcewright.settings.table import setting

_MEGABYTE = 1024 * 1024
_MAX_SECONDS = 24 * 3600
_HOST = re.compile(
    r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
)


def read_host(value: object) -> str:
    """Parse a host name or an IP address; IPv6 with or without brackets."""
    text = kinds.read_text(value).lower().removeprefix("[").removesuffix("]")
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        if _HOST.fullmatch(text):
            return text
    raise kinds.InvalidValue(f"must be a host name or an IP address, got {kinds.echo(value)}")


def _read_hosts(value: object) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple):
        raise kinds.InvalidValue(f"must be a list of host names, got {kinds.echo(value)}")
    return tuple(dict.fromkeys(read_host(part) for part in parts if part))


def _read_seconds(value: object) -> int:
    seconds = kinds.read_duration(value)
    if not 1 <= seconds <= _MAX_SECONDS:
        raise kinds.InvalidValue(f"must be from 1s to 24h, got {kinds.echo(value)}")
    return seconds


def _read_header(value: object) -> str:
    text = kinds.read_text(value)
    if not text.isascii():
        raise kinds.InvalidValue(f"must be plain ASCII, as headers are, got {kinds.echo(value)}")
    return text


_HEADER = kinds.Kind(kinds.TEXT.label, _read_header)
_SECONDS = kinds.Kind("duration, such as 5s or 2m", _read_seconds)


class HttpSettings:
    """Where the HTTP server listens, who may use it from a browser, and its limits."""

    _group = "HTTP server"

    port: int = setting(
        "PORT",
        kind=kinds.number(at_least=0, at_most=65535),
        default=0,
        help="The port of the HTTP server. If set, `sourcewright serve` serves HTTP instead of stdio; `--http` overrides it.",
    )
    http_host: str = setting(
        "SOURCEWRIGHT_HTTP_HOST",
        kind=kinds.Kind("host name or IP address", read_host),
        default="127.0.0.1",
        help="The address that the HTTP server listens on. An address that other machines can reach requires sign-in.",
    )
    http_anonymous: bool = setting(
        "SOURCEWRIGHT_HTTP_ANONYMOUS",
        kind=kinds.FLAG,
        default=False,
        help="Whether the HTTP server may listen on a public address without sign-in. Everybody who reaches it is then the same user.",
    )
    public_url: str | None = setting(
        "SOURCEWRIGHT_PUBLIC_URL",
        kind=kinds.URL,
        help="The URL of the HTTP server as clients see it, such as https://research.example.org; requests for its host are accepted.",
    )
    http_allowed_hosts: tuple[str, ...] = setting(
        "SOURCEWRIGHT_ALLOWED_HOSTS",
        kind=kinds.Kind("list of host names", _read_hosts),
        default=(),
        help="Further host names under which the HTTP server accepts requests (the Host header), against DNS rebinding. Loopback names and the host of SOURCEWRIGHT_PUBLIC_URL are always accepted.",
    )
    browser_origins: tuple[str, ...] = setting(
        "ALLOWED_ORIGINS",
        kind=kinds.ORIGINS,
        default=(),
        help="Origins of web pages whose scripts may use the HTTP server (CORS). Requests from other origins are refused; a server on a loopback address also accepts pages of the same machine.",
    )
    cors_strict: bool = setting(
        "CORS_STRICT",
        kind=kinds.FLAG,
        default=True,
        help="Whether web pages of other origins than those in ALLOWED_ORIGINS are refused.",
    )
    trust_proxy: bool = setting(
        "TRUST_PROXY",
        kind=kinds.FLAG,
        default=False,
        help="Whether the HTTP server is behind a reverse proxy: the address of a client is then the last one in X-Forwarded-For.",
    )
    http_read_header_timeout: int = setting(
        "HTTP_READ_HEADER_TIMEOUT",
        kind=_SECONDS,
        default=5,
        help="How long a client may take to send the headers of a request.",
    )
    http_read_timeout: int = setting(
        "HTTP_READ_TIMEOUT",
        kind=_SECONDS,
        default=30,
        help="How long a client may take to send the body of a request.",
    )
    http_write_timeout: int = setting(
        "HTTP_WRITE_TIMEOUT",
        kind=kinds.DURATION,
        default=0,
        help="How long a whole response may take from when the request has arrived; 0 for no limit. A client that reads nothing for a minute is disconnected in any case.",
    )
    http_idle_timeout: int = setting(
        "HTTP_IDLE_TIMEOUT",
        kind=_SECONDS,
        default=120,
        help="How long an idle connection is kept open.",
    )
    http_shutdown_timeout: int = setting(
        "HTTP_SHUTDOWN_TIMEOUT",
        kind=_SECONDS,
        default=30,
        help="How long calls in flight may take to finish after SIGTERM; then they are interrupted.",
    )
    http_max_header_bytes: int = setting(
        "HTTP_MAX_HEADER_BYTES",
        kind=kinds.number(at_least=1024, at_most=16 * _MEGABYTE),
        default=_MEGABYTE,
        help="Maximum size of the headers of a request.",
    )
    max_request_body_bytes: int = setting(
        "MAX_REQUEST_BODY_BYTES",
        kind=kinds.number(at_least=1024, at_most=1024 * _MEGABYTE),
        default=10 * _MEGABYTE,
        help="Maximum size of the body of a request.",
    )
    http_csp: str = setting(
        "HTTP_CSP",
        kind=_HEADER,
        default="default-src 'none'; frame-ancestors 'none'",
        help="The Content-Security-Policy header of responses.",
    )
    http_referrer_policy: str = setting(
        "HTTP_REFERRER_POLICY",
        kind=_HEADER,
        default="no-referrer",
        help="The Referrer-Policy header of responses.",
    )
    http_permissions_policy: str = setting(
        "HTTP_PERMISSIONS_POLICY",
        kind=_HEADER,
        default="geolocation=(), camera=(), microphone=()",
        help="The Permissions-Policy header of responses.",
    )
