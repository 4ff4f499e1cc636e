"""HAL's search API, in the response format of Solr."""

from collections.abc import Callable
from typing import Any

from sourcewright.world.corpus import Corpus, Work, rank
from sourcewright.world.corpus.works import iso
from sourcewright.world.lucene import in_range, words_and_conditions
from sourcewright.world.messages import Request, Response, as_json

HOSTS = ("api.archives-ouvertes.fr",)

Record = dict[str, Any]

# One field minds the case in which a DOI was typed, the other does not.
_FIELDS: dict[str, Callable[[Work, str], bool]] = {
    "doiId_s": lambda work, text: work.doi == text,
    "doiId_id": lambda work, text: work.key == text.lower(),
    "publicationDateY_i": lambda work, text: in_range(work.year, text),
    "openAccess_bool": lambda work, text: bool(work.link_in("hal")) == (text == "true"),
    "arxivId_s": lambda work, _: work.manuscript is not None,
}
_DEFAULT = ("docid", "label_s", "uri_s")


def answer(request: Request, corpus: Corpus) -> Response:
    if request.path != "/search/":
        return as_json({"error": {"msg": "Not Found", "code": 404}}, status=404)
    rows = request.params.get("rows", "30")
    text, clauses = words_and_conditions(request.params.get("q", ""))
    _, narrowing = words_and_conditions(request.params.get("fq", ""))
    unknown = [name for name, _, _ in (*clauses, *narrowing) if name not in _FIELDS]
    if unknown or ":" in text or not rows.isdecimal() or not (text or clauses):
        return _refused(f"undefined field {unknown}")
    works = [work for work in corpus.works if is_deposited(work)]
    for name, _, value in narrowing:
        works = [work for work in works if _FIELDS[name](work, value)]
    if clauses:
        works = [work for work in works if any(_FIELDS[n](work, value) for n, _, value in clauses)]
    hits = [work for work, _ in rank(works, text)] if text else works
    if request.params.get("sort") == "publicationDateY_i desc":
        hits = sorted(hits, key=lambda work: -(work.year or 0))
    names = request.params.get("fl", ",".join(_DEFAULT)).split(",")
    docs = [_selected(record(work), names) for work in hits[: int(rows)]]
    response = {"numFound": len(hits), "start": 0, "numFoundExact": True, "docs": docs}
    return as_json({"response": response})


def _refused(message: str) -> Response:
    return as_json({"error": {"msg": message, "code": 400}}, status=400)


def _selected(full: Record, names: list[str]) -> Record:
    return {name: full[name] for name in names if full.get(name) not in (None, "", [])}


def is_deposited(work: Work) -> bool:
    """Whether the work is deposited; some deposits are records without a file."""
    return bool(work.link_in("hal")) or work.journal.key in {"conference", "fog"}


def record(work: Work) -> Record:
    """Every field of the deposit that this world knows of."""
    number = f"hal-{sum(work.key.encode()) * 7919 % 10**8:08d}"
    file = work.link_in("hal")
    return {
        "docid": number.removeprefix("hal-"),
        "halId_s": number,
        "version_i": 1,
        "uri_s": f"https://hal.science/{number}v1",
        "docType_s": "COMM" if work.type == "proceedings-article" else "ART",
        "doiId_s": work.doi,
        "title_s": [work.plain_title] if work.title else [],
        "abstract_s": [work.abstract] if work.abstract else [],
        "authFullName_s": [author.full_name for author in work.authors],
        "authFirstName_s": [author.given for author in work.authors if author.given],
        "authLastName_s": [author.family for author in work.authors if author.family],
        "publicationDate_s": iso(work.date),
        "publicationDateY_i": work.year,
        "producedDateY_i": work.year,
        "journalTitle_s": work.journal.name if work.journal.issn else None,
        "conferenceTitle_s": None if work.journal.issn else work.journal.name,
        "journalIssn_s": work.journal.issn[0] if work.journal.issn else None,
        "volume_s": work.volume,
        "issue_s": [work.issue] if work.issue else [],
        "page_s": work.pages,
        "licence_s": "http://creativecommons.org/licenses/by/" if file else None,
        "openAccess_bool": bool(file),
        "fileMain_s": file,
    }
