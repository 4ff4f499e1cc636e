"""Finds the posts of a forum thread or a question-and-answer page, by schema.org types or shape.

Posts of a thread are elements of the same name, each with an author and a text. Where the page
states the schema.org types of its posts (Question, Answer, Comment, DiscussionForumPosting),
those are used first.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from sourcewright.base.text.text_cache import cached_if_short
from sourcewright.reading.html.document import AttributeIndex, Node
from sourcewright.reading.html.threads.posts import Post, day_of, read_post
from sourcewright.reading.html.threads.shapes import (
    dated_groups,
    days_by_shape,
    is_list_of_pages,
    numbered_groups,
    text_size,
    texts_by_shape,
)

POST_TYPES = frozenset({"question", "answer", "comment", "discussionforumposting"})
_POST_WORDS = (
    *("post", "message", "comment", "reply", "answer", "question", "thing", "comtr", "windowbg"),
    "response",
)
_PART_WORDS = re.compile(
    r"body|content|text|author|user|avatar|meta|head|foot|date|time|link|list|count|form|button"
    r"|action|title|info|inner|menu|icon|sign|profile|attribution|vote|score|number|actor|cell",
    re.IGNORECASE,
)
_POST_TAGS = ("shreddit-comment", "shreddit-post")
_MAX_POSTS, _MAX_GROUPS, _MAX_ANCESTORS = 2000, 5, 200
_MIN_CHARACTERS, _MAX_CLASS = 200, 400
_MAX_PAGE_ELEMENTS = 100_000
_MIN_NAMED_SHARE = 0.7
"""Share of the posts of a group that must have a text and an author."""
_MIN_POST_SHARE = 0.4
"""Share of the text of a page that posts without names have at least."""
_UNIQUE = re.compile(r"\d{3}")


def find_posts(body: Node, index: AttributeIndex) -> list[Post]:
    """The posts of a page, in page order; none if it is no thread."""
    posts = _first_thread([*_typed_groups(body), *_named_groups(body, index)])
    if posts:
        return posts
    posts = _first_thread([*numbered_groups(index), *dated_groups(body)])
    # Comments below an article have the same shape, and so have reviews of a product.
    return posts if sum(post.size for post in posts) > _MIN_POST_SHARE * text_size(body) else []


def _first_thread(groups: Sequence[Mapping[Node, str]]) -> list[Post]:
    """The posts of the largest group that is a thread."""
    sized = sorted(((_coverage(group), -at) for at, group in enumerate(groups)), reverse=True)
    for coverage, at in sized[:_MAX_GROUPS]:
        posts = _posts_of(groups[-at]) if coverage >= _MIN_CHARACTERS else []
        if _is_thread(posts):
            return posts
    return []


def _coverage(group: Mapping[Node, str]) -> int:
    """How many characters are in the elements of a group, nested ones counted once."""
    return sum(
        len(node.text_content())
        for node in group
        if not any(above in group for above in islice(node.iterancestors(), _MAX_ANCESTORS))
    )


def _typed_groups(body: Node) -> Iterator[dict[Node, str]]:
    """Elements with the schema.org types of posts."""
    typed = {node: _type_of(node) for node in islice(body.iterfind(".//*[@itemtype]"), 20_000)}
    posts = {node: kind for node, kind in typed.items() if kind in POST_TYPES}
    if posts:
        yield dict(islice(posts.items(), _MAX_POSTS))


def _type_of(node: Node) -> str:
    return (node.get("itemtype") or "").strip().rpartition("/")[2].lower()


def _named_groups(body: Node, index: AttributeIndex) -> Iterator[dict[Node, str]]:
    """Elements that share a class which names posts, the largest groups first."""
    groups: dict[tuple[str, str], list[tuple[int, Node]]] = defaultdict(list)
    for at, node in index.where("class", _has_post_word):
        for name in _post_names(node.get("class") or ""):
            groups[str(node.tag), name].append((at, node))
    ranked = sorted(groups.values(), key=len, reverse=True)
    for entries in ranked:
        if len(entries) > 1:
            yield {
                node: "" for _, node in sorted(entries, key=lambda entry: entry[0])[:_MAX_POSTS]
            }
    for other in (body.iter(*_POST_TAGS), body.iterfind(".//*[@component='post']")):
        nodes = [*islice(other, _MAX_POSTS)]
        if len(nodes) > 1:
            yield dict.fromkeys(nodes, "")


@cached_if_short
def _post_names(value: str) -> frozenset[str]:
    """The names in a class that may be those of posts, not of their parts, nor unique."""
    return frozenset(
        name
        for name in value[:_MAX_CLASS].split()
        if _has_post_word(name) and not (_PART_WORDS.search(name) or _UNIQUE.search(name))
    )


def _has_post_word(names: str) -> bool:
    lower = names.lower()
    return any(word in lower for word in _POST_WORDS)


def _posts_of(group: Mapping[Node, str]) -> list[Post]:
    """Read the posts of a group; each element belongs to the nearest post around it."""
    own: dict[Node, list[Node]] = {node: [] for node in group}
    owner: dict[Node, Node | None] = {}
    for post_node in group:
        if post_node not in owner:
            _assign(post_node, own, owner)
    posts = _with_shown_days(_read_posts(group, own), own)
    lists = {node: _lists_around(node) for node in posts}
    least = min(lists.values(), default=0)
    return [
        replace(
            post, depth=_depth(post, owner, posts) or _indent(post, own) or lists[node] - least
        )
        for node, post in posts.items()
    ]


def _read_posts(group: Mapping[Node, str], own: Mapping[Node, Sequence[Node]]) -> dict[Node, Post]:
    """Read the posts by the names of their parts, or else by their shape."""
    read = {node: read_post(node, own[node], kind=kind) for node, kind in group.items()}
    posts = {node: post for node, post in read.items() if post is not None}
    if len(posts) >= _MIN_NAMED_SHARE * len(group) or is_list_of_pages([*group]):
        return posts
    texts = texts_by_shape(own)
    shaped = {node: read_post(node, own[node], body=text) for node, text in texts.items()}
    return {node: post for node, post in shaped.items() if post is not None}


def _with_shown_days(
    posts: Mapping[Node, Post], own: Mapping[Node, Sequence[Node]]
) -> dict[Node, Post]:
    """Posts with the days that their pages show in elements without a name for them."""
    if any(post.facts.date for post in posts.values()):
        return {**posts}
    inner = {node: own[node] for node in posts}
    days = days_by_shape(inner, {node: post.body for node, post in posts.items()}, day_of)
    return {
        node: replace(post, facts=replace(post.facts, date=days.get(node)))
        for node, post in posts.items()
    }


def _assign(
    outermost: Node, own: Mapping[Node, list[Node]], owner: dict[Node, Node | None]
) -> None:
    """Assign the elements in a post to it, or to the posts inside it."""
    owner[outermost] = None
    for node in islice(outermost.iterdescendants(), _MAX_PAGE_ELEMENTS):
        parent = node.getparent()
        above = parent if parent in own else owner[parent]
        owner[node] = above
        if above is not None and node not in own:
            own[above].append(node)


def _depth(post: Post, owner: Mapping[Node, Node | None], posts: Mapping[Node, Post]) -> int:
    """How many posts a post stands in; answers and replies to a first post are at the top."""
    depth, node = 0, owner.get(post.node)
    while node is not None and depth < 100:
        outer = posts.get(node)
        if outer is not None and _is_reply(post, outer):
            depth += 1
        node = owner.get(node)
    return depth


def _is_reply(post: Post, outer: Post) -> bool:
    return outer.type in {"", "answer", "comment"} or (
        outer.type == "question" and post.type == "comment"
    )


def _indent(post: Post, own: Mapping[Node, Sequence[Node]]) -> int:
    """The depth that an attribute states, as on Hacker News and Reddit."""
    depths = (one.get("indent") or one.get("depth") for one in (post.node, *own[post.node][:8]))
    value = next(filter(None, depths), "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 4 else 0


def _lists_around(node: Node) -> int:
    return sum(1 for _ in islice(node.iterancestors("ol", "ul"), 50))


def _is_thread(posts: Sequence[Post]) -> bool:
    """Whether there are several posts, most with an author, or a question that states its type."""
    signed = [post for post in posts if post.facts.author and post.size]
    least = 1 if any(post.type == "question" for post in signed) else 2
    return len(signed) >= max(least, _MIN_NAMED_SHARE * len(posts))
