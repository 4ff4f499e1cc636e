"""Same work or not: compares two records by identifiers, title, authors and year, strictly.

Two different papers must never count as one, so doubt means no. A title alone never suffices. A
correction, a comment, a reply, another part or another edition is a work of its own; a preprint
and its published version are one work.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Literal

from rapidfuzz import fuzz

from sourcewright.base.text.unicode import fold_text, fold_without_spaces, strip_tex
from sourcewright.base.works import WorkRecord
from sourcewright.references.comparison.people import Person, is_like, person_of
from sourcewright.references.document_labels import document_label

TitleRelation = Literal["same", "shortened", "similar", "different"]
"""`shortened`: one is the other without its subtitle. `similar`: they differ in a few letters."""

SHORT_TITLE = 20
FEWEST_WORDS = 3
"""Shorter titles, such as "Editorial", are shared by many works."""

MIN_SIMILARITY = 90.0
"""Per cent of equal letters in similar titles. Different works reach it, so it never decides
alone: it only keeps a shared identifier from being doubted."""
MIN_RELATED = 55.0
"""Per cent of shared words below which titles under one identifier are about different things."""
MIN_AUTHORS = 0.6
"""Share of the shorter list of authors that the other list must contain."""
MAX_AUTHORS = 50
MAX_TITLE = 600
PREPRINT_YEARS = 4
"""How many years may lie between a preprint and its publication."""

_PREPRINT_DOI = re.compile(
    r"10\.(?:48550|1101|64898|2139|21203|20944|26434|31234|31235|31219|31222|31223|31730|31729|32942"
    r"|36227|22541|33774|35542|55458|12688|14293|51094|7287|6084|5281)/"
)
"""Prefixes of preprint servers and repositories (Crossref's members of type posted-content, and
DataCite's repositories of preprints)."""
_PREPRINT_VENUE = re.compile(
    r"\b(?:[a-z]*rxiv|corr|ssrn|preprints?|research square|osf|zenodo|repec|hal|techrxiv"
    r"|authorea)\b"
)
_PREPRINT_TYPES = frozenset({"preprint", "posted-content", "informal", "working-paper"})
_APART_TYPES = frozenset(
    {"dataset", "software", "dissertation", "thesis", "peer-review", "supplementary-materials"}
)
"""Types that keep two records with the same title apart."""
_BOOKS = frozenset({"book", "monograph", "edited-book", "reference-book"})
_SUBTITLE = re.compile(" ?[:?!.;\u2013\u2014(] | [-\u2013\u2014] ")
"""Where a subtitle begins, in a title with single spaces."""
_SEQUEL = re.compile(
    r"\b(?:part|parts|chapter|volume|vol|book|edition|ed|supplement\w*|appendix|reply|replication"
    r"|revisited|comments?|commentary|response|rejoinder|erratum|corrigendum|corrections?|addendum"
    r"|retraction|continued|update|updated|ii|iii|iv|v|vi|vii|viii|ix|x|[0-9]{1,2})\b"
)
_NUMERAL = re.compile(r"\b(?:[0-9]+|i{1,3}|iv|vi{0,3}|ix|xi{0,3})\b")
_LABEL_WORD = re.compile(
    r"(?:author|publisher|editorial|partial|book|comment|reply|replies|response|rejoinder|discuss"
    r"|review|remark|note|correction|errat|corrigend|addend|retract|withdraw|removal|expression"
    r"|supplement|supporting|online|appendix|data|code|slides|poster|peer|decision|highlight"
    r"|translation)"
)
_TRAILING_LABEL = re.compile(
    r"[(\[:.\u2013\u2014-] ?(?:author |publisher )?(?:correction|erratum|corrigendum|addendum"
    r"|retraction|comment|reply|response|rejoinder|withdrawn)[)\].]{0,3}$",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"(?:guest )?editorials?(?: board| notes?)?|introductions?|preface|foreword|book reviews?"
    r"|letters?(?: to the editors?)?|obituary|conclusions?|discussion|abstracts?|in this issue"
    r"|(?:front|back) matter|news(?: and \w{1,12})?|announcements?|contents|index|comments?|reply"
    r"|response|errat(?:um|a)|corrigend(?:um|a)|corrections?|acknowledge?ments?|panel|overview"
)
"""Titles of sections of a journal or of proceedings, which recur in every issue."""
_RETRACTED = re.compile(r"^\W*(?:retracted(?: article)?|withdrawn(?: article)?)\W+", re.IGNORECASE)
"""Publishers prefix this to the title of the retracted work itself."""


class Fingerprint:
    """A record prepared for comparison; what is rarely needed is computed on first use."""

    def __init__(self, record: WorkRecord) -> None:
        self.record = record
        title = " ".join(strip_tex((record.title or "")[:MAX_TITLE]).split())
        self.title = _RETRACTED.sub("", title)
        self.words = fold_text(self.title)
        self.letters = self.words.replace(" ", "")

    @cached_property
    def label(self) -> str:
        """The label of a document about another work: `correction` for "Correction to: …"."""
        if _LABEL_WORD.match(self.words):
            return document_label(self.title)
        trailing = _TRAILING_LABEL.search(self.title)
        return fold_text(trailing[0]) if trailing else ""

    @cached_property
    def heads(self) -> tuple[str, ...]:
        """The letters of the title before each possible subtitle, if they are distinctive."""
        ends = [match.start() for match in _SUBTITLE.finditer(self.title)]
        heads = (fold_without_spaces(self.title[:end]) for end in ends[:4])
        return tuple(head for head in heads if len(head) >= SHORT_TITLE and head != self.letters)

    @cached_property
    def is_generic(self) -> bool:
        """Whether many works may have this title."""
        weight = len(self.letters) + 2 * sum(letter >= "\u2e80" for letter in self.letters)
        few = len(self.words.split()) < FEWEST_WORDS and self.letters.isascii()
        return weight < SHORT_TITLE or few

    @cached_property
    def authors(self) -> tuple[Person, ...]:
        people = map(person_of, self.record.authors[:MAX_AUTHORS])
        return tuple(person for person in people if person.words)

    @cached_property
    def is_preprint(self) -> bool:
        return describes_preprint(self.record)


def is_preprint_doi(doi: str) -> bool:
    return bool(_PREPRINT_DOI.match(doi.lower()))


def describes_preprint(record: WorkRecord) -> bool:
    """Whether a record describes a preprint, by its type, its venue or its only identifier."""
    if record.type in _PREPRINT_TYPES:
        return True
    if record.venue:
        return bool(_PREPRINT_VENUE.search(record.venue[:MAX_TITLE].lower()))
    return is_preprint_doi(record.doi) if record.doi else bool(record.arxiv_id)


def title_relation(one: Fingerprint, other: Fingerprint) -> TitleRelation:
    """How two titles relate; titles of different documents about one work are different."""
    if not one.letters or not other.letters or one.label != other.label:
        return "different"
    if one.letters == other.letters:
        return "same"
    if _is_shortened(one, other) or _is_shortened(other, one):
        return "shortened"
    if _numerals(one) != _numerals(other):
        return "different"
    similarity = fuzz.ratio(one.letters, other.letters, score_cutoff=MIN_SIMILARITY)
    return "similar" if similarity else "different"


def authors_agree(one: Fingerprint, other: Fingerprint) -> bool | None:
    """Whether the authors can be the same; None if a record names none."""
    first, second = one.authors, other.authors
    if not first or not second:
        return None
    truncated = one.record.authors_truncated or other.record.authors_truncated
    shorter, longer = sorted((first, second), key=len)
    if len(shorter) == 1:
        return is_like(shorter[0], longer[0])
    if not truncated and len(shorter) < len(longer) / 2:
        return False
    count = sum(_is_listed(person, longer) for person in shorter)
    leads = _is_listed(shorter[0], longer) or _is_listed(longer[0], shorter)
    return leads and count >= MIN_AUTHORS * len(shorter)


def is_same_work(one: Fingerprint, other: Fingerprint) -> bool:
    """Whether two records certainly describe the same work."""
    if are_apart(one, other):
        return False
    if shares_identifier(one.record, other.record):
        return True
    relation = title_relation(one, other)
    if relation not in ("same", "shortened") or authors_agree(one, other) is not True:
        return False
    if one.is_generic or other.is_generic:
        return relation == "same" and _share_issue(one, other)
    return _years_fit(one, other, relation)


def are_apart(one: Fingerprint, other: Fingerprint) -> bool:
    """Whether two records cannot describe the same work."""
    first, second = one.record, other.record
    if first.doi and second.doi and first.doi.lower() == second.doi.lower():
        return _is_wrong_identifier(one, other)
    if _dois_conflict(first, second) or _differ(first.arxiv_id, second.arxiv_id):
        return True
    if _differ(first.pmid, second.pmid) or _differ(first.pmcid, second.pmcid):
        return True
    if bool(first.notice_for) != bool(second.notice_for) or _types_conflict(first, second):
        return True
    if not shares_identifier(first, second) and authors_agree(one, other) is False:
        return True
    return _is_wrong_identifier(one, other)


def are_years_apart(one: Fingerprint, other: Fingerprint) -> bool:
    """Whether the years exclude that it is the same work, if no identifier shows that it is."""
    if shares_identifier(one.record, other.record):
        return False
    first, second = one.record.year, other.record.year
    return first is not None and second is not None and abs(first - second) > _slack(one, other)


def shares_identifier(first: WorkRecord, second: WorkRecord) -> bool:
    """Whether both name the same identifier, or one is linked to the other's."""
    return not identifiers(first).isdisjoint(identifiers(second))


def identifiers(record: WorkRecord) -> frozenset[str]:
    """The identifiers of a work in a record, its preprints and its publication included."""
    names = [f"doi:{record.doi.lower()}"] if record.doi else []
    names += [f"arxiv:{record.arxiv_id.lower()}"] if record.arxiv_id else []
    names += [f"pmid:{record.pmid}"] if record.pmid else []
    names += [f"pmcid:{record.pmcid.upper()}"] if record.pmcid else []
    names += map(_linked_name, (*record.preprints, *record.published_as))
    return frozenset(map(_arxiv_of_doi, names))


def _linked_name(identifier: str) -> str:
    kind = "doi" if identifier.startswith("10.") else "arxiv"
    return f"{kind}:{identifier.lower()}"


def _arxiv_of_doi(name: str) -> str:
    """The arXiv id in a DOI that arXiv registered, so that both count as one identifier."""
    prefix = "doi:10.48550/arxiv."
    return f"arxiv:{name[len(prefix) :]}" if name.startswith(prefix) else name


def _is_wrong_identifier(one: Fingerprint, other: Fingerprint) -> bool:
    """Whether title and authors say that a shared identifier is wrong in one of the records."""
    if not one.letters or not other.letters:
        return False
    if one.label != other.label:
        return True
    relation = title_relation(one, other)
    if relation != "different":
        return relation == "similar" and authors_agree(one, other) is False
    agree = authors_agree(one, other)
    if agree is False or not shares_identifier(one.record, other.record):
        return True
    if _differ_in_part(one, other):
        return True
    # A translated or changed title: the authors, or most words, must match.
    related = fuzz.token_set_ratio(one.words, other.words) >= MIN_RELATED
    return not related and not (agree and len(one.authors) > 1)


def _differ_in_part(one: Fingerprint, other: Fingerprint) -> bool:
    """Whether the titles differ only in a number, as those of part I and part II."""
    if _numerals(one) == _numerals(other):
        return False
    plain = [_NUMERAL.sub("", side.words) for side in (one, other)]
    return fuzz.ratio(*plain) >= MIN_SIMILARITY


def _is_shortened(short: Fingerprint, full: Fingerprint) -> bool:
    if not full.letters.startswith(short.letters) or short.is_generic:
        return False
    rest = full.letters[len(short.letters) :]
    if short.letters not in full.heads:
        return False
    return bool(rest) and not _SEQUEL.search(_subtitle(full, short.letters))


def lacks_subtitle(short: Fingerprint, full: Fingerprint) -> bool:
    """Whether one is the other without its subtitle, however many works may have such a title."""
    subtitle = _subtitle(full, short.letters)
    return bool(subtitle) and not _SEQUEL.match(subtitle)


def _subtitle(full: Fingerprint, head: str) -> str:
    """The folded words of a title after its head."""
    for match in _SUBTITLE.finditer(full.title):
        if fold_without_spaces(full.title[: match.start()]) == head:
            return fold_text(full.title[match.end() :])
    return ""


def differ_in_number(title: str, other: str) -> bool:
    """Whether two titles differ only in numbers, as those of two reports of one series."""
    return _differ_in_part(
        *(Fingerprint(WorkRecord(source="", title=one)) for one in (title, other))
    )


def _numerals(side: Fingerprint) -> list[str]:
    return sorted(_NUMERAL.findall(side.words))


def _is_listed(person: Person, others: Sequence[Person]) -> bool:
    return any(is_like(person, other) for other in others)


def _dois_conflict(first: WorkRecord, second: WorkRecord) -> bool:
    """Whether both have a DOI of the same stage: two preprints, or two publications."""
    if not first.doi or not second.doi or first.doi.lower() == second.doi.lower():
        return False
    if _is_registered_preprint(first) != _is_registered_preprint(second):
        return False
    return not (_links(first, second) or _links(second, first))


def _is_registered_preprint(record: WorkRecord) -> bool:
    """Whether the DOI is that of a preprint, whatever the venue that an index gives."""
    return record.type in _PREPRINT_TYPES or is_preprint_doi(record.doi or "")


def _links(record: WorkRecord, other: WorkRecord) -> bool:
    """Whether a record names the other's DOI as its preprint or publication."""
    versions = (*record.preprints, *record.published_as)
    return (other.doi or "").lower() in (identifier.lower() for identifier in versions)


def _differ(first: str | None, second: str | None) -> bool:
    return bool(first and second) and (first or "").lower() != (second or "").lower()


def _types_conflict(first: WorkRecord, second: WorkRecord) -> bool:
    if not first.type or not second.type or first.type == second.type:
        return False
    return first.type in _APART_TYPES or second.type in _APART_TYPES


def _years_fit(one: Fingerprint, other: Fingerprint, relation: TitleRelation) -> bool:
    first, second = one.record.year, other.record.year
    if first is None or second is None:
        several = min(len(one.authors), len(other.authors)) > 1
        return relation == "same" and several and one.is_preprint == other.is_preprint
    return abs(first - second) <= _slack(one, other)


def _slack(one: Fingerprint, other: Fingerprint) -> int:
    """How many years may lie between two records of one work."""
    if one.is_preprint != other.is_preprint:
        return PREPRINT_YEARS
    # Editions of a book differ in little but the year.
    return 0 if {one.record.type, other.record.type} & _BOOKS else 1


def _share_issue(one: Fingerprint, other: Fingerprint) -> bool:
    """Whether two works with a short title and the same authors appeared in one place and year.

    Editorials of one journal and year have title and authors in common, so pages must decide.
    """
    first, second = one.record, other.record
    if first.year is None or first.year != second.year:
        return False
    venues = fold_text(first.venue or ""), fold_text(second.venue or "")
    same_venue = all(venues) and fuzz.token_set_ratio(*venues) >= MIN_SIMILARITY
    if first.pages and second.pages:
        return first.pages == second.pages and (same_venue or not all(venues))
    return same_venue and not _SECTION.fullmatch(one.words)
