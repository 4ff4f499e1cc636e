"""Lines between and below the paragraphs of an article: lone links, labels, topics, copyright."""

from collections import Counter
from collections.abc import Iterator, Sequence

from sourcewright.reading.html.blocks import Block
from sourcewright.reading.html.features import HEADINGS, ends_sentence
from sourcewright.reading.html.selection.body import (
    Body,
    Selection,
    is_headline_link,
    is_paragraph,
    text_size,
)

_MAX_TEASERS = 4
"""More links between paragraphs are a list with comments."""
_MAX_LABEL, _MAX_REPEATED, _MAX_LINE, _MIN_REPEATS = 20, 40, 80, 3
_MAX_LINK_LABEL, _MIN_LINKED, _MAX_LINKED = 30, 20, 200
_MIN_LINKS, _MOSTLY_LINKED = 2, 0.6
_MOSTLY_TAGGED = 0.8
_LABEL_MARKS = (":", "\uff1a", "|", "\u00bb", "\u203a", "\u3011", "\u25b6")
_COLONS = ":\uff1a"
_COPYRIGHT = "\u00a9"
_LABEL_TAGS = frozenset(("div", "span", "section", "aside", "header"))
_BOLD = frozenset(("b", "bi"))


def lines_between(page: Selection, body: Body) -> Iterator[int]:
    """Links to other articles, labels and bylines that stand alone between two paragraphs."""
    places = [
        at
        for at in range(body.first, body.last + 1)
        if page.kept[at] and page.blocks[at].text and page.blocks[at].figure is None
    ]
    alone = [
        at
        for before, at, after in zip(places, places[1:], places[2:], strict=False)
        if _is_text(page.blocks[before]) and _continues_text(page.blocks[after])
    ]
    teasers = [at for at in alone if _is_lone_link(page.blocks[at])]
    if len(teasers) <= _MAX_TEASERS:
        yield from teasers
    is_other = _is_other_element if _has_paragraph_tags(page) else _is_label
    yield from (at for at in alone if is_other(page.blocks[at], body))
    yield from _repeated_lines(page, alone)


def lines_below(page: Selection, body: Body) -> Iterator[int]:
    """Links to other articles, topics and the mark of copyright below the last paragraph."""
    for at in range(body.last + 1, len(page.blocks)):
        block = page.blocks[at]
        if page.kept[at] and (
            _is_lone_link(block) or _is_line_of_links(block) or block.text.startswith(_COPYRIGHT)
        ):
            yield at


def _is_text(block: Block) -> bool:
    return is_paragraph(block) or (block.place.tag == "p" and ends_sentence(block.text))


def _continues_text(block: Block) -> bool:
    return block.place.tag in HEADINGS or _is_text(block)


def _is_lone_link(block: Block) -> bool:
    if block.item is not None or block.place.tag in HEADINGS:
        return False
    return is_headline_link(block) or _is_labelled_link(block)


def _is_labelled_link(block: Block) -> bool:
    """Whether it is a short label with a colon and a link: "Related: …"."""
    runs = [run for run in block.runs if run.text.strip()]
    links = [run for run in runs if run.href]
    labels = "".join(run.text for run in runs[: len(runs) - len(links)]).strip()
    return (
        bool(links)
        and all(run.href for run in runs[-len(links) :])
        and labels.endswith(_LABEL_MARKS)
        and text_size(labels) <= _MAX_LINK_LABEL
        and _MIN_LINKED <= block.linked <= _MAX_LINKED
    )


def _is_line_of_links(block: Block) -> bool:
    """Whether it consists of short links: topics, or the articles before and after."""
    if block.item is not None or block.place.tag in HEADINGS or block.form:
        return False
    targets = {run.href for run in block.runs if run.href and run.style != "img"}
    return len(targets) >= _MIN_LINKS and block.linked > _MOSTLY_LINKED * len(block.text)


def _is_label(block: Block, body: Body) -> bool:
    """Whether it is a word in an element of its own, such as the mark of an advertisement."""
    text = block.text.replace(" ", "").rstrip(_COLONS)
    is_short = text_size(block.text) <= _MAX_LABEL
    return is_short and _is_own_element(block, body) and text.isalpha()


def _is_other_element(block: Block, body: Body) -> bool:
    """Whether it is a label, or a line that is in no paragraph though the text is."""
    if _is_label(block, body):
        return True
    return (
        _is_own_element(block, body)
        and text_size(block.text) <= _MAX_LINE
        and not block.form
        and not ends_sentence(block.text)
        and not block.text.endswith(_LABEL_MARKS)
        and any(run.style not in _BOLD for run in block.runs if run.text.strip())
    )


def _is_own_element(block: Block, body: Body) -> bool:
    place = block.place
    return place.tag in _LABEL_TAGS and place.blocks == 1 and place is not body.place


def _has_paragraph_tags(page: Selection) -> bool:
    tags = [page.blocks[at].place.tag for at in page.paragraphs]
    return tags.count("p") >= _MOSTLY_TAGGED * len(tags)


def _repeated_lines(page: Selection, alone: Sequence[int]) -> Iterator[int]:
    """Short lines that recur alone: the mark of an advertisement, "Back to top"."""
    lines = [at for at in alone if _may_recur(page.blocks[at])]
    counts = Counter(page.blocks[at].text for at in lines)
    yield from (at for at in lines if counts[page.blocks[at].text] >= _MIN_REPEATS)


def _may_recur(block: Block) -> bool:
    return (
        text_size(block.text) <= _MAX_REPEATED
        and not block.form
        and block.item is None
        and block.place.tag not in HEADINGS
        and not block.text.endswith(_LABEL_MARKS)
        and not any(map(str.isdigit, block.text))
    )
