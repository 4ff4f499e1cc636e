"""Reddit posts and their comments, as Markdown.

Includes what a post carries besides its text: a crossposted post, images, a poll. The feed, a
fallback when Reddit refuses the JSON, has neither votes nor the nesting of comments.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from sourcewright.base.formats.json_values import (
    Record,
    list_of,
    record_of,
    records_of,
    require_value,
    text_of,
    url_of,
)
from sourcewright.base.text.dates import timestamp_of
from sourcewright.base.text.phrases import count_phrase, visible_text_of
from sourcewright.reading.html.threads.forum_posts import post_markdown
from sourcewright.reading.markdown.writer import (
    Comment,
    fact_list,
    join_blocks,
    truncate,
    write_comments,
)
from sourcewright.reading.readings import PostStatistics, Reading


def attachments(post: Record) -> str:
    """The crossposted post, images and poll of a post, as Markdown."""
    return join_blocks(*_crosspost(post), *_pictures(post), *_poll(post))


def crossposted_post(post: Record) -> Record | None:
    """The crossposted original; the crosspost itself does not repeat its text and images."""
    return next(iter(records_of(post.get("crosspost_parent_list"))), None)


def _crosspost(post: Record) -> Iterator[str]:
    original = crossposted_post(post)
    if original is not None:
        author = text_of(original["author"])
        heading = (
            f"Crosspost of a post in {text_of(original['subreddit_name_prefixed'])} by u/{author}:"
        )
        text = join_blocks(
            heading,
            text_of(original["title"]),
            visible_text_of(original["selftext"]),
            attachments(original),
        )
        yield "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _pictures(post: Record) -> Iterator[str]:
    """Images of a gallery, in order; a removed image has no URL."""
    files = record_of(post.get("media_metadata"))
    for one in records_of(record_of(post.get("gallery_data")).get("items")):
        file = record_of(files.get(text_of(one["media_id"]) or ""))
        url = url_of(record_of(file.get("s")).get("u"))
        details = filter(None, (text_of(one.get("caption")), url, url_of(one.get("outbound_url"))))
        yield f"[Image: {', '.join(details) or 'no longer available'}]"


def _poll(post: Record) -> Iterator[str]:
    poll = record_of(post.get("poll_data"))
    if poll:
        options = "\n".join(map(_option, records_of(poll.get("options"))))
        yield join_blocks(options, f"Votes: {int(poll.get('total_vote_count') or 0)}")


def _option(option: Record) -> str:
    """A poll option; Reddit reveals the votes only when the poll has ended."""
    votes = option.get("vote_count")
    votes_text = f" ({count_phrase(int(votes), 'vote')})" if votes is not None else ""
    return f"- {text_of(option['text'])}{votes_text}"


KIND, SITE, HOME = "reddit", "Reddit", "https://www.reddit.com"
MAX_COMMENTS = 500
MAX_FEED_COMMENTS = 100
"""Maximum number of comments in a feed."""
MAX_CHARACTERS = 400_000
_LONGEST_POST = 100_000
ATOM = "{http://www.w3.org/2005/Atom}"
_TEXT_START, _TEXT_END = "<!-- SC_OFF -->", "<!-- SC_ON -->"
"""Comments in the feed's HTML that enclose the user's text."""
_LINK = re.compile(r'<a href="([^"<>]{1,2000})">\[link\]</a>')


@dataclass(frozen=True, slots=True, kw_only=True)
class _Post:
    title: str
    author: str | None
    group: str
    when: str | None
    text: str
    address: str
    link: str | None
    reception: PostStatistics | None = None
    note: str | None = None


def read_thread(answer: Any, number: str, now: float) -> Reading:
    """Parse a post and its comments from the two listings that Reddit returns."""
    posts, replies = answer[0]["data"]["children"], answer[1]["data"]["children"]
    post = posts[0]["data"]
    if posts[0]["kind"] != "t3" or post["id"] != number:
        raise ValueError(f"the response is about {post['id']!r}")
    remarks: list[Comment] = []
    left_out = 0
    for depth, kind, one in _walk(replies):
        if kind == "more":
            # The count is 0 where a thread continues deeper than one page shows.
            left_out += int(one["count"]) or 1
        else:
            remarks.append(_remark(one, depth, now))
    return _page(_post(post, now), remarks, left_out)


def read_feed(feed: Element, number: str, now: float) -> Reading:
    """Parse the post's feed, in which the post comes first and comments are not nested."""
    first, *rest = feed_entries(feed)
    if first.findtext(f"{ATOM}id") != f"t3_{number}":
        raise ValueError("the feed is about another post")
    markup = first.findtext(f"{ATOM}content") or ""
    link, address = _LINK.search(markup), url_of_entry(first)
    group = first.find(f"{ATOM}category")
    post = _Post(
        title=require_value(text_of(first.findtext(f"{ATOM}title")), "title"),
        author=author_of_entry(first),
        group=(group.get("label") if group is not None else None) or "Reddit",
        when=timestamp_of(first.findtext(f"{ATOM}published"), now=now),
        text=_user_text(markup),
        address=address,
        link=link[1] if link and link[1] != address else None,
    )
    remarks = [
        Comment(
            text=_user_text(one.findtext(f"{ATOM}content") or ""),
            author=author_of_entry(one),
            when=timestamp_of(one.findtext(f"{ATOM}updated"), now=now),
        )
        for one in rest
    ]
    return _page(post, remarks, 1 if len(rest) >= MAX_FEED_COMMENTS else 0)


