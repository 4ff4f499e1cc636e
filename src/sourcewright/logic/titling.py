"""Finds a work's title on the pages of a file, and sees whether it is the title of that file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz

from sourcewright.logic.cleaning import plain_text
from sourcewright.logic.folding import folded, squeezed, without_tex
from sourcewright.logic.leafing import Leaf

Grade = Literal["same", "alike", "longer", "shorter", "inside", "derived", "none"]

# The thresholds were read off the confusion table that tests/logic/test_matching_calibration.py
# counts; run it again before changing one.
TITLE_ALIKE = 82.0
"""Per cent of letters. The preprint of the corpus that was renamed has 84, and so do titles of
which a tenth was lost; different works of one series by the same author reach 90, which is why
this much is never more than probable, and only beside the author and no other DOI."""
TITLE_SHORT = 25
"""Letters. Below this a title may stand in any text, so that it counts only as whole lines."""
PREFILTER = 0.35
"""Share of a title's groups of five letters that a page must hold before it is searched for what
is alike; right pages hold at least 0.6 even where every eighth letter is lost."""

_MAX_TITLE = 600
_LINES_ROUND = 2
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
_SEQUEL = re.compile(
    r"\b(?:part|ii|iii|iv|v|vi|vii|viii|ix|[2-9]|reply|replication|revisited|comment|erratum|"
    r"correction|addendum|continued|supplement\w*)\b"
)
_NUMERAL = re.compile(r"\b(?:[0-9]{1,4}|i{2,3}|iv|vi{0,3}|ix|(?<=part )[ivx]|[a-z]$)\b")
_GOES_ON = re.compile(r"(?:[a-z]|\(|in |of |and |for |with |from |on |the )")


@dataclass(frozen=True, slots=True)
class TitleSight:
    """The best that a file shows of a title."""

    grade: Grade
    page: int = 0
    alike: float = 0.0
    heading: str = ""
    """The lines as the file has them, with what belongs to them."""
    line: int = 0


_RANK: tuple[Grade, ...] = ("same", "longer", "shorter", "alike", "inside", "none")
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
        return len(self.letters) < TITLE_SHORT


def title_of(text: str | None) -> Title:
    plain = without_tex(plain_text((text or "")[:_MAX_TITLE]))
    head, colon, _ = plain.partition(": ")
    main = squeezed(head) if colon else ""
    words = folded(plain)
    return Title(
        words=words,
        letters=words.replace(" ", ""),
        main=main if len(main) >= TITLE_SHORT else "",
        label=_label(plain),
    )


def _label(heading: str) -> str:
    """`correction` in "Correction to: On fogs"; empty where a title merely begins so."""
    found = _LABEL_FIRST.match(folded(heading[:200]))
    if not found:
        return ""
    length = len(found[1].replace(" ", ""))
    after = next(
        (heading[at:] for at in range(len(heading)) if len(squeezed(heading[:at])) >= length), ""
    )
    return found[1] if found[2] or after.lstrip()[:1] in {":", "\u2013", "\u2014"} else ""


def sight_of(title: Title, leaves: tuple[Leaf, ...]) -> TitleSight:
    """The best sight; one that makes the file a document about the work comes before all."""
    if not title.letters:
        return NOTHING
    sights: list[TitleSight] = []
    for leaf in leaves:
        found = [] if leaf.is_contents else [*_sights_on(title, leaf)]
        if not sights and any(sight.grade == "derived" for sight in found):
            return next(sight for sight in found if sight.grade == "derived")
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
    after = strip.text[end:line_end]
    grade = _grade(title, leaf, (first, last), before, after)
    start = max(0, first - 1) if grade == "derived" and not before else first
    heading = " ".join(leaf.lines[start : last + 1])
    return TitleSight(grade, leaf.number, 100.0, heading, first)


def _grade(title: Title, leaf: Leaf, lines: tuple[int, int], before: str, after: str) -> Grade:
    first, last = lines
    if not title.label and _introduced(leaf, first, before):
        return "derived"
    if len(before) > 3 and not before.isdecimal():
        return "inside"
    if len(after) > 3 and not after.isdecimal():
        return "inside" if title.is_short else "longer"
    following = leaf.lines[last + 1] if last + 1 < len(leaf.lines) else ""
    if not title.label and _HARD.fullmatch(folded(following)):
        return "derived"
    return "longer" if _continues(leaf.lines[last], following) else "same"


def _introduced(leaf: Leaf, first: int, before: str) -> bool:
    """Whether the words before a title say that this is about it: "Comment on", "Erratum"."""
    line = leaf.lines[first]
    ahead = _prefix(line, len(before)) if before else ""
    above = leaf.lines[first - 1] if first else ""
    if ahead:
        return _is_label(folded(ahead), closed=":" in ahead[-3:] or ":" in line[len(ahead) :][:3])
    return _is_label(folded(above), closed=above.rstrip().endswith(":"))


def _prefix(line: str, letters: int) -> str:
    return next(
        (line[:at] for at in range(len(line) + 1) if len(squeezed(line[:at])) >= letters), line
    )


def _is_label(words: str, *, closed: bool) -> bool:
    if len(words) > 150:
        return False
    found = _LABEL_BEFORE.match(words)
    return bool(found and (found[2] or closed)) or bool(_HARD.fullmatch(words))


def _continues(line: str, following: str) -> bool:
    """Whether a title goes on where the one that is looked for has ended."""
    if line.rstrip().endswith((":", "-", "\u2013", "\u2014")):
        return True
    return line[-1:].isalpha() and bool(_GOES_ON.match(following)) and not line.isupper()


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
    label = _label(heading)
    if label and not title.label:
        return TitleSight("derived", leaf.number, score, heading, start)
    if label != title.label or _differ(title.words, folded(heading)):
        return NOTHING
    if not title.label and _introduced(leaf, start, ""):
        return TitleSight("derived", leaf.number, score, heading, start)
    return TitleSight("alike", leaf.number, score, heading, start)


def _differ(one: str, other: str) -> bool:
    """Whether two titles name different parts: numbers, or words such as "part" and "reply"."""
    if set(_SEQUEL.findall(one)) != set(_SEQUEL.findall(other)):
        return True
    return not set(_NUMERAL.findall(one)) <= set(_NUMERAL.findall(other))


def is_sequel(title: Title, heading: str) -> bool:
    """Whether a longer heading is that of another part or of an answer."""
    return set(_SEQUEL.findall(folded(heading))) != set(_SEQUEL.findall(title.words))
