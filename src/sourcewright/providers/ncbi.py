"""NCBI: the DOI of a PubMed or PubMed Central record.

Docs: https://www.ncbi.nlm.nih.gov/books/NBK25499/ (ESummary)
Silent on: works that PubMed does not list; the DOI of old records and of books.
"""

import re
from typing import Any

from sourcewright.domain.errors import NotFound
from sourcewright.domain.identifiers import Pmcid, Pmid
from sourcewright.domain.options import Option
from sourcewright.logic.formats import json_values
from sourcewright.logic.formats.json_values import Record, doi_of, record_of, text_of
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit

TOOL = "sourcewright"
# A failing server also answers 200 with an error; only these messages report absence.
_ABSENT = re.compile(r"cannot get document summary|invalid uid|uid\S*:? not found", re.IGNORECASE)


class Ncbi(Provider):
    """Resolves PubMed and PMC ids to DOIs."""

    info = ProviderInfo(
        name="ncbi",
        title="NCBI E-utilities",
        home="https://www.ncbi.nlm.nih.gov",
        base_url="https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
        rate=RateLimit(starts=3, per_seconds=1.0, at_once=1, gap_seconds=0.334),
        allowed_hosts=("eutils.ncbi.nlm.nih.gov",),
        options=(
            Option(
                name="enabled",
                env=("DOIGET_ENABLE_NCBI",),
                help="Ask NCBI which DOI a PubMed or PMC id has; 0 turns it off.",
                kind="flag",
                default=True,
            ),
            Option(
                name="email",
                env=("PUBMED_EMAIL",),
                help="Address that NCBI writes to before it blocks a caller.",
                kind="email",
                contact=True,
            ),
            Option(
                name="api_key",
                env=("PUBMED_API_KEY",),
                help="Key of an NCBI account; works without.",
                kind="secret",
            ),
        ),
    )

    async def doi_of(self, pubmed_id: Pmid | Pmcid) -> str | None:
        uid = pubmed_id.value.removeprefix("PMC")
        database = "pubmed" if isinstance(pubmed_id, Pmid) else "pmc"
        params = {
            "db": database,
            "id": uid,
            "retmode": "json",
            "tool": TOOL,
        } | self._identification_params()
        return await self.upstream.search(
            "/esummary.fcgi", params, read=lambda answer: read_answer(answer, uid)
        )

    def _identification_params(self) -> dict[str, str]:
        identification = {name: self.options.get(name) for name in ("email", "api_key")}
        return {name: value for name, value in identification.items() if value}


def read_answer(answer: Any, uid: str) -> str | None:
    """The DOI of the record; None if it has none.

    Raises:
        NotFound: There is no such record.
    """
    result = record_of(answer).get("result")
    if result is None:
        raise _absent_or_unreadable(uid, *json_values.texts_of(answer["esummaryresult"]))
    uids = result["uids"]
    if not isinstance(uids, list):
        raise TypeError("uids is no list")
    if uid not in uids and uid not in result:
        raise NotFound("ncbi", f"has no record {uid}")
    return read_record(record_of(result[uid]), uid)


def read_record(record: Record, uid: str) -> str | None:
    if record.get("error") is not None:
        raise _absent_or_unreadable(
            uid, json_values.require_value(text_of(record["error"]), "error")
        )
    if text_of(record["uid"]) != uid:
        raise ValueError(f"the answer is about {record['uid']!r}")
    article_ids = json_values.select_field(record.get("articleids"), "idtype", "doi", "value")
    location = text_of(record.get("elocationid")) or ""
    location_dois = re.findall(r"\bdoi:\s*(10\.\S+)", location, re.IGNORECASE)
    return next(filter(None, map(doi_of, [*article_ids, *location_dois])), None)


def _absent_or_unreadable(uid: str, *messages: str) -> Exception:
    if messages and all(_ABSENT.search(text) for text in messages):
        return NotFound("ncbi", f"has no record {uid}")
    return ValueError(f"an error instead of a record: {messages[:1]!r}")
