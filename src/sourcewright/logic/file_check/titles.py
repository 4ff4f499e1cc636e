"""Title matching: finds a work's title in a PDF, and tells the file's title from a citation.

Knows the words by which one document says that it is about another: comments, corrections.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz

from sourcewright.logic.file_check.pages import Leaf
from sourcewright.logic.text.plain import plain_text
from sourcewright.logic.text.unicode import folded, squeezed, without_tex

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


Grade = Literal["same", "alike", "longer", "shorter", "begins", "inside", "derived", "none"]
"""`longer` and `shorter` differ by a subtitle; `begins` is the beginning of another title; `inside`
is in the middle of other words; `derived` heads a document about the work.
"""

# The thresholds were read off the tables that tests/logic/file_check/test_calibration.py counts;
# run it again before changing one.
TITLE_ALIKE = 80.0
"""Per cent that a heading shares with a title, by letters or by sorted words. The renamed preprints
of the corpus have 81 and 86, titles of which every eighth letter was lost 93; different works
reach 94, so that labels, numerals and single words decide between them."""
STRANGE_WORDS = 0.1
"""Share of a title's words that may be added, dropped or exchanged; one may be in any case. An
exchanged word counts twice, which keeps apart what differs in its subject only."""
WORD_ALIKE = 80.0
"""Per cent; scanning errors stay above it, `men` and `women` below."""
TITLE_SHORT = 18
"""Letters, an ideograph counting as three. A shorter title may stand in any text, so that it
counts only as whole lines, and is never enough without an identifier."""
PREFILTER = 0.3
"""Share of a title's groups of five letters that a page must hold before a costly search begins;
titles of the corpus keep 0.33 at least when every eighth letter is lost."""

_MAX_TITLE = 600
_LINES_ROUND = 2
_GENERIC = re.compile(
    r"(?:guest )?editorial(?: board| note)?|introduction(?: to (?:the|this) special \w+)?|preface|"
    r"foreword|book reviews?|letters? to the editors?|obituary|conclusions?|discussion|abstracts?|"
    r"in this issue|front matter|back matter|news(?: and notes)?|announcements?|contents|index|"
    r"corrections and clarifications|instructions for authors|list of reviewers|acknowledge?ments?"
)
_SEQUEL = re.compile(
    r"\b(?:part|ii|iii|iv|v|vi|vii|viii|ix|[2-9]|reply|replication|revisited|comment|erratum|"
    r"correction|addendum|continued|supplement\w*)\b"
)
_NUMERAL = re.compile(r"[0-9]+|i{2,3}|iv|vi{0,3}|ix|xi{0,3}")
_SMALL = re.compile(
    r"a|an|the|of|in|on|and|or|for|to|with|by|from|at|as|is|are|its|it|that|this|which|how|what|why|"
    r"de|la|le|les|el|los|las|en|du|des|di|il|der|die|das|den|und|et|y|o|e|do|da"
)
_ONWARD = re.compile(
    r"(?:in|of|and|for|with|from|on|under|between|among|using|during|to|at|or|via|as)\s"
)
_KIND = re.compile(
    r"(?:original|research|review|full|short|regular|rapid|brief|invited|technical|open)*"
    r"(?:articles?|papers?|research|review|letters?|communications?|report|access|perspective)"
    r"(?:openaccess)?"
)
"""The kind of article, set so close above a title that it is read as one line with it."""
_PAGE_NUMBER = re.compile(r"(?:\s?[.\u2026\u00b7]){2,}|\s[0-9]{3,4}$")
_FOOTNOTE = re.compile(r"[0-9]{1,4}|[a-hj-rtuwyz]")
"""Marks behind a title; not those letters that make a numeral or a plural of its last word."""
_STOP = re.compile(r"\s*[:.?!;(\[\u2013\u2014-]")


@dataclass(frozen=True, slots=True)
class TitleSight:
    """The best that a file shows of a title."""

    grade: Grade
    page: int = 0
    alike: float = 0.0
    heading: str = ""
    """The lines as the file has them, with what belongs to them."""
    line: int = 0
    ahead: str = ""
    """The words before the title on its first line, folded."""


_RANK: tuple[Grade, ...] = (
    *("same", "longer", "shorter", "alike"),
    *("begins", "inside", "none"),
)
NOTHING = TitleSight("none")


@dataclass(frozen=True, slots=True)
class Title:
    """A title made ready for comparing."""

    words: str
    letters: str
    main: str
    """The letters before the subtitle; empty when there is none."""
    label: str

    @property
    def is_short(self) -> bool:
        return _weight(self.letters) < TITLE_SHORT or bool(_GENERIC.fullmatch(self.words))


def _weight(letters: str) -> int:
    return sum(3 if letter >= "\u2e80" else 1 for letter in letters)


def title_of(text: str | None) -> Title:
    plain = without_tex(plain_text((text or "")[:_MAX_TITLE]))
    head, colon, _ = plain.partition(": ")
    main = squeezed(head) if colon else ""
    words = folded(plain)
    return Title(
        words=words,
        letters=words.replace(" ", ""),
        main=main if _weight(main) >= TITLE_SHORT else "",
        label=label_of(plain),
    )


def sight_of(title: Title, leaves: tuple[Leaf, ...]) -> TitleSight:
    """The best sight; one that makes the file a document about the work comes before all."""
    if not title.letters:
        return NOTHING
    sights: list[TitleSight] = []
    for leaf in leaves:
        found = [sight for sight in _sights_on(title, leaf) if sight.line < leaf.contents_from]
        about = [sight for sight in found if sight.grade == "derived"]
        if about and all(sight.grade == "inside" for sight in sights):
            return about[0]
        sights += [sight for sight in found if sight.grade != "derived"]
    return min(sights, key=lambda sight: _RANK.index(sight.grade), default=NOTHING)


def _sights_on(title: Title, leaf: Leaf) -> Iterator[TitleSight]:
    found = False
    for at in _places(title.letters, leaf):
        found = True
        yield _placed(title, title.letters, leaf, at)
    if title.main and not found:
        for at in _places(title.main, leaf):
            sight = _placed(title, title.main, leaf, at)
            if sight.grade == "same":
                found = True
                yield TitleSight("shorter", leaf.number, 100.0, sight.heading, sight.line)
    if not found and not title.is_short:
        yield from _alike(title, leaf)


def _places(letters: str, leaf: Leaf) -> Iterator[int]:
    at = leaf.letters.text.find(letters)
    for _ in range(5):
        if at < 0:
            return
        yield at
        at = leaf.letters.text.find(letters, at + 1)


def _placed(title: Title, letters: str, leaf: Leaf, at: int) -> TitleSight:
    """What the words around an exact match make of it."""
    strip, end = leaf.letters, at + len(letters)
    first, last = strip.line_at(at), strip.line_at(end - 1)
    before = strip.text[strip.starts[first] : at]
    line_end = strip.starts[last + 1] if last + 1 < len(strip.starts) else len(strip.text)
    grade = _grade(title, leaf, (first, last), (before, strip.text[end:line_end]))
    start = max(0, first - 1) if grade == "derived" and not before else first
    stop = last + 2 if grade in {"longer", "derived"} else last + 1
    heading = " ".join(leaf.lines[start:stop])
    ahead = folded(head_of(leaf.lines[first], len(before))) if before else ""
    return TitleSight(grade, leaf.number, 100.0, heading, first, ahead)


def _grade(title: Title, leaf: Leaf, lines: tuple[int, int], around: tuple[str, str]) -> Grade:
    (first, last), (before, after) = lines, around
    if not title.label and introduced(leaf, first, before):
        return "derived"
    if len(before) > 1 and not (before.isdecimal() or _KIND.fullmatch(before)):
        return "inside"
    line = leaf.lines[last]
    tail = tail_of(line, len(after)) if after else ""
    if _PAGE_NUMBER.match(tail):
        return "inside"
    stopped = bool(_STOP.match(tail))
    if after and (not _FOOTNOTE.fullmatch(after) or (stopped and after.isalpha())):
        return "longer" if stopped and not title.is_short else "begins"
    following = leaf.lines[last + 1] if last + 1 < len(leaf.lines) else ""
    if not title.label and is_other_document(following):
        return "derived"
    return _ending(line, following)


def _ending(line: str, following: str) -> Grade:
    """Whether a title has ended with its line, or goes on in the next."""
    if line.endswith((":", "\u2013", "\u2014")):
        return "longer"
    following = following.lower() if line.isupper() and following.isupper() else following
    return "begins" if line[-1:].isalpha() and _ONWARD.match(following) else "same"


def _alike(title: Title, leaf: Leaf) -> Iterator[TitleSight]:
    """A heading that differs in a few letters, and in no number."""
    text = leaf.letters.text
    groups = [title.letters[at : at + 5] for at in range(0, len(title.letters) - 4, 3)]
    if sum(group in text for group in groups) < PREFILTER * len(groups):
        return
    spot = fuzz.partial_ratio_alignment(title.letters, text, score_cutoff=TITLE_ALIKE - 15)
    if spot is None:
        return
    first = leaf.letters.line_at(spot.dest_start)
    last = leaf.letters.line_at(max(spot.dest_start, spot.dest_end - 1))
    score, start, end = max(_windows(title, leaf, first, last))
    if score < TITLE_ALIKE:
        return
    yield _judged(title, leaf, (start, end), score)


def _windows(title: Title, leaf: Leaf, first: int, last: int) -> Iterator[tuple[float, int, int]]:
    for start in range(max(0, first - 1), first + _LINES_ROUND):
        for end in range(max(start, last - 1), min(len(leaf.plain), last + _LINES_ROUND)):
            words = " ".join(leaf.plain[start : end + 1])
            letters = fuzz.ratio(title.letters, words.replace(" ", ""))
            yield max(letters, fuzz.token_sort_ratio(title.words, words) - 1), start, end
    yield 0.0, first, last


def _judged(title: Title, leaf: Leaf, lines: tuple[int, int], score: float) -> TitleSight:
    start, end = lines
    heading = " ".join(leaf.lines[start : end + 1])
    label = label_of(heading)
    if label and not title.label:
        return TitleSight("derived", leaf.number, score, heading, start)
    if label != title.label or _differ(title.words, folded(heading)):
        return NOTHING
    if not title.label and introduced(leaf, start, ""):
        return TitleSight("derived", leaf.number, score, heading, start)
    return TitleSight("alike", leaf.number, score, heading, start)


def _differ(one: str, other: str) -> bool:
    """Whether two titles that look alike name different things."""
    strangers = _strangers(one, other) + _strangers(other, one)
    if any(_NUMERAL.fullmatch(word) for word in strangers):
        return True
    return len(strangers) > max(1, STRANGE_WORDS * len(one.split()))


def _strangers(words: str, others: str) -> list[str]:
    """The words that mean something and have no counterpart in the other text."""
    letters, listed = others.replace(" ", ""), others.split()
    return [
        word
        for word in words.split()
        if not _SMALL.fullmatch(word) and not _has_counterpart(word, letters, listed)
    ]


def _has_counterpart(word: str, letters: str, listed: list[str]) -> bool:
    if _NUMERAL.fullmatch(word):
        return word in listed
    if len(word) < 3 or word in listed or (len(word) > 3 and word in letters):
        return True
    stem = word[: max(3, len(word) - 3)]
    return any(
        len(other) > 3 and (other.startswith(stem) or fuzz.ratio(word, other) >= WORD_ALIKE)
        for other in listed
    )


def is_sequel(title: Title, heading: str) -> bool:
    """Whether a heading with more or less of a subtitle is that of another part or an answer."""
    return set(_SEQUEL.findall(folded(heading))) != set(_SEQUEL.findall(title.words))
