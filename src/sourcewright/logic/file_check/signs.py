"""Signs of a work in a PDF: identifiers, title, author names, year, venue."""

import re
from dataclasses import dataclass

from sourcewright.domain.files import Excerpt
from sourcewright.domain.works import Author, Work
from sourcewright.logic.file_check.barriers import barrier_in
from sourcewright.logic.file_check.identifiers import Claims, Wanted, claims_of
from sourcewright.logic.file_check.pages import Leaf
from sourcewright.logic.file_check.scans import (
    has_other_length,
    is_first_page_alone,
    is_scan,
    other_title,
)
from sourcewright.logic.file_check.titles import Title, TitleSight, is_sequel, sight_of, title_of
from sourcewright.logic.text.unicode import folded, spelled_out, squeezed

ENOUGH_TEXT = 200
"""Letters and digits on the first pages. That there are fewer is said with the evidence."""
NOTICE_TEXT = 4_000
"""Letters and digits; a notice that bears the title of its article is at most a page long."""
WORDS_AHEAD, LINES_ABOVE = 5, 15
"""How far a title may be from where a heading begins when other words stand on its line, such as
the kind of article; a citation has the author there."""
_NOTICE = re.compile(
    r"\b(?:(?:this|the|above|following) (?:article|paper) (?:has been|is hereby|was|is) "
    r"(?:being )?(?:retracted|withdrawn|removed)|hereby retract|wish to retract|retracts? (?:this|the) (?:article|paper)"
    r"|this corrects the article|this (?:erratum|corrigendum|retraction)|"
    r"the original (?:article|version|publication) (?:has been|was|contained)|"
    r"expression of concern)\b"
)


@dataclass(frozen=True, slots=True)
class Signs:
    """What a file shows of a work."""

    wanted: Wanted
    claims: Claims
    title: Title
    sight: TitleSight
    author: tuple[str, int] | None
    """The first author's name and the page that it is on."""
    coauthor: tuple[str, int] | None
    year: tuple[int, int] | None
    venue: int | None
    """The page that names where the work appeared."""
    author_below: bool
    """Whether the first author is named within a few lines below the title."""
    full_name: bool
    """Whether the first author is named with all names."""
    has_authors: bool
    is_described: bool
    """Whether the record says who wrote the work, or when."""
    is_notice: bool
    """Whether the text is that of a notice, which the work is not."""
    barrier: str | None
    """The words of a page that asks to sign in, denies access or reports an error."""
    other_title: str | None
    """The title in the PDF's own description, when it is another work's."""
    is_first_page: bool
    """Whether there is one page where the record has several."""
    other_length: bool
    """Whether there are far fewer or far more pages than the record says; judges scans alone."""
    is_scan: bool
    """Whether the pages are pictures without any text that could be compared."""
    amount: int
    """Letters and digits on the first pages."""

    @property
    def named(self) -> bool:
        """Whether the file bears the title, perhaps a little changed."""
        if self.sight.grade in {"longer", "shorter"}:
            return not is_sequel(self.title, self.sight.heading)
        return self.sight.grade in {"same", "alike"}

    @property
    def heads(self) -> bool:
        """Whether the title is where a heading would be, with the author below."""
        if self.sight.grade != "inside":
            return True
        few = len(self.sight.ahead.split()) <= WORDS_AHEAD
        return few and self.sight.line < LINES_ABOVE and self.author_below

    @property
    def stamped(self) -> bool:
        return any(stamp.value in self.wanted.arxiv for stamp in self.claims.stamps)


def signs_of(work: Work, excerpt: Excerpt, leaves: tuple[Leaf, ...], wanted: Wanted) -> Signs:
    title = title_of(work.title)
    sight = sight_of(title, leaves)
    first, *others = work.authors[:30] or (None,)
    amount = sum(len(leaf.letters.text) for leaf in leaves)
    return Signs(
        wanted=wanted,
        claims=claims_of(excerpt, leaves, wanted),
        title=title,
        sight=sight,
        author=_named_on(first, leaves),
        coauthor=next(filter(None, (_named_on(one, leaves) for one in others)), None),
        year=_year_on(work.year, leaves),
        venue=_venue_on(work.venue, leaves),
        author_below=first is not None and _below(sight, first, leaves),
        full_name=first is not None and _in_full(first, leaves),
        has_authors=first is not None,
        is_described=first is not None or work.year is not None,
        is_notice=not (title.label or work.notice_for) and _reads_as_notice(excerpt, leaves),
        barrier=barrier_in(leaves, page_count=excerpt.page_count, title=title.words),
        other_title=other_title(excerpt, title),
        is_first_page=is_first_page_alone(excerpt, work.pages, amount),
        other_length=has_other_length(excerpt, work.pages),
        is_scan=is_scan(excerpt, leaves),
        amount=amount,
    )


def _named_on(author: Author | None, leaves: tuple[Leaf, ...]) -> tuple[str, int] | None:
    if author is None:
        return None
    name = _family(author)
    forms = {form for form in (folded(name), spelled_out(name)) if form}
    for leaf in leaves[:2]:
        if any(_stands(form, leaf) for form in forms):
            return name, leaf.number
    return None


def _below(sight: TitleSight, author: Author, leaves: tuple[Leaf, ...]) -> bool:
    if not sight.page or folded(_family(author)) in sight.ahead:
        return False
    lines = leaves[sight.page - 1].plain[sight.line : sight.line + LINES_ABOVE]
    return folded(_family(author)) in " ".join(lines)


def _in_full(author: Author, leaves: tuple[Leaf, ...]) -> bool:
    name = squeezed(author.name)
    return bool(name) and any(name in leaf.letters.text for leaf in leaves[:2])


def _family(author: Author) -> str:
    if author.family or author.is_organisation:
        return author.family or author.name
    family, comma, _ = author.name.partition(",")
    words = author.name.split()
    return family if comma or len(words) < 2 else words[-1]


def _stands(name: str, leaf: Leaf) -> bool:
    """Whether a name is there as whole words, footnote numbers aside."""
    letters = name.replace(" ", "")
    # Small capitals are often read with blanks, and some scripts have none.
    if (len(letters) > 6 or not letters.isascii()) and letters in leaf.letters.text:
        return True
    return name in leaf.words and bool(
        re.search(rf"(?<!\w){re.escape(name)}[0-9]*(?!\w)", leaf.words)
    )


def _year_on(year: int | None, leaves: tuple[Leaf, ...]) -> tuple[int, int] | None:
    """The year, or the one before or after it: online and in print often differ."""
    if year is None:
        return None
    seen = ((near, leaf) for near in (year, year - 1, year + 1) for leaf in leaves[:2])
    return next(((near, leaf.number) for near, leaf in seen if near in leaf.years), None)


def _venue_on(venue: str | None, leaves: tuple[Leaf, ...]) -> int | None:
    letters = squeezed(venue or "")
    if len(letters) < 6:
        return None
    return next((leaf.number for leaf in leaves[:2] if letters in leaf.letters.text), None)


def _reads_as_notice(excerpt: Excerpt, leaves: tuple[Leaf, ...]) -> bool:
    short = (
        excerpt.page_count <= 2 and sum(len(leaf.letters.text) for leaf in leaves) <= NOTICE_TEXT
    )
    return short and any(_NOTICE.search(leaf.words) for leaf in leaves)
