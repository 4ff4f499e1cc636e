"""Features of a PDF that identify a work: identifiers, title, author names, year, venue."""

import re
from dataclasses import dataclass

from sourcewright.base.text.unicode import fold_text, fold_without_spaces
from sourcewright.base.works import Author, Work
from sourcewright.reading.excerpts import Excerpt
from sourcewright.services.papers.file_check.authors import (
    AuthorEvidence,
    family_name,
    find_authors,
    has_full_name,
)
from sourcewright.services.papers.file_check.barriers import find_barrier_phrase
from sourcewright.services.papers.file_check.forms import (
    has_too_little_text,
    is_beginning,
    is_web_page,
    presentation_form,
)
from sourcewright.services.papers.file_check.headings import Label, other_label
from sourcewright.services.papers.file_check.identifiers import (
    ExpectedIdentifiers,
    FoundIdentifiers,
    find_identifiers,
)
from sourcewright.services.papers.file_check.pages import PageText
from sourcewright.services.papers.file_check.record_titles import PreparedTitle, prepare_title
from sourcewright.services.papers.file_check.scans import (
    has_different_length,
    has_many_more_pages,
    has_part_of_text,
    is_first_page_only,
    is_scan,
    other_title,
)
from sourcewright.services.papers.file_check.titles import TitleMatch, find_title, is_sequel

MIN_TEXT_LETTERS = 200
"""Letters and digits on the first pages; if there are fewer, the evidence says so."""
MAX_NOTICE_LETTERS = 4_000
"""Letters and digits; a notice that repeats the title of its article is at most a page long."""
MAX_WORDS_BEFORE_TITLE, MAX_HEADING_LINES = 5, 15
"""A title with other words before it on its line counts as a heading only within these limits: few
words, such as the article type, and near the top. A citation has the author before the title."""
_NOTICE = re.compile(
    r"\b(?:(?:this|the|above|following) (?:article|paper) (?:has been|is hereby|was|is) "
    r"(?:being )?(?:retracted|withdrawn|removed)|hereby retract|wish to retract|retracts? (?:this|the) (?:article|paper)"
    r"|this corrects the article|this (?:erratum|corrigendum|retraction)|"
    r"the original (?:article|version|publication) (?:has been|was|contained)|"
    r"expression of concern)\b"
)
_NOTICE_LINE = re.compile(
    r"(?:(?:author|publisher|editorial|article|notice of|note of|statement of|expression of) )*"
    r"(?:correct\w*|errat\w+|corrigend\w+|addend\w+|retract\w+|withdraw\w*|concern|removal|"
    r"berichtigung|rectific\w+|fe de err\w+|исправлени\w|更正|勘误|撤稿|訂正|正誤表)"
)
_NOTICE_LINES = 25
_SELF_CITATION = re.compile(
    r"\b(?:cit(?:e|ed|ing|ation|ar|er|azione)|reference format|zitier\w+)\b"
)


@dataclass(frozen=True, slots=True)
class FileFeatures:
    """What was found of a work in a file."""

    expected: ExpectedIdentifiers
    claims: FoundIdentifiers
    title: PreparedTitle
    title_match: TitleMatch
    authors: AuthorEvidence
    year: tuple[int, int] | None
    venue: int | None
    """The page that names the journal or publisher."""
    author_below: bool
    """Whether the first author is named within a few lines below the title."""
    full_name: bool
    """Whether the first author's full name is on the first two pages."""
    has_authors: bool
    is_described: bool
    """Whether the record has an author or a year to compare with."""
    is_notice: bool
    """Whether the text is a retraction or correction notice although the work is not one."""
    barrier: str | None
    """The phrase that shows a login, access-denied or error page."""
    other_title: str | None
    """The title in the PDF metadata, if it belongs to another work."""
    is_first_page: bool
    """Whether the file has one page but the record several."""
    is_part: bool
    """Whether the file has far less text than the pages that the record lists."""
    other_length: bool
    """Whether the page count is far from the record's; only used for scans."""
    is_scan: bool
    """Whether the pages are images without text that could be compared."""
    is_fragment: bool
    """Whether the file is one page with less text than any paper."""
    is_beginning: bool
    """Whether the file ends after the first page or two of an article."""
    form: str | None
    """`slides`, `a poster` or `a printed web page`, if that is the format of an article's file."""
    label: Label | None
    """The label of another kind of document than the work is."""
    lacks_label: bool
    """Whether the work is a notice and nothing in the file says that it is one."""
    is_too_long: bool
    """Whether the file has many more pages than the record lists."""
    is_cited_only: bool
    """Whether the title occurs only in a citation of the work."""
    amount: int
    """Letters and digits on the first pages."""

    @property
    def author(self) -> tuple[str, int] | None:
        return None if self.authors.are_others else self.authors.first

    @property
    def coauthor(self) -> tuple[str, int] | None:
        return None if self.authors.are_others else self.authors.coauthor

    @property
    def named(self) -> bool:
        """Whether the title heads the file, possibly with small differences."""
        if self.is_cited_only:
            return False
        if self.title_match.grade in {"longer", "shorter"}:
            return not is_sequel(self.title, self.title_match.heading)
        return self.title_match.grade in {"same", "alike"}

    @property
    def heads(self) -> bool:
        """Whether the title is in the position of a heading, with the author below it."""
        if self.title_match.grade != "inside":
            return True
        if self.title_match.is_in_sentence:
            return False
        few_words_ahead = len(self.title_match.ahead.split()) <= MAX_WORDS_BEFORE_TITLE
        return few_words_ahead and self.title_match.line < MAX_HEADING_LINES and self.author_below

    @property
    def stamped(self) -> bool:
        return any(stamp.value in self.expected.arxiv for stamp in self.claims.stamps)


