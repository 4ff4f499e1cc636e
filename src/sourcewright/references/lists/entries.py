"""Splits a list of references into entries: numbered, bracketed, indented, wrapped, one per line."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from sourcewright.base.doi_prefix import DOI_PREFIX
from sourcewright.references.limits import refuse_if_too_many
from sourcewright.references.lists.sections import NumberedLine
from sourcewright.references.strings.names import begins_with_name

_BRACKETED = re.compile(
    r"^\s{0,99}(?:[-*]\s)?\\?\[(?P<label>\d{1,4}|[^\[\]]{1,60}\d[^\[\]]{0,6}|[A-Za-z+]{2,12})\\?\]\s?\S"
)
_ROUND = re.compile(r"^\s{0,99}\((?P<label>\d{1,4})\)\s{1,9}\S")
_DOTTED = re.compile(r"^\s{0,99}(?P<label>\d{1,4})[.)]\s{1,9}\S")
_BARE = re.compile(r"^\s{0,99}(?P<label>\d{1,4})\s{1,9}[^\W\d_]")
_BULLET = re.compile(r"^\s{0,99}(?P<label>[-*\u2022\u25aa\u2013])\s{1,9}\S")
_LABELS = (_BRACKETED, _ROUND, _DOTTED, _BARE, _BULLET)
_COMPLETE = re.compile(r"(?:[.\])]|\d|https?://\S{1,500})\s{0,9}$")
_DATED = re.compile(
    r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)|" + DOI_PREFIX + r"/|https?://|\(n\.d\.\)|in press",
    re.IGNORECASE,
)
_HYPHEN = re.compile(r"[^\W\d_][-\u2010\u00ad]$")
_BROKEN_LINK = re.compile(
    r"(?:https?://|doi:|" + DOI_PREFIX + r")\S{0,500}[/._=?&%-]$", re.IGNORECASE
)
_INDENT = re.compile(r"^\s{0,99}")
_CONTINUED = re.compile(r"^\s{0,99}[a-z\d(]")
_IsStart: TypeAlias = Callable[[NumberedLine, Sequence[NumberedLine]], bool]
_MAX_ADDRESS = 100
_MAX_GAP = 5
"""Numbers that may be missing in a numbered list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListEntry:
    """An entry on one line, and the line on which it begins."""

    text: str
    line: int


def split_entries(lines: Sequence[NumberedLine]) -> tuple[ListEntry, ...]:
    """The entries of a list of references, wrapped lines joined.

    Raises:
        InvalidInput: It has too many entries.
    """
    groups = [group for group in _groups(lines) if any(line.text.strip() for line in group)]
    refuse_if_too_many(len(groups), "references")
    return tuple(_joined(group) for group in groups)


def _groups(lines: Sequence[NumberedLine]) -> Iterator[list[NumberedLine]]:
    for pattern in _LABELS:
        if starts := _labelled_starts(lines, pattern):
            starts |= _bulleted_after(lines, min(starts))
            groups = _grouped(lines, _start_at({lines[start].number for start in starts}))
            return _with_end(list(groups))
    blocks = _without_addresses(_blocks(lines))
    return (group for block in blocks for group in _grouped(block, _start_in(block, blocks)))


def _with_end(groups: Sequence[list[NumberedLine]]) -> Iterator[list[NumberedLine]]:
    """The groups, the last one without the paragraphs after an entry that is complete."""
    yield from groups[:-1]
    is_dated, last = False, groups[-1]
    for at, (line, after) in enumerate(pairwise(last), start=1):
        is_dated = is_dated or _DATED.search(line.text) is not None
        if is_dated and not after.text.strip() and _COMPLETE.search(line.text):
            yield last[:at]
            return
    yield last


def _start_at(numbers: Collection[int]) -> _IsStart:
    return lambda line, _group: line.number in numbers


def _labelled_starts(lines: Sequence[NumberedLine], pattern: re.Pattern[str]) -> frozenset[int]:
    """The lines that begin with a label of one kind; none if the list has other labels or none."""
    labels = {
        index: match["label"]
        for index, line in enumerate(lines)
        if (match := pattern.match(line.text)) is not None
    }
    in_any_order = set(labels.values()) == {"1"} or _is_labelled(lines, pattern)
    starts = list(labels) if in_any_order else _in_order(lines, labels)
    first_text = next((i for i, line in enumerate(lines) if line.text.strip()), 0)
    enough = len(starts) > 1 or (bool(starts) and pattern is not _BARE)
    return frozenset(starts) if enough and starts[0] == first_text else frozenset()


