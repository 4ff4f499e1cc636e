"""Posts by their shape, where no name says what is what: groups of dated elements, and their texts.

Posts of a thread are elements of one name, each with a date, and the text of each is the largest
part of it. A list of articles has the same shape, but its headings lead to other pages.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from operator import itemgetter

from sourcewright.reading.html.document import AttributeIndex, Node

Signature = tuple[str, str]
"""The tag of an element and its classes, which the elements of one role share."""
_DATE_TAGS = ("time", "relative-time")
_CONTROL_TAGS = frozenset(("a", "button", "time", "relative-time", "script", "style", "select"))
_HEADINGS = ("h1", "h2", "h3", "h4")
_PAGE_TAGS = frozenset(("body", "html", "main"))
_MAX_DATES, _MAX_LEVELS, _MAX_CLASS = 2000, 8, 200
_MIN_SHARE, _MIN_COMMON = 0.75, 0.5
_MAX_TITLED, _MIN_DATED = 0.5, 0.7
_MAX_INNER, _MAX_ELEMENTS = 100, 100_000
_TEXT_TAGS = frozenset(("p", "blockquote", "ul", "ol", "dl", "figure", "details"))
"""Parts of a text, of which no single one is all of it."""
_MAX_DATE = 60
_NUMBERED_POST = re.compile(
    r"(?:\w{0,20}[_-])?(?:post|pid|p|comment|c|message|msg|reply|r|note|answer|a|change)[_-]?\d{1,12}",
    re.IGNORECASE,
)
DATE_TEXT = re.compile(r"\b(?:19|20)\d\d\b|\bago\b|\byesterday\b|\btoday\b", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")


def is_date_text(text: str) -> bool:
    """Whether a short text has a year, or says how long ago something was."""
    return len(text) <= _MAX_DATE and bool(DATE_TEXT.search(text))


def signature_of(node: Node) -> Signature:
    """The tag and the classes of an element, without the numbers that make one unique."""
    return str(node.tag), _DIGITS.sub("", (node.get("class") or "")[:_MAX_CLASS])


def numbered_groups(index: AttributeIndex) -> Iterator[dict[Node, str]]:
    """Elements whose ids differ in their number alone, as those of posts do."""
    groups: dict[tuple[str, str], dict[Node, str]] = defaultdict(dict)
    for _, node in sorted(index.where("id", _NUMBERED_POST.fullmatch), key=itemgetter(0)):
        # An id may have been removed since the page was indexed.
        groups[str(node.tag), _DIGITS.sub("", node.get("id") or "")][node] = ""
    yield from (group for group in groups.values() if len(group) > 1)


def dated_groups(body: Node) -> Iterator[dict[Node, str]]:
    """Elements of one signature that each have a date, in a `time` element or a title."""
    groups: dict[Signature, dict[Node, str]] = defaultdict(dict)
    titled = (one for one in body.iterfind(".//*[@title]") if is_date_text(one.get("title")))
    for date in islice(chain(body.iter(*_DATE_TAGS), titled), _MAX_DATES):
        for outer in islice(date.iterancestors(), _MAX_LEVELS):
            if outer.tag in _PAGE_TAGS:
                break
            if outer.get("class"):
                groups[signature_of(outer)][outer] = ""
    yield from (group for group in groups.values() if len(group) > 1)


def is_list_of_pages(posts: Sequence[Node]) -> bool:
    """Whether most elements have a heading that leads to a page of its own."""
    titled = sum(map(_has_title_link, posts))
    return titled > _MAX_TITLED * len(posts)


def _has_title_link(post: Node) -> bool:
    links = (link for heading in post.iter(*_HEADINGS) for link in _links_of(heading))
    return any(link.get("href") and "#" not in link.get("href") for link in islice(links, 4))


def _links_of(heading: Node) -> Iterator[Node]:
    yield from heading.iter("a")
    yield from islice(heading.iterancestors("a"), 1)


def days_by_shape(
    own: Mapping[Node, Sequence[Node]],
    bodies: Mapping[Node, Node],
    day_of: Callable[[str], str | None],
) -> dict[Node, str]:
    """The day that is shown with each post, in no element of a name: days of a thread are in order.

    Others, such as those on which the authors joined, are not.
    """
    columns: dict[Signature, dict[Node, str]] = defaultdict(dict)
    for post, inner in own.items():
        for one in inner[:_MAX_INNER]:
            if one is bodies[post]:
                break
            pieces = (one.text, *(child.tail for child in one))
            texts = [text.strip() for text in pieces if text and is_date_text(text.strip())]
            day = next(filter(None, map(day_of, texts)), None)
            if day:
                columns[signature_of(one)].setdefault(post, day)
    for days in columns.values():
        if len(days) >= _MIN_DATED * len(own) and _is_ordered([*days.values()]):
            return days
    return {}


def _is_ordered(days: Sequence[str]) -> bool:
    return list(days) in (sorted(days), sorted(days, reverse=True))


def texts_by_shape(own: Mapping[Node, Sequence[Node]]) -> dict[Node, Node]:
    """For each post the element with most of its text, in the place where most posts have it."""
    largest = {post: _largest_part(post, inner) for post, inner in own.items()}
    counts = Counter(signature_of(part) for part in largest.values() if part is not None)
    signature, count = next(iter(counts.most_common(1)), (("", ""), 0))
    if count < _MIN_COMMON * len(own):
        return {}
    places = {
        post: next((one for one in inner if signature_of(one) == signature), largest[post])
        for post, inner in own.items()
    }
    return {post: part for post, part in places.items() if part is not None}


def _largest_part(post: Node, inner: Sequence[Node]) -> Node | None:
    """The deepest element with nearly all text of a post; None if that is the post itself."""
    sizes = _text_sizes(post, inner)
    part = post
    while True:
        children = [one for one in part if one in sizes and one.tag not in _CONTROL_TAGS]
        best = max(children, key=lambda one: sizes[one], default=None)
        if best is None or sizes[best] < _MIN_SHARE * sizes[part] or best.tag in _TEXT_TAGS:
            return part if part is not post else None
        part = best


def text_size(body: Node) -> int:
    """How many characters there are in an element, without those of links, buttons and scripts."""
    return _text_sizes(body, [*islice(body.iterdescendants("*"), _MAX_ELEMENTS)])[body]


def _text_sizes(post: Node, inner: Sequence[Node]) -> dict[Node, int]:
    """How many characters are in each element of a post, without those of links and buttons."""
    sizes = {node: len((node.text or "").strip()) for node in (post, *inner)}
    for node in reversed(inner):
        parent = node.getparent()
        if parent in sizes:
            own = 0 if node.tag in _CONTROL_TAGS else sizes[node]
            sizes[parent] += own + len((node.tail or "").strip())
    return sizes
