"""Forum threads as Markdown: the text before the posts, then each post with its author and date."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress, islice
from typing import Any

from sourcewright.base.text.phrases import count_phrase
from sourcewright.base.text.plain import plain_text
from sourcewright.reading.html.blocks import Block, Container
from sourcewright.reading.html.document import AttributeIndex, Node
from sourcewright.reading.html.embedded_data import json_ld_objects
from sourcewright.reading.html.linked_data import as_sequence, type_names
from sourcewright.reading.html.markdown import markdown_of
from sourcewright.reading.html.position import self_and_ancestors
from sourcewright.reading.html.structure.repeats import drop_repeats
from sourcewright.reading.html.threads.finder import POST_TYPES, find_posts
from sourcewright.reading.html.threads.posts import (
    Post,
    PostFacts,
    day_of,
    text_key,
    with_stated_facts,
)
from sourcewright.reading.markdown.writer import Comment, join_blocks, write_comments
from sourcewright.reading.readings import EmbeddedMetadata

_MIN_SHARE = 0.5
"""Share of the text that the classifier keeps which must be in posts."""
_LAYOUT_TAGS = frozenset(
    {"table", "tbody", "thead", "tr", "td", "th", "ul", "ol", "li", "dl", "dd", "blockquote"}
)
"""Elements that arrange posts, and would be written as tables and lists."""
_CONTROLS = frozenset({"bbCodeBlock-expandLink", "js-expandLink", "quote-controls"})
_QUOTES = frozenset(
    {"bbcode_quote", "quote", "quotebox", "quote_container", "quotecontainer", "bbc_quote"}
)
_LABEL_STEPS = 2
_QUOTE_STEPS = 2
_MAX_POSTS, _MAX_CHARACTERS = 2000, 5_000_000


def prepare_thread(
    body: Node, index: AttributeIndex, embedded: EmbeddedMetadata | None
) -> list[Post]:
    """The posts of the page, their elements changed so that each text is a block of its own."""
    posts = find_posts(body, index)
    if not posts:
        return []
    for _, node in index.with_class(_CONTROLS):
        if node.getparent() is not None:
            node.drop_tree()
    for _, node in index.with_class(_QUOTES):
        if node.tag == "div" and not _is_in_quote(node):
            node.tag = "blockquote"
    for post in posts:
        _make_block(post.body)
    return with_stated_facts(posts, _stated_facts(embedded))


def _is_in_quote(node: Node) -> bool:
    """Whether the element around it, or the next one, is the quotation already."""
    return any(outer.tag == "blockquote" for outer in islice(node.iterancestors(), _QUOTE_STEPS))


def _make_block(text: Node) -> None:
    """Make the text of a post a block that no table, list or quotation around it is part of."""
    if text.tag == "span":
        text.tag = "div"
    if len(text) == 1 and text[0].tag == "blockquote" and not _has_own_text(text):
        text[0].tag = "div"
    for node in (text, *text.iterancestors()):
        if node.tag in _LAYOUT_TAGS:
            node.tag = "div"


def _has_own_text(node: Node) -> bool:
    """Whether there is text beside the one element in it."""
    return bool((node.text or "").strip() or (node[0].tail or "").strip())


def _stated_facts(embedded: EmbeddedMetadata | None) -> dict[str, PostFacts]:
    """What JSON-LD says about posts, by the beginning of their text."""
    facts: dict[str, PostFacts] = {}
    for item in json_ld_objects(embedded):
        accepted = {id(one) for one in as_sequence(item.get("acceptedAnswer"))}
        for one in (item, *as_sequence(item.get("acceptedAnswer"))):
            if isinstance(one, dict) and not POST_TYPES.isdisjoint(type_names(one)):
                key = text_key(plain_text(str(one.get("text") or one.get("articleBody") or "")))
                if key and (key not in facts or id(one) in accepted):
                    facts[key] = _facts(one, is_accepted=id(one) in accepted)
    return facts


def _facts(item: Mapping[str, Any], *, is_accepted: bool) -> PostFacts:
    author = next(iter(as_sequence(item.get("author"))), None)
    name = author.get("name") if isinstance(author, dict) else author
    date, votes = item.get("dateCreated") or item.get("datePublished"), item.get("upvoteCount")
    return PostFacts(
        author=" ".join(name.split())[:60] or None if isinstance(name, str) else None,
        date=day_of(date) if isinstance(date, str) else None,
        votes=votes if isinstance(votes, int) and not isinstance(votes, bool) else None,
        accepted=is_accepted,
    )


def thread_markdown(
    posts: Sequence[Post], blocks: Sequence[Block], selected: Sequence[bool], base: str
) -> str | None:
    """The page as a thread; None if the text that is kept is mostly outside its posts."""
    owners = _owners(posts, blocks)
    sizes = [len(block.text) * keep for block, keep in zip(blocks, selected, strict=True)]
    boxes, labels = _boxes(posts), _label_elements(posts)
    outside = [
        owner is None
        and block.place.node not in labels
        and not any(place.node in boxes for place in self_and_ancestors(block.place))
        for block, owner in zip(blocks, owners, strict=True)
    ]
    inside = sum(size for size, owner in zip(sizes, owners, strict=True) if owner is not None)
    # What stands around the text of a post, such as a profile, says nothing about the page.
    if not inside or inside < _MIN_SHARE * (inside + sum(compress(sizes, outside))):
        return None
    first = next(at for at, owner in enumerate(owners) if owner is not None)
    opening = [
        block
        for block, keep, other in zip(blocks[:first], selected[:first], outside, strict=False)
        if keep and (other or _is_headline(block))
    ]
    by_post: dict[int, list[Block]] = {}
    kept_sizes: dict[int, int] = {}
    # A quotation of a whole paragraph of an earlier post is not repeated.
    is_new = drop_repeats(blocks, [owner is not None for owner in owners])
    for block, owner, size, new in zip(blocks, owners, sizes, is_new, strict=True):
        if owner is not None and (new or not _is_quoted(block)):
            by_post.setdefault(owner, []).append(block)
            kept_sizes[owner] = kept_sizes.get(owner, 0) + size
    comments = [
        _comment(posts[at], markdown_of(own, base))
        for at, own in by_post.items()
        if not _is_remark(posts[at]) or 2 * kept_sizes[at] > sum(len(one.text) for one in own)
    ]
    written = write_comments(
        comments, most=_MAX_POSTS, characters=_MAX_CHARACTERS, longest=_MAX_CHARACTERS
    )
    return join_blocks(markdown_of(opening, base), written.text)


def _boxes(posts: Sequence[Post]) -> set[Node]:
    """The elements of posts, without those that contain others: these may be the whole page."""
    outer = {node for post in posts for node in post.node.iterancestors()}
    return {post.node for post in posts} - outer


def _label_elements(posts: Sequence[Post]) -> set[Node]:
    """The elements with the line that names the author and the date of a post."""
    return {
        node
        for post in posts
        for part in post.labels
        for node in (part, *islice(part.iterancestors(), _LABEL_STEPS))
        if node is not post.node
    }


def _is_headline(block: Block) -> bool:
    """Whether it is the headline of the page, which may stand within the first post."""
    return any(place.tag == "h1" for place in self_and_ancestors(block.place))


def _is_quoted(block: Block) -> bool:
    return any(place.tag == "blockquote" for place in self_and_ancestors(block.place))


def _owners(posts: Sequence[Post], blocks: Sequence[Block]) -> list[int | None]:
    """For each block the number of the post whose text it is part of."""
    numbers = {post.body: at for at, post in enumerate(posts)}
    known: dict[Container, int | None] = {}
    return [_owner(block.place, numbers, known) for block in blocks]


def _owner(
    place: Container, numbers: Mapping[Node, int], known: dict[Container, int | None]
) -> int | None:
    chain: list[Container] = []
    owner: int | None = None
    for one in self_and_ancestors(place):
        if one in known:
            owner = known[one]
            break
        chain.append(one)
        if one.node in numbers:
            owner = numbers[one.node]
            break
    known.update(dict.fromkeys(chain, owner))
    return owner


def _is_remark(post: Post) -> bool:
    """Whether it is a comment on a question or an answer, which is no post of its own."""
    return post.type == "comment" and post.depth > 0


def _comment(post: Post, text: str) -> Comment:
    return Comment(
        text=text,
        author=post.facts.author,
        when=post.facts.date,
        depth=post.depth,
        note=", ".join(_notes(post.facts)) or None,
    )


def _notes(facts: PostFacts) -> Iterator[str]:
    if facts.votes:
        yield count_phrase(facts.votes, "point")
    if facts.accepted:
        yield "accepted answer"
