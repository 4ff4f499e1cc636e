"""Compares the authors of a record with the names on the first pages of a PDF."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from sourcewright.base.text.unicode import fold_expanding_umlauts, fold_text, fold_without_spaces
from sourcewright.base.works import Author, Work
from sourcewright.services.papers.file_check.pages import PageText

MAX_AUTHORS = 30
NAME_PAGES = 2
"""Names count on the first pages only; the text after them cites the same people."""
MIN_NAME_SIMILARITY = 80.0
"""Per cent similarity of a name of five letters or more that OCR garbled; different family names of
the same length in the corpus reach 75."""
_MARK_LETTERS = 2
"""Footnote marks that text extraction joins to a name: "Wanga,b"."""
_BYLINE_LINES = 6
_LINES_ABOVE, _HEADING_LINES = 4, 15
_LONGEST_SIGNATURE = 30
"""Characters of a line that has little more than a name."""
_MOST_NAMES = 60
_WORD = re.compile(r"[^\W\d_]+")
_PARTICLE = re.compile(
    r"and|und|et|y|e|i|by|von|van|vom|zu|zur|de|der|den|des|du|di|da|do|dos|das|del|della|la|le|el|"
    r"al|bin|ibn|ben|ten|ter|af|av|jr|sr|phd|md|msc|dr|prof|mr|ms|mrs|a|b|c|d|f|g|h"
)
_NO_NAME = re.compile(
    r"abstract|summary|introduction|keywords?|universit\w*|institut\w*|department|faculty|school|"
    r"college|laborator\w*|centre|center|journal|volume|received|accepted|published|research|"
    r"articles?|papers?|review|original|open|access|contents?|chapter|edition|press|conference|"
    r"proceedings|volume|issue|the|of|in|on|for|with|from|how|what|why|evidence|study|studies|"
    r"analysis|case|report|section|version|doi|https?|www|copyright|license|licence|january|"
    r"february|march|april|may|june|july|august|september|october|november|december|part|series|"
    r"working|discussion|technical|special|letters?|communications?|annual|meeting|"
    r"resumen|zusammenfassung|einleitung|resume"
)
_WIDE = re.compile("[\u0400-\u04ff\u0590-\u06ff\u2e80-\ud7a3]")
"""Letters of the scripts that a Latin name may be transcribed from."""
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]{2}")
_CJK = re.compile("[\u2e80-\ud7a3]")
_LONGEST_CJK_BYLINE = 40


@dataclass(frozen=True, slots=True)
class AuthorEvidence:
    """Which authors of a record the first pages name."""

    first: tuple[str, int] | None = None
    """The first author's name and the page that it is on."""
    coauthor: tuple[str, int] | None = None
    """Another author's name and its page."""
    named: int = 0
    listed: int = 0
    """How many authors are named, and how many of the record were looked for."""
    byline: str = ""
    """The line below the title with the names of people who are not authors of the record."""

    @property
    def is_most(self) -> bool:
        """Whether at least half of the authors are named; long lists are cut by some journals."""
        return 2 * self.named >= min(self.listed, 10)

    @property
    def are_others(self) -> bool:
        """Whether the authors of the file have nobody in common with those of the record."""
        return bool(self.byline) and not self.named


def find_authors(
    work: Work, pages: tuple[PageText, ...], place: tuple[int, int, int] | None
) -> AuthorEvidence:
    """Look for every author; `place` is the page of the title, its first and its last line."""
    authors = work.authors[:MAX_AUTHORS]
    if not authors:
        return AuthorEvidence()
    heading, number = _heading_words(pages, place), place[0] if place else 0
    matches = [_find_author(author, pages, heading, number) for author in authors]
    byline = _byline(authors, pages, place) if place else ""
    are_namesakes = bool(byline) and _are_namesakes(authors, byline)
    if byline and place and not are_namesakes and _is_signed(authors, pages, place):
        byline = ""
    others = [match for match in matches[1:] if match]
    return AuthorEvidence(
        first=matches[0],
        coauthor=others[0] if others else None,
        named=0 if are_namesakes else sum(map(bool, matches)),
        listed=len(authors),
        byline=byline,
    )


def _heading_words(
    pages: tuple[PageText, ...], place: tuple[int, int, int] | None
) -> tuple[str, ...]:
    """Return the words near the title, where the authors are."""
    if place is None:
        return ()
    number, first, last = place
    lines = pages[number - 1].plain[max(0, first - _LINES_ABOVE) : last + _HEADING_LINES]
    return tuple(word for line in lines for word in line.split())


def _names(author: Author) -> set[str]:
    name = family_name(author)
    return {form for form in (fold_text(name), fold_expanding_umlauts(name)) if form}


def _find_author(
    author: Author, pages: tuple[PageText, ...], heading: tuple[str, ...], heading_page: int
) -> tuple[str, int] | None:
    names = _names(author)
    for page in pages[:NAME_PAGES]:
        if any(_contains_name(name, page) for name in names):
            return family_name(author), page.number
    is_in_heading = any(_is_in_heading(name, heading) for name in names)
    return (family_name(author), heading_page) if is_in_heading else None