def collect_features(
    work: Work, excerpt: Excerpt, pages: tuple[PageText, ...], expected: ExpectedIdentifiers
) -> FileFeatures:
    title = prepare_title(work)
    match = find_title(title, pages)
    first = work.authors[0] if work.authors else None
    authors = find_authors(work, pages, match.place)
    label = other_label(title, match, pages, excerpt)
    amount = sum(len(page.letters.text) for page in pages)
    return FileFeatures(
        expected=expected,
        claims=find_identifiers(excerpt, pages, expected, match.place),
        title=title,
        title_match=match,
        authors=authors,
        year=_find_year(work.year, pages),
        venue=_find_venue(work.venue, pages),
        author_below=first is not None and _is_author_below(match, first, pages),
        full_name=first is not None and has_full_name(first, pages),
        has_authors=first is not None,
        is_described=first is not None or work.year is not None,
        is_notice="notice" not in title.kinds and _reads_as_notice(excerpt, pages),
        barrier=find_barrier_phrase(pages, page_count=excerpt.page_count, title=title.words),
        other_title=other_title(excerpt, title),
        is_first_page=is_first_page_only(excerpt, work.pages, amount),
        is_part="notice" not in title.kinds and has_part_of_text(excerpt, work.pages, amount),
        other_length=has_different_length(excerpt, work.pages),
        is_scan=is_scan(excerpt, pages),
        is_fragment="notice" not in title.kinds and has_too_little_text(excerpt, title.letters),
        is_beginning=is_beginning(excerpt, pages),
        form="a printed web page"
        if is_web_page(excerpt, pages)
        else presentation_form(excerpt, work),
        label=label,
        lacks_label=bool(work.notice_for) and not _is_labelled_notice(pages),
        is_too_long=has_many_more_pages(excerpt, work.pages, is_signed=authors.is_most),
        is_cited_only=_is_cited_only(match, work, excerpt, pages),
        amount=amount,
    )


def _is_labelled_notice(pages: tuple[PageText, ...]) -> bool:
    """Whether the first page says that it is a notice; the article itself may link to one."""
    return any(
        _NOTICE.search(page.words)
        or any(_NOTICE_LINE.match(line) for line in page.plain[:_NOTICE_LINES])
        for page in pages[:1]
    )


def _is_cited_only(
    match: TitleMatch, work: Work, excerpt: Excerpt, pages: tuple[PageText, ...]
) -> bool:
    """Whether the best match of the title is in a citation by others.

    There the author precedes the title, or the author and the year follow on its line. A paper
    that cites itself says so; and the cover of a scan has nothing but the citation.
    """
    if not match.page or any(excerpt.has_image[1:]):
        return False
    lines = pages[match.page - 1].plain[max(0, match.line - 2) : match.line + 1]
    if _SELF_CITATION.search(" ".join(lines)):
        return False
    name = fold_text(family_name(work.authors[0])) if work.authors else ""
    if match.grade == "inside":
        return match.is_in_sentence or _has_words(name, match.ahead)
    is_followed = match.grade == "longer" and _has_words(name, match.after)
    return is_followed and str(work.year) in fold_text(match.heading)


def _has_words(words: str, text: str) -> bool:
    return bool(words) and f" {words} " in f" {text} "


def _is_author_below(match: TitleMatch, author: Author, pages: tuple[PageText, ...]) -> bool:
    if not match.page or fold_text(family_name(author)) in match.ahead:
        return False
    lines = pages[match.page - 1].plain[match.line : match.line + MAX_HEADING_LINES]
    return fold_text(family_name(author)) in " ".join(lines)


def _find_year(year: int | None, pages: tuple[PageText, ...]) -> tuple[int, int] | None:
    """Find the year or an adjacent one: online and print publication often differ by one."""
    if year is None:
        return None
    candidates = ((near, page) for near in (year, year - 1, year + 1) for page in pages[:2])
    return next(((near, page.number) for near, page in candidates if near in page.years), None)


def _find_venue(venue: str | None, pages: tuple[PageText, ...]) -> int | None:
    letters = fold_without_spaces(venue or "")
    if len(letters) < 6:
        return None
    return next((page.number for page in pages[:2] if letters in page.letters.text), None)


def _reads_as_notice(excerpt: Excerpt, pages: tuple[PageText, ...]) -> bool:
    short = (
        excerpt.page_count <= 2
        and sum(len(page.letters.text) for page in pages) <= MAX_NOTICE_LETTERS
    )
    return short and any(_NOTICE.search(page.words) for page in pages)
