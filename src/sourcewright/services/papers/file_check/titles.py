"""Title matching: finds a work's title in a PDF, and tells the file's title from a citation.

Labels such as "Comment on" or "Erratum" show that a document is about a work and not the work.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from rapidfuzz import fuzz

from sourcewright.base.text.unicode import fold_heading
from sourcewright.references.document_labels import document_label, line_prefix, line_suffix
from sourcewright.services.papers.file_check.kinds import connected_kind, label_kind, notice_group
from sourcewright.services.papers.file_check.labels import (
    LEADING_WORDS,
    SECTIONS,
    following_label,
    preceding_label,
)
from sourcewright.services.papers.file_check.pages import PageText
from sourcewright.services.papers.file_check.record_titles import (
    PreparedTitle,
    letters_of,
    prepared_title,
)

TitleMatchGrade = Literal[
    "same", "alike", "longer", "shorter", "begins", "inside", "derived", "none"
]
"""How a title occurs. `longer` and `shorter` differ by a subtitle; `begins`: it starts another title;
`inside`: it is within other words; `derived`: it heads a document about the work."""

# The thresholds come from the tables of tests/services/papers/file_check/test_calibration.py; run it again
# before changing one.
MIN_TITLE_SIMILARITY = 80.0
"""Per cent similarity of a heading and a title, by letters or by sorted words. Renamed preprints in
the corpus have 81 and 86, titles with every eighth letter lost 93. Different works reach 94, so
labels, numerals and single words decide between them."""
MAX_DIFFERENT_WORDS = 0.1
"""Share of a title's words that may be added, removed or replaced; one is always allowed. A replaced
word counts twice, which separates titles that differ in their subject only."""
MIN_WORD_SIMILARITY = 80.0
"""Per cent similarity of two words; OCR errors are above it, `men` and `women` below."""
MIN_SHARED_LETTER_GROUPS = 0.3
"""Share of a title's five-letter groups that a page must contain before the expensive fuzzy search;
titles in the corpus keep at least 0.33 when every eighth letter is lost."""

_LINES_AROUND = 2
_SEQUEL = re.compile(
    r"\b(?:part|ii|iii|iv|v|vi|vii|viii|ix|[2-9]|reply|replication|revisited|comment|erratum|"
    r"correction|addendum|continued|supplement\w*)\b"
)
_NUMERAL = re.compile(r"[0-9]+|i{2,3}|iv|vi{0,3}|ix|xi{0,3}")
_FUNCTION_WORD = re.compile(
    r"a|an|the|of|in|on|and|or|for|to|with|by|from|at|as|is|are|its|it|that|this|which|how|what|why|"
    r"de|la|le|les|el|los|las|en|du|des|di|il|der|die|das|den|und|et|y|o|e|do|da"
)
_CONNECTING_WORD = re.compile(rf"{_FUNCTION_WORD.pattern}|re|about|entitled|titled|called")
_SEQUEL_LINE = re.compile(
    r"(?:part|ii|iii|iv|reply|replication|revisited|addendum|continued)\b(?! of\b)"
)
_CONTINUATION = re.compile(
    r"(?:in|of|and|for|with|from|on|under|between|among|using|during|to|at|or|via|as)\s"
)
_ARTICLE_TYPE = re.compile(
    r"(?:original|research|review|full|short|regular|rapid|brief|invited|technical|open|mini|"
    r"systematic|case)*"
    r"(?:articles?|papers?|research|review|letters?|communications?|report|access|perspective|"
    r"note|viewpoint|opinion|discussion)"
    r"(?:openaccess)?"
)
"""The article type, printed so close above a title that extraction joins both lines."""
_STATUS = re.compile(r"retracted(?:article)?|removed|chapter[0-9]{1,3}")
"""What a publisher prints before the title of the article itself."""
_PAGE_NUMBER = re.compile(r"(?:\s?[.\u2026\u00b7]){2,}|\s[0-9]{3,4}$")
_FOOTNOTE = re.compile(r"[0-9]{1,4}|[a-hj-rtuwyz]")
"""Footnote marks after a title; letters that form a numeral or a plural are excluded."""
_TITLE_PARTS = re.compile(r"[:(\[\u2013\u2014|.]\s*|\s-\s")
_TITLE_END = re.compile(r"\s*[:.?!;(\[\u2013\u2014-]")


@dataclass(frozen=True, slots=True)
class TitleMatch:
    """The best match of a title in a file."""

    grade: TitleMatchGrade
    page: int = 0
    alike: float = 0.0
    heading: str = ""
    """The matching lines as in the file, with the label or subtitle that belongs to them."""
    line: int = 0
    last: int = 0
    """The first and the last line of the title."""
    ahead: str = ""
    """The words before the title on its first line, folded."""
    after: str = ""
    """The words after the title on its last line, folded."""
    label: str = ""
    """What heads a `derived` title, folded: "correction to"."""

    @property
    def place(self) -> tuple[int, int, int] | None:
        """The page, and the first and last line on it."""
        return (self.page, self.line, self.last) if self.page else None

    @property
    def is_in_sentence(self) -> bool:
        """Whether the words around the title on its lines make it part of a sentence."""
        last = self.ahead.rpartition(" ")[2]
        return bool(self.after) or bool(_CONNECTING_WORD.fullmatch(last))


_GRADES_BEST_FIRST: tuple[TitleMatchGrade, ...] = (
    *("same", "longer", "shorter", "alike"),
    *("begins", "inside", "none"),
)
NO_TITLE_MATCH = TitleMatch("none")


def find_title(title: PreparedTitle, pages: tuple[PageText, ...]) -> TitleMatch:
    """Return the best match; one that shows a document about the work takes precedence.

    A correction of T has the label and T in its heading, in one way or another.
    """
    match = _find_whole(title, pages)
    if match.grade not in {"none", "inside", "begins"} or not title.unlabelled:
        return match
    about = prepared_title(title.unlabelled, "", frozenset())
    labelled = match if about.is_short else _find_whole(about, pages)
    is_exact = labelled.alike == 100.0
    if labelled.grade != "derived" or not (
        is_exact or not _differ(about.words, fold_heading(labelled.heading))
    ):
        return match
    kind = label_kind(labelled.label) or connected_kind(labelled.label)
    is_same = kind in title.kinds and notice_group(title.label) == notice_group(labelled.label)
    is_same = is_same if kind else title.label in labelled.label
    return replace(labelled, grade="same") if is_same else labelled


def _find_whole(title: PreparedTitle, pages: tuple[PageText, ...]) -> TitleMatch:
    if not title.letters:
        return NO_TITLE_MATCH
    matches: list[TitleMatch] = []
    for page in pages:
        on_page = [match for match in _matches_on(title, page) if match.line < page.contents_from]
        derived = [match for match in on_page if match.grade == "derived"]
        if derived and all(match.grade == "inside" for match in matches):
            return derived[0]
        matches += [match for match in on_page if match.grade != "derived"]
    return min(
        matches, key=lambda match: _GRADES_BEST_FIRST.index(match.grade), default=NO_TITLE_MATCH
    )


def _matches_on(title: PreparedTitle, page: PageText) -> Iterator[TitleMatch]:
    has_match = False
    for at in _positions(title.letters, page):
        has_match = True
        yield _exact_match(title, title.letters, page, at)
    if title.main and not has_match:
        for at in _positions(title.main, page):
            match = _exact_match(title, title.main, page, at)
            if match.grade == "same":
                has_match = True
                yield replace(match, grade="shorter")
    if not has_match and not title.is_short:
        yield from _similar_matches(title, page)


def _positions(letters: str, page: PageText) -> Iterator[int]:
    at = page.letters.text.find(letters)
    for _ in range(5):
        if at < 0:
            return
        yield at
        at = page.letters.text.find(letters, at + 1)


def _exact_match(title: PreparedTitle, letters: str, page: PageText, at: int) -> TitleMatch:
    """Grade an exact match by the words around it."""
    joined, end = page.letters, at + len(letters)
    first, last = joined.line_at(at), joined.line_at(end - 1)
    before = joined.text[joined.starts[first] : at]
    line_end = joined.starts[last + 1] if last + 1 < len(joined.starts) else len(joined.text)
    label = _label_around(title, page, (first, last), before)
    around = (before, joined.text[end:line_end])
    grade = "derived" if label is not None else _grade(title, page, (first, last), around)
    start = max(0, first - 1) if grade == "derived" and not before else first
    continues = grade == "derived" or (grade == "longer" and not page.lines[last].endswith("."))
    stop = last + 2 if continues else last + 1
    heading = " ".join(page.lines[start:stop])
    ahead = fold_heading(line_prefix(page.lines[first], len(before))) if before else ""
    after = fold_heading(line_suffix(page.lines[last], line_end - end)) if line_end > end else ""
    return TitleMatch(
        *(grade, page.number, 100.0, heading, first, last, ahead, after), label=label or ""
    )


def _label_around(
    title: PreparedTitle, page: PageText, lines: tuple[int, int], before: str
) -> str | None:
    """Return the label of another kind of document before or after a title, folded."""
    first, last = lines
    label = preceding_label(page, first, before, title.kinds)
    if label is not None and not title.label:
        return label
    following = page.lines[last + 1] if last + 1 < len(page.lines) else ""
    tail = _tail_of(title, page, last)
    return next(
        (fold_heading(text) for text in (tail, following) if following_label(text, title.kinds)),
        None,
    )


def _tail_of(title: PreparedTitle, page: PageText, last: int) -> str:
    """Return what follows a title on its last line, after a colon, a dash or a bracket."""
    parts = _TITLE_PARTS.split(page.lines[last])
    return parts[-1] if len(parts) > 1 and letters_of(parts[-1]) not in title.letters else ""


def _grade(
    title: PreparedTitle, page: PageText, lines: tuple[int, int], around: tuple[str, str]
) -> TitleMatchGrade:
    (_, last), (before, after) = lines, around
    if len(before) > 1 and not _may_precede(page.lines[lines[0]], before):
        return "inside"
    line = page.lines[last]
    tail = line_suffix(line, len(after)) if after else ""
    if _PAGE_NUMBER.match(tail):
        return "inside"
    has_title_end = bool(_TITLE_END.match(tail))
    if after and (not _FOOTNOTE.fullmatch(after) or (has_title_end and after.isalpha())):
        return "longer" if has_title_end and not title.is_short else "begins"
    following = page.lines[last + 1] if last + 1 < len(page.lines) else ""
    return _ending(line, following)


def _may_precede(line: str, before: str) -> bool:
    """Whether letters before a title on its line belong to a heading: a number, "Review", "The"."""
    if before.isdecimal() or _STATUS.fullmatch(before):
        return True
    kind = _ARTICLE_TYPE.match(before)
    rest = before[kind.end() :] if kind else before
    return bool(LEADING_WORDS.fullmatch(rest)) and (line[:1].isupper() or rest != before)


def _ending(line: str, following: str) -> TitleMatchGrade:
    """Grade by whether the title ends with its line or continues on the next."""
    if line.endswith((":", "\u2013", "\u2014")):
        return "longer"
    if _SEQUEL_LINE.match(fold_heading(following)):
        return "begins"
    following = following.lower() if line.isupper() and following.isupper() else following
    return "begins" if line[-1:].isalpha() and _CONTINUATION.match(following) else "same"


def _similar_matches(title: PreparedTitle, page: PageText) -> Iterator[TitleMatch]:
    """Find a heading that differs in a few letters but in no number."""
    text = page.letters.text
    groups = [title.letters[at : at + 5] for at in range(0, len(title.letters) - 4, 3)]
    if sum(group in text for group in groups) < MIN_SHARED_LETTER_GROUPS * len(groups):
        return
    alignment = fuzz.partial_ratio_alignment(
        title.letters, text, score_cutoff=MIN_TITLE_SIMILARITY - 15
    )
    if alignment is None:
        return
    first = page.letters.line_at(alignment.dest_start)
    last = page.letters.line_at(max(alignment.dest_start, alignment.dest_end - 1))
    score, start, end = max(_windows(title, page, first, last))
    if score < MIN_TITLE_SIMILARITY:
        return
    yield _similar_match(title, page, (start, end), score)


def _windows(
    title: PreparedTitle, page: PageText, first: int, last: int
) -> Iterator[tuple[float, int, int]]:
    for start in range(max(0, first - 1), first + _LINES_AROUND):
        for end in range(max(start, last - 1), min(len(page.plain), last + _LINES_AROUND)):
            words = " ".join(page.plain[start : end + 1])
            letters = fuzz.ratio(title.letters, words.replace(" ", ""))
            yield max(letters, fuzz.token_sort_ratio(title.words, words) - 1), start, end
    yield 0.0, first, last


def _similar_match(
    title: PreparedTitle, page: PageText, lines: tuple[int, int], score: float
) -> TitleMatch:
    start, end = lines
    heading = " ".join(page.lines[start : end + 1])
    label = document_label(heading)
    label = "" if label in SECTIONS and "book review" in title.kinds else label
    if label and not title.label and not _is_own_label(label, title):
        return TitleMatch("derived", page.number, score, heading, start, end, label=label)
    if label != title.label or _differ(title.words, fold_heading(heading)):
        return NO_TITLE_MATCH
    above = _label_around(title, page, (start, end), "")
    if above is not None:
        return TitleMatch("derived", page.number, score, heading, start, end, label=above)
    return TitleMatch("alike", page.number, score, heading, start, end)


def _is_own_label(label: str, title: PreparedTitle) -> bool:
    kind = label_kind(label)
    return kind is not None and kind in title.kinds


def _differ(one: str, other: str) -> bool:
    """Whether two similar titles differ in a numeral or in too many words."""
    unmatched = _unmatched_words(one, other) + _unmatched_words(other, one)
    if any(_NUMERAL.fullmatch(word) for word in unmatched):
        return True
    return len(unmatched) > max(1, MAX_DIFFERENT_WORDS * len(one.split()))


def _unmatched_words(words: str, others: str) -> list[str]:
    """Return the content words that have no counterpart in the other text."""
    letters, other_words = others.replace(" ", ""), others.split()
    return [
        word
        for word in words.split()
        if not _FUNCTION_WORD.fullmatch(word) and not _has_counterpart(word, letters, other_words)
    ]


def _has_counterpart(word: str, letters: str, other_words: list[str]) -> bool:
    if _NUMERAL.fullmatch(word):
        return word in other_words
    if len(word) < 3 or word in other_words or (len(word) > 3 and word in letters):
        return True
    stem = word[: max(3, len(word) - 3)]
    return any(
        len(other) > 3
        and (other.startswith(stem) or fuzz.ratio(word, other) >= MIN_WORD_SIMILARITY)
        for other in other_words
    )


def is_sequel(title: PreparedTitle, heading: str) -> bool:
    """Whether a heading is that of another part of a series, or of a reply."""
    return set(_SEQUEL.findall(fold_heading(heading))) != set(_SEQUEL.findall(title.words))
