"""Host names in one spelling, as browsers read them (the WHATWG URL standard).

What browsers refuse is refused here too.
"""

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from urllib.parse import unquote_to_bytes

import idna

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
