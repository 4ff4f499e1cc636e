"""PubMed records (articles and book chapters) in NCBI's XML."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element, tostring

from sourcewright.domain.errors import NotFound
from sourcewright.domain.works import Author, Notice, NoticeKind, Work
from sourcewright.logic.formats.json_values import doi_of, required, text_of
from sourcewright.logic.formats.parsers import MAX_ELEMENTS, parse_document
from sourcewright.logic.papers.authors import credited
from sourcewright.logic.references.web_citation import MONTHS
from sourcewright.logic.text.dates import date_of, year_of
from sourcewright.logic.text.plain import plain_text

_SET = "PubmedArticleSet"
_MONTHS = {name[:3].lower(): f"{at:02d}" for at, name in enumerate(MONTHS, start=1)}
_NOTICES: Mapping[str, NoticeKind] = {
    "RetractionIn": "retraction",
    "RetractedandRepublishedIn": "retraction",
    "PartialRetractionIn": "partial_retraction",
    "ExpressionOfConcernIn": "expression_of_concern",
    "ErratumIn": "correction",
    "CorrectedandRepublishedIn": "correction",
}
"""What PubMed calls those who speak of the article."""
_SPEAKING: Mapping[str, NoticeKind] = {
    "RetractionOf": "retraction",
    "RetractedandRepublishedFrom": "retraction",
    "PartialRetractionOf": "partial_retraction",
    "ExpressionOfConcernFor": "expression_of_concern",
    "ErratumFor": "correction",
    "CorrectedandRepublishedFrom": "correction",
}
"""What it calls those of whom the article speaks."""
_UNTITLED = "[not available]"
_RETRACTED = "Retracted Publication"
_REMARKS = "CommentsCorrectionsList/CommentsCorrections"


@dataclass(frozen=True, slots=True, kw_only=True)
class PubmedRecord:
    """A work, and its numbers at NCBI."""

    work: Work
    pmid: str
    pmcid: str | None
    speaks_of: str | None
    """Which articles it retracts or corrects, where it is such a notice."""


def parse_records(body: bytes) -> Element:
    """The root of an answer. It names a document type, which must declare nothing.

    Raises:
        ValueError: It is not whole, or not XML.
    """
    root, is_cut = parse_document(body, most_elements=MAX_ELEMENTS)
    if is_cut:
        raise ValueError("the answer ends too early")
    return root


def read_record(root: Element, pmid: str, source: str) -> PubmedRecord:
    """The record with a number.

    Raises:
        NotFound: The set is empty, which is how there being none is said.
    """
    if root.tag != _SET:
        raise ValueError(f"not a set of records but {root.tag}")
    if len(root) == 0:
        raise NotFound(source, f"has no record {pmid}")
    record, article = _found(root)
    said = record.findtext("PMID")
    if said != pmid:
        raise ValueError(f"the answer is about {said!r}")
    ids = {one.get("IdType"): one.text for one in _ids(root)}
    place = (one.text for one in article.iterfind("ELocationID") if one.get("EIdType") == "doi")
    published = _published(article)
    work = Work(
        source=source,
        title=required(_title(article), "title"),
        authors=tuple(filter(None, map(_author, article.iterfind("AuthorList/Author")))),
        year=year_of(published[:4]) if published else None,
        published=published,
        doi=doi_of(ids.get("doi")) or next(filter(None, map(doi_of, place)), None),
        venue=_text(article, "Journal/Title", "Book/BookTitle"),
        volume=article.findtext("Journal/JournalIssue/Volume"),
        issue=article.findtext("Journal/JournalIssue/Issue"),
        pages=article.findtext("Pagination/MedlinePgn"),
        abstract="\n\n".join(_abstract(article)) or None,
        url=f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/",
        notices=tuple(_notices(record, article, source)),
    )
    said_of = "; ".join(_said_of(record)) or None
    return PubmedRecord(work=work, pmid=pmid, pmcid=text_of(ids.get("pmc")), speaks_of=said_of)


def _found(root: Element) -> tuple[Element, Element]:
    """A record and what it describes; a chapter is both in one."""
    citation = root.find("PubmedArticle/MedlineCitation")
    article = citation.find("Article") if citation is not None else None
    if citation is not None and article is not None:
        return citation, article
    chapter = root.find("PubmedBookArticle/BookDocument")
    if chapter is None:
        raise ValueError("neither an article nor a chapter")
    return chapter, chapter


def _ids(root: Element) -> Iterator[Element]:
    """The names of the record itself; those of what it refers to stand elsewhere."""
    for way in (
        "PubmedArticle/PubmedData/ArticleIdList/ArticleId",
        "PubmedBookArticle/BookDocument/ArticleIdList/ArticleId",
    ):
        yield from root.iterfind(way)


def _title(article: Element) -> str | None:
    """Its title, in its own language where nobody has translated it."""
    told = (_text(article, way) for way in ("ArticleTitle", "VernacularTitle", "Book/BookTitle"))
    titles = (title.rstrip(".") for title in told if title)
    return next((title for title in titles if title.lower() != _UNTITLED), None)


def _author(author: Element) -> Author | None:
    group = _text(author, "CollectiveName")
    if group:
        return credited(name=group, is_organisation=True)
    return credited(
        given=_text(author, "ForeName", "Initials"),
        family=_text(author, "LastName"),
        suffix=_text(author, "Suffix"),
    )


def _abstract(article: Element) -> Iterator[str]:
    """The parts of an abstract, each with its heading where it has one."""
    for part in article.iterfind("Abstract/AbstractText"):
        text, label = _marked(part), plain_text(part.get("Label") or "")
        if text:
            yield f"**{label}**: {text}" if label else text


def _published(article: Element) -> str | None:
    ways = ("ArticleDate", "Journal/JournalIssue/PubDate", "Book/PubDate")
    dates = filter(None, (_date(one) for way in ways for one in article.iterfind(way)))
    return next(dates, None)


def _date(date: Element) -> str | None:
    """As much of a date as can be read."""
    # Several months or a season at once, of which the year is sure.
    year = date.findtext("Year") or (date.findtext("MedlineDate") or "")[:4]
    month = (date.findtext("Month") or "")[:3].lower()
    number = _MONTHS.get(month, month.zfill(2) if month else "")
    day = (date.findtext("Day") or "").zfill(2) if number else ""
    parts = [year, *([number] if number else []), *([day] if day.strip("0") else [])]
    return date_of("-".join(parts)) or date_of(year)


def _notices(record: Element, article: Element, source: str) -> Iterator[Notice]:
    kinds = [one.text for one in article.iterfind("PublicationTypeList/PublicationType")]
    told = set()
    for one in record.iterfind(_REMARKS):
        kind = _NOTICES.get(one.get("RefType") or "")
        if kind:
            told.add(kind)
            yield Notice(kind=kind, source=source, label=text_of(one.findtext("RefSource")))
    if _RETRACTED in kinds and "retraction" not in told:
        yield Notice(kind="retraction", source=source)


def _said_of(record: Element) -> Iterator[str]:
    for one in record.iterfind(_REMARKS):
        kind = _SPEAKING.get(one.get("RefType") or "")
        if kind:
            number = text_of(one.findtext("PMID"))
            place = text_of(one.findtext("RefSource")) or "an article"
            name = f" (PMID {number})" if number else ""
            yield f"{kind.replace('_', ' ')} of {place}{name}"


def _text(element: Element, *ways: str) -> str | None:
    """The text of the first of these that says something."""
    found = (element.find(way) for way in ways)
    return next((text for one in found if one is not None and (text := _marked(one))), None)


def _marked(element: Element) -> str:
    """A text whose markup means something: a raised six is no six."""
    written = tostring(element, encoding="unicode")
    start, _, rest = written.partition(">")
    return "" if start.endswith("/") else plain_text(rest[: rest.rindex("</")])
