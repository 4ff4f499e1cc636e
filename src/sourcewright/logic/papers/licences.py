"""Licences: short names (SPDX-like) of licence URLs and phrases."""

import re
from collections.abc import Iterable

_CREATIVE_COMMONS = re.compile(
    r"(?:https?://)?(?:www\.)?creativecommons\.org/"
    r"(?:licenses/(?P<code>by(?:-nc)?(?:-nd|-sa)?|nd|sa|nc(?:-sa)?|nd-nc)"
    r"|publicdomain/(?P<domain>zero|mark))"
    r"(?:/(?P<version>[0-9]\.[0-9])(?:/[a-z.\-_]*)*)?/?(?:[?#].*)?",
    re.IGNORECASE,
)
_OPEN_SOURCE = re.compile(
    r"https?://(?:www\.)?(?:spdx|opensource)\.org/licenses?/(?P<name>[\w.+-]+?)(?:\.json|\.html)?/?",
    re.IGNORECASE,
)
_SHORT = re.compile(
    r"cc0|cc[ _-]?(?:by|0)(?:[ _-](?:nc|nd|sa))*(?:[ _-][0-9]\.[0-9])?", re.IGNORECASE
)


def licence_of(text: str | None) -> str | None:
    """`cc-by-4.0` for a Creative Commons address or name; anything else as it stands."""
    if not text:
        return None
    found = _CREATIVE_COMMONS.fullmatch(text.strip())
    if found:
        kind = found["domain"].lower() if found["domain"] else f"cc-{found['code'].lower()}"
        kind = {"zero": "cc0", "mark": "public-domain-mark"}.get(kind, kind)
        return f"{kind}-{found['version']}" if found["version"] else kind
    if found := _OPEN_SOURCE.fullmatch(text.strip()):
        return found["name"].lower()
    if _SHORT.fullmatch(text.strip()):
        return re.sub(r"[ _-]+", "-", text.strip().lower())
    return text.strip()


def is_licence(text: str) -> bool:
    """Whether a statement of rights is a licence that has a name or an address, not prose."""
    return bool(_SHORT.fullmatch(text.strip())) or text.startswith(("http://", "https://"))


def clearest(texts: Iterable[str | None]) -> str | None:
    """Of several licences, a Creative Commons one if there is one: it says what is allowed."""
    names = [name for name in map(licence_of, texts) if name]
    return next((n for n in names if n.startswith(("cc-", "cc0"))), next(iter(names), None))