def is_labelled_list(lines: Sequence[NumberedLine]) -> bool:
    """Whether each line has the label and the date of an entry, so that the text is only a list."""
    return any(_is_labelled(lines, pattern) for pattern in (_BRACKETED, _ROUND, _DOTTED))


def _is_labelled(lines: Sequence[NumberedLine], pattern: re.Pattern[str]) -> bool:
    texts = [line.text for line in lines if line.text.strip()]
    return len(texts) > 1 and all(pattern.match(text) and _DATED.search(text) for text in texts)


def _in_order(lines: Sequence[NumberedLine], labels: Mapping[int, str]) -> list[int]:
    """The lines whose number follows the one before; in Markdown, all may also be 1."""
    starts: list[int] = []
    last = 0
    for index, label in labels.items():
        if label.isascii() and label.isdigit():
            is_next = last < int(label) <= last + _MAX_GAP or not (last or int(label) > 999)
            is_after_gap = last > 1 or not lines[index - 1].text.strip()
            if not is_next and not (is_after_gap and _begins_list(index, labels)):
                continue
            last = int(label)
        starts.append(index)
    return starts


def _begins_list(index: int, labels: Mapping[int, str]) -> bool:
    """Whether a second list begins here: with 1, and it goes on with 2."""
    following = next((label for at, label in labels.items() if at > index), None)
    return labels[index] == "1" and following == "2"


def _bulleted_after(lines: Sequence[NumberedLine], first: int) -> frozenset[int]:
    """The lines with a bullet that begin a paragraph, after the first entry of another kind."""
    return frozenset(
        index
        for index in range(first + 1, len(lines))
        if not lines[index - 1].text.strip() and _BULLET.match(lines[index].text)
    )


def _grouped(lines: Sequence[NumberedLine], is_start: _IsStart) -> Iterator[list[NumberedLine]]:
    group: list[NumberedLine] = []
    for line in lines:
        if group and is_start(line, group):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _blocks(lines: Sequence[NumberedLine]) -> list[list[NumberedLine]]:
    """The lines between blank lines."""
    blocks: list[list[NumberedLine]] = [[]]
    for line in lines:
        if line.text.strip():
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    return [block for block in blocks if block]


def _without_addresses(blocks: list[list[NumberedLine]]) -> list[list[NumberedLine]]:
    """The blocks without short ones at the end that have no date: addresses of the authors."""
    end = len(blocks)
    while end and _is_short(blocks[end - 1]):
        end -= 1
    # A single one may be an entry, and a list without dates has entries of that kind.
    return blocks[:end] if end and len(blocks) - end > 1 else blocks


def _is_short(block: Sequence[NumberedLine]) -> bool:
    text = " ".join(line.text for line in block)
    return len(text) < _MAX_ADDRESS and not _DATED.search(text)


def _start_in(block: Sequence[NumberedLine], blocks: Sequence[Sequence[NumberedLine]]) -> _IsStart:
    """Whether a line begins an entry: by its indentation, or by its words and the line before."""
    first = _indent(block[0].text)
    if len({_indent(line.text) for line in block}) > 1:
        # The first lines of entries, or all others, are indented.
        return lambda line, _group: _indent(line.text) == first
    is_dated = [_DATED.search(line.text) is not None for line in block]
    is_whole = [not _CONTINUED.match(line.text) for line in block]
    has_one_each = all(is_whole) and sum(is_dated) >= 0.9 * len(block)
    if has_one_each and (len(blocks) == 1 or len(block) > 3):
        return lambda _line, _group: True
    return _begins_entry


def _begins_entry(line: NumberedLine, group: Sequence[NumberedLine]) -> bool:
    """Whether a line begins with a name after an entry that has a date and ended."""
    return (
        _COMPLETE.search(group[-1].text) is not None
        and any(_DATED.search(before.text) for before in group)
        and begins_with_name(line.text.strip())
    )


def _indent(line: str) -> int:
    match = _INDENT.match(line)
    return match.end() if match else 0


def _joined(group: Sequence[NumberedLine]) -> ListEntry:
    """The lines as one, words and links put together that a line break divided."""
    parts: list[str] = []
    for line in group:
        piece = line.text.strip()
        if not piece:
            continue
        if parts and _HYPHEN.search(parts[-1]) and piece[0].islower():
            parts[-1] = parts[-1][:-1]
        elif parts and not _BROKEN_LINK.search(parts[-1]):
            parts.append(" ")
        parts.append(piece)
    first = next((line.number for line in group if line.text.strip()), group[0].number)
    return ListEntry(text="".join(parts), line=first)
