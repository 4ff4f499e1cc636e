"""Parses PubMed records (articles and book chapters) from NCBI's XML."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element, tostring

from sourcewright.base.authors import author_from_parts
from sourcewright.base.doi_prefix import DOI_PREFIX
from sourcewright.base.errors import NotFound
from sourcewright.base.formats.json_values import doi_of, require_value, text_of
from sourcewright.base.formats.parsers import MAX_ELEMENTS, parse_document
from sourcewright.base.text.dates import date_of, year_of
from sourcewright.base.text.month_names import MONTHS
from sourcewright.base.text.plain import plain_text
from sourcewright.base.works import Author, Notice, NoticeKind, Work, WorkRecord
from sourcewright.domain.scholar.records import record_of_work

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
"""Reference types of notices about the article."""
_NOTICE_TARGETS: Mapping[str, NoticeKind] = {
    "RetractionOf": "retraction",
    "RetractedandRepublishedFrom": "retraction",
    "PartialRetractionOf": "partial_retraction",
    "ExpressionOfConcernFor": "expression_of_concern",
    "ErratumFor": "correction",
    "CorrectedandRepublishedFrom": "correction",
}
"""Reference types of the articles that a notice is about."""
_UNTITLED = "[not available]"
_RETRACTED = "Retracted Publication"
_DOI = re.compile(r"\bdoi:\s*(" + DOI_PREFIX + r"/\S+)", re.IGNORECASE)
_REMARKS = "CommentsCorrectionsList/CommentsCorrections"


@dataclass(frozen=True, slots=True, kw_only=True)
class PubmedRecord:
    """A work with its NCBI identifiers."""

    work: Work
    pmid: str
    pmcid: str | None
    speaks_of: str | None
    """The articles that it retracts or corrects, if it is a notice."""


def parse_records(body: bytes) -> Element:
    """Parse the XML; its document type may contain no declarations.

    Raises:
        ValueError: It is truncated, or not XML.
    """
    root, is_cut = parse_document(body, most_elements=MAX_ELEMENTS)
    if is_cut:
        raise ValueError("the response is truncated")
    return root


def read_record(root: Element, pmid: str, source: str) -> PubmedRecord:
    """The record with this PMID.

    Raises:
        NotFound: The set is empty, which is how EFetch reports absence.
    """
    _require_set(root)
    if len(root) == 0:
        raise NotFound(source, f"no record {pmid}")
    record = _read_entry(root[0], source)
    if record.pmid != pmid:
        raise ValueError(f"the response is about {record.pmid!r}")
    return record


def read_records(root: Element, source: str) -> tuple[WorkRecord, ...]:
    """All records of a set, as entries of a scholarly index."""
    _require_set(root)
    kinds = ("PubmedArticle", "PubmedBookArticle")
    records = (_read_entry(entry, source) for entry in root if entry.tag in kinds)
    return tuple(
        record_of_work(
            one.work,
            index_id=one.pmid,
            pmid=one.pmid,
            pmcid=one.pmcid,
            abstract=(one.work.abstract or "").replace("**", "") or None,
            open_access=True if one.pmcid else None,
        )
        for one in records
    )


def _require_set(root: Element) -> None:
    if root.tag != _SET:
        raise ValueError(f"not a set of records but {root.tag}")


def _read_entry(entry: Element, source: str) -> PubmedRecord:
    record, article = _record_and_article(entry)
    pmid = require_value(text_of(record.findtext("PMID")), "PMID")
    ids = {one.get("IdType"): one.text for one in _ids(entry)}
    locations = (
        one.text for one in article.iterfind("ELocationID") if one.get("EIdType") == "doi"
    )
    published = _published(article)
    work = Work(
        source=source,
        title=require_value(_title(article), "title"),
        authors=tuple(filter(None, map(_author, article.iterfind("AuthorList/Author")))),
        year=year_of(published[:4]) if published else None,
        published=published,
        doi=doi_of(ids.get("doi")) or next(filter(None, map(doi_of, locations)), None),
        venue=_text(article, "Journal/Title", "Book/BookTitle"),
        volume=article.findtext("Journal/JournalIssue/Volume"),
        issue=article.findtext("Journal/JournalIssue/Issue"),
        pages=article.findtext("Pagination/MedlinePgn"),
        type=_text(article, "PublicationTypeList/PublicationType"),
        abstract="\n\n".join(_abstract(article)) or None,
        url=f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/",
        notices=tuple(_notices(record, article, source)),
    )
    notice_for = "; ".join(_notice_targets(record)) or None
    return PubmedRecord(work=work, pmid=pmid, pmcid=text_of(ids.get("pmc")), speaks_of=notice_for)


def _record_and_article(entry: Element) -> tuple[Element, Element]:
    """The record and the article it describes; for a book chapter both are the same element."""
    citation = entry.find("MedlineCitation")
    article = citation.find("Article") if citation is not None else None
    if citation is not None and article is not None:
        return citation, article
    chapter = entry.find("BookDocument")
    if chapter is None:
        raise ValueError("neither an article nor a chapter")
    return chapter, chapter


def _ids(entry: Element) -> Iterator[Element]:
    """Identifiers of the record itself, not those of its references."""
    for path in ("PubmedData/ArticleIdList/ArticleId", "BookDocument/ArticleIdList/ArticleId"):
        yield from entry.iterfind(path)


def _title(article: Element) -> str | None:
    """The title, in the original language if there is no translation."""
    candidates = (
        _text(article, path) for path in ("ArticleTitle", "VernacularTitle", "Book/BookTitle")
    )
    titles = (title.rstrip(".") for title in candidates if title)
    return next((title for title in titles if title.lower() != _UNTITLED), None)


def _author(author: Element) -> Author | None:
    group = _text(author, "CollectiveName")
    if group:
        return author_from_parts(name=group, is_organisation=True)
    return author_from_parts(
        given=_text(author, "ForeName", "Initials"),
        family=_text(author, "LastName"),
        suffix=_text(author, "Suffix"),
    )


def _abstract(article: Element) -> Iterator[str]:
    """The sections of an abstract, each with its label if it has one."""
    for part in article.iterfind("Abstract/AbstractText"):
        text, label = _plain_text(part), plain_text(part.get("Label") or "")
        if text:
            yield f"**{label}**: {text}" if label else text


def _published(article: Element) -> str | None:
    paths = ("ArticleDate", "Journal/JournalIssue/PubDate", "Book/PubDate")
    dates = filter(None, (_date(one) for path in paths for one in article.iterfind(path)))
    return next(dates, None)


def _date(date: Element) -> str | None:
    """The date, as precise as it can be parsed."""
    # `MedlineDate` spans several months or a season; only its year is certain.
    year = date.findtext("Year") or (date.findtext("MedlineDate") or "")[:4]
    month = (date.findtext("Month") or "")[:3].lower()
    number = _MONTHS.get(month, month.zfill(2) if month else "")
    day = (date.findtext("Day") or "").zfill(2) if number else ""
    parts = [year, *([number] if number else []), *([day] if day.strip("0") else [])]
    return date_of("-".join(parts)) or date_of(year)


def _notices(record: Element, article: Element, source: str) -> Iterator[Notice]:
    kinds = [one.text for one in article.iterfind("PublicationTypeList/PublicationType")]
    seen = set()
    for one in record.iterfind(_REMARKS):
        kind = _NOTICES.get(one.get("RefType") or "")
        if kind:
            seen.add(kind)
            label = text_of(one.findtext("RefSource"))
            doi = _DOI.search(label or "")
            yield Notice(
                kind=kind,
                source=source,
                doi=doi_of(doi[1].rstrip(".")) if doi else None,
                label=label,
            )
    if _RETRACTED in kinds and "retraction" not in seen:
        yield Notice(kind="retraction", source=source)


def _notice_targets(record: Element) -> Iterator[str]:
    for one in record.iterfind(_REMARKS):
        kind = _NOTICE_TARGETS.get(one.get("RefType") or "")
        if kind:
            number = text_of(one.findtext("PMID"))
            source = text_of(one.findtext("RefSource")) or "an article"
            name = f" (PMID {number})" if number else ""
            yield f"{kind.replace('_', ' ')} of {source}{name}"


def _text(element: Element, *paths: str) -> str | None:
    """The text of the first of these paths that is not empty."""
    elements = (element.find(path) for path in paths)
    return next((text for one in elements if one is not None and (text := _plain_text(one))), None)


def _plain_text(element: Element) -> str:
    """The text of an element; its markup is kept in meaning, such as superscripts."""
    markup = tostring(element, encoding="unicode")
    start, _, rest = markup.partition(">")
    return "" if start.endswith("/") else plain_text(rest[: rest.rindex("</")])
