"""Reddit posts and their comments, as Markdown.

The feed is what Reddit gives to those whom it refuses the rest: no votes, and no depth.

Reads what a post on Reddit carries besides its own text: another post, pictures, a poll.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from sourcewright.domain.readings import Reading, Reception
from sourcewright.logic.formats.json_values import (
    Record,
    list_of,
    record_of,
    records_of,
    required,
    text_of,
    url_of,
)
from sourcewright.logic.markdown.forum_posts import post_of
from sourcewright.logic.markdown.writer import Remark, clipped, conversation, facts, joined
from sourcewright.logic.text.dates import timestamp_of
from sourcewright.logic.text.phrases import counted, words_of


def carried(post: Record) -> str:
    """All of it, as Markdown."""
    return joined(*_others(post), *_pictures(post), *_poll(post))


def original_of(post: Record) -> Record | None:
    """The post that this one only points to; its text and its pictures are not repeated."""
    return next(iter(records_of(post.get("crosspost_parent_list"))), None)


def _others(post: Record) -> Iterator[str]:
    other = original_of(post)
    if other is not None:
        author = text_of(other["author"])
        about = (
            f"Crosspost of a post in {text_of(other['subreddit_name_prefixed'])} by u/{author}:"
        )
        text = joined(about, text_of(other["title"]), words_of(other["selftext"]), carried(other))
        yield "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _pictures(post: Record) -> Iterator[str]:
    """Those of a gallery, in its order; one that was removed has no address any more."""
    files = record_of(post.get("media_metadata"))
    for one in records_of(record_of(post.get("gallery_data")).get("items")):
        shown = record_of(files.get(text_of(one["media_id"]) or ""))
        address = url_of(record_of(shown.get("s")).get("u"))
        told = filter(
            None, (text_of(one.get("caption")), address, url_of(one.get("outbound_url")))
        )
        yield f"[Image: {', '.join(told) or 'no longer there'}]"


def _poll(post: Record) -> Iterator[str]:
    poll = record_of(post.get("poll_data"))
    if poll:
        options = "\n".join(map(_option, records_of(poll.get("options"))))
        yield joined(options, f"Votes: {int(poll.get('total_vote_count') or 0)}")


def _option(option: Record) -> str:
    """What can be chosen; how many did is told only once the poll has ended."""
    votes = option.get("vote_count")
    said = f" ({counted(int(votes), 'vote')})" if votes is not None else ""
    return f"- {text_of(option['text'])}{said}"


KIND, SITE, HOME = "reddit", "Reddit", "https://www.reddit.com"
MOST_REMARKS = 500
FED = 100
"""How many comments a feed has at most."""
MOST_CHARACTERS = 400_000
_LONGEST_POST = 100_000
ATOM = "{http://www.w3.org/2005/Atom}"
_BEFORE, _AFTER = "<!-- SC_OFF -->", "<!-- SC_ON -->"
"""Between these stands what somebody wrote."""
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
    reception: Reception | None = None
    about: str | None = None


def read_thread(answer: Any, number: str, now: float) -> Reading:
    """A post and its comments from the two listings that Reddit gives for it."""
    asked, said = answer[0]["data"]["children"], answer[1]["data"]["children"]
    post = asked[0]["data"]
    if asked[0]["kind"] != "t3" or post["id"] != number:
        raise ValueError(f"the answer is about {post['id']!r}")
    remarks: list[Remark] = []
    left_out = 0
    for depth, kind, one in _walk(said):
        if kind == "more":
            # None at all are counted where a thread goes on deeper than one page shows.
            left_out += int(one["count"]) or 1
        else:
            remarks.append(_remark(one, depth, now))
    return _page(_post(post, now), remarks, left_out)


def read_feed(feed: Element, number: str, now: float) -> Reading:
    """The same from the post's feed, in which the post comes first and comments have no places."""
    first, *rest = entries_of(feed)
    if first.findtext(f"{ATOM}id") != f"t3_{number}":
        raise ValueError("the feed is about another post")
    markup = first.findtext(f"{ATOM}content") or ""
    link, address = _LINK.search(markup), address_of(first)
    group = first.find(f"{ATOM}category")
    post = _Post(
        title=required(text_of(first.findtext(f"{ATOM}title")), "title"),
        author=writer_of(first),
        group=(group.get("label") if group is not None else None) or "Reddit",
        when=timestamp_of(first.findtext(f"{ATOM}published"), now=now),
        text=_written(markup),
        address=address,
        link=link[1] if link and link[1] != address else None,
    )
    remarks = [
        Remark(
            text=_written(one.findtext(f"{ATOM}content") or ""),
            author=writer_of(one),
            when=timestamp_of(one.findtext(f"{ATOM}updated"), now=now),
        )
        for one in rest
    ]
    return _page(post, remarks, 1 if len(rest) >= FED else 0)


