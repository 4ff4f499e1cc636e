"""Knows the words by which one document says that it is about another: comments, corrections."""

import re

from sourcewright.logic.folding import folded, squeezed
from sourcewright.logic.leafing import Leaf

_LABELS = (
    r"(?:(?:author|authors|publisher|publishers|editorial|partial|book) )?"
    r"(?:comments?|commentary|reply|replies|responses?|rejoinder|discussion|review|remarks?|note|"
    r"corrections?|errat(?:um|a)|corrigend(?:um|a)|addend(?:um|a)|retraction|withdrawal|removal|"
    r"expressions? of concern|supplement|supplementary \w{1,12}|supplemental \w{1,12}|"
    r"supporting \w{1,12}|(?:online )?appendix|data|dataset|code|slides|poster|peer review(?: file)?|"
    r"reviewers? comments|decision letter|highlights?|translation)(?: notes?| notice)?"
)
_JOINT = (
    r"(?: (?:on|to|of|for|from|about|accompanying|re))(?: the)?"
    r"(?: (?:article|paper|manuscript|work|letter|study|publication))?"
    r"(?: by (?:\w{1,30} ){0,8}\w{1,30})?(?: (?:entitled|titled))?"
)
_LABEL_BEFORE = re.compile(rf"(?:^|.*? )({_LABELS})({_JOINT})?$")
_LABEL_FIRST = re.compile(rf"({_LABELS})({_JOINT})?\b")
_HARD = re.compile(
    r"(?:(?:author|publisher|publishers|partial) )?(?:corrections?|errat(?:um|a)|"
    r"corrigend(?:um|a)|retraction|withdrawal|removal)(?: notes?| notice)?|"
    r"(?:editorial )?expressions? of concern|supplement\w{0,4} \w{1,12}|"
    r"supporting (?:information|material)|peer review(?: file)?|decision letter|online appendix"
)
"""What names another kind of document even when it stands alone on the line above a title."""


def is_other_document(line: str) -> bool:
    """Whether a line alone names a kind of document that is no paper, such as "Erratum"."""
    return bool(_HARD.fullmatch(folded(line[:200])))


def label_of(heading: str) -> str:
    """`correction` in "Correction to: On fogs"; empty where a title merely begins so."""
    found = _LABEL_FIRST.match(folded(heading[:200]))
    if not found:
        return ""
    label = head_of(heading, len(found[1].replace(" ", "")))
    following = heading[len(label) :].lstrip()[:1]
    return found[1] if found[2] or following in {":", "\u2013", "\u2014"} else ""


def introduced(leaf: Leaf, first: int, before: str) -> bool:
    """Whether the words before a title say that this is about it: "Comment on", "Erratum"."""
    line = leaf.lines[first]
    ahead = head_of(line, len(before)) if before else ""
    above = leaf.lines[first - 1] if first else ""
    if ahead:
        return _is_label(folded(ahead), closed=":" in ahead[-3:] or ":" in line[len(ahead) :][:3])
    return _is_label(folded(above), closed=above.rstrip().endswith(":"))


def head_of(line: str, letters: int) -> str:
    """The beginning of a line that holds so many letters."""
    return next(
        (line[:at] for at in range(len(line) + 1) if len(squeezed(line[:at])) >= letters), line
    )


def _is_label(words: str, *, closed: bool) -> bool:
    if len(words) > 150:
        return False
    found = _LABEL_BEFORE.match(words)
    return bool(found and (found[2] or closed)) or bool(_HARD.fullmatch(words))


def tail_of(line: str, letters: int) -> str:
    """The end of a line that holds so many letters."""
    whole = len(squeezed(line))
    return line[len(head_of(line, whole - letters)) :]
