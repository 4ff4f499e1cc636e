"""Which hosts a public server may be: host names and IP addresses in every disguise.

A host is read as browsers read it (the WHATWG URL standard), because an attacker
writes for the most permissive reader; what browsers refuse is refused here too.
"""

import re
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network
from urllib.parse import unquote_to_bytes

import idna

Address = IPv4Address | IPv6Address

_CLOSED_V4 = tuple(
    IPv4Network(block)
    for block in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT, and one cloud's metadata
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a cloud's host agent, although the block around it is public
        "169.254.0.0/16",  # link-local and most clouds' metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments, and one cloud's metadata
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
# Only this block is handed out for the public internet. Loopback, private, link-local,
# multicast, v4-compatible and NAT64 addresses all lie outside it.
_OPEN_V6 = IPv6Network("2000::/3")
_CLOSED_V6 = tuple(
    IPv6Network(block)
    for block in (
        "2001::/23",  # protocol assignments: Teredo, ORCHID, benchmarks
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "3ffe::/16",  # the former 6bone
        "3fff::/20",  # documentation
    )
)
_ISATAP = frozenset({0x00005EFE, 0x02005EFE})

_INNER_SUFFIXES = (
    "corp",
    "home",
    "home.arpa",
    "internal",
    "intranet",
    "lan",
    "local",
    "localdomain",
    "localhost",
    "private",
    "svc",
)
_METADATA_NAMES = frozenset(
    {
        "metadata.goog",
        "metadata.packet.net",
        "metadata.platformequinix.com",
        "metadata.tencentyun.com",
        "metadata.vultr.com",
    }
)

_NAME = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]*")


def is_public(address: Address) -> bool:
    """Whether the address belongs to the public internet and to nothing special in it."""
    address = unmapped(address)
    if isinstance(address, IPv4Address):
        return not any(address in block for block in _CLOSED_V4)
    if address not in _OPEN_V6 or any(address in block for block in _CLOSED_V6):
        return False
    return (int(address) >> 32) & 0xFFFFFFFF not in _ISATAP


def unmapped(address: Address) -> Address:
    """Give the IPv4 address inside a v4-mapped one, anything else as it is."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address


def is_inner_name(name: str) -> bool:
    """Whether a canonical name can only mean this machine, its network or its cloud."""
    if name in _METADATA_NAMES or "." not in name:
        return True
    return any(name.endswith(f".{suffix}") for suffix in _INNER_SUFFIXES)


def canonical_host(text: str) -> str:
    """Give the one spelling of a host: a lower-case ASCII name, or an IP address.

    Raises:
        ValueError: No browser would take it for a host.
    """
    if text.startswith("["):
        return _bracketed(text)
    name = _ascii(unquote_to_bytes(text).decode("utf-8")).lower()
    name = name.removesuffix(".")
    if _ends_in_a_number(name):
        return str(_read_ipv4(name))
    if len(name) > 253 or not _NAME.fullmatch(name):
        raise ValueError("a host name has letters, digits, hyphens and single dots")
    return name


def literal(host: str) -> Address | None:
    """Give the address that a canonical host spells, or None when it is a name."""
    if ":" in host:
        return IPv6Address(host)
    return IPv4Address(host) if host[-1:].isdigit() and _ends_in_a_number(host) else None


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


def _ends_in_a_number(name: str) -> bool:
    return _NUMBER.fullmatch(name.rpartition(".")[2]) is not None


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
