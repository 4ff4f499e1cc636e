"""URL parts: host names as browsers read them (WHATWG), IDNA, paths.

What browsers refuse is refused here too.

Takes the address of a page apart, so that a reader of a site can tell which page is meant.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from urllib.parse import parse_qsl, unquote, unquote_to_bytes, urlsplit

import idna

from sourcewright.domain.errors import InvalidInput
from sourcewright.domain.spellings import shown, web_spelling

_NAME = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]*")


def canonical_host(text: str) -> str:
    """Give the one spelling of a host: a lower-case ASCII name, or an IP address.

    Raises:
        ValueError: No browser would take it for a host.
    """
    if text.startswith("["):
        return _bracketed(text)
    name = _ascii(unquote_to_bytes(text).decode("utf-8")).lower()
    name = name.removesuffix(".")
    if ends_in_a_number(name):
        return str(_read_ipv4(name))
    if len(name) > 253 or not _NAME.fullmatch(name):
        raise ValueError("a host name has letters, digits, hyphens and single dots")
    return name


def ends_in_a_number(name: str) -> bool:
    """Whether browsers take a name for an IPv4 address, or refuse it as a wrong one."""
    return _NUMBER.fullmatch(name.rpartition(".")[2]) is not None


def _bracketed(text: str) -> str:
    inner = text[1:-1]
    if not text.endswith("]") or "%" in inner:
        raise ValueError("an IPv6 host stands in brackets and names no zone")
    return str(IPv6Address(inner))


def _ascii(text: str) -> str:
    if text.isascii():
        return text
    try:
        mapped = idna.uts46_remap(text, std3_rules=False, transitional=False)
        labels = [
            label if label.isascii() else idna.alabel(label).decode("ascii")
            for label in mapped.split(".")
        ]
    except idna.IDNAError as error:
        raise ValueError("the host is no valid international name") from error
    return ".".join(labels)


def _read_ipv4(name: str) -> IPv4Address:
    parts = name.split(".")
    numbers = [_read_number(part) for part in parts]
    room = 256 ** (5 - len(parts))
    if len(parts) > 4 or any(number > 255 for number in numbers[:-1]) or numbers[-1] >= room:
        raise AddressValueError("an IPv4 part is too large, or there are too many")
    value = numbers[-1]
    for place, number in enumerate(numbers[:-1]):
        value += number * 256 ** (3 - place)
    return IPv4Address(value)


def _read_number(part: str) -> int:
    if not _NUMBER.fullmatch(part) or len(part) > 64:
        raise AddressValueError("an IPv4 part is no number")
    if part[:2] in {"0x", "0X"}:
        return int(part[2:] or "0", 16)
    if len(part) > 1 and part.startswith("0"):
        return int(part, 8)
    return int(part)


_LONGEST = 4096
_DEFAULT_PORTS = {None, 80, 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a page is on its site."""

    host: str
    parts: tuple[str, ...]
    """What stands between the slashes of its path, decoded."""
    params: Mapping[str, str]


def place_of(url: str) -> Place | None:
    """The parts of a web address; None for one that no site would give to a page of its own."""
    try:
        split = urlsplit(web_spelling(url))
        port = split.port
    except ValueError:
        return None
    host = (split.hostname or "").removesuffix(".")
    parts = tuple(unquote(part) for part in split.path.split("/") if part)
    if split.scheme not in {"http", "https"} or port not in _DEFAULT_PORTS or "@" in split.netloc:
        return None
    if len(url) > _LONGEST or not all(map(_is_name, parts)):
        return None
    return Place(host=host, parts=parts, params=dict(parse_qsl(split.query)))


def foreign(url: str, title: str) -> InvalidInput:
    """What to raise when a reader is asked for a page that it does not take."""
    return InvalidInput(
        f"{shown(url)} is no page of {title} that can be read through its interface"
    )


def _is_name(part: str) -> bool:
    """Whether it names something: dots would lead elsewhere, and nothing unseen is a name."""
    return all(one not in {"", ".", ".."} for one in part.split("/")) and part.isprintable()
