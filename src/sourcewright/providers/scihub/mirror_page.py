"""Parses a Sci-Hub mirror's page about a paper: the URL of its file, or why there is none.

The pages differ between mirrors and over time, so every known way of embedding a file is
tried. The text is considered only if no file is embedded.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urldefrag, urljoin

from sourcewright.reading.html.tags import Tag, tags

_PDF = "application/pdf"
_EMBED_ATTRIBUTES = {"embed": "src", "iframe": "src", "object": "data"}
_CLICK_TARGET = re.compile(r"location(?:\.href)?\s{0,9}=\s{0,9}['\"]([^'\"]+)['\"]")
_BUTTONS = frozenset({"download", "buttons"})
_INVISIBLE = frozenset({"script", "style", "noscript"})

_ABSENT = (
    "sci-hub doesn't have the requested document",
    "not available through sci-hub",
    "not yet available in my database",
)
_ABSENT_IF_SIGNED = ("article not found", "статья не найдена")
"""Messages that any site could show, so they count only on a page that names Sci-Hub."""
_SIGNATURE = "sci-hub"
_CHALLENGES = (
    "are you a robot",
    "are you human",
    "вы робот",
    "checking your browser",
    "ddos-guard",
    "just a moment...",
)
_CHALLENGE_MARKUP = re.compile(r"captcha|altcha|challenge-platform|ddos-guard", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class MirrorPage:
    """A parsed mirror page. If all three fields are unset, it is of no known kind."""

    file: str | None = None
    """URL of the embedded file."""
    is_challenge: bool = False
    """Whether it is a bot challenge, which says nothing about the paper."""
    is_absence: bool = False
    """Whether it says, in a message known to be its own, that it does not have the paper."""


def read_mirror_page(body: bytes, base: str) -> MirrorPage:
    """Parse a mirror page; `base` is its URL."""
    page = tuple(tags(body))
    urls = (_absolute_url(base, link) for link in (*_embedded(page), *_linked(page)))
    file = next(filter(None, urls), None)
    if file is not None:
        return MirrorPage(file=file)
    text = _visible_text(page)
    if any(words in text for words in _CHALLENGES) or _is_marked_as_challenge(page):
        return MirrorPage(is_challenge=True)
    return MirrorPage(is_absence=_says_absent(text))


def _embedded(page: Sequence[Tag]) -> Iterator[str]:
    """URLs of embedded documents."""
    for tag in page:
        url = tag.attributes.get(_EMBED_ATTRIBUTES.get(tag.name, ""), "")
        marked = tag.attributes.get("id") == "pdf" or tag.attributes.get("type") == _PDF
        if url and (marked or ".pdf" in url.lower()):
            yield url


def _linked(page: Sequence[Tag]) -> Iterator[str]:
    """URLs of PDFs behind buttons, or behind links in a group of buttons."""
    among_buttons = False
    for tag in page:
        names = {tag.attributes.get("id", ""), *tag.attributes.get("class", "").split()}
        among_buttons = bool(names & _BUTTONS) or (among_buttons and tag.name != "/div")
        click = _CLICK_TARGET.search(tag.attributes.get("onclick", "").replace("\\/", "/"))
        link = tag.attributes.get("href", "") if tag.name == "a" and among_buttons else ""
        url = click[1] if click else link
        if ".pdf" in url.lower():
            yield url


def _absolute_url(base: str, link: str) -> str | None:
    """The absolute URL without its fragment; None unless it is http or https."""
    try:
        absolute = urldefrag(urljoin(base, link)).url
    except ValueError:
        return None
    return absolute if absolute.lower().startswith(("https://", "http://")) else None


def _is_marked_as_challenge(page: Sequence[Tag]) -> bool:
    values = (value for tag in page for value in (tag.name, *tag.attributes.values()))
    return any(map(_CHALLENGE_MARKUP.search, values))


def _says_absent(text: str) -> bool:
    if any(words in text for words in _ABSENT):
        return True
    return _SIGNATURE in text and any(words in text for words in _ABSENT_IF_SIGNED)


def _visible_text(page: Sequence[Tag]) -> str:
    """The visible text in lower case, with white space and apostrophes normalised."""
    text = " ".join(tag.text for tag in page if tag.name not in _INVISIBLE)
    return " ".join(text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