def _is_in_heading(name: str, words: tuple[str, ...]) -> bool:
    """Whether a name is near the title, perhaps with footnote marks, or garbled by OCR."""
    if (len(name) > 6 or not name.isascii()) and name.replace(" ", "") in "".join(words):
        return True
    last = name.rpartition(" ")[2]
    if any(word.startswith(last) and len(word) <= len(last) + _MARK_LETTERS for word in words):
        return True
    return len(last) >= 5 and bool(
        process.extractOne(last, words, scorer=fuzz.ratio, score_cutoff=MIN_NAME_SIMILARITY)
    )


def family_name(author: Author) -> str:
    if author.family or author.is_organisation:
        return author.family or author.name
    before_comma, comma, _ = author.name.partition(",")
    words = author.name.split()
    return before_comma if comma or len(words) < 2 else words[-1]


def has_full_name(author: Author, pages: tuple[PageText, ...]) -> bool:
    name = fold_without_spaces(author.name)
    return bool(name) and any(name in page.letters.text for page in pages[:NAME_PAGES])


def _contains_name(name: str, page: PageText) -> bool:
    """Whether a name occurs as whole words; footnote numbers after it are allowed."""
    letters = name.replace(" ", "")
    # Text extraction often puts spaces between small capitals, and some scripts use no spaces.
    if (len(letters) > 6 or not letters.isascii()) and letters in page.letters.text:
        return True
    return name in page.words and bool(
        re.search(rf"(?<!\w){re.escape(name)}[0-9]*(?!\w)", page.words)
    )


def _byline(
    authors: tuple[Author, ...], pages: tuple[PageText, ...], place: tuple[int, int, int]
) -> str:
    """Return the first line below the title that consists of names, in the script of the record."""
    number, _, last = place
    names = " ".join(author.name for author in authors)
    lines = pages[number - 1].lines[last + 1 : last + 1 + _BYLINE_LINES]
    return next((line for line in lines if _is_byline(line, names)), "")


def _is_byline(line: str, names: str) -> bool:
    if _CJK.search(line):
        letters = len(_CJK.findall(line))
        is_name = letters >= 2 and len(line) <= _LONGEST_CJK_BYLINE and line[-1] not in "。."
        return is_name and bool(_CJK.search(names))
    is_comparable = _WIDE if _WIDE.search(line) else _LATIN
    if not is_comparable.search(names):
        return False
    words = _WORD.findall(line.replace("\u2019", "").replace("'", ""))
    if not 2 <= len(words) <= _MOST_NAMES:
        return False
    if any(_NO_NAME.fullmatch(word.lower()) for word in words):
        return False
    full = [word for word in words if not _PARTICLE.fullmatch(word.lower())]
    return any(len(word) > 1 for word in full) and all(word[0].isupper() for word in full)


def _is_signed(
    authors: tuple[Author, ...], pages: tuple[PageText, ...], place: tuple[int, int, int]
) -> bool:
    """Whether an author of the record is named near the title, and not in a sentence."""
    number, first, last = place
    page, names = pages[number - 1], " ".join(author.name for author in authors)
    span = slice(max(0, first - _LINES_ABOVE), last + _HEADING_LINES)
    words = tuple(
        word
        for line, plain in zip(page.lines[span], page.plain[span], strict=True)
        if len(line) <= _LONGEST_SIGNATURE or _is_byline(line, names)
        for word in plain.split()
    )
    return any(_is_in_heading(name, words) for author in authors for name in _names(author))


def _are_namesakes(authors: tuple[Author, ...], byline: str) -> bool:
    """Whether the authors in a byline have other given names than those of the record."""
    words = [word.lower() for word in map(fold_text, _WORD.findall(byline)) if word]
    verdicts = [_is_namesake(author, words) for author in authors]
    return True in verdicts and not any(verdict is False for verdict in verdicts)


def _is_namesake(author: Author, words: list[str]) -> bool | None:
    """Whether somebody else has the family name; None if the byline lacks it."""
    family = fold_text(family_name(author)).split()
    given = fold_text(author.given or author.name).replace(" ".join(family), "").split()
    places = list(_places(family, words))
    if not places:
        return None
    if not given:
        return False
    near = {word[0] for at in places for word in _neighbours(words, at, len(family))}
    return bool(near) and not near & {word[0] for word in given}


def _places(family: list[str], words: list[str]) -> Iterator[int]:
    for at in range(len(words) - len(family) + 1):
        if words[at : at + len(family)] == family:
            yield at


def _neighbours(words: list[str], at: int, size: int) -> list[str]:
    around = [*words[max(0, at - 3) : at], *words[at + size : at + size + 3]]
    return [word for word in around if word not in {"and", "und", "et", "y", "by"}]
