"""Title and authors from the first page of a document."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sourcewright.base.doi_prefix import DOI_PREFIX
from sourcewright.reading.layout.authors import NOTE_SIGNS, authors_in
from sourcewright.reading.layout.blocks import STRONG, Block
from sourcewright.reading.layout.body import Body
from sourcewright.reading.layout.inline import raised_labels, unraised_text
from sourcewright.reading.layout.letters.hyphens import join_hyphenated
from sourcewright.reading.layout.lines import TextLine

_MAX_TITLE, _MIN_TITLE = 300, 6
_LARGER = 1.15
_SAME_SIZE = 0.04
_MAX_BLOCKS, _MAX_LINES = 14, 6
_ADDRESS = re.compile(
    r"@|universi[td]|institut|department|laborator|faculty|college\b|hospital|d\u00e9partement",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?\s)|(?:table of )?contents\Z|abstract\b|introduction\b|inhalt"
    r"|(?:name|synopsis|description|usage|options|preface|foreword|summary|overview)\Z",
    re.IGNORECASE,
)
_TEXT_START = re.compile(r"\W{0,3}(?:abstract|summary|introduction|keywords|1\.? )", re.IGNORECASE)
_OPENING = re.compile(
    r"\W{0,3}(?:[1I]\.?\s{1,3})?"
    r"(?:abstract|summary|introduction|keywords|zusammenfassung|r\u00e9sum\u00e9|resumen)\b",
    re.IGNORECASE,
)
_DATE = re.compile(r"\b(?:19|20)\d\d\Z")
_WORD = re.compile(r"[^\W\d_]{2}")
_ABSURD_TITLE = re.compile(
    r"(?:doi:?\s?|https?://(?:dx\.)?doi\.org/)?" + DOI_PREFIX + r"/\S+|pii:?\s?\S+|arxiv:\S+"
    r"|[\w()-]{1,60}\.(?:exe|html?|dvi|tex|pdf|docx?|indd|qxd|e?ps|fm|wpd|rtf|pptx?|xlsx?|cdr|pmd|p65)"
    r"|[a-z]{0,12}[-_ ]?\d[\d._-]{2,40}[a-z]{0,3}|untitled.{0,12}|(?:no )?title|\W{0,99}",
    re.IGNORECASE,
)
_LONGEST_FIELD = 300


def is_absurd_title(title: str | None) -> bool:
    """Whether a file's own title is a file name, an identifier or a program's default."""
    return not title or _ABSURD_TITLE.fullmatch(title.strip()[:_LONGEST_FIELD]) is not None


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What the first page says about the document."""

    title: str | None = None
    authors: Sequence[str] = ()


def front_matter(blocks: Sequence[Block], body: Body) -> FrontMatter:
    """The title and the authors on the first page."""
    title = title_block(blocks, body)
    if title is None:
        return FrontMatter()
    parts = list(_whole_title(title, blocks))
    lines = [line for block in parts for line in block.lines]
    words = " ".join(join_hyphenated(unraised_text(lines)).split())
    return FrontMatter(title=words.rstrip(NOTE_SIGNS), authors=_authors_after(parts[-1], blocks))


def bylines(title: Block | None, blocks: Sequence[Block]) -> frozenset[Block]:
    """Authors and their addresses between the title and the text of the first page."""
    if title is None:
        return frozenset()
    after = blocks[blocks.index(title) + 1 :][: _MAX_BLOCKS + 1]
    for at, block in enumerate(after):
        between = [one for one in after[:at] if not _is_set_alike(one, title)]
        if _OPENING.match(block.text):
            return frozenset(between)
        if len(block.lines) > _MAX_LINES or block.kind not in ("paragraph", "item"):
            return frozenset(_bylines_in(between))
    return frozenset(_bylines_in(one for one in after if not _is_set_alike(one, title)))


def _bylines_in(blocks: Iterable[Block]) -> Iterator[Block]:
    """Names and addresses, and the date below them."""
    is_below = False
    for block in blocks:
        if _is_byline(block) or (is_below and _DATE.search(block.text)):
            is_below = True
            yield block


def _is_set_alike(block: Block, title: Block) -> bool:
    if not block.lines or block.lines[0].style != title.lines[0].style:
        return False
    return abs(block.size - title.size) <= _SAME_SIZE * title.size


def _is_byline(block: Block) -> bool:
    """Whether a block has an address, or several names; a heading may look like a single name."""
    text = " ".join(block.text.split())
    if _ADDRESS.search(text) or len(list(raised_labels(block.lines))) > 1:
        return True
    return len(authors_in(block.lines)) > 1


def title_block(blocks: Sequence[Block], body: Body) -> Block | None:
    """The largest heading at the top of the first page, before any text."""
    above: list[Block] = []
    for block in blocks[:_MAX_BLOCKS]:
        if block.kind not in ("heading", "paragraph") or len(block.text) > _MAX_TITLE:
            break
        above.append(block)
    titles = list(filter(_is_title, above))
    large = [one for one in titles if one.size >= _LARGER * body.size]
    if large:
        return max(large, key=lambda one: one.size)
    strong = (one for one in reversed(titles) if all(line.style & STRONG for line in one.lines))
    return next((one for one in strong if _authors_after(one, blocks)), None)


def _whole_title(title: Block, blocks: Sequence[Block]) -> Iterator[Block]:
    """The title, and what goes on in the same size after a colon, such as `Tides: A survey`."""
    yield title
    at = next(at for at, one in enumerate(blocks) if one is title)
    if title.text.endswith(":"):
        yield from (
            one
            for one in blocks[at + 1 : at + 2]
            if one.kind == "heading" and _is_set_alike(one, title)
        )


def _is_title(block: Block) -> bool:
    text = " ".join(block.text.split())
    if _SECTION.match(text) or not _WORD.search(text):
        return False
    return len(text) >= _MIN_TITLE and sum(map(str.isalpha, text)) > len(text) // 2


def _authors_after(title: Block, blocks: Sequence[Block]) -> list[str]:
    """The names in the lines between the title and the text."""
    at = next(at for at, one in enumerate(blocks) if one is title)
    return authors_in(list(_lines_before_text(blocks[at + 1 :])))


def _lines_before_text(blocks: Sequence[Block]) -> Iterator[TextLine]:
    for block in blocks[:_MAX_BLOCKS]:
        is_long = len(block.lines) > _MAX_LINES and not _ADDRESS.search(block.text)
        if is_long or _TEXT_START.match(block.text):
            return
        yield from block.lines or _lines_of_addresses(block)


def _lines_of_addresses(block: Block) -> Iterator[TextLine]:
    """The rows of what looks like a table, but has names above addresses."""
    rows = [[line for cell in row for line in cell] for row in block.cells]
    if any(_ADDRESS.search(line.text) for row in rows for line in row):
        yield from (TextLine([word for line in row for word in line.words]) for row in rows if row)
