"""arXiv's Atom feed: entries as works."""

import re
from typing import Any
from xml.etree.ElementTree import Element

from sourcewright.base.authors import authors_of
from sourcewright.base.errors import NotFound
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import Record, text_of
from sourcewright.base.notices import says_withdrawn
from sourcewright.base.text import dates
from sourcewright.base.works import Copy, Notice, Work, WorkRecord
from sourcewright.domain.scholar.records import record_of_work

LICENCE = "arxiv-default"
_ATOM, _ARXIV = "{http://www.w3.org/2005/Atom}", "{http://arxiv.org/schemas/atom}"
_TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
_ID = re.compile(
    r"(?P<group>[a-z-]+(?=[./]))?(?:\.[a-z-]+)?(?P<rest>.+?)(?P<version>v[0-9]+)?", re.IGNORECASE
)
_ABS = re.compile(r"https?://arxiv\.org/(?:abs/)?(?P<id>.+)")
_ERROR = re.compile(r"https?://arxiv\.org/api/errors#(?P<what>.+)")


def read_answer(feed: Element, arxiv_id: str) -> Work:
    """The work in the answer to a request for one id."""
    entries = read_entries(feed)
    if not entries and feed.findtext(_TOTAL) == "0":
        raise NotFound("arxiv", f"no such paper: {arxiv_id}")
    if error := _ERROR.fullmatch(entries[0]["id"]):
        if error["what"] == f"incorrect_id_format_for_{arxiv_id}":
            raise NotFound("arxiv", f"{arxiv_id} is not a possible arXiv id")
        raise ValueError(error["what"])
    requested, version = _split_version(arxiv_id)
    work = read_work(entries[0], latest=version is None)
    if len(entries) != 1 or (work.arxiv_id, version or work.version) != (requested, work.version):
        raise ValueError(f"the response is about {entries[0]['id']}")
    return work


def read_list(feed: Element) -> tuple[tuple[WorkRecord, ...], int]:
    """The papers that a search found, and how many there are.

    Raises:
        ValueError: It is an error, or papers are announced and none is sent, as happens at times.
    """
    entries, total = read_entries(feed), json_values.required_count(feed.findtext(_TOTAL))
    if entries and (error := _ERROR.fullmatch(entries[0]["id"])):
        raise ValueError(error["what"])
    if total and not entries:
        raise ValueError(f"{total} papers announced, but none sent")
    return tuple(map(read_record, entries)), total


def read_record(entry: Record) -> WorkRecord:
    """A preprint as an entry of a scholarly index; its DOI is that of the published version."""
    work = read_work(entry)
    return record_of_work(work, index_id=work.arxiv_id, venue="arXiv", open_access=True)


def read_entries(feed: Element) -> list[Record]:
    """The entries of a feed as JSON-compatible records."""
    if feed.tag != f"{_ATOM}feed" or feed.find(_TOTAL) is None:
        raise ValueError(f"expected an arXiv feed, got {feed.tag}")
    return [_record_of_entry(entry) for entry in feed.iterfind(f"{_ATOM}entry")]


def read_work(entry: Record, *, latest: bool = True) -> Work:
    """One entry as a work; only the latest version shows whether the paper was withdrawn."""
    match = _ABS.fullmatch(entry["id"])
    arxiv_id, version = _split_version(match["id"] if match else "")
    published = json_values.require_value(dates.date_of(entry["published"]), "date")
    comment, summary = text_of(entry["comment"]), text_of(entry["summary"])
    withdrawn = (
        (Notice(kind="withdrawal", source="arxiv", date=dates.date_of(entry["updated"])),)
        if says_withdrawn(comment or "", summary or "")
        else ()
    )
    return Work(
        source="arxiv",
        title=json_values.require_value(text_of(entry["title"]), "title"),
        authors=authors_of(entry["authors"]),
        year=int(published[:4]),
        published=published,
        updated=dates.date_of(entry["updated"]),
        arxiv_id=arxiv_id,
        version=version,
        doi=json_values.doi_of(entry["doi"]),
        published_as=json_values.dois_of([entry["doi"]]),
        type="preprint",
        abstract=summary,
        url=f"https://arxiv.org/abs/{arxiv_id}{version or ''}",
        licence=LICENCE,
        copies=tuple(
            map(_pdf_copy, json_values.select_field(entry["links"], "title", "pdf", "href"))
        ),
        notices=withdrawn if withdrawn or latest else None,
        categories=json_values.texts_of(entry["categories"]),
        journal_ref=text_of(entry["journal_ref"]),
        comment=comment,
        raw=entry,
    )


def _split_version(arxiv_id: str) -> tuple[str, str | None]:
    """The id without subject class, and the version: `math/0309136` and `v1`."""
    match = _ID.fullmatch(arxiv_id)
    if not match:
        raise ValueError(f"not an arXiv id: {arxiv_id}")
    return f"{match['group'] or ''}{match['rest']}", match["version"]


def _record_of_entry(entry: Element) -> Record:
    names = ("id", "title", "summary", "published", "updated")
    extras = ("comment", "journal_ref", "doi")
    return {
        **{name: entry.findtext(f"{_ATOM}{name}") for name in names},
        **{name: entry.findtext(f"{_ARXIV}{name}") for name in extras},
        "authors": [
            element.findtext(f"{_ATOM}name") for element in entry.iterfind(f"{_ATOM}author")
        ],
        "categories": [element.get("term") for element in entry.iterfind(f"{_ATOM}category")],
        "links": [dict(element.attrib) for element in entry.iterfind(f"{_ATOM}link")],
    }


def _pdf_copy(href: Any) -> Copy:
    url = json_values.require_value(json_values.url_of(href), "URL of the PDF")
    return Copy(
        url=url,
        source="arxiv",
        is_pdf=True,
        licence=LICENCE,
        of_doi=True,
    )
