"""Posts of forum threads: author, date, votes, accepted mark and text, found in a post's markup."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import NamedTuple

from sourcewright.base.text.dates import timestamp_of
from sourcewright.base.text.prose_dates import find_date
from sourcewright.base.text.text_cache import cached_if_short
from sourcewright.reading.html.document import Node
from sourcewright.reading.html.threads.shapes import DATE_TEXT
from sourcewright.reading.html.visibility import strip_invisible

_MAX_ELEMENTS, _MAX_TEXTS = 3000, 60
_MAX_NAME, _MAX_DATE, _MAX_CLASS = 60, 40, 400
_FAR_FUTURE = 4_000_000_000
"""A time that no date of a post exceeds: any date is accepted, and ages are not resolved."""
_BODY_PROPERTIES = frozenset({"text", "articlebody", "reviewbody", "commenttext"})
_BODY_COMPONENTS = {
    "component": frozenset({"post/content"}),
    "data-role": frozenset({"commentContent"}),
    "slot": frozenset({"comment", "text-body"}),
}
_BODY_CLASSES = (
    *("bbwrapper", "s-prose", "cooked", "comment-copy", "post_message", "postcontent", "postmsg"),
    *("post_body", "post-body", "commtext", "usertext-body", "comment_text", "commenttext"),
    *("comment-body", "js-comment-body", "post__content", "post-content", "post_content"),
    *("message-content", "messagetext", "message-body", "msg_body", "userpost"),
    *("comment-content", "comment__content", "post-text", "posttext", "reply-content"),
    *("answer-content", "content", "postbody", "inner", "message", "body", "text", "md"),
)
"""Classes of the elements with the text of a post, from the surest to the least sure."""
_BODY_RANKS = {name: rank for rank, name in enumerate(_BODY_CLASSES, 2)}
_BODY_ID = re.compile(r"post_message_\d+|msg_\d+|comment-body-\d+")
_AUTHOR_ATTRIBUTES = ("data-author", "data-author-username", "data-username", "author")
_AUTHOR_CLASS = re.compile(
    r"(?:^|[\s_-])(?:big)?(?:author|user-?name|hnuser|comment[_-]user|poster|creator|nick(?:name)?"
    r"|postprofile|user-details|post-?user|display-?name|member-?name|full-?name|fn)(?:$|[\s_-])"
    r"|(?:^|\s)name(?:$|\s)",
    re.IGNORECASE,
)
_CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PROFILE_LINK = re.compile(
    r"/(?:u|user|users|member|members|profile|profiles|people)[/.-]|/[~@]\w|memberlist\.php"
    r"|member\.php|action=profile|profile\.php|/user\?id=|/user-id/|space-uid",
    re.IGNORECASE,
)
_NOT_A_NAME = re.compile(
    r"[\n<>{}|@]|^\W*$|^(?:by|posted|reply|report|share|quote)\b", re.IGNORECASE
)
_DATE_ATTRIBUTES = (
    "datetime",
    "data-timestamp",
    "data-time",
    "data-datetime",
    "created-timestamp",
)
_DATE_PROPERTIES = frozenset({"datecreated", "datepublished", "commenttime", "dateposted"})
_DATE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:date|time|timestamp|post_date|postdate|posted|age|when|relativetime|smalltext)"
    r"(?:$|[\s_-])",
    re.IGNORECASE,
)
_AGE = re.compile(r"\bago\b|\b(?:to|yester)?day\b", re.IGNORECASE)
_DAY = len("2024-03-09")
_LEADING_WORDS = re.compile(
    r"^\W*(?:(?:posted|by|on|re|asked|answered|»|·|#\d+)\b\W*)+", re.IGNORECASE
)
_VOTE_ATTRIBUTES = (
    "data-score",
    "score",
    "data-votes",
    "data-comment-score",
    "data-reaction-score",
)
_VOTE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:score|(?:net|up)?votes?|points|likes?|karma|kudos)(?:$|[\s_-])",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"([+\u2212-]?\d[\d,]{0,9})(?:\s*(points?|votes?|likes?|upvotes?|kudos))?", re.IGNORECASE
)
_ACCEPTED_NAMES = frozenset(
    {"accepted-answer", "accepted", "is-solution", "solution", "message--solution", "best-answer"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostFacts:
    """What a page says about a post."""

    author: str | None = None
    date: str | None = None
    votes: int | None = None
    accepted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A post of a thread."""

    node: Node
    body: Node
    """The element that contains its text."""
    facts: PostFacts
    depth: int = 0
    type: str = ""
    """Its schema.org type in lower case, if the page states one."""
    size: int = 0
    """The number of characters of its text."""
    labels: tuple[Node, ...] = ()
    """Elements that state its author, its date or its votes."""


