"""Reddit's listings of a subreddit or a user, as Markdown."""

from collections.abc import Sequence
from typing import Any
from xml.etree.ElementTree import Element

from sourcewright.base.formats.json_values import Record, require_value, text_of, url_of
from sourcewright.base.text.dates import timestamp_of
from sourcewright.base.text.phrases import count_phrase, headline_of, visible_text_of
from sourcewright.providers.reddit.posts import (
    ATOM,
    HOME,
    KIND,
    SITE,
    author_of_entry,
    feed_entries,
    url_of_entry,
)
from sourcewright.reading.markdown.writer import join_blocks
from sourcewright.reading.readings import Reading

MAX_LISTED = 25
_COMMENT_LENGTH = 300
"""Characters of a comment that a listing shows."""


def read_list(answer: Any, name: str, now: float) -> Reading:
    """Parse a listing of posts, for a user also of comments, in Reddit's order."""
    if answer["kind"] != "Listing":
        raise ValueError(f"expected a listing, got {answer['kind']!r}")
    lines = [_line(one["kind"], one["data"], now) for one in answer["data"]["children"]]
    return _page(name, lines, more=answer["data"]["after"] is not None)


def read_list_feed(feed: Element, name: str, now: float) -> Reading:
    """Parse a listing from a feed, which has no votes."""
    lines = []
    for one in feed_entries(feed):
        title = require_value(text_of(one.findtext(f"{ATOM}title")), "title")
        when = timestamp_of(one.findtext(f"{ATOM}updated"), now=now)
        lines.append(
            f"[{title}]({url_of_entry(one)}): by {_by(author_of_entry(one))}, {when or 'undated'}"
        )
    return _page(name, lines, more=len(lines) >= MAX_LISTED)


def _page(name: str, lines: Sequence[str], *, more: bool) -> Reading:
    title = f"{name} on {SITE}"
    text = "\n".join(f"{rank}. {line}" for rank, line in enumerate(lines, 1))
    return Reading(
        content=join_blocks(f"# {title}", text or "Nothing is listed."),
        kind=KIND,
        title=title,
        site=SITE,
        canonical=f"{HOME}/{name}/",
        cut=more,
    )


def _line(kind: str, one: Record, now: float) -> str:
    url, when = HOME + visible_text_of(one["permalink"]), timestamp_of(one["created_utc"], now=now)
    byline = f"{count_phrase(int(one['score']), 'point')} by {_by(text_of(one['author']))}, {when}"
    if kind == "t1":
        excerpt = headline_of(visible_text_of(one["body"]), most=_COMMENT_LENGTH)
        return f"[Comment on {text_of(one['link_title'])}]({url}): {byline}: {excerpt}"
    if kind != "t3":
        raise ValueError(f"expected a post or a comment, got {kind!r}")
    link = url_of(one.get("url"))
    link_text = f", <{link}>" if link and not one.get("is_self") and link != url else ""
    comments = count_phrase(int(one["num_comments"]), "comment")
    return f"[{text_of(one['title'])}]({url}): {byline}, {comments}{link_text}"


def _by(author: str | None) -> str:
    return f"u/{author}" if author else "somebody"
