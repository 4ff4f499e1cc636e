"""Decides whether a PDF is the paper that was asked for, and says by which signs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sourcewright.domain.files import Excerpt, FileCheck, FileStatus
from sourcewright.domain.identifiers import ArxivId, Doi
from sourcewright.domain.works import Author, Work
from sourcewright.logic.claiming import Claims, Standing, Wanted, claims_of, wanted_of
from sourcewright.logic.folding import folded, spelled_out, squeezed
from sourcewright.logic.leafing import Leaf, leaves_of
from sourcewright.logic.titling import Title, TitleSight, is_sequel, sight_of, title_of

ENOUGH_TEXT = 200
"""Letters and digits on the first pages. With fewer, a file that shows nothing of the work may be
a scan on which only a stamp is text; the scans in the calibration have fewer than 30."""
NOTICE_TEXT = 4_000
"""Letters and digits; a notice that bears the title of its article is at most a page long."""
WORDS_AHEAD, LINES_ABOVE = 5, 15
"""How far a title may be from where a heading begins when other words stand on its line, such as
the kind of article; a citation has the author there."""
LONG_TITLE = 40
"""Letters. A title this long that heads a file is probably the file's even without the author."""
_NOTICE = re.compile(
    r"\b(?:(?:this|the|above|following) (?:article|paper) (?:has been|is hereby|was|is) "
    r"(?:being )?(?:retracted|withdrawn|removed)|hereby retract|wish to retract|retracts? (?:this|the)"
    r"|this corrects the article|this (?:erratum|corrigendum|correction|retraction)|"
    r"the original (?:article|version|publication) (?:has been|was|contained)|"
    r"expression of concern)\b"
)
_NO_TITLE = re.compile(
    r"microsoft word|untitled|\.(?:docx?|tex|dvi|indd|pdf|qxd|rtf)\b|^\W*$", re.IGNORECASE
)
_TITLE_SAYS = {
    "same": "the title stands {page}",
    "alike": "the title stands {page} ({alike})",
    "longer": "the title stands {page} and goes on",
    "shorter": "the title without its subtitle stands {page}",
    "begins": "the title is the beginning of another one {page}",
    "inside": "the title is mentioned {page}",
    "derived": "the heading {page} is that of a document about the work: {heading}",
}
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class _Signs:
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
    is_notice: bool

    @property
    def named(self) -> bool:
        """Whether the file bears the title, perhaps a little changed."""
        if self.sight.grade in {"longer", "shorter"}:
            return not is_sequel(self.title, self.sight.heading)
        return self.sight.grade in {"same", "alike"}

    @property
    def stamped(self) -> bool:
        return any(stamp.value in self.wanted.arxiv for stamp in self.claims.stamps)


def check_file(work: Work, excerpt: Excerpt, *, reference: Doi | ArxivId) -> FileCheck:
    """Compare the first pages of a PDF with the work that was asked for.

    `confirmed` takes an identifier that is the file's own beside the title or the author, or
    title, first author and year together. `probable` is good and incomplete. `mismatch` means
    that the file is something else, or shows nothing of the work. `unreadable` means that there
    is no text to judge by.
    """
    leaves = leaves_of(excerpt)
    signs = _signs(work, excerpt, leaves, wanted_of(work, reference))
    status = _status(signs, leaves)
    evidence = (*_readability(excerpt, leaves), *_evidence(signs))
    found = _found(signs, excerpt, leaves) if status == "mismatch" else None
    return FileCheck(status=status, evidence=evidence, found=found)


