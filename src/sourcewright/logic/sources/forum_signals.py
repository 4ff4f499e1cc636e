"""Forum signals: votes and replies of a Reddit or Bluesky post, and what few votes are worth."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sourcewright.domain.readings import Reading, Reception
from sourcewright.logic.html.linked_data import kinds_of, nodes_in, several
from sourcewright.logic.urls.canonical import is_on

Platform = Literal["reddit", "bluesky"]

_PLATFORMS: Mapping[Platform, tuple[str, ...]] = {
    "reddit": ("reddit.com", "redd.it"),
    "bluesky": ("bsky.app",),
}
_POSTS = frozenset({"discussionforumposting", "socialmediaposting"})
_FEW = 20
_LARGEST = 10**12
_LONGEST = 100
_NOTE = (
    "fewer than 20 upvotes: too few to show what others think of it, and easily made by one person"
)
_UPVOTES, _COMMENTS = frozenset({"voteaction", "likeaction"}), frozenset({"commentaction"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ForumSignals:
    """What a forum tells about a post of its own."""

    platform: Platform
    upvotes: int
    comments: int | None
    date_published: str | None
    author_name: str | None
    credibility_note: str | None


def forum_signals(url: str, reading: Reading) -> ForumSignals | None:
    """How a post was received; None where it is no post, or where its votes are not told."""
    platform = next((name for name, sites in _PLATFORMS.items() if is_on(url, sites)), None)
    post = _post(reading)
    received = reading.reception or _reception(post)
    if platform is None or received is None:
        return None
    return ForumSignals(
        platform=platform,
        upvotes=received.upvotes,
        comments=received.comments,
        date_published=_text(post.get("datePublished")) or reading.published,
        author_name=_author(post) or reading.author,
        credibility_note=_NOTE if received.upvotes < _FEW else None,
    )


def _post(reading: Reading) -> Mapping[str, Any]:
    blocks = reading.embedded.json_ld if reading.embedded else ()
    nodes = (node for block in blocks for node in nodes_in(block))
    return next((node for node in nodes if kinds_of(node) & _POSTS), {})


def _reception(post: Mapping[str, Any]) -> Reception | None:
    told = [one for one in several(post.get("interactionStatistic")) if isinstance(one, dict)]
    upvotes = _first((post.get("upvoteCount"), *_counts(told, _UPVOTES)))
    comments = _first((post.get("commentCount"), *_counts(told, _COMMENTS)))
    return None if upvotes is None else Reception(upvotes=upvotes, comments=comments)


def _counts(told: Iterable[Mapping[str, Any]], actions: frozenset[str]) -> list[Any]:
    """The counts of an action, which is named by its address or as a thing of that type."""
    found = []
    for one in told:
        action = one.get("interactionType")
        if kinds_of(action if isinstance(action, dict) else {"@type": action}) & actions:
            found.append(one.get("userInteractionCount"))
    return found


def _first(values: Iterable[Any]) -> int | None:
    return next((number for number in map(_number, values) if number is not None), None)


def _number(value: Any) -> int | None:
    """A count; one that is rounded for people, such as `1.2K`, is none."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 13:
        return int(value)
    is_count = isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST
    return value if is_count else None


def _author(post: Mapping[str, Any]) -> str | None:
    first = several(post.get("author"))[:1]
    named = [one.get("name") if isinstance(one, dict) else one for one in first]
    return _text(named[0]) if named else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and 0 < len(value) <= _LONGEST else None
