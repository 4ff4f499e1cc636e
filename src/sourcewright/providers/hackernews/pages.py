"""Hacker News's API responses about items, lists and users, as Markdown.

Its own API returns one item at a time, in page order; Algolia's returns a whole thread at
once, in chronological order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sourcewright.base.errors import UpstreamError
from sourcewright.base.formats.json_values import (
    Record,
    list_of,
    record_of,
    records_of,
    text_of,
    url_of,
)
from sourcewright.base.text.dates import timestamp_of
from sourcewright.base.text.phrases import count_phrase, raw_text_of
from sourcewright.reading.html.threads.forum_posts import post_markdown
from sourcewright.reading.markdown.writer import Comment, fact_list, join_blocks, write_comments
from sourcewright.reading.readings import Reading

KIND, SITE = "hn", "Hacker News"
HOME = "https://news.ycombinator.com"
MAX_COMMENTS = 500
MAX_CHARACTERS = 400_000
_NO_TEXT = "[deleted]"
_TYPES = frozenset({"story", "comment", "job", "poll", "pollopt"})
_NAMES = {"pollopt": "Option of a poll"}
_STATES = {"deleted": "deleted", "dead": "dead (taken down by moderators or flags)"}


@dataclass(frozen=True, slots=True, kw_only=True)
class HackerNewsItem:
    """A story, a comment, a job, a poll or one of its options."""

    number: int
    type: str
    title: str | None
    url: str | None
    text: str
    author: str | None
    when: str | None
    points: int | None
    comments: int | None = None
    parent: int | None = None
    state: str | None = None
    """Why its content is missing, if it was deleted or taken down."""
    kids: tuple[int, ...] = ()
    parts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HackerNewsThread:
    """An item with its comments, grouped by the id of each top-level comment."""

    item: HackerNewsItem
    branches: tuple[tuple[int, tuple[Comment, ...]], ...]

    def remarks(self, order: Sequence[int]) -> tuple[Comment, ...]:
        """Comments with the branches in this order; branches not in it come last."""
        ranks = {number: rank for rank, number in enumerate(order)}
        ranked = sorted(self.branches, key=lambda branch: ranks.get(branch[0], len(ranks)))
        return tuple(remark for _, remarks in ranked for remark in remarks)


def read_item(answer: Any, now: float) -> HackerNewsItem:
    """Parse an item from Hacker News's own API."""
    return HackerNewsItem(
        number=int(answer["id"]),
        type=_type(answer["type"]),
        title=text_of(answer.get("title")),
        url=url_of(answer.get("url")),
        text=_post(answer),
        author=text_of(answer.get("by")),
        when=timestamp_of(answer.get("time"), now=now),
        points=_count(answer.get("score")),
        comments=_count(answer.get("descendants")),
        parent=_count(answer.get("parent") or answer.get("poll")),
        state=_state(answer),
        kids=read_numbers(answer.get("kids", [])),
        parts=read_numbers(answer.get("parts", [])),
    )


def read_numbers(answer: Any) -> tuple[int, ...]:
    return tuple(int(number) for number in list_of(answer))


def read_thread(answer: Any, now: float) -> HackerNewsThread:
    """Parse an item with its comments from Algolia's API."""
    branches = tuple(
        (int(one["id"]), tuple(_branch(one, now))) for one in records_of(answer["children"])
    )
    item = HackerNewsItem(
        number=int(answer["id"]),
        type=_type(answer["type"]),
        title=text_of(answer["title"]),
        url=url_of(answer.get("url")),
        text=_post(answer),
        author=text_of(answer["author"]),
        when=timestamp_of(answer["created_at_i"], now=now),
        points=_count(answer.get("points")),
        parent=_count(answer.get("parent_id")),
    )
    return HackerNewsThread(item=item, branches=branches)


def comment_of_item(item: HackerNewsItem) -> Comment:
    return Comment(text=item.text or _NO_TEXT, author=item.author, when=item.when)


