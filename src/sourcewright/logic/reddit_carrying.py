"""Reads what a post on Reddit carries besides its own text: another post, pictures, a poll."""

from collections.abc import Iterator

from sourcewright.logic.composing import joined
from sourcewright.logic.counting import counted
from sourcewright.logic.gleaning import Record, record_of, records_of, text_of, url_of
from sourcewright.logic.wording import words_of


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
