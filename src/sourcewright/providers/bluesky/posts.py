"""Bluesky's API responses about posts, threads and profiles, as Markdown.

Includes what is embedded in a post: images, videos, links and quoted posts.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sourcewright.base.errors import Refused
from sourcewright.base.formats.json_values import (
    Record,
    record_of,
    records_of,
    require_value,
    text_of,
    url_of,
)
from sourcewright.base.text.dates import timestamp_of
from sourcewright.base.text.phrases import count_phrase, headline_of, visible_text_of
from sourcewright.base.text.plain import strip_invisible
from sourcewright.reading.markdown.writer import (
    Comment,
    WrittenComments,
    fact_list,
    join_blocks,
    write_comments,
)
from sourcewright.reading.readings import PostStatistics, Reading

MEMBERS_ONLY_TEXT = "[visible to signed-in users only]"
_MEMBERS_ONLY = "!no-unauthenticated"
"""The label of members who do not want to be shown to visitors without a login."""
_MISSING: Mapping[str, str] = {
    "notFound": "[The quoted post no longer exists]",
    "blocked": "[The quoted post is visible to some users only]",
    "detached": "[The quoted post was detached by its author]",
}
_MAX_QUOTE_DEPTH = 3
"""Deeper nested quotations are omitted."""


def embedded_parts(embed: Record, depth: int = 0) -> Iterator[str]:
    """The embedded media and quotations, each as Markdown."""
    media = record_of(embed.get("media"))
    for one in (embed, media):
        yield from _media(one)
    quoted = record_of(embed.get("record"))
    # Next to media, the quoted record is nested one level deeper.
    yield from _quoted(record_of(quoted.get("record")) if media else quoted, depth)


def is_private(member: Record) -> bool:
    return any(label.get("val") == _MEMBERS_ONLY for label in records_of(member.get("labels")))


def name_of_member(member: Record) -> str:
    return text_of(member.get("displayName")) or str(member["handle"])


def _media(embed: Record) -> Iterator[str]:
    for image in records_of(embed.get("images")):
        yield f"[Image: {alt}]" if (alt := text_of(image.get("alt"))) else "[Image]"
    if "playlist" in embed:
        yield f"[Video: {text_of(embed.get('alt')) or 'no description'}]"
    if external := record_of(embed.get("external")):
        title, description = text_of(external.get("title")), text_of(external.get("description"))
        link = f"[{title or external['uri']}]({external['uri']})"
        yield f"{link}: {description}" if description else link


def _quoted(quoted: Record, depth: int) -> Iterator[str]:
    missing = next((note for flag, note in _MISSING.items() if quoted.get(flag) is True), None)
    if missing is not None:
        yield missing
    elif "value" in quoted and is_private(record_of(quoted.get("author"))):
        yield f"> {MEMBERS_ONLY_TEXT}"
    elif "value" in quoted and depth < _MAX_QUOTE_DEPTH:
        inside = (
            part
            for one in records_of(quoted.get("embeds"))
            for part in embedded_parts(one, depth + 1)
        )
        author, text = (
            name_of_member(quoted["author"]),
            visible_text_of(quoted["value"].get("text")),
        )
        lines = join_blocks(f"{author}: {text}", *inside).split("\n")
        yield "\n".join(f"> {line}".rstrip() for line in lines)
    elif name := _title_of(quoted):
        yield name


def _title_of(thing: Record) -> str | None:
    """The name and description of a quoted feed, list or starter pack."""
    fields = {**record_of(thing.get("record")), **thing}
    name = text_of(fields.get("displayName") or fields.get("name"))
    description = text_of(fields.get("description"))
    return f"[{name}: {description}]" if name and description else f"[{name}]" if name else None


KIND, SITE, SOURCE = "bluesky", "Bluesky", "bluesky"
HOME = "https://bsky.app"
MAX_REPLIES = 500
MAX_CHARACTERS = 400_000


def read_thread(answer: Any, now: float) -> Reading:
    """A post, the posts it replies to, and its replies.

    Raises:
        Refused: Its author shows it to members only, or blocked somebody in the thread.
    """
    thread = answer["thread"]
    if thread.get("blocked") is True:
        raise Refused(SOURCE, "the post is visible to some users only")
    post = thread["post"]
    if is_private(post["author"]):
        raise Refused(SOURCE, "the posts of this author are visible to signed-in users only")
    author, when = (
        name_of_member(post["author"]),
        timestamp_of(post["record"]["createdAt"], now=now),
    )
    likes, replies = _count(post, "likeCount"), _count(post, "replyCount")
    below = _conversation([*_replies(thread, now)])
    above = _conversation([*reversed([*_parents(thread, now)])])
    text = _text_of(post)
    facts = fact_list(
        Author=f"{author} (@{post['author']['handle']})",
        Date=when,
        Likes=likes,
        Reposts=_count(post, "repostCount"),
        Quotes=text_of(post.get("quoteCount")),
        Replies=replies,
    )
    body = visible_text_of(post["record"]["text"])
    title = headline_of(body) if body else f"Post by {author}"
    heading = f"## Replies ({below.count} of {max(replies, below.count)})" if below.count else None
    earlier = join_blocks("## Earlier in the thread", above.text) if above.count else None
    return Reading(
        content=join_blocks(f"# Post by {author}", facts, text, earlier, heading, below.text),
        kind=KIND,
        title=title,
        author=author,
        site=SITE,
        published=when,
        canonical=f"{HOME}/profile/{post['author']['handle']}/post/{post['uri'].rpartition('/')[2]}",
        language=next((one for one in post["record"].get("langs") or () if text_of(one)), None),
        reception=PostStatistics(upvotes=likes, comments=replies),
        cut=below.cut or above.cut or any(map(_has_omitted_replies, _nodes(thread))),
    )


def read_profile(answer: Any, now: float) -> Reading:
    """A member's profile.

    Raises:
        Refused: The profile is visible to members only.
    """
    if is_private(answer):
        raise Refused(SOURCE, "this profile is visible to signed-in users only")
    handle = require_value(text_of(answer["handle"]), "handle")
    name = name_of_member(answer)
    facts = fact_list(
        Handle=f"@{handle}",
        Followers=_count(answer, "followersCount"),
        Follows=_count(answer, "followsCount"),
        Posts=_count(answer, "postsCount"),
        Joined=timestamp_of(answer.get("createdAt"), now=now),
    )
    return Reading(
        content=join_blocks(f"# {name}", facts, visible_text_of(answer.get("description"))),
        kind=KIND,
        title=f"{name} (@{handle})",
        author=name,
        site=SITE,
        canonical=f"{HOME}/profile/{handle}",
    )


def _conversation(remarks: list[Comment]) -> WrittenComments:
    return write_comments(remarks, most=MAX_REPLIES, characters=MAX_CHARACTERS)


def _replies(thread: Record, now: float) -> Iterator[Comment]:
    """The replies, without deleted and blocked ones."""
    for depth, one in _nodes(thread):
        if "post" in one:
            yield _remark(one["post"], depth, now)


def _nodes(thread: Record) -> Iterator[tuple[int, Record]]:
    """All replies with their depth, each before its own replies (depth first)."""
    stack = [(0, one) for one in reversed(records_of(thread.get("replies")))]
    while stack:
        depth, one = stack.pop()
        yield depth, one
        stack.extend((depth + 1, reply) for reply in reversed(records_of(one.get("replies"))))


def _has_omitted_replies(node: tuple[int, Record]) -> bool:
    """Whether a post has replies that the response omits, because its depth is limited."""
    reply = node[1]
    return "replies" not in reply and _count(record_of(reply.get("post")), "replyCount") > 0


def _count(thing: Record, name: str) -> int:
    """A counter, 0 if the response omits it."""
    return int(thing.get(name) or 0)


def _parents(thread: Record, now: float) -> Iterator[Comment]:
    parent = record_of(thread.get("parent"))
    while "post" in parent:
        yield _remark(parent["post"], 0, now)
        parent = record_of(parent.get("parent"))


def _remark(post: Record, depth: int, now: float) -> Comment:
    return Comment(
        text=MEMBERS_ONLY_TEXT if is_private(post["author"]) else _text_of(post),
        author=name_of_member(post["author"]),
        when=timestamp_of(post["record"]["createdAt"], now=now),
        depth=depth,
        note=count_phrase(_count(post, "likeCount"), "like"),
    )


def _text_of(post: Record) -> str:
    """The text of a post with its links, image descriptions and quotations."""
    record = record_of(post["record"])
    return join_blocks(_linked(record), *embedded_parts(record_of(post.get("embed"))))


def _linked(record: Record) -> str:
    """The text with its shortened links as Markdown links; facet offsets count UTF-8 bytes."""
    data = record["text"].encode("utf-8", errors="replace")
    pieces, position = [], 0
    links = (_link(facet) for facet in records_of(record.get("facets")))
    for start, stop, url in sorted(link for link in links if link):
        if position <= start < stop <= len(data):
            pieces += [data[position:start], b"[", data[start:stop], b"](", url.encode(), b")"]
            position = stop
    return strip_invisible(
        b"".join((*pieces, data[position:])).decode("utf-8", errors="replace")
    ).strip()


def _link(facet: Record) -> tuple[int, int, str] | None:
    span = record_of(facet["index"])
    for feature in records_of(facet.get("features")):
        if url := url_of(feature.get("uri")):
            return int(span["byteStart"]), int(span["byteEnd"]), url
    return None
