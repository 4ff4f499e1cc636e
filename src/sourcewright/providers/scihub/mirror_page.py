"""A Sci-Hub mirror's page about a paper: where its file is, or why there is none.

Such pages differ from mirror to mirror and from year to year, so that each known way of
showing a file is tried. Words count only where no file is shown.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urldefrag, urljoin

from sourcewright.logic.html.tags import Tag, tags

_PDF = "application/pdf"
_SHOWN_BY = {"embed": "src", "iframe": "src", "object": "data"}
_GOES_TO = re.compile(r"location(?:\.href)?\s{0,9}=\s{0,9}['\"]([^'\"]+)['\"]")
_BUTTONS = frozenset({"download", "buttons"})
_NOT_READ = frozenset({"script", "style", "noscript"})

_ABSENT = (
    "sci-hub doesn't have the requested document",
    "not available through sci-hub",
    "not yet available in my database",
)
_ABSENT_WHERE_SIGNED = ("article not found", "статья не найдена")
"""What any site could say, and so counts only on a page that names its source."""
_SIGNATURE = "sci-hub"
_CHALLENGES = (
    "are you a robot",
    "are you human",
    "вы робот",
    "checking your browser",
    "ddos-guard",
    "just a moment...",
)
_CHALLENGING = re.compile(r"captcha|altcha|challenge-platform|ddos-guard", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class MirrorPage:
    """What a mirror's page says. All three may be unset: then it is of no known kind."""

    file: str | None = None
    """The address of the file that it shows."""
    is_challenge: bool = False
    """Whether it wants to know that a person asks, and so says nothing about the paper."""
    is_absence: bool = False
    """Whether it says, in words known to be its own, that it does not have the paper."""


def read_mirror_page(body: bytes, base: str) -> MirrorPage:
    """What the page at an address says."""
    page = tuple(tags(body))
    joined = (_web_address(base, address) for address in (*_shown(page), *_offered(page)))
    file = next(filter(None, joined), None)
    if file is not None:
        return MirrorPage(file=file)
    text = _visible(page)
    if any(words in text for words in _CHALLENGES) or _is_marked_as_challenge(page):
        return MirrorPage(is_challenge=True)
    return MirrorPage(is_absence=_denies(text))


def _shown(page: Sequence[Tag]) -> Iterator[str]:
    """What is displayed in the page as a document."""
    for tag in page:
        address = tag.attributes.get(_SHOWN_BY.get(tag.name, ""), "")
        marked = tag.attributes.get("id") == "pdf" or tag.attributes.get("type") == _PDF
        if address and (marked or ".pdf" in address.lower()):
            yield address


def _offered(page: Sequence[Tag]) -> Iterator[str]:
    """What a button leads to, or a link among the buttons."""
    among_buttons = False
    for tag in page:
        marks = {tag.attributes.get("id", ""), *tag.attributes.get("class", "").split()}
        among_buttons = bool(marks & _BUTTONS) or (among_buttons and tag.name != "/div")
        click = _GOES_TO.search(tag.attributes.get("onclick", "").replace("\\/", "/"))
        link = tag.attributes.get("href", "") if tag.name == "a" and among_buttons else ""
        address = click[1] if click else link
        if ".pdf" in address.lower():
            yield address


def _web_address(base: str, address: str) -> str | None:
    """The address as seen from its page, without its fragment; None for what is no web address."""
    try:
        joined = urldefrag(urljoin(base, address)).url
    except ValueError:
        return None
    return joined if joined.lower().startswith(("https://", "http://")) else None


def _is_marked_as_challenge(page: Sequence[Tag]) -> bool:
    marks = (mark for tag in page for mark in (tag.name, *tag.attributes.values()))
    return any(map(_CHALLENGING.search, marks))


def _denies(text: str) -> bool:
    if any(words in text for words in _ABSENT):
        return True
    return _SIGNATURE in text and any(words in text for words in _ABSENT_WHERE_SIGNED)


def _visible(page: Sequence[Tag]) -> str:
    """What a reader sees, in lower case, with plain spaces and apostrophes."""
    seen = " ".join(tag.text for tag in page if tag.name not in _NOT_READ)
    return " ".join(seen.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