def entries_of(feed: Element) -> list[Element]:
    if feed.tag != f"{ATOM}feed":
        raise ValueError(f"not a feed but {feed.tag}")
    return feed.findall(f"{ATOM}entry")


def _page(post: _Post, remarks: Sequence[Remark], left_out: int) -> Reading:
    told = conversation(remarks, most=MOST_REMARKS, characters=MOST_CHARACTERS)
    counted = post.reception.comments if post.reception else None
    total = max(counted or 0, len(remarks))
    text, short = clipped(post.text, _LONGEST_POST)
    about = facts(
        Subreddit=post.group,
        Author=post.author and f"u/{post.author}",
        Date=post.when,
        Points=post.reception and post.reception.upvotes,
        Link=post.link,
        Note=post.about,
    )
    heading = f"## Comments ({told.count} of {total})" if total else None
    return Reading(
        content=joined(f"# {post.title}", about, text, heading, told.text),
        kind=KIND,
        title=post.title,
        author=post.author,
        site=SITE,
        published=post.when,
        canonical=post.address,
        reception=post.reception,
        cut=told.cut or short or left_out > 0,
    )


def _post(post: Record, now: float) -> _Post:
    address, link = HOME + words_of(post["permalink"]), url_of(post.get("url"))
    original = original_of(post)
    if original is not None:  # its address is told without the host
        link = HOME + words_of(original["permalink"])
    marks = ("locked", "archived", "over_18", "spoiler")
    about = ", ".join(mark.replace("over_18", "for adults") for mark in marks if post.get(mark))
    removed = text_of(post.get("removed_by_category"))
    return _Post(
        title=required(text_of(post["title"]), "title"),
        author=text_of(post["author"]),
        group=required(text_of(post["subreddit_name_prefixed"]), "subreddit"),
        when=timestamp_of(post["created_utc"], now=now),
        text=joined(words_of(post["selftext"]), carried(post)),
        address=address,
        link=None if post.get("is_self") or link == address else link,
        reception=Reception(upvotes=int(post["score"]), comments=int(post["num_comments"])),
        about=", ".join(filter(None, (about, removed and f"removed by {removed}"))) or None,
    )


def _walk(children: Any) -> Iterator[tuple[int, str, Record]]:
    """Comments and what stands for those that were left out, each before its replies."""
    waiting = [(0, one) for one in reversed(list_of(children))]
    while waiting:
        depth, child = waiting.pop()
        one = record_of(child["data"])
        yield depth, child["kind"], one
        # Without replies there is an empty text instead of a listing.
        replies = record_of(one.get("replies") or None).get("data")
        below = list_of(replies["children"]) if replies else []
        waiting.extend((depth + 1, reply) for reply in reversed(below))


def _remark(comment: Record, depth: int, now: float) -> Remark:
    points = None if comment.get("score_hidden") else counted(int(comment["score"]), "point")
    return Remark(
        text=words_of(comment["body"]),
        author=text_of(comment["author"]),
        when=timestamp_of(comment["created_utc"], now=now),
        depth=depth,
        about=points,
    )


def writer_of(entry: Element) -> str | None:
    name = text_of(entry.findtext(f"{ATOM}author/{ATOM}name"))
    return name.removeprefix("/u/") if name else None


def address_of(entry: Element) -> str:
    link = entry.find(f"{ATOM}link")
    return required(url_of(link.get("href")) if link is not None else None, "address")


def _written(markup: str) -> str:
    """What somebody wrote, without what Reddit puts around it."""
    written, ends, _ = markup.partition(_BEFORE)[2].partition(_AFTER)
    return post_of(written) if ends else ""