def item_page(
    item: HackerNewsItem,
    remarks: Sequence[Comment],
    *,
    options: Sequence[HackerNewsItem] = (),
    missing: UpstreamError | None = None,
) -> Reading:
    """An item and its comments; `missing` is the reason if comments could not be read."""
    thread = write_comments(remarks, most=MAX_COMMENTS, characters=MAX_CHARACTERS)
    name = _NAMES.get(item.type, item.type.capitalize())
    title = item.title or f"{name} by {item.author or 'unknown'}"
    total = max(item.comments or 0, len(remarks))
    heading = f"## Comments ({thread.count} of {total})" if total else None
    note = f"Replies could not be read: {missing.detail}." if missing else None
    poll = [f"- {one.text} ({count_phrase(one.points or 0, 'point')})" for one in options]
    parent_url = f"{HOME}/item?id={item.parent}" if item.parent else None
    url = f"{HOME}/item?id={item.number}"
    details = fact_list(
        State=item.state,
        URL=item.url,
        Points=item.points,
        Author=item.author,
        Date=item.when,
        Discussion=url,
        In_reply_to=parent_url,
    )
    return Reading(
        content=join_blocks(
            f"# {title}", details, item.text, "\n".join(poll), heading, note, thread.text
        ),
        kind=KIND,
        title=title,
        author=item.author,
        site=SITE,
        published=item.when,
        canonical=url,
        quality="partial" if missing else "complete",
        cut=thread.cut,
    )


def list_page(
    title: str, items: Sequence[HackerNewsItem], *, ids: Sequence[int], more: bool
) -> Reading:
    """Stories, numbered by their rank in the list."""
    ranks = {number: rank for rank, number in enumerate(ids, 1)}
    lines = [f"{ranks[item.number]}. {_line(item)}" for item in items]
    missing = len(ids) - len(items)
    note = f"{missing} of them could not be read." if missing else None
    return Reading(
        content=join_blocks(f"# {title}", note, "\n".join(lines)),
        kind=KIND,
        title=title,
        site=SITE,
        quality="partial" if missing else "complete",
        cut=more,
    )


def read_user(answer: Any, now: float) -> Reading:
    name = text_of(answer["id"])
    created = timestamp_of(answer["created"], now=now)
    details = fact_list(
        Karma=int(answer["karma"]),
        Created=created,
        Submissions=len(read_numbers(answer.get("submitted", []))),
    )
    return Reading(
        content=join_blocks(f"# {name}", details, post_markdown(raw_text_of(answer.get("about")))),
        kind=KIND,
        title=name,
        author=name,
        site=SITE,
        canonical=f"{HOME}/user?id={name}",
    )


def _line(item: HackerNewsItem) -> str:
    discussion = f"{HOME}/item?id={item.number}"
    title = item.title or f"Item {item.number}"
    byline = f"{count_phrase(item.points or 0, 'point')} by {item.author or 'unknown'}, {item.when or 'undated'}"
    comments = f"[{count_phrase(item.comments or 0, 'comment')}]({discussion})"
    return f"[{title}]({item.url or discussion}): {byline}, {comments}"


def _branch(top: Record, now: float) -> Iterator[Comment]:
    """A comment and its replies, depth first."""
    stack = [(0, top)]
    while stack:
        depth, one = stack.pop()
        replies, text = records_of(one.get("children")), _post(one)
        if text or replies:
            yield Comment(
                text=text or _NO_TEXT,
                author=text_of(one["author"]),
                when=timestamp_of(one["created_at_i"], now=now),
                depth=depth,
            )
        stack.extend((depth + 1, record_of(reply)) for reply in reversed(replies))


def _post(answer: Any) -> str:
    return post_markdown(raw_text_of(answer.get("text")))


def _type(value: Any) -> str:
    if value not in _TYPES:
        raise ValueError(f"unknown item type {value!r}")
    return str(value)


def _state(answer: Any) -> str | None:
    return next((state for flag, state in _STATES.items() if answer.get(flag) is True), None)


def _count(value: Any) -> int | None:
    return None if value is None else int(value)
