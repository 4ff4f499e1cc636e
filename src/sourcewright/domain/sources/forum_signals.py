"""Forum signals: votes and replies of a Reddit or Bluesky post, and a note if votes are few."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sourcewright.base.urls.canonical import is_on_site
from sourcewright.reading.html.linked_data import as_sequence, main_objects, type_names
from sourcewright.reading.readings import PostStatistics, Reading

Platform = Literal["reddit", "bluesky"]

_PLATFORMS: Mapping[Platform, tuple[str, ...]] = {
    "reddit": ("reddit.com", "redd.it"),
    "bluesky": ("bsky.app",),
}
_POST_TYPES = frozenset({"discussionforumposting", "socialmediaposting"})
_FEW_UPVOTES = 20
_MAX_COUNT = 10**12
_MAX_TEXT_LENGTH = 100
_NOTE = "fewer than 20 upvotes: too few to be meaningful, and easy to fake"
_UPVOTES, _COMMENTS = frozenset({"voteaction", "likeaction"}), frozenset({"commentaction"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Forum:
    """Votes and comments on a post."""

    platform: str
    upvotes: int
    comments: int | None = None
    date_published: str | None = None
    author_name: str | None = None
    credibility_note: str | None = None


def forum_signals(url: str, reading: Reading) -> Forum | None:
    """The reception of a post; None if the page is not a post, or has no vote count."""
    platform = next((name for name, sites in _PLATFORMS.items() if is_on_site(url, sites)), None)
    post = _post(reading)
    reception = reading.reception or _reception(post)
    if platform is None or reception is None:
        return None
    return Forum(
        platform=platform,
        upvotes=reception.upvotes,
        comments=reception.comments,
        date_published=_text(post.get("datePublished")) or reading.published,
        author_name=_author(post) or reading.author,
        credibility_note=_NOTE if reception.upvotes < _FEW_UPVOTES else None,
    )


def _post(reading: Reading) -> Mapping[str, Any]:
    blocks = reading.embedded.json_ld if reading.embedded else ()
    nodes = (node for block in blocks for node in main_objects(block))
    return next((node for node in nodes if type_names(node) & _POST_TYPES), {})


def _reception(post: Mapping[str, Any]) -> PostStatistics | None:
    statistics = [
        statistic
        for statistic in as_sequence(post.get("interactionStatistic"))
        if isinstance(statistic, dict)
    ]
    upvotes = _first((post.get("upvoteCount"), *_counts(statistics, _UPVOTES)))
    comments = _first((post.get("commentCount"), *_counts(statistics, _COMMENTS)))
    return None if upvotes is None else PostStatistics(upvotes=upvotes, comments=comments)


def _counts(statistics: Iterable[Mapping[str, Any]], actions: frozenset[str]) -> list[Any]:
    """The counts of an action, whose type is given by URL or as an object."""
    counts = []
    for statistic in statistics:
        action = statistic.get("interactionType")
        if type_names(action if isinstance(action, dict) else {"@type": action}) & actions:
            counts.append(statistic.get("userInteractionCount"))
    return counts


def _first(values: Iterable[Any]) -> int | None:
    return next((number for number in map(_number, values) if number is not None), None)


def _number(value: Any) -> int | None:
    """A count; None for one that is rounded for display, such as `1.2K`."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 13:
        return int(value)
    is_count = isinstance(value, int) and not isinstance(value, bool) and abs(value) < _MAX_COUNT
    return value if is_count else None


def _author(post: Mapping[str, Any]) -> str | None:
    first = as_sequence(post.get("author"))[:1]
    names = [author.get("name") if isinstance(author, dict) else author for author in first]
    return _text(names[0]) if names else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and 0 < len(value) <= _MAX_TEXT_LENGTH else None
