"""Hacker News's answers about items, lists and users, as Markdown.

Its own interface gives one item at a time, in the order of its pages; Algolia's gives a whole
thread at once, in the order of time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sourcewright.domain.errors import UpstreamError
from sourcewright.domain.readings import Reading
from sourcewright.logic.formats.json_values import (
    Record,
    list_of,
    record_of,
    records_of,
    text_of,
    url_of,
)
from sourcewright.logic.markdown.forum_posts import post_of
from sourcewright.logic.markdown.writer import Remark, conversation, facts, joined
from sourcewright.logic.text.dates import timestamp_of
from sourcewright.logic.text.phrases import counted, raw_of

KIND, SITE = "hn", "Hacker News"
HOME = "https://news.ycombinator.com"
MOST_REMARKS = 500
MOST_CHARACTERS = 400_000
_NO_TEXT = "[deleted]"
_TYPES = frozenset({"story", "comment", "job", "poll", "pollopt"})
_NAMES = {"pollopt": "Option of a poll"}
_STATES = {"deleted": "deleted", "dead": "dead (taken down by moderators or flags)"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
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
    """Why there is little to see of it, where there is."""
    kids: tuple[int, ...] = ()
    parts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """An item with all that was said below it, each branch under the number of its first comment."""

    item: Item
    branches: tuple[tuple[int, tuple[Remark, ...]], ...]

    def remarks(self, order: Sequence[int]) -> tuple[Remark, ...]:
        """Branches in this order, and those that it does not name behind them."""
        ranks = {number: rank for rank, number in enumerate(order)}
        ranked = sorted(self.branches, key=lambda branch: ranks.get(branch[0], len(ranks)))
        return tuple(remark for _, remarks in ranked for remark in remarks)


def read_item(answer: Any, now: float) -> Item:
    """An item as its own interface gives it."""
    return Item(
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


def read_thread(answer: Any, now: float) -> Thread:
    """An item with its comments as Algolia gives them."""
    branches = tuple(
        (int(one["id"]), tuple(_branch(one, now))) for one in records_of(answer["children"])
    )
    item = Item(
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
    return Thread(item=item, branches=branches)


def remark_of(item: Item) -> Remark:
    return Remark(text=item.text or _NO_TEXT, author=item.author, when=item.when)


def item_page(
    item: Item,
    remarks: Sequence[Remark],
    *,
    options: Sequence[Item] = (),
    missing: UpstreamError | None = None,
) -> Reading:
    """An item and what was said below it; `missing` is why that is not all of it."""
    told = conversation(remarks, most=MOST_REMARKS, characters=MOST_CHARACTERS)
    name = _NAMES.get(item.type, item.type.capitalize())
    title = item.title or f"{name} by {item.author or 'somebody'}"
    total = max(item.comments or 0, len(remarks))
    heading = f"## Comments ({told.count} of {total})" if total else None
    note = f"Replies could not be read: {missing.detail}." if missing else None
    chosen = [f"- {one.text} ({counted(one.points or 0, 'point')})" for one in options]
    under = f"{HOME}/item?id={item.parent}" if item.parent else None
    address = f"{HOME}/item?id={item.number}"
    about = facts(
        State=item.state,
        URL=item.url,
        Points=item.points,
        Author=item.author,
        Date=item.when,
        Discussion=address,
        In_reply_to=under,
    )
    return Reading(
        content=joined(
            f"# {title}", about, item.text, "\n".join(chosen), heading, note, told.text
        ),
        kind=KIND,
        title=title,
        author=item.author,
        site=SITE,
        published=item.when,
        canonical=address,
        quality="partial" if missing else "complete",
        cut=told.cut,
    )


def list_page(title: str, items: Sequence[Item], *, asked: Sequence[int], more: bool) -> Reading:
    """Stories at the places that they have in the list."""
    places = {number: place for place, number in enumerate(asked, 1)}
    lines = [f"{places[item.number]}. {_line(item)}" for item in items]
    lost = len(asked) - len(items)
    note = f"{lost} of them could not be read." if lost else None
    return Reading(
        content=joined(f"# {title}", note, "\n".join(lines)),
        kind=KIND,
        title=title,
        site=SITE,
        quality="partial" if lost else "complete",
        cut=more,
    )


def read_member(answer: Any, now: float) -> Reading:
    name = text_of(answer["id"])
    created = timestamp_of(answer["created"], now=now)
    known = facts(
        Karma=int(answer["karma"]),
        Created=created,
        Submissions=len(read_numbers(answer.get("submitted", []))),
    )
    return Reading(
        content=joined(f"# {name}", known, post_of(raw_of(answer.get("about")))),
        kind=KIND,
        title=name,
        author=name,
        site=SITE,
        canonical=f"{HOME}/user?id={name}",
    )


def _line(item: Item) -> str:
    discussion = f"{HOME}/item?id={item.number}"
    title = item.title or f"Item {item.number}"
    said = f"{counted(item.points or 0, 'point')} by {item.author or 'somebody'}, {item.when or 'undated'}"
    comments = f"[{counted(item.comments or 0, 'comment')}]({discussion})"
    return f"[{title}]({item.url or discussion}): {said}, {comments}"


def _branch(top: Record, now: float) -> Iterator[Remark]:
    """A comment and its replies, each before what was said to it."""
    waiting = [(0, top)]
    while waiting:
        depth, one = waiting.pop()
        replies, text = records_of(one.get("children")), _post(one)
        if text or replies:
            yield Remark(
                text=text or _NO_TEXT,
                author=text_of(one["author"]),
                when=timestamp_of(one["created_at_i"], now=now),
                depth=depth,
            )
        waiting.extend((depth + 1, record_of(reply)) for reply in reversed(replies))


def _post(answer: Any) -> str:
    return post_of(raw_of(answer.get("text")))


def _type(value: Any) -> str:
    if value not in _TYPES:
        raise ValueError(f"{value!r} is no type of item")
    return str(value)


def _state(answer: Any) -> str | None:
    return next((said for mark, said in _STATES.items() if answer.get(mark) is True), None)


def _count(value: Any) -> int | None:
    return None if value is None else int(value)
