"""URL parts: host names as browsers read them (WHATWG), IDNA, paths.

Hosts that browsers reject are rejected here too. `url_parts_of` splits the URL of a page for the
readers of single sites.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from urllib.parse import parse_qsl, unquote, unquote_to_bytes, urlsplit

import idna

from sourcewright.base.errors import InvalidInput
from sourcewright.base.spellings import clean_url, quoted_for_message

_NAME = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]*")


def canonical_host(text: str) -> str:
    """The canonical form of a host: a lower-case ASCII name, or an IP address.

    Raises:
        ValueError: Browsers would not accept it as a host.
    """
    if text.startswith("["):
        return _ipv6_host(text)
    name = _to_ascii(unquote_to_bytes(text).decode("utf-8")).lower()
    name = name.removesuffix(".")
    if ends_in_a_number(name):
        return str(_parse_ipv4(name))
    if len(name) > 253 or not _NAME.fullmatch(name):
        raise ValueError("a host name may contain only letters, digits, hyphens and single dots")
    return name


def ends_in_a_number(name: str) -> bool:
    """Whether browsers treat a name as an IPv4 address, valid or not."""
    return _NUMBER.fullmatch(name.rpartition(".")[2]) is not None


def _ipv6_host(text: str) -> str:
    inner = text[1:-1]
    if not text.endswith("]") or "%" in inner:
        raise ValueError("an IPv6 host must be in brackets and have no zone")
    return str(IPv6Address(inner))


def _to_ascii(text: str) -> str:
    if text.isascii():
        return text
    try:
        mapped = idna.uts46_remap(text, std3_rules=False, transitional=False)
        labels = [
            label if label.isascii() else idna.alabel(label).decode("ascii")
            for label in mapped.split(".")
        ]
    except idna.IDNAError as error:
        raise ValueError("the host is not a valid internationalised name") from error
    return ".".join(labels)


def _parse_ipv4(name: str) -> IPv4Address:
    parts = name.split(".")
    numbers = [_parse_number(part) for part in parts]
    limit = 256 ** (5 - len(parts))
    if len(parts) > 4 or any(number > 255 for number in numbers[:-1]) or numbers[-1] >= limit:
        raise AddressValueError("an IPv4 part is too large, or there are too many")
    value = numbers[-1]
    for position, number in enumerate(numbers[:-1]):
        value += number * 256 ** (3 - position)
    return IPv4Address(value)


def _parse_number(part: str) -> int:
    if not _NUMBER.fullmatch(part) or len(part) > 64:
        raise AddressValueError("an IPv4 part is not a number")
    if part[:2] in {"0x", "0X"}:
        return int(part[2:] or "0", 16)
    if len(part) > 1 and part.startswith("0"):
        return int(part, 8)
    return int(part)


_MAX_URL_LENGTH = 4096
_DEFAULT_PORTS = {None, 80, 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlParts:
    """The host, the path segments and the query parameters of a page."""

    host: str
    parts: tuple[str, ...]
    """The decoded segments of its path."""
    params: Mapping[str, str]


def url_parts_of(url: str) -> UrlParts | None:
    """The parts of a web URL; None for one that no site uses for its pages."""
    try:
        split = urlsplit(clean_url(url))
        port = split.port
    except ValueError:
        return None
    host = (split.hostname or "").removesuffix(".")
    parts = tuple(unquote(part) for part in split.path.split("/") if part)
    if split.scheme not in {"http", "https"} or port not in _DEFAULT_PORTS or "@" in split.netloc:
        return None
    if len(url) > _MAX_URL_LENGTH or not all(map(_is_plain_segment, parts)):
        return None
    return UrlParts(host=host, parts=parts, params=dict(parse_qsl(split.query)))


def unsupported_url_error(url: str, title: str) -> InvalidInput:
    """The error to raise when a site reader is asked for a URL that it does not handle."""
    return InvalidInput(
        f"{quoted_for_message(url)} is not a page of {title} that its API can return"
    )


def _is_plain_segment(part: str) -> bool:
    """Whether a path segment is printable and has no `.` or `..`, which would lead elsewhere."""
    return all(piece not in {"", ".", ".."} for piece in part.split("/")) and part.isprintable()
