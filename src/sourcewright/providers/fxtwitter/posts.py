"""FxTwitter's API responses about posts, articles and profiles on X, as Markdown."""

from collections.abc import Iterator, Mapping
from typing import Any

from sourcewright.base.formats.json_values import Record, record_of, records_of, text_of, url_of
from sourcewright.base.text.dates import timestamp_of
from sourcewright.base.text.phrases import headline_of, visible_text_of
from sourcewright.reading.markdown.writer import code_fence, fact_list, join_blocks, truncate
from sourcewright.reading.readings import Reading

KIND, SITE, HOME = "twitter", "X", "https://x.com"
_LONGEST = 400_000
_MOST_BLOCKS = 5_000
_BLOCK_PREFIXES: Mapping[str, str] = {
    "header-one": "## ",
    "header-two": "### ",
    "header-three": "#### ",
    "unordered-list-item": "- ",
    "ordered-list-item": "1. ",
    "blockquote": "> ",
}
"""Markdown prefixes of article blocks; other blocks are paragraphs."""


def read_post(answer: Any, number: str, now: float) -> Reading:
    """A post with the post it quotes and its article."""
    post = answer["tweet"]
    if text_of(post["id"]) != number:
        raise ValueError(f"the response is about {post['id']!r}")
    author, when = _member(post["author"]), _when(post, now)
    article = record_of(post.get("article"))
    title = text_of(article.get("title"))
    text, cut = truncate(join_blocks(_text_of(post), *_blocks(article)), _LONGEST)
    facts = fact_list(
        Author=author,
        Date=when,
        Likes=text_of(post["likes"]),
        Reposts=text_of(post["retweets"]),
        Replies=text_of(post["replies"]),
        Quotes=text_of(post.get("quotes")),
        Views=text_of(post.get("views")),
        In_reply_to=_reply_target(post),
        Note_by_the_community=text_of(record_of(post.get("community_note")).get("text")),
    )
    name = text_of(post["author"]["name"]) or author
    return Reading(
        content=join_blocks(f"# {title or f'Post by {name}'}", facts, text),
        kind=KIND,
        title=title or headline_of(visible_text_of(post["text"])) or f"Post by {name}",
        author=name,
        site=SITE,
        published=when,
        canonical=f"{HOME}/{post['author']['screen_name']}/status/{number}",
        language=text_of(post.get("lang")),
        cut=cut,
    )


def read_member(answer: Any, handle: str, now: float) -> Reading:
    """A user's profile."""
    member = answer["user"]
    screen_name = member["screen_name"]
    if screen_name.lower() != handle.lower():
        raise ValueError(f"the response is about {screen_name!r}")
    name = text_of(member["name"]) or screen_name
    facts = fact_list(
        Handle=f"@{screen_name}",
        Followers=text_of(member["followers"]),
        Following=text_of(member["following"]),
        Posts=text_of(member.get("tweets")),
        Location=text_of(member.get("location")),
        Website=text_of(record_of(member.get("website")).get("url")),
        Joined=timestamp_of(member.get("joined"), now=now),
    )
    return Reading(
        content=join_blocks(f"# {name}", facts, visible_text_of(member.get("description"))),
        kind=KIND,
        title=f"{name} (@{screen_name})",
        author=name,
        site=SITE,
        canonical=f"{HOME}/{screen_name}",
    )


def _text_of(post: Record) -> str:
    quoted = record_of(post.get("quote"))
    quoted_text = _quoted(_text_of({**quoted, "quote": None})) if quoted else ""
    quote = f"> {_member(quoted['author'])}:\n>\n{quoted_text}" if quoted else None
    return join_blocks(
        visible_text_of(post["text"]), *_media(record_of(post.get("media"))), *_poll(post), quote
    )


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _media(media: Record) -> Iterator[str]:
    for one in records_of(media.get("all")):
        kind = (text_of(one.get("type")) or "media").capitalize()
        yield f"[{kind}: {text_of(one.get('altText')) or url_of(one.get('url')) or 'unknown'}]"
    if external := url_of(record_of(media.get("external")).get("url")):
        yield f"[External media: {external}]"


def _poll(post: Record) -> Iterator[str]:
    poll = record_of(post.get("poll"))
    lines = [
        f"- {text_of(choice['label'])}: {text_of(choice.get('percentage'))} %"
        for choice in records_of(poll.get("choices"))
    ]
    if lines:
        votes = text_of(poll.get("total_votes")) or "unknown"
        yield join_blocks("\n".join(lines), f"Votes: {votes}")


def _blocks(article: Record) -> Iterator[str]:
    """The blocks of an article; consecutive list items stay together."""
    blocks = records_of(record_of(article.get("content")).get("blocks"))[:_MOST_BLOCKS]
    items: list[str] = []
    for block in blocks:
        kind, text = text_of(block.get("type")) or "", visible_text_of(block["text"])
        if kind.endswith("list-item"):
            items.append(_BLOCK_PREFIXES.get(kind, "- ") + text)
            continue
        if items:
            yield "\n".join(items)
            items = []
        if text:
            yield (
                code_fence(text) if kind == "code-block" else _BLOCK_PREFIXES.get(kind, "") + text
            )
    yield "\n".join(items)


def _reply_target(post: Record) -> str | None:
    to = post.get("replying_to")
    if isinstance(to, Mapping):  # as in the newer version of the API
        handle, number = text_of(to.get("screen_name")), text_of(to.get("status"))
    else:
        handle, number = text_of(to), text_of(post.get("replying_to_status"))
    return f"{HOME}/{handle}/status/{number}" if handle and number else handle


def _when(post: Record, now: float) -> str | None:
    values = (post.get("created_timestamp"), post["created_at"])
    return next((moment for one in values if (moment := timestamp_of(one, now=now))), None)


def _member(author: Record) -> str:
    return f"{text_of(author['name']) or author['screen_name']} (@{author['screen_name']})"
