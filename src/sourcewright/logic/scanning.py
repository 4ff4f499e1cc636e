"""Takes the tags out of the head of an HTML page.

A tag counts where the page's author put it into the head: not in a comment, a script, a
template or a title, and not once the body has begun, where a page shows what others wrote.
"""

from collections.abc import Iterator
from itertools import islice

from sourcewright.logic.tagging import Tag, tags

_MOST_TAGS = 4000
"""Honest heads have a few hundred."""
_IN_HEAD = {
    *("html", "head", "base", "basefont", "bgsound", "link", "meta", "template"),
    *("script", "style", "title", "noscript", "noframes"),
}


def head_tags(page: bytes) -> Iterator[Tag]:
    """The tags in a page's head, in their order.

    Some pages put parts of their body before the end of their head. What follows those
    counts only if the head does end later on.
    """
    doubtful: list[Tag] = []
    for tag in _outside_templates(islice(tags(page), _MOST_TAGS)):
        if tag.name in {"/head", "body", "frameset"}:
            yield from doubtful
            return
        if tag.name.startswith("/") or not tag.name:
            continue
        if doubtful or tag.name not in _IN_HEAD:
            doubtful.append(tag)
        else:
            yield tag


def _outside_templates(found: Iterator[Tag]) -> Iterator[Tag]:
    depth = 0
    for tag in found:
        if tag.name == "template":
            depth += 1
        elif tag.name == "/template":
            depth = max(0, depth - 1)
        if not depth:
            yield tag
