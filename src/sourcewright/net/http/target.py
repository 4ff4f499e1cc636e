"""Parses a target URL into the parts that are checked and then sent unchanged."""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urljoin

from sourcewright.base.errors import BadAnswer, InvalidInput
from sourcewright.base.spellings import clean_url
from sourcewright.base.urls.canonical import DEFAULT_PORTS
from sourcewright.base.urls.parts import canonical_host
from sourcewright.net.http.addresses import parse_ip_literal

_MAX_URL_CHARS = 32_768
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_AUTHORITY = re.compile(r"/*([^/?#]*)(.*)", re.DOTALL)
_UNSENDABLE = re.compile(rb"[^\x21-\x7e]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """An http or https URL: canonical host, path as given."""

    scheme: str
    host: str
    port: int
    path: bytes
    """Path and query as sent; existing percent-encoding is kept."""
    has_userinfo: bool = False

    @property
    def address(self) -> IPv4Address | IPv6Address | None:
        """The IP address if the host is an IP literal."""
        return parse_ip_literal(self.host)

    @property
    def endpoint(self) -> str:
        """Host and port."""
        return f"{_bracketed(self.host)}:{self.port}"

    @property
    def authority(self) -> str:
        """The value of the Host header."""
        default = self.port == DEFAULT_PORTS.get(self.scheme)
        return _bracketed(self.host) if default else self.endpoint

    @property
    def origin(self) -> str:
        return origin_text_of(self.scheme, self.host, self.port)

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.authority}{self.path.decode('ascii')}"


class UnknownScheme(InvalidInput):
    """The URL's scheme is neither http nor https."""

    def __init__(self, scheme: str) -> None:
        super().__init__(f"{scheme} URLs are not supported, only http and https")
        self.scheme = scheme


def read_target(url: str) -> Target:
    """Parse an absolute URL.

    Raises:
        UnknownScheme: It is neither http nor https.
        InvalidInput: It is not a URL.
    """
    text = clean_url(url)
    scheme_match = _SCHEME.match(text)
    if not scheme_match or len(text) > _MAX_URL_CHARS:
        raise InvalidInput("not an absolute http or https URL")
    scheme = scheme_match[1].lower()
    if scheme not in DEFAULT_PORTS:
        raise UnknownScheme(scheme)
    parts = _AUTHORITY.fullmatch(text, scheme_match.end())
    if parts is None:
        raise InvalidInput("not an absolute http or https URL")
    userinfo, at, hostport = parts[1].rpartition("@")
    host, port = _split_port(hostport)
    try:
        return Target(
            scheme=scheme,
            host=canonical_host(host),
            port=DEFAULT_PORTS[scheme] if port is None else port,
            path=_encoded_path(parts[2]),
            has_userinfo=bool(userinfo or at),
        )
    except ValueError as error:
        raise InvalidInput(f"the URL has no valid host ({str(error)[:160]})") from error


def expect_valid_url(url: str, source: str) -> None:
    """Check that a URL given by a source can be parsed.

    Raises:
        BadAnswer: It cannot; that is the source's error, not the caller's.
    """
    try:
        read_target(url)
    except UnknownScheme:  # parsable; the guard reports the scheme
        return
    except InvalidInput as error:
        detail = f"it contains an invalid URL ({error})"
        raise BadAnswer(source, detail, cause="shape") from error


def resolve(base: Target, location: str) -> Target:
    """Resolve a redirect's Location header against the URL that sent it.

    Raises:
        UnknownScheme: It is neither http nor https.
        InvalidInput: It is empty or malformed.
    """
    text = clean_url(location)
    if not text:
        raise InvalidInput("the redirect has no target")
    if _SCHEME.match(text):
        return read_target(text)
    try:
        return read_target(urljoin(base.url, text))
    except ValueError as error:
        raise InvalidInput("the redirect target is not a URL") from error


def origin_text_of(scheme: str, host: str, port: int) -> str:
    """The canonical form in which origins are compared."""
    return f"{scheme}://{_bracketed(host)}:{port}"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _split_port(hostport: str) -> tuple[str, int | None]:
    host, colon, digits = hostport.rpartition(":")
    if not colon or "]" in digits:
        return hostport, None
    if not digits:
        return host, None
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 16 or int(digits) > 65_535:
        raise InvalidInput("the URL has no valid port")
    return host, int(digits)


def _encoded_path(rest: str) -> bytes:
    path = rest.partition("#")[0]
    if not path.startswith("/"):
        path = f"/{path}"
    raw = path.encode("utf-8", "surrogatepass")
    return _UNSENDABLE.sub(lambda match: b"%%%02X" % match[0][0], raw)
