"""Tall brackets that a file draws in pieces below each other: each as one bracket."""

from collections.abc import Sequence

from sourcewright.reading.layout.words import Word

_BRACKETS = {
    piece: bracket
    for bracket, pieces in {
        "(": "\u239b\u239c\u239d",
        ")": "\u239e\u239f\u23a0",
        "[": "\u23a1\u23a2\u23a3",
        "]": "\u23a4\u23a5\u23a6",
        "{": "\u23a7\u23a8\u23a9",
        "}": "\u23ab\u23ac\u23ad",
        "|": "\u23d0",
    }.items()
    for piece in pieces
}
_EXTENSION = "\u23aa"
"""The part of a brace between its end and its middle."""
_SAME_PLACE = 1.0


def with_tall_brackets(words: Sequence[Word]) -> list[Word]:
    """Words with one bracket in the middle of the pieces that stand below each other."""
    if not any(word.text[:1] in _BRACKETS or word.text[:1] == _EXTENSION for word in words):
        return list(words)
    combined: list[Word] = []
    pieces: list[Word] = []
    for word in words:
        is_piece = word.text[:1] in _BRACKETS or word.text[:1] == _EXTENSION
        if is_piece and pieces and abs(word.left - pieces[0].left) <= _SAME_PLACE:
            pieces.append(word)
            continue
        combined += _bracket(pieces)
        pieces = [word] if is_piece else []
        if not is_piece:
            combined.append(word)
    return combined + _bracket(pieces)


def _bracket(pieces: Sequence[Word]) -> list[Word]:
    signs = [_BRACKETS[one.text[0]] for one in pieces if one.text[0] in _BRACKETS]
    if not signs:
        return []
    bases = [one.base for one in pieces]
    return [pieces[0]._replace(text=signs[0], base=(min(bases) + max(bases)) / 2)]
