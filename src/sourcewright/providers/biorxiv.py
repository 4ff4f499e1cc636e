"""bioRxiv and medRxiv: preprints in biology and medicine, and their published versions.

Docs: https://api.biorxiv.org and https://europepmc.org/RestfulWebService
Silent on: published versions that only other sources know, and later corrections by a journal.
Its own API has no search, so searches use Europe PMC, which indexes all its preprints.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, TypeVar
from urllib.parse import quote

from sourcewright.base.authors import parse_author_list
from sourcewright.base.errors import BadAnswer
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import (
    Record,
    doi_of,
    records_of,
    require_value,
    text_of,
)
from sourcewright.base.text import dates
from sourcewright.base.works import Copy, Notice, Work
from sourcewright.domain.capabilities import Role, SearchesWorks
from sourcewright.domain.papers.licences import licence_of
from sourcewright.domain.papers.records import copies_in
from sourcewright.domain.papers.scholar import IndexResults, WorkQuery
from sourcewright.domain.scholar.europe_pmc import read_list, search_params
from sourcewright.domain.scholar.queries import filters_ignored
from sourcewright.net.http.answers import not_found
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, enable_option

T = TypeVar("T")
Entries = tuple[Record, ...]
SERVERS = ("biorxiv", "medrxiv")
_NONE = re.compile(r"no (?:posts|articles|papers) found\b.*", re.IGNORECASE | re.DOTALL)
_PREPRINTS = ("SRC:PPR", '(PUBLISHER:"bioRxiv" OR PUBLISHER:"medRxiv")')
_SUPPORTED = frozenset({"year_from", "year_to", "open_access", "sort_by"})
_NO_LICENCE = "cc_no"  # all rights stay with the authors


class BioRxiv(Provider):
    """Searches preprints, describes them by DOI, with their PDFs, and finds the preprint of a paper."""

    info = ProviderInfo(
        name="biorxiv",
        title="bioRxiv and medRxiv",
        home="https://www.biorxiv.org",
        base_url="https://api.biorxiv.org",
        rate=RateLimit(starts=1, per_seconds=1.0, at_once=1, gap_seconds=1.0),
        allowed_hosts=("api.biorxiv.org",),
        tier=2,
        prefixes=("10.1101", "10.64898"),
        has_only={SearchesWorks: "preprints of bioRxiv and medRxiv"},
        options=(enable_option("DOIGET_ENABLE_BIORXIV", asked_for="preprints"),),
    )

    info_in: ClassVar[Mapping[Role, ProviderInfo]] = {
        "scholar": replace(
            info,
            base_url="https://www.ebi.ac.uk/europepmc/webservices/rest",
            allowed_hosts=("www.ebi.ac.uk",),
        )
    }

    async def search_works(self, query: WorkQuery) -> IndexResults:
        """Supports the years and the order; all preprints are open."""
        records, total = await self.upstream.search(
            "/search",
            search_params(replace(query, open_access=False), *_PREPRINTS),
            read=lambda answer: read_list(answer, "biorxiv"),
        )
        return IndexResults(
            records=records[: query.limit], ignored=filters_ignored(query, _SUPPORTED), total=total
        )

    async def describe_doi(self, doi: str) -> Work:
        works = await self._query_servers("details", doi, read_versions)
        if not works:
            raise not_found("biorxiv", f"preprint with the DOI {doi}")
        return works[0]

    async def find_copies(self, doi: str) -> tuple[Copy, ...]:
        return copies_in(await self._query_servers("details", doi, read_versions))

    async def find_preprints(self, doi: str) -> tuple[str, ...]:
        return await self._query_servers("pubs", doi, read_preprints)

    async def _query_servers(
        self, kind: str, doi: str, read: Callable[[Entries, str], tuple[T, ...]]
    ) -> tuple[T, ...]:
        """Return the first non-empty result of the two servers; empty only if both have none."""
        for server in SERVERS:
            path = f"/{kind}/{server}/{doi_path(doi)}/na/json"
            results = await self.upstream.search(path, read=lambda a: read(read_entries(a), doi))
            if results:
                return results
        return ()


def doi_path(doi: str) -> str:
    if {"", ".", ".."} & set(doi.split("/")):  # such a segment would change the path
        raise BadAnswer("biorxiv", f"its URL paths cannot contain {doi}", cause="shape")
    return quote(doi, safe="/")


def read_entries(answer: Any) -> Entries:
    """The entries of a response; empty only if the server's status message says so."""
    status = require_value(text_of(records_of(answer["messages"])[0]["status"]), "status")
    entries = records_of(answer.get("collection"))
    if _NONE.fullmatch(status) and not entries:
        return ()
    if status.lower() != "ok" or not entries:
        raise ValueError(status)
    return entries


def read_preprints(entries: Entries, doi: str) -> tuple[str, ...]:
    """Preprint DOIs of a paper; a response to a preprint's own DOI lists its paper instead."""
    paper_doi = doi_of(doi)
    pairs = [(doi_of(one["preprint_doi"]), doi_of(one["published_doi"])) for one in entries]
    if any(paper_doi not in pair for pair in pairs):
        raise ValueError(f"the response is about {pairs[0]}")
    return tuple(dict.fromkeys(one for one, paper in pairs if one and paper == paper_doi))


def read_versions(entries: Entries, doi: str) -> tuple[Work, ...]:
    for entry in entries:
        json_values.expect_doi(doi_of(entry["doi"]), doi)
    return (read_work(entries),) if entries else ()


def read_work(entries: Entries) -> Work:
    """One preprint, built from all its versions."""
    versions = sorted(entries, key=lambda entry: int(entry["version"]))
    last = versions[-1]
    first_date = require_value(dates.date_of(versions[0]["date"]), "date")
    available = [one for one in versions if text_of(one["type"]) != "withdrawn"]
    withdrawal = Notice(kind="withdrawal", source="biorxiv", date=dates.date_of(last["date"]))
    return Work(
        source="biorxiv",
        title=text_of(last["title"]),
        authors=parse_author_list(last["authors"]),
        year=int(first_date[:4]),
        published=first_date,
        updated=dates.date_of(last["date"]),
        doi=doi_of(last["doi"]),
        type="preprint",
        venue=text_of(last["server"]),
        abstract=json_values.abstract_of(last.get("abstract")),
        url=_version_url(last),
        licence=_licence(last),
        copies=tuple(map(_copy, available[-1:])),
        notices=None if last in available else (withdrawal,),
        published_as=json_values.dois_of([last.get("published")]),
        version=str(int(last["version"])),
        categories=json_values.texts_of(last.get("category")),
        raw={"versions": versions},
    )


def _version_url(version: Record) -> str:
    """URL of one version; both servers use this pattern."""
    server = (text_of(version["server"]) or "").lower()
    if server not in SERVERS:
        raise ValueError(f"unknown server: {server}")
    doi = doi_path(require_value(doi_of(version["doi"]), "DOI"))
    return f"https://www.{server}.org/content/{doi}v{int(version['version'])}"


def _licence(version: Record) -> str | None:
    licence = text_of(version.get("license"))
    return None if licence == _NO_LICENCE else licence_of(licence)


def _copy(version: Record) -> Copy:
    return Copy(
        url=f"{_version_url(version)}.full.pdf",
        source="biorxiv",
        is_pdf=True,
        licence=_licence(version),
        of_doi=True,
    )
