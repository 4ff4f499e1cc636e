"""Title matching: finds a work's title in a PDF, and tells the file's title from a citation.

Labels such as "Comment on" or "Erratum" show that a document is about a work and not the work.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz

from sourcewright.base.text.plain import plain_text
from sourcewright.base.text.unicode import fold_text, fold_without_spaces, strip_tex
from sourcewright.references.document_labels import (
    document_label,
    is_document_label,
    is_preceded_by_label,
    line_prefix,
    line_suffix,
)
from sourcewright.services.papers.file_check.pages import PageText

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
SHORT_TITLE_LETTERS = 18
"""Letters; an ideograph counts as three. A shorter title can occur in any text, so it counts only as
whole lines, and is never enough without an identifier."""
MIN_SHARED_LETTER_GROUPS = 0.3
"""Share of a title's five-letter groups that a page must contain before the expensive fuzzy search;
titles in the corpus keep at least 0.33 when every eighth letter is lost."""

_MAX_TITLE_LENGTH = 600
_LINES_AROUND = 2
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
    r"(?:original|research|review|full|short|regular|rapid|brief|invited|technical|open)*"
    r"(?:articles?|papers?|research|review|letters?|communications?|report|access|perspective)"
    r"(?:openaccess)?"
)
"""The article type, printed so close above a title that extraction joins both lines."""
_PAGE_NUMBER = re.compile(r"(?:\s?[.\u2026\u00b7]){2,}|\s[0-9]{3,4}$")
_FOOTNOTE = re.compile(r"[0-9]{1,4}|[a-hj-rtuwyz]")
"""Footnote marks after a title; letters that form a numeral or a plural are excluded."""
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
    ahead: str = ""
    """The words before the title on its first line, folded."""
    after: str = ""
    """The words after the title on its last line, folded."""

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


@dataclass(frozen=True, slots=True)
class PreparedTitle:
    """A title prepared for comparison."""

    words: str
    letters: str
    main: str
    """The letters before the subtitle; empty when there is none."""
    label: str

    @property
    def is_short(self) -> bool:
        return _letter_weight(self.letters) < SHORT_TITLE_LETTERS or bool(
            _GENERIC.fullmatch(self.words)
        )


def _letter_weight(letters: str) -> int:
    return sum(3 if letter >= "\u2e80" else 1 for letter in letters)


def prepare_title(text: str | None) -> PreparedTitle:
    plain = strip_tex(plain_text((text or "")[:_MAX_TITLE_LENGTH]))
    head, colon, _ = plain.partition(": ")
    main = fold_without_spaces(head) if colon else ""
    words = fold_text(plain)
    return PreparedTitle(
        words=words,
        letters=words.replace(" ", ""),
        main=main if _letter_weight(main) >= SHORT_TITLE_LETTERS else "",
        label=document_label(plain),
    )


def find_title(title: PreparedTitle, pages: tuple[PageText, ...]) -> TitleMatch:
    """Return the best match; one that shows a document about the work takes precedence."""
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
                yield TitleMatch("shorter", page.number, 100.0, match.heading, match.line)
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
    grade = _grade(title, page, (first, last), (before, joined.text[end:line_end]))
    start = max(0, first - 1) if grade == "derived" and not before else first
    continues = grade == "derived" or (grade == "longer" and not page.lines[last].endswith("."))
    stop = last + 2 if continues else last + 1
    heading = " ".join(page.lines[start:stop])
    ahead = fold_text(line_prefix(page.lines[first], len(before))) if before else ""
    after = fold_text(line_suffix(page.lines[last], line_end - end)) if line_end > end else ""
    return TitleMatch(grade, page.number, 100.0, heading, first, ahead, after)


def _grade(
    title: PreparedTitle, page: PageText, lines: tuple[int, int], around: tuple[str, str]
) -> TitleMatchGrade:
    (first, last), (before, after) = lines, around
    if not title.label and is_preceded_by_label(page, first, before):
        return "derived"
    if len(before) > 1 and not (before.isdecimal() or _ARTICLE_TYPE.fullmatch(before)):
        return "inside"
    line = page.lines[last]
    tail = line_suffix(line, len(after)) if after else ""
    if _PAGE_NUMBER.match(tail):
        return "inside"
    has_title_end = bool(_TITLE_END.match(tail))
    if after and (not _FOOTNOTE.fullmatch(after) or (has_title_end and after.isalpha())):
        return "longer" if has_title_end and not title.is_short else "begins"
    following = page.lines[last + 1] if last + 1 < len(page.lines) else ""
    if not title.label and is_document_label(following):
        return "derived"
    return _ending(line, following)


def _ending(line: str, following: str) -> TitleMatchGrade:
    """Grade by whether the title ends with its line or continues on the next."""
    if line.endswith((":", "\u2013", "\u2014")):
        return "longer"
    if _SEQUEL_LINE.match(fold_text(following)):
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
    if label and not title.label:
        return TitleMatch("derived", page.number, score, heading, start)
    if label != title.label or _differ(title.words, fold_text(heading)):
        return NO_TITLE_MATCH
    if not title.label and is_preceded_by_label(page, start, ""):
        return TitleMatch("derived", page.number, score, heading, start)
    return TitleMatch("alike", page.number, score, heading, start)


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
    return set(_SEQUEL.findall(fold_text(heading))) != set(_SEQUEL.findall(title.words))
