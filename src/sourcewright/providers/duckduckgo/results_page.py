"""Parses DuckDuckGo's results page: hits, no results, or a bot challenge."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from sourcewright.domain.search.results import RawHit
from sourcewright.reading.html.tags import Tag, tags

_HOST = "duckduckgo.com"
_NO_RESULTS = re.compile(r"no\s+(?:more\s+)?results(?:\.|\s+found\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsPage:
    """A parsed results page."""

    hits: tuple[RawHit, ...] = ()
    """The results without advertisements; empty only if the page says that there are none."""
    is_challenge: bool = False
    """Whether it is a bot challenge, which says nothing about the query."""


def read_results(body: bytes) -> ResultsPage:
    """Parse a results page.

    Raises:
        ValueError: It is a page of another kind.
    """
    page = tuple(tags(body))
    if any(_is_challenge(tag) for tag in page):
        return ResultsPage(is_challenge=True)
    hits = tuple(hit for block in _blocks(page) for hit in _hits(block))
    if not hits and not _says_none(page):
        raise ValueError("the page neither lists results nor says that there are none")
    return ResultsPage(hits=hits)


def _classes(tag: Tag) -> frozenset[str]:
    return frozenset(tag.attributes.get("class", "").split())


def _is_challenge(tag: Tag) -> bool:
    names = (tag.attributes.get("id", ""), *_classes(tag))
    return "challenge-form" in names or any(name.startswith("anomaly-modal") for name in names)


def _says_none(page: Sequence[Tag]) -> bool:
    """Whether the results section says that there are no results."""
    start = next((at for at, tag in enumerate(page) if tag.attributes.get("id") == "links"), None)
    if start is None:
        return False
    section = page[start:]
    marked = any("no-results" in _classes(tag) for tag in section)
    return marked or bool(_NO_RESULTS.search(" ".join(tag.text for tag in section)))


def _blocks(page: Sequence[Tag]) -> Iterator[list[Tag]]:
    """The tags of each result, up to the start of the next one."""
    block: list[Tag] = []
    for tag in page:
        if tag.name == "div" and "result" in _classes(tag):
            yield block
            block = []
        block.append(tag)
    yield block


def _hits(block: list[Tag]) -> Iterator[RawHit]:
    if not block or "web-result" not in _classes(block[0]):
        return
    link = next((tag for tag in block if "result__a" in _classes(tag)), None)
    target = _target(link.attributes.get("href", "")) if link else ""
    if target.startswith(f"https://{_HOST}/y.js"):  # an advertisement without the usual class
        return
    yield RawHit(
        url=target,
        title=_text(block, "result__a"),
        snippet=(_text(block, "result__snippet"),),
        dates=[tag.text.strip() for tag in block if tag.name == "span"],
    )


def _text(block: list[Tag], class_name: str) -> str:
    """The text of the first element with a class."""
    start = next((at for at, tag in enumerate(block) if class_name in _classes(tag)), None)
    if start is None:
        return ""
    end = f"/{block[start].name}"
    texts = [block[start].text]
    for tag in block[start + 1 :]:
        if tag.name == end:
            break
        texts.append(tag.text)
    return " ".join("".join(texts).split())


def _target(href: str) -> str:
    """The target of a link, without the click-tracking redirect; empty for an invalid URL."""
    url = f"https:{href}" if href.startswith("//") else href
    try:
        parts = urlsplit(url)
        is_redirect = (parts.hostname or "").removeprefix("www.") == _HOST and parts.path == "/l/"
        return parse_qs(parts.query).get("uddg", [""])[0] if is_redirect else url
    except ValueError:
        return ""
