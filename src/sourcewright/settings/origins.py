"""Parses URLs and origins (scheme, host, port) in settings into canonical form."""

import ipaddress
import re
from urllib.parse import SplitResult, urlsplit

from sourcewright.settings.kinds import InvalidValue, echo

_DEFAULT_PORTS = {"http": 80, "https": 443}
_NAME = r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.?"


def web_address(text: str) -> str:
    """Parse an http or https URL without credentials or fragment."""
    parts = _split(text)
    if parts.fragment:
        raise InvalidValue(f"must be a URL without a fragment, got {echo(text)}")
    query = f"?{parts.query}" if parts.query else ""
    return _origin_of(parts, text) + parts.path.rstrip("/") + query


def origin(text: str) -> str:
    """Parse an origin such as `http://localhost:8888`: scheme, host and port, nothing else."""
    parts = _split(text)
    if parts.path not in {"", "/"} or parts.query or parts.fragment:
        raise InvalidValue(f"must be scheme://host[:port] without a path, got {echo(text)}")
    return _origin_of(parts, text)


def proxy_url(text: str) -> str:
    """Parse the URL of a proxy: scheme, host and port, with a user and a password if needed."""
    login, at, rest = text.partition("://")[2].rpartition("@")
    scheme = text.partition("://")[0]
    address = origin(f"{scheme}://{rest}")
    return f"{scheme}://{login}{at}{address.partition('://')[2]}" if at else address


def loopback_origin(text: str) -> str:
    """Parse an http origin on this machine; `localhost` becomes 127.0.0.1."""
    parts = urlsplit(origin(text))
    host = "127.0.0.1" if parts.hostname == "localhost" else parts.hostname or ""
    if parts.scheme != "http" or not _is_loopback(host):
        raise InvalidValue(
            f"must be a loopback origin such as http://127.0.0.1:8080, got {echo(text)}"
        )
    return _join(parts.scheme, host, parts.port)


def _split(text: str) -> SplitResult:
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError as error:
        raise InvalidValue(f"must be a URL ({error})") from error
    if "@" in parts.netloc:
        # The value is left out of the message, because it contains a password.
        raise InvalidValue("must not contain a user name or a password")
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        raise InvalidValue(
            f"must begin with http:// or https:// and name a host, got {echo(text)}"
        )
    return parts


def _origin_of(parts: SplitResult, text: str) -> str:
    host = parts.hostname or ""
    if not (_is_address(host) or re.fullmatch(_NAME, host)) or parts.port == 0:
        raise InvalidValue(f"must name one host (in ASCII) and a valid port, got {echo(text)}")
    return _join(parts.scheme, host, parts.port)


def _join(scheme: str, host: str, port: int | None) -> str:
    name = f"[{host}]" if ":" in host else host
    suffix = "" if port in {None, _DEFAULT_PORTS[scheme]} else f":{port}"
    return f"{scheme}://{name}{suffix}"


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    return _is_address(host) and ipaddress.ip_address(host).is_loopback