def _signs(work: Work, excerpt: Excerpt, leaves: tuple[Leaf, ...], wanted: Wanted) -> _Signs:
    title = title_of(work.title)
    sight = sight_of(title, leaves)
    first, *others = work.authors[:30] or (None,)
    return _Signs(
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
        is_notice=not (title.label or work.notice_for) and _reads_as_notice(excerpt, leaves),
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


def _status(signs: _Signs, leaves: tuple[Leaf, ...]) -> FileStatus:
    amount = sum(len(leaf.letters.text) for leaf in leaves)
    if not amount:
        return "unreadable"
    status = _judgement(signs)
    return "unreadable" if status == "mismatch" and amount < ENOUGH_TEXT else status


def _judgement(signs: _Signs) -> FileStatus:
    claims, rival = signs.claims, signs.claims.rival
    if signs.sight.grade == "derived" or signs.is_notice:
        return "mismatch"
    if rival and rival.id in signs.wanted.opposed and rival.standing >= Standing.ALONE:
        return "mismatch"
    if claims.stamps and signs.wanted.arxiv:
        return _by_stamp(signs)
    return _by_doi(signs) if claims.own else _by_title(signs)


def _by_stamp(signs: _Signs) -> FileStatus:
    if not signs.stamped:
        return "mismatch"
    version = signs.wanted.version
    if version and all(stamp.version != version for stamp in signs.claims.stamps):
        return "probable"
    return "confirmed" if signs.named or signs.author else "probable"


def _by_doi(signs: _Signs) -> FileStatus:
    own, rival = signs.claims.own, signs.claims.rival
    standing = own.standing if own else Standing.MENTIONED
    rivalled = rival is not None and rival.standing >= standing
    if signs.sight.grade == "same" and (standing or signs.author) and not rivalled:
        return "confirmed"
    if signs.named and standing and not rivalled:
        return "confirmed"
    if standing >= Standing.ALONE and signs.author and not rivalled:
        return "confirmed"
    if standing and not rivalled:
        return "probable"
    return _by_title(signs)


def _by_title(signs: _Signs) -> FileStatus:
    same = signs.sight.grade == "same"
    if signs.claims.rival:
        return "probable" if same and signs.author and not signs.title.is_short else "mismatch"
    if same:
        return _by_same_title(signs)
    if not signs.title.letters:
        return "probable" if signs.full_name and signs.year and signs.venue else "mismatch"
    if signs.named or signs.sight.grade == "inside":
        return "probable" if signs.author and _near(signs) else "mismatch"
    return "mismatch"


def _by_same_title(signs: _Signs) -> FileStatus:
    if signs.author and signs.year:
        return "probable" if signs.title.is_short else "confirmed"
    if signs.author or signs.coauthor:
        return "probable"
    if not signs.has_authors:
        return (
            "probable" if signs.year and (signs.venue or not signs.title.is_short) else "mismatch"
        )
    long = len(signs.title.letters) >= LONG_TITLE
    return "probable" if long or (signs.year and not signs.title.is_short) else "mismatch"


def _near(signs: _Signs) -> bool:
    """A title inside other words counts only where a heading would be, with the author below."""
    if signs.sight.grade != "inside":
        return True
    few = len(signs.sight.ahead.split()) <= WORDS_AHEAD
    return few and signs.sight.line < LINES_ABOVE and signs.author_below


def _readability(excerpt: Excerpt, leaves: tuple[Leaf, ...]) -> Iterator[str]:
    amount = sum(len(leaf.letters.text) for leaf in leaves)
    if excerpt.problem:
        yield excerpt.problem
    elif not amount:
        yield "the first pages hold no text"
    elif amount < ENOUGH_TEXT:
        yield f"the first pages hold only {amount} letters of text"


def _evidence(signs: _Signs) -> Iterator[str]:
    yield from _id_evidence(signs)
    yield from _title_evidence(signs)
    if signs.author:
        yield f"the first author's name {signs.author[0]} is on page {signs.author[1]}"
    elif signs.coauthor:
        yield f"the author's name {signs.coauthor[0]} is on page {signs.coauthor[1]}"
    if signs.year:
        yield f"the year {signs.year[0]} is on page {signs.year[1]}"
    if signs.venue:
        yield f"the place of publication is named on page {signs.venue}"


def _id_evidence(signs: _Signs) -> Iterator[str]:
    own, rival = signs.claims.own, signs.claims.rival
    if own:
        how = "stands" if own.standing else "is mentioned"
        yield f"the DOI {own.id} {how} {own.where}"
    if rival:
        yield f"another DOI, {rival.id}, stands {rival.where}"
    for stamp in signs.claims.stamps[:1]:
        version = signs.wanted.version
        asked = f", not version {version}" if version and stamp.version != version else ""
        yield f"the arXiv stamp says {stamp}{asked}"


def _title_evidence(signs: _Signs) -> Iterator[str]:
    sight = signs.sight
    if sight.grade in _TITLE_SAYS:
        facts = {"page": f"on page {sight.page}", "alike": f"{sight.alike:.0f} % alike"}
        yield _TITLE_SAYS[sight.grade].format(**facts, heading=_shown(sight.heading))
    if signs.is_notice:
        yield "the text is that of a notice about an article"


def _found(signs: _Signs, excerpt: Excerpt, leaves: tuple[Leaf, ...]) -> str | None:
    if signs.sight.grade == "derived":
        return _shown(signs.sight.heading)
    stamps, rival = signs.claims.stamps, signs.claims.rival
    name = f"arXiv:{stamps[0]}" if stamps and not signs.stamped else rival.id if rival else None
    heading = _heading(excerpt, leaves)
    return f"{heading} ({name})" if name and heading else name or heading


def _heading(excerpt: Excerpt, leaves: tuple[Leaf, ...]) -> str | None:
    stated = excerpt.title or ""
    if len(stated.split()) > 1 and not _NO_TITLE.search(stated):
        return _shown(stated)
    lines = (line for leaf in leaves for line in leaf.lines[:12])
    return next((_shown(line) for line in lines if _is_heading(line)), None)


def _is_heading(line: str) -> bool:
    letters = sum(letter.isalpha() for letter in line)
    return letters >= 15 and letters > 0.6 * len(line) and "10." not in line and "://" not in line


def _shown(text: str) -> str:
    clean = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return clean if len(clean) <= _SHOWN else f"{clean[: _SHOWN - 1]}…"
