"""IP addresses and host names that are not public (SSRF): private, reserved, in any notation.

A host is parsed as browsers parse it (the WHATWG URL standard), because an attacker
targets the most permissive parser; what browsers reject is rejected here too.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from sourcewright.base.urls.parts import ends_in_a_number

Address = IPv4Address | IPv6Address

_NOT_PUBLIC_V4 = tuple(
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
_LOOPBACK = (IPv4Network("127.0.0.0/8"), IPv6Network("::1/128"))
# Only this block is allocated for the public internet. Loopback, private, link-local,
# multicast, v4-compatible and NAT64 addresses all lie outside it.
_GLOBAL_V6 = IPv6Network("2000::/3")
_NOT_PUBLIC_V6 = tuple(
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


def is_public(address: Address) -> bool:
    """Whether the address is on the public internet and in no special-purpose block."""
    address = without_v4_mapping(address)
    if isinstance(address, IPv4Address):
        return not any(address in block for block in _NOT_PUBLIC_V4)
    if address not in _GLOBAL_V6 or any(address in block for block in _NOT_PUBLIC_V6):
        return False
    return (int(address) >> 32) & 0xFFFFFFFF not in _ISATAP


def is_loopback(address: Address) -> bool:
    """Whether it is a loopback address itself; from Python 3.13 on, `ipaddress` counts v4-mapped ones too."""
    return any(address in block for block in _LOOPBACK)


def without_v4_mapping(address: Address) -> Address:
    """The IPv4 address inside a v4-mapped IPv6 address; any other address unchanged."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address


def is_private_name(name: str) -> bool:
    """Whether a canonical host name means this machine, its network or a cloud's metadata."""
    if name in _METADATA_NAMES or "." not in name:
        return True
    return any(name.endswith(f".{suffix}") for suffix in _INNER_SUFFIXES)


def parse_ip_literal(host: str) -> Address | None:
    """The IP address if a canonical host is an IP literal, or None for a name."""
    if ":" in host:
        return IPv6Address(host)
    return IPv4Address(host) if host[-1:].isdigit() and ends_in_a_number(host) else None
