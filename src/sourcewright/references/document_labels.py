"""Labels of documents about a paper: "Comment on", "Erratum", "Supplementary Information"."""

import re
from collections.abc import Sequence
from typing import Protocol

from sourcewright.base.text.unicode import fold_text, fold_without_spaces

_LABELS = (
    r"(?:(?:author|authors|publisher|publishers|editorial|partial|book) )?"
    r"(?:comments?|commentary|reply|replies|responses?|rejoinder|discussion|review|remarks?|note|"
    r"corrections?|errat(?:um|a)|corrigend(?:um|a)|addend(?:um|a)|retraction|withdrawal|removal|"
    r"expressions? of concern|supplement|supplementary \w{1,12}|supplemental \w{1,12}|"
    r"supporting \w{1,12}|(?:online )?appendix|data|dataset|code|slides|poster|peer review(?: file)?|"
    r"reviewers? comments|decision letter|highlights?|translation)(?: notes?| notice)?"
)
_CONNECTOR = (
    r"(?: (?:on|to|of|for|from|about|accompanying|re))(?: the)?"
    r"(?: (?:article|paper|manuscript|work|letter|study|publication))?"
    r"(?: by (?:\w{1,30} ){0,8}\w{1,30})?(?: (?:entitled|titled))?"
)
_LABEL_BEFORE = re.compile(rf"(?:^|.*? )({_LABELS})({_CONNECTOR})?$")
_LABEL_FIRST = re.compile(rf"({_LABELS})({_CONNECTOR})?\b")
_SUPPLEMENT = (
    r"(?:electronic |online )?(?:supplement\w{0,4} \w{1,12}|supporting (?:information|materials?))"
    r"(?: esi| si)?"
)
_DOCUMENT_LABEL = re.compile(
    r"(?:(?:author|publisher|publishers|partial) )?(?:corrections?|errat(?:um|a)|"
    r"corrigend(?:um|a)|retraction|withdrawal|removal)(?: notes?| notice)?|"
    rf"(?:editorial )?expressions? of concern|{_SUPPLEMENT}|"
    r"(?:response|reply|replies|answers?)s? to (?:the )?(?:reviewers?|referees?|editors?)(?: comments?)?|"
    r"peer review(?: file)?|decision letter|online appendix"
)
"""Labels that name another kind of document even when they are alone on a line above a title."""
_SUPPLEMENT_FOR = re.compile(rf"{_SUPPLEMENT} (?:for|to|of|accompanying)\b.*")
_SUPPLEMENT_LINE = re.compile(_SUPPLEMENT)
_LINES_ABOVE, _LINES_BELOW = 4, 6
_HEADING_WITHIN = 12
"""Lines from the top of a page; a title further below may follow the end of another document."""


class PageLines(Protocol):
    """One page, line by line."""

    @property
    def lines(self) -> Sequence[str]: ...

    @property
    def plain(self) -> Sequence[str]:
        """Each line, folded."""
        ...


def is_document_label(line: str) -> bool:
    """Whether a whole line is the label of another kind of document, such as "Erratum"."""
    return bool(_DOCUMENT_LABEL.fullmatch(fold_text(line[:200])))


def document_label(heading: str) -> str:
    """Return the label of a heading: `correction` for "Correction to: On fogs".

    Empty if the title merely starts with such a word.
    """
    match = _LABEL_FIRST.match(fold_text(heading[:200]))
    if not match:
        return ""
    label = line_prefix(heading, len(match[1].replace(" ", "")))
    following = heading[len(label) :].lstrip()[:1]
    return match[1] if match[2] or following in {":", "\u2013", "\u2014"} else ""


def is_preceded_by_label(page: PageLines, first: int, before: str) -> bool:
    """Whether a label precedes a title, on its line or the line above: "Comment on", "Erratum"."""
    line = page.lines[first]
    ahead = line_prefix(line, len(before)) if before else ""
    above = page.lines[first - 1] if first else ""
    if _is_below_label(page, first):
        return True
    if ahead:
        return _is_label(
            fold_text(ahead), closed=":" in ahead[-3:] or ":" in line[len(ahead) :][:3]
        )
    return _is_label(fold_text(above), closed=above.rstrip().endswith(":"))


def _is_below_label(page: PageLines, first: int) -> bool:
    """Whether a label heads the page, with such lines as "Open Access" between it and the title."""
    if first > _HEADING_WITHIN:
        return False
    above = page.plain[max(0, first - _LINES_ABOVE) : first]
    return any(_DOCUMENT_LABEL.fullmatch(one) or _SUPPLEMENT_FOR.fullmatch(one) for one in above)


def is_followed_by_supplement(page: PageLines, line: int) -> bool:
    """Whether "Supporting Information" is a line of its own a few lines below a title.

    It heads a supplement, or it is a link on the first page of the paper.
    """
    below = page.plain[line + 1 : line + 1 + _LINES_BELOW]
    return any(map(_SUPPLEMENT_LINE.fullmatch, below))


def line_prefix(line: str, letters: int) -> str:
    """Return the shortest prefix of a line with this many letters."""
    return next(
        (
            line[:at]
            for at in range(len(line) + 1)
            if len(fold_without_spaces(line[:at])) >= letters
        ),
        line,
    )


def _is_label(words: str, *, closed: bool) -> bool:
    if len(words) > 150:
        return False
    match = _LABEL_BEFORE.match(words)
    return bool(match and (match[2] or closed)) or bool(_DOCUMENT_LABEL.fullmatch(words))


def line_suffix(line: str, letters: int) -> str:
    """Return the suffix of a line with this many letters."""
    whole = len(fold_without_spaces(line))
    return line[len(line_prefix(line, whole - letters)) :]
