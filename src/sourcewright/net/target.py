"""A parsed target URL: what is checked is what is sent, part by part."""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urljoin

from sourcewright.domain.errors import BadAnswer, InvalidInput
from sourcewright.domain.spellings import web_spelling
from sourcewright.logic.urls.canonical import DEFAULT_PORTS
from sourcewright.logic.urls.parts import canonical_host
from sourcewright.net.addresses import literal

_LONGEST_URL = 32_768
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_AUTHORITY = re.compile(r"/*([^/?#]*)(.*)", re.DOTALL)
_UNSENDABLE = re.compile(rb"[^\x21-\x7e]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One http or https address, its host in canonical form, its path untouched."""

    scheme: str
    host: str
    port: int
    path: bytes
    """Path and query as they go on the wire, percent-encoding as it was given."""
    has_userinfo: bool = False

    @property
    def address(self) -> IPv4Address | IPv6Address | None:
        """The IP address, when the host is one."""
        return literal(self.host)

    @property
    def endpoint(self) -> str:
        """Host and port."""
        return f"{_bracketed(self.host)}:{self.port}"

    @property
    def authority(self) -> str:
        """What belongs in the Host header."""
        default = self.port == DEFAULT_PORTS.get(self.scheme)
        return _bracketed(self.host) if default else self.endpoint

    @property
    def origin(self) -> str:
        return spell_origin(self.scheme, self.host, self.port)

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.authority}{self.path.decode('ascii')}"


class UnknownScheme(InvalidInput):
    """The address is not one of the web."""

    def __init__(self, scheme: str) -> None:
        super().__init__(f"{scheme} addresses cannot be asked, only http and https ones")
        self.scheme = scheme


def read_target(url: str) -> Target:
    """Read an absolute address.

    Raises:
        UnknownScheme: It is neither http nor https.
        InvalidInput: It is no address at all.
    """
    text = web_spelling(url)
    found = _SCHEME.match(text)
    if not found or len(text) > _LONGEST_URL:
        raise InvalidInput("that is no absolute http or https address")
    scheme = found[1].lower()
    if scheme not in DEFAULT_PORTS:
        raise UnknownScheme(scheme)
    parts = _AUTHORITY.fullmatch(text, found.end())
    if parts is None:
        raise InvalidInput("that is no absolute http or https address")
    userinfo, at, hostport = parts[1].rpartition("@")
    host, port = _split_port(hostport)
    try:
        return Target(
            scheme=scheme,
            host=canonical_host(host),
            port=DEFAULT_PORTS[scheme] if port is None else port,
            path=_sendable(parts[2]),
            has_userinfo=bool(userinfo or at),
        )
    except ValueError as error:
        raise InvalidInput(f"the address names no usable host ({str(error)[:160]})") from error


def expect_address(url: str, source: str) -> None:
    """Make sure that what a source named can be read as an address at all.

    Raises:
        BadAnswer: It cannot; nobody who asked for something else is to blame for it.
    """
    try:
        read_target(url)
    except UnknownScheme:  # an address, though not one of the web: that is for the guard to say
        return
    except InvalidInput as error:
        detail = f"it names an address that cannot be read ({error})"
        raise BadAnswer(source, detail, cause="shape") from error


def resolve(base: Target, location: str) -> Target:
    """Read where a redirect points, seen from the address that sent it.

    Raises:
        UnknownScheme: It is neither http nor https.
        InvalidInput: It points nowhere.
    """
    text = web_spelling(location)
    if not text:
        raise InvalidInput("the redirect points nowhere")
    if _SCHEME.match(text):
        return read_target(text)
    try:
        return read_target(urljoin(base.url, text))
    except ValueError as error:
        raise InvalidInput("the redirect points to no address") from error


def spell_origin(scheme: str, host: str, port: int) -> str:
    """Spell an origin in the one way in which origins are compared here."""
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
        raise InvalidInput("the address names no usable port")
    return host, int(digits)


def _sendable(rest: str) -> bytes:
    path = rest.partition("#")[0]
    if not path.startswith("/"):
        path = f"/{path}"
    raw = path.encode("utf-8", "surrogatepass")
    return _UNSENDABLE.sub(lambda found: b"%%%02X" % found[0][0], raw)