def read_post(
    node: Node, own: Sequence[Node], *, kind: str = "", body: Node | None = None
) -> Post | None:
    """The post in an element, given its descendants without those of other posts.

    Without the element of its text, that is the one with a name for it.
    """
    elements = own[:_MAX_ELEMENTS]
    body = _best(elements, _body_rank) if body is None else body
    if body is None:
        return None
    inside = set(islice(body.iter("*"), _MAX_ELEMENTS))
    around = [one for one in elements if one not in inside or one.get("itemprop")]
    return Post(
        node=node,
        body=body,
        facts=PostFacts(
            author=_author(node, around),
            date=_date(node, around),
            votes=_votes(node, around),
            accepted=_is_accepted(node),
        ),
        type=kind,
        labels=tuple(one for one in around if _is_label(one)),
        size=sum(len(text.strip()) for text in body.itertext()),
    )


def _best(elements: Iterable[Node], rank: Callable[[Node], int | None]) -> Node | None:
    """The first element with text that has the lowest rank."""
    best: tuple[int, Node] | None = None
    for element in elements:
        value = rank(element)
        if value is not None and (best is None or value < best[0]) and _has_text(element):
            best = (value, element)
    return best[1] if best else None


def _has_text(node: Node) -> bool:
    return any(text.strip() for text in islice(node.itertext(), _MAX_TEXTS))


class _ClassRoles(NamedTuple):
    """What the class of an element says about its role in a post."""

    body: int | None
    author: bool
    date: bool
    votes: bool


@cached_if_short
def _class_roles(value: str) -> _ClassRoles:
    names = value.lower().split()
    value = _CAMEL_CASE.sub("-", value)
    return _ClassRoles(
        body=min((_BODY_RANKS[name] for name in names if name in _BODY_RANKS), default=None),
        author=bool(_AUTHOR_CLASS.search(value)),
        date=bool(_DATE_CLASS.search(value)),
        votes=bool(_VOTE_CLASS.search(value)),
    )


def _roles(node: Node) -> _ClassRoles:
    return _class_roles((node.get("class") or "")[:_MAX_CLASS])


def _body_rank(node: Node) -> int | None:
    if (node.get("itemprop") or "").lower() in _BODY_PROPERTIES and node.tag != "meta":
        return 0
    if any(node.get(name) in values for name, values in _BODY_COMPONENTS.items()):
        return 1
    if _BODY_ID.fullmatch(node.get("id") or ""):
        return 1
    return _roles(node).body


def _text(node: Node) -> str:
    return " ".join(strip_invisible(" ".join(islice(node.itertext(), _MAX_TEXTS))).split())


def _author(node: Node, around: Sequence[Node]) -> str | None:
    attribute = next(filter(None, map(node.get, _AUTHOR_ATTRIBUTES)), None)
    if attribute and len(attribute) <= _MAX_NAME:
        return " ".join(strip_invisible(attribute).split()) or None
    ranked = sorted(
        ((rank, at) for at, one in enumerate(around) if (rank := _author_rank(one)) is not None)
    )
    for _, at in ranked:
        name = _name_in(around[at])
        if name:
            return name
    return None


def _author_rank(node: Node) -> int | None:
    properties = (node.get("itemprop") or "").lower().split()
    if "author" in properties or "creator" in properties:
        return 0
    if _roles(node).author:
        return 1
    is_profile = node.tag == "a" and _PROFILE_LINK.search((node.get("href") or "")[:300])
    return 2 if is_profile or "author" in (node.get("rel") or "").split() else None


def _name_in(node: Node) -> str | None:
    """The name in an element: of its `name` property, of a link, or all its text."""
    inner = [*islice(node.iter("*"), 40)]
    names = [one for one in inner if (one.get("itemprop") or "").lower() == "name"]
    links = [one for one in inner if one.tag == "a"]
    for one in (*names, *links, node):
        text = " ".join((one.get("content") or _text(one)).split()).strip(" :,-\u2013")
        if 0 < len(text) <= _MAX_NAME and not _NOT_A_NAME.search(text):
            return text
    return None


