"""Bluesky's answers about posts, threads and profiles, as Markdown.

Reads what a post on Bluesky carries: pictures, films, links, and what it quotes.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sourcewright.domain.errors import Refused
from sourcewright.domain.readings import Reading, Reception
from sourcewright.logic.formats.json_values import (
    Record,
    record_of,
    records_of,
    required,
    text_of,
    url_of,
)
from sourcewright.logic.markdown.writer import Remark, Remarks, conversation, facts, joined
from sourcewright.logic.text.dates import timestamp_of
from sourcewright.logic.text.phrases import counted, headline_of, words_of
from sourcewright.logic.text.plain import shown

UNSHOWN = "[shown to members only]"
_MEMBERS_ONLY = "!no-unauthenticated"
"""The label by which a member asks not to be shown to those who have not signed in."""
_MISSING: Mapping[str, str] = {
    "notFound": "[The quoted post is not there any more]",
    "blocked": "[The quoted post is shown to some members only]",
    "detached": "[The quoted post was taken back by its author]",
}
_DEEPEST = 3
"""What is quoted in a quotation in a quotation is not told."""


def embedded(embed: Record, depth: int = 0) -> Iterator[str]:
    """Each of its parts as Markdown."""
    media = record_of(embed.get("media"))
    for one in (embed, media):
        yield from _media(one)
    quoted = record_of(embed.get("record"))
    # With media beside it, what is quoted stands one step deeper.
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
        title, about = text_of(external.get("title")), text_of(external.get("description"))
        link = f"[{title or external['uri']}]({external['uri']})"
        yield f"{link}: {about}" if about else link


def _quoted(quoted: Record, depth: int) -> Iterator[str]:
    missing = next((said for mark, said in _MISSING.items() if quoted.get(mark) is True), None)
    if missing is not None:
        yield missing
    elif "value" in quoted and is_private(record_of(quoted.get("author"))):
        yield f"> {UNSHOWN}"
    elif "value" in quoted and depth < _DEEPEST:
        inside = (
            part for one in records_of(quoted.get("embeds")) for part in embedded(one, depth + 1)
        )
        author, text = name_of_member(quoted["author"]), words_of(quoted["value"].get("text"))
        lines = joined(f"{author}: {text}", *inside).split("\n")
        yield "\n".join(f"> {line}".rstrip() for line in lines)
    elif name := _title_of(quoted):
        yield name


def _title_of(thing: Record) -> str | None:
    """A feed, a list or a pack of members, by its name and what is said of it."""
    told = {**record_of(thing.get("record")), **thing}
    name = text_of(told.get("displayName") or told.get("name"))
    about = text_of(told.get("description"))
    return f"[{name}: {about}]" if name and about else f"[{name}]" if name else None


KIND, SITE, SOURCE = "bluesky", "Bluesky", "bluesky"
HOME = "https://bsky.app"
MOST_REMARKS = 500
MOST_CHARACTERS = 400_000


def read_thread(answer: Any, now: float) -> Reading:
    """A post, what it answers, and what was answered.

    Raises:
        Refused: Its author shows it to members only, or blocked somebody in the thread.
    """
    thread = answer["thread"]
    if thread.get("blocked") is True:
        raise Refused(SOURCE, "only some members see the post")
    post = thread["post"]
    if is_private(post["author"]):
        raise Refused(SOURCE, "only members see the posts of this author")
    author, when = (
        name_of_member(post["author"]),
        timestamp_of(post["record"]["createdAt"], now=now),
    )
    likes, replies = _count(post, "likeCount"), _count(post, "replyCount")
    told = _told([*_walk(thread, now)])
    before = _told([*reversed([*_parents(thread, now)])])
    text = _text_of(post)
    about = facts(
        Author=f"{author} (@{post['author']['handle']})",
        Date=when,
        Likes=likes,
        Reposts=_count(post, "repostCount"),
        Quotes=text_of(post.get("quoteCount")),
        Replies=replies,
    )
    said = words_of(post["record"]["text"])
    title = headline_of(said) if said else f"Post by {author}"
    heading = f"## Replies ({told.count} of {max(replies, told.count)})" if told.count else None
    earlier = joined("## Earlier in the thread", before.text) if before.count else None
    return Reading(
        content=joined(f"# Post by {author}", about, text, earlier, heading, told.text),
        kind=KIND,
        title=title,
        author=author,
        site=SITE,
        published=when,
        canonical=f"{HOME}/profile/{post['author']['handle']}/post/{post['uri'].rpartition('/')[2]}",
        language=next((one for one in post["record"].get("langs") or () if text_of(one)), None),
        reception=Reception(upvotes=likes, comments=replies),
        cut=told.cut or before.cut or any(map(_goes_on, _nodes(thread))),
    )


def read_profile(answer: Any, now: float) -> Reading:
    """A member, as they describe themselves.

    Raises:
        Refused: They show themselves to members only.
    """
    if is_private(answer):
        raise Refused(SOURCE, "only members see this profile")
    handle = required(text_of(answer["handle"]), "handle")
    name = name_of_member(answer)
    about = facts(
        Handle=f"@{handle}",
        Followers=_count(answer, "followersCount"),
        Follows=_count(answer, "followsCount"),
        Posts=_count(answer, "postsCount"),
        Joined=timestamp_of(answer.get("createdAt"), now=now),
    )
    return Reading(
        content=joined(f"# {name}", about, words_of(answer.get("description"))),
        kind=KIND,
        title=f"{name} (@{handle})",
        author=name,
        site=SITE,
        canonical=f"{HOME}/profile/{handle}",
    )


def _told(remarks: list[Remark]) -> Remarks:
    return conversation(remarks, most=MOST_REMARKS, characters=MOST_CHARACTERS)


def _walk(thread: Record, now: float) -> Iterator[Remark]:
    """The replies; deleted and blocked ones say nothing."""
    for depth, one in _nodes(thread):
        if "post" in one:
            yield _remark(one["post"], depth, now)


def _nodes(thread: Record) -> Iterator[tuple[int, Record]]:
    """What hangs below a post, each before what was replied to it."""
    waiting = [(0, one) for one in reversed(records_of(thread.get("replies")))]
    while waiting:
        depth, one = waiting.pop()
        yield depth, one
        waiting.extend((depth + 1, reply) for reply in reversed(records_of(one.get("replies"))))


def _goes_on(node: tuple[int, Record]) -> bool:
    """Whether more was replied than is told: an answer goes only so deep."""
    below = node[1]
    return "replies" not in below and _count(record_of(below.get("post")), "replyCount") > 0


def _count(thing: Record, name: str) -> int:
    """How many, which need not be told."""
    return int(thing.get(name) or 0)


def _parents(thread: Record, now: float) -> Iterator[Remark]:
    above = record_of(thread.get("parent"))
    while "post" in above:
        yield _remark(above["post"], 0, now)
        above = record_of(above.get("parent"))


def _remark(post: Record, depth: int, now: float) -> Remark:
    return Remark(
        text=UNSHOWN if is_private(post["author"]) else _text_of(post),
        author=name_of_member(post["author"]),
        when=timestamp_of(post["record"]["createdAt"], now=now),
        depth=depth,
        about=counted(_count(post, "likeCount"), "like"),
    )


def _text_of(post: Record) -> str:
    """What a post says: its text with its links, its pictures' descriptions, what it quotes."""
    record = record_of(post["record"])
    return joined(_linked(record), *embedded(record_of(post.get("embed"))))


def _linked(record: Record) -> str:
    """The text, with the addresses behind its shortened links; places are counted in bytes."""
    data = record["text"].encode("utf-8", errors="replace")
    pieces, at = [], 0
    links = (_link(facet) for facet in records_of(record.get("facets")))
    for start, stop, address in sorted(link for link in links if link):
        if at <= start < stop <= len(data):
            pieces += [data[at:start], b"[", data[start:stop], b"](", address.encode(), b")"]
            at = stop
    return shown(b"".join((*pieces, data[at:])).decode("utf-8", errors="replace")).strip()


def _link(facet: Record) -> tuple[int, int, str] | None:
    place = record_of(facet["index"])
    for feature in records_of(facet.get("features")):
        if address := url_of(feature.get("uri")):
            return int(place["byteStart"]), int(place["byteEnd"]), address
    return None
