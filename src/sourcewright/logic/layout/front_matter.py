"""Title and authors from the first page of a document."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sourcewright.logic.layout.blocks import Block
from sourcewright.logic.layout.headings import Body
from sourcewright.logic.layout.inline import raised_labels, unraised_text
from sourcewright.logic.layout.letters.hyphens import join_hyphenated
from sourcewright.logic.layout.lines import TextLine

_MAX_TITLE, _MIN_TITLE = 300, 6
_LARGER = 1.15
_SAME_SIZE = 0.04
_MAX_BLOCKS, _MAX_LINES = 14, 6
_MAX_LINES_BEFORE = 3
"""Lines between the title and the first author, such as a subtitle."""
_MAX_AUTHORS = 60
_NOTE_SIGNS = " *\u2217\u2020\u2021\u22c6"
_MIN_WORDS, _MAX_WORDS, _LONGEST_NAME = 2, 5, 60
_SEPARATOR = re.compile(
    r" ?(?:[,;\u00b7\u2022|*\u2217\u22c6\u2020\u2021\u00a7\u00b6\u2016]|\band\b|\bund\b|\bet\b|\by\b|&) ?"
)
_NOT_NAMES = re.compile(
    r"[\d@:/]|university|institut|department|school|college|laborator|center|centre|faculty"
    r"|abstract|journal|proceedings|volume|hospital|company|\bltd\b|\binc\b",
    re.IGNORECASE,
)
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
_WORD = re.compile(r"[^\W\d_]{2}")
_PARTICLES = frozenset(
    (
        "al",
        "bin",
        "da",
        "de",
        "del",
        "den",
        "der",
        "di",
        "dos",
        "du",
        "el",
        "la",
        "le",
        "ten",
        "ter",
        "van",
        "von",
    )
)
_BY = re.compile(r"\A(?:by|von|par|por)\s+", re.IGNORECASE)
_ABSURD_TITLE = re.compile(
    r"(?:doi:?\s?|https?://(?:dx\.)?doi\.org/)?10\.\d{4,9}/\S+|pii:?\s?\S+|arxiv:\S+"
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
    title = _title_block(blocks, body)
    if title is None:
        return FrontMatter()
    parts = list(_whole_title(title, blocks))
    lines = [line for block in parts for line in block.lines]
    words = " ".join(join_hyphenated(unraised_text(lines)).split())
    return FrontMatter(title=words.rstrip(_NOTE_SIGNS), authors=_authors_after(parts[-1], blocks))


def bylines(blocks: Sequence[Block], body: Body) -> frozenset[Block]:
    """Authors and their addresses between the title and the text of the first page."""
    title = _title_block(blocks, body)
    if title is None:
        return frozenset()
    after = blocks[blocks.index(title) + 1 :][: _MAX_BLOCKS + 1]
    for at, block in enumerate(after):
        between = [one for one in after[:at] if not _is_same_size(one, title)]
        if _OPENING.match(block.text):
            return frozenset(between)
        if len(block.lines) > _MAX_LINES or block.kind not in ("paragraph", "item"):
            return frozenset(one for one in between if _is_byline(one))
    return frozenset()


def _is_same_size(block: Block, title: Block) -> bool:
    return bool(block.lines) and abs(block.size - title.size) <= _SAME_SIZE * title.size


def _is_byline(block: Block) -> bool:
    """Whether a block has an address, or several names; a heading may look like a single name."""
    text = " ".join(block.text.split())
    if _ADDRESS.search(text) or len(list(raised_labels(block.lines))) > 1:
        return True
    return len(_names(unraised_text(block.lines, ","))) > 1


def _title_block(blocks: Sequence[Block], body: Body) -> Block | None:
    """The largest heading at the top of the first page, before any text."""
    above: list[Block] = []
    for block in blocks[:_MAX_BLOCKS]:
        if block.kind not in ("heading", "paragraph") or len(block.text) > _MAX_TITLE:
            break
        above.append(block)
    large = [one for one in above if one.size >= _LARGER * body.size and _is_title(one)]
    return max(large, key=lambda one: one.size, default=None)


def _whole_title(title: Block, blocks: Sequence[Block]) -> Iterator[Block]:
    """The title, and what goes on in the same size after a colon, such as `Tides: A survey`."""
    yield title
    at = next(at for at, one in enumerate(blocks) if one is title)
    if title.text.endswith(":"):
        yield from (
            one
            for one in blocks[at + 1 : at + 2]
            if one.kind == "heading" and _is_same_size(one, title)
        )


def _is_title(block: Block) -> bool:
    text = " ".join(block.text.split())
    if _SECTION.match(text) or not _WORD.search(text):
        return False
    return len(text) >= _MIN_TITLE and sum(map(str.isalpha, text)) > len(text) // 2


def _authors_after(title: Block, blocks: Sequence[Block]) -> list[str]:
    """The names in the lines between the title and the text."""
    at = next(at for at, one in enumerate(blocks) if one is title)
    authors: list[str] = []
    for number, line in enumerate(_lines_before_text(blocks[at + 1 :])):
        names = _names(_BY.sub("", unraised_text([line], instead=",")))
        if (authors and not names) or (not authors and number >= _MAX_LINES_BEFORE):
            break
        authors += names
    return authors[:_MAX_AUTHORS]


def _lines_before_text(blocks: Sequence[Block]) -> Iterator[TextLine]:
    for block in blocks[:_MAX_BLOCKS]:
        if len(block.lines) > _MAX_LINES or _TEXT_START.match(block.text):
            return
        yield from block.lines


def _names(text: str) -> list[str]:
    """Names separated by commas or `and`; none if the text is anything else."""
    if len(text) > _MAX_TITLE or _NOT_NAMES.search(text):
        return []
    parts = [one.strip(f"{_NOTE_SIGNS}.") for one in _SEPARATOR.split(" ".join(text.split()))]
    parts = [one for one in parts if one]
    return parts if all(map(_is_name, parts)) else []


def _is_name(text: str) -> bool:
    words = text.split()
    if not _MIN_WORDS <= len(words) <= _MAX_WORDS or len(text) > _LONGEST_NAME:
        return False
    if not _WORD.search(words[-1]) or text.isupper():
        return False
    return all(one[0].isupper() or one in _PARTICLES for one in words)