def feed_entries(feed: Element) -> list[Element]:
    if feed.tag != f"{ATOM}feed":
        raise ValueError(f"expected a feed, got {feed.tag}")
    return feed.findall(f"{ATOM}entry")


def _page(post: _Post, remarks: Sequence[Comment], left_out: int) -> Reading:
    thread = write_comments(remarks, most=MAX_COMMENTS, characters=MAX_CHARACTERS)
    reported = post.reception.comments if post.reception else None
    total = max(reported or 0, len(remarks))
    text, is_clipped = truncate(post.text, _LONGEST_POST)
    facts = fact_list(
        Subreddit=post.group,
        Author=post.author and f"u/{post.author}",
        Date=post.when,
        Points=post.reception and post.reception.upvotes,
        Link=post.link,
        Note=post.note,
    )
    heading = f"## Comments ({thread.count} of {total})" if total else None
    return Reading(
        content=join_blocks(f"# {post.title}", facts, text, heading, thread.text),
        kind=KIND,
        title=post.title,
        author=post.author,
        site=SITE,
        published=post.when,
        canonical=post.address,
        reception=post.reception,
        cut=thread.cut or is_clipped or left_out > 0,
    )


def _post(post: Record, now: float) -> _Post:
    address, link = HOME + visible_text_of(post["permalink"]), url_of(post.get("url"))
    original = crossposted_post(post)
    if original is not None:  # its URL comes without the host
        link = HOME + visible_text_of(original["permalink"])
    flags = ("locked", "archived", "over_18", "spoiler")
    flags_text = ", ".join(
        flag.replace("over_18", "for adults") for flag in flags if post.get(flag)
    )
    removed = text_of(post.get("removed_by_category"))
    return _Post(
        title=require_value(text_of(post["title"]), "title"),
        author=text_of(post["author"]),
        group=require_value(text_of(post["subreddit_name_prefixed"]), "subreddit"),
        when=timestamp_of(post["created_utc"], now=now),
        text=join_blocks(visible_text_of(post["selftext"]), attachments(post)),
        address=address,
        link=None if post.get("is_self") or link == address else link,
        reception=PostStatistics(upvotes=int(post["score"]), comments=int(post["num_comments"])),
        note=", ".join(filter(None, (flags_text, removed and f"removed by {removed}"))) or None,
    )


def _walk(children: Any) -> Iterator[tuple[int, str, Record]]:
    """Comments and `more` placeholders with their depth, depth first."""
    stack = [(0, one) for one in reversed(list_of(children))]
    while stack:
        depth, child = stack.pop()
        one = record_of(child["data"])
        yield depth, child["kind"], one
        # Without replies this is an empty string instead of a listing.
        replies = record_of(one.get("replies") or None).get("data")
        below = list_of(replies["children"]) if replies else []
        stack.extend((depth + 1, reply) for reply in reversed(below))


def _remark(comment: Record, depth: int, now: float) -> Comment:
    points = None if comment.get("score_hidden") else count_phrase(int(comment["score"]), "point")
    return Comment(
        text=visible_text_of(comment["body"]),
        author=text_of(comment["author"]),
        when=timestamp_of(comment["created_utc"], now=now),
        depth=depth,
        note=points,
    )


def author_of_entry(entry: Element) -> str | None:
    name = text_of(entry.findtext(f"{ATOM}author/{ATOM}name"))
    return name.removeprefix("/u/") if name else None


def url_of_entry(entry: Element) -> str:
    link = entry.find(f"{ATOM}link")
    return require_value(url_of(link.get("href")) if link is not None else None, "address")


def _user_text(markup: str) -> str:
    """The user's text, without the markup that Reddit adds around it."""
    text, end_mark, _ = markup.partition(_TEXT_START)[2].partition(_TEXT_END)
    return post_markdown(text) if end_mark else ""