def _date(node: Node, around: Sequence[Node]) -> str | None:
    """The day that a post states, or else what it shows, such as `3 hours ago`."""
    ranked = sorted(
        (rank, at) for at, one in enumerate(around) if (rank := _date_rank(one)) is not None
    )
    parts = [around[at] for _, at in ranked]
    days = (_stated_day(one, has_title=one is not node) for one in (node, *parts))
    dates = (_shown_date(one) for one in parts)
    return next(filter(None, chain(days, dates)), None)


def _date_rank(node: Node) -> int | None:
    if (node.get("itemprop") or "").lower() in _DATE_PROPERTIES:
        return 0
    if node.tag in {"time", "relative-time"} or node.get("data-time") or node.get("datetime"):
        return 1
    if _roles(node).date:
        return 2
    title = node.get("title") or ""
    return 3 if len(title) <= _MAX_DATE and DATE_TEXT.search(title) else None


def _stated_day(node: Node, *, has_title: bool) -> str | None:
    """The day in an attribute, as `2024-03-09`."""
    titles = ("content", "title") if has_title else ()
    values = map(node.get, (*_DATE_ATTRIBUTES, *titles))
    return next(filter(None, map(day_of, values)), None)


def _shown_date(node: Node) -> str | None:
    """The day that is shown, or what is shown instead of one."""
    text = _LEADING_WORDS.sub("", _text(node))
    date_text = text if len(text) <= _MAX_DATE and DATE_TEXT.search(text) else None
    return day_of(date_text) or date_text


def day_of(value: str | None) -> str | None:
    """The day of a full date as `2024-03-09`; None for an age, or if it is not readable."""
    text = (value or "").partition(", License")[0].strip()
    if not text or _AGE.search(text) or not re.search(r"\d{2}", text):
        return None
    day = timestamp_of(text, now=_FAR_FUTURE) or find_date(text) or ""
    return day[:_DAY] if len(day) >= _DAY else None


def _votes(node: Node, around: Sequence[Node]) -> int | None:
    attribute = next(filter(None, map(node.get, _VOTE_ATTRIBUTES)), None)
    if attribute is not None and (count := _count(attribute)) is not None:
        return count
    properties = [one for one in around if _is_vote_count(one)]
    counters = [one for one in around if _roles(one).votes]
    for one in (*properties, *counters[:8]):
        for value in (one.get("content"), one.get("data-value"), one.get("title"), _text(one)):
            if value and (count := _count(value)) is not None:
                return count
    labels = (one.get("aria-label") or one.get("title") or "" for one in around)
    counts = (_COUNT.fullmatch(label.strip()) for label in labels)
    return next((_count(match[0]) for match in counts if match and match[2]), None)


def _is_label(node: Node) -> bool:
    """Whether an element states what is written before the text of a post."""
    return 0 in (_author_rank(node), _date_rank(node)) or _is_vote_count(node)


def _is_vote_count(node: Node) -> bool:
    return (node.get("itemprop") or "").lower() == "upvotecount"


def _count(text: str) -> int | None:
    match = _COUNT.fullmatch(text.strip())
    return int(match[1].replace(",", "").replace("\u2212", "-")) if match else None


def _is_accepted(node: Node) -> bool:
    classes = (node.get("class") or "").lower().split()
    names = {name.removeprefix("js-") for name in classes}
    return (node.get("itemprop") or "").lower() == "acceptedanswer" or not (
        _ACCEPTED_NAMES.isdisjoint(names)
    )


def text_key(text: str) -> str:
    """The first letters and digits of a text, which identify a post on its page."""
    return "".join(re.findall(r"\w+", text[:400].lower()))[:60]


def with_stated_facts(posts: Sequence[Post], facts: Mapping[str, PostFacts]) -> list[Post]:
    """Posts with what the page's JSON-LD says about them, found by the beginning of their text."""
    return [
        replace(post, facts=_completed(post.facts, facts.get(text_key(_text(post.body)))))
        for post in posts
    ]


def _completed(facts: PostFacts, declared: PostFacts | None) -> PostFacts:
    if declared is None:
        return facts
    return PostFacts(
        author=facts.author or declared.author,
        date=facts.date or declared.date,
        votes=facts.votes if facts.votes is not None else declared.votes,
        accepted=facts.accepted or declared.accepted,
    )
