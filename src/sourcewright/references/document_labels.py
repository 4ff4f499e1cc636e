"""Labels of documents about a paper: "Comment on", "Erratum", "Supplementary Information"."""

import re

from sourcewright.base.text.unicode import fold_heading

LABELS = (
    r"(?:(?:author|authors|publisher|publishers|editorial|partial|book) )?"
    r"(?:comments?|commentary|critique|reflections?|reply|replies|responses?|rejoinder|discussion|review|remarks?|note|"
    r"corrections?|errat(?:um|a)|corrigend(?:um|a)|addend(?:um|a)|retraction|withdrawal|removal|"
    r"expressions? of concern|supplement|supplementary \w{1,12}|supplemental \w{1,12}|"
    r"supporting \w{1,12}|(?:online )?appendix|data|dataset|code|slides|poster|peer review(?: file)?|"
    r"reviewers? comments|decision letter|highlights?|translation)(?: notes?| notice)?"
)
CONNECTOR = (
    r"(?: (?:on|to|of|for|from|about|accompanying|re))(?: the)?"
    r"(?: (?:article|paper|manuscript|work|letter|study|publication))?"
    r"(?: by (?:\w{1,30} ){0,8}\w{1,30})?(?: (?:entitled|titled))?"
)
_LABEL_FIRST = re.compile(rf"({LABELS})({CONNECTOR})?\b")


def document_label(heading: str) -> str:
    """Return the label of a heading: `correction` for "Correction to: On fogs".

    Empty if the title merely starts with such a word.
    """
    match = _LABEL_FIRST.match(fold_heading(heading[:200]))
    if not match:
        return ""
    label = line_prefix(heading, len(match[1].replace(" ", "")))
    following = heading[len(label) :].lstrip()[:1]
    return match[1] if match[2] or following in {":", "\u2013", "\u2014"} else ""


def line_prefix(line: str, letters: int) -> str:
    """Return the shortest prefix of a line with this many letters."""
    return next(
        (line[:at] for at in range(len(line) + 1) if len(_letters(line[:at])) >= letters),
        line,
    )


def line_suffix(line: str, letters: int) -> str:
    """Return the suffix of a line with this many letters."""
    whole = len(_letters(line))
    return line[len(line_prefix(line, whole - letters)) :]


def _letters(text: str) -> str:
    return fold_heading(text).replace(" ", "")
