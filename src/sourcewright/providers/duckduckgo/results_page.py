"""DuckDuckGo's results page: hits, no results, or a refusal."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from sourcewright.logic.html.tags import Tag, tags
from sourcewright.logic.search.results import Told

_OWN = "duckduckgo.com"
_FOUND_NONE = re.compile(r"no\s+(?:more\s+)?results(?:\.|\s+found\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsPage:
    """What a page of results says."""

    told: tuple[Told, ...] = ()
    """What it lists, without advertisements; nothing where it says so in its own words."""
    is_challenge: bool = False
    """Whether it wants to know that a person asks, and so says nothing about the question."""


def read_results(body: bytes) -> ResultsPage:
    """What the page says.

    Raises:
        ValueError: It is a page of another kind.
    """
    page = tuple(tags(body))
    if any(_is_challenge(tag) for tag in page):
        return ResultsPage(is_challenge=True)
    told = tuple(one for block in _blocks(page) for one in _told(block))
    if not told and not _says_none(page):
        raise ValueError("the page neither lists results nor says that there are none")
    return ResultsPage(told=told)


def _classes(tag: Tag) -> frozenset[str]:
    return frozenset(tag.attributes.get("class", "").split())


def _is_challenge(tag: Tag) -> bool:
    marks = (tag.attributes.get("id", ""), *_classes(tag))
    return "challenge-form" in marks or any(mark.startswith("anomaly-modal") for mark in marks)


def _says_none(page: Sequence[Tag]) -> bool:
    """Whether the part of the page that holds results says that it holds none."""
    start = next((at for at, tag in enumerate(page) if tag.attributes.get("id") == "links"), None)
    if start is None:
        return False
    inside = page[start:]
    marked = any("no-results" in _classes(tag) for tag in inside)
    return marked or bool(_FOUND_NONE.search(" ".join(tag.text for tag in inside)))


def _blocks(page: Sequence[Tag]) -> Iterator[list[Tag]]:
    """The tags of each result, from its own to the next one's."""
    block: list[Tag] = []
    for tag in page:
        if tag.name == "div" and "result" in _classes(tag):
            yield block
            block = []
        block.append(tag)
    yield block


def _told(block: list[Tag]) -> Iterator[Told]:
    if not block or "web-result" not in _classes(block[0]):
        return
    link = next((tag for tag in block if "result__a" in _classes(tag)), None)
    place = _target(link.attributes.get("href", "")) if link else ""
    if place.startswith(f"https://{_OWN}/y.js"):  # an advertisement that is not marked as one
        return
    yield Told(
        url=place,
        title=_text(block, "result__a"),
        snippet=(_text(block, "result__snippet"),),
        dates=[tag.text.strip() for tag in block if tag.name == "span"],
    )


def _text(block: list[Tag], mark: str) -> str:
    """What stands between a marked tag and its end."""
    start = next((at for at, tag in enumerate(block) if mark in _classes(tag)), None)
    if start is None:
        return ""
    end = f"/{block[start].name}"
    inside = [block[start].text]
    for tag in block[start + 1 :]:
        if tag.name == end:
            break
        inside.append(tag.text)
    return " ".join("".join(inside).split())


def _target(href: str) -> str:
    """Where a link leads, past the address that counts clicks; empty where it leads nowhere."""
    address = f"https:{href}" if href.startswith("//") else href
    try:
        parts = urlsplit(address)
        counted = (parts.hostname or "").removeprefix("www.") == _OWN and parts.path == "/l/"
        return parse_qs(parts.query).get("uddg", [""])[0] if counted else address
    except ValueError:
        return ""
