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
    """`cc-by-4.0` for a Creative Commons URL or name; any other text unchanged."""
    if not text:
        return None
    match = _CREATIVE_COMMONS.fullmatch(text.strip())
    if match:
        kind = match["domain"].lower() if match["domain"] else f"cc-{match['code'].lower()}"
        kind = {"zero": "cc0", "mark": "public-domain-mark"}.get(kind, kind)
        return f"{kind}-{match['version']}" if match["version"] else kind
    if match := _OPEN_SOURCE.fullmatch(text.strip()):
        return match["name"].lower()
    if _SHORT.fullmatch(text.strip()):
        return re.sub(r"[ _-]+", "-", text.strip().lower())
    return text.strip()


def is_licence(text: str) -> bool:
    """Whether a rights statement is the name or the URL of a licence, not prose."""
    return bool(_SHORT.fullmatch(text.strip())) or text.startswith(("http://", "https://"))


def clearest_licence(texts: Iterable[str | None]) -> str | None:
    """The first Creative Commons licence, which says what is allowed; else the first licence."""
    names = [name for name in map(licence_of, texts) if name]
    return next((n for n in names if n.startswith(("cc-", "cc0"))), next(iter(names), None))
