"""Takes the address of a page apart, so that a reader of a site can tell which page is meant."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from sourcewright.domain.errors import InvalidInput
from sourcewright.domain.spellings import shown

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
        split = urlsplit(url)
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
