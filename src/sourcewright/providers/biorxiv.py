"""bioRxiv and medRxiv: preprints in biology and medicine, and the papers that they became.

Docs: https://api.biorxiv.org
Silent on: papers that became known as such only elsewhere, and what a journal did to them later.
"""

import re
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import quote

from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.works import Copy, Notice, Work
from sourcewright.logic.formats import json_values
from sourcewright.logic.formats.json_values import Record, doi_of, records_of, required, text_of
from sourcewright.logic.papers.authors import authors_in
from sourcewright.logic.papers.licences import licence_of
from sourcewright.logic.papers.records import copies_in
from sourcewright.logic.text import dates
from sourcewright.net.answers import no_such_thing
from sourcewright.providers._base import Provider, ProviderInfo, Rate, switch

T = TypeVar("T")
Entries = tuple[Record, ...]
SERVERS = ("biorxiv", "medrxiv")
_NONE = re.compile(r"no (?:posts|articles|papers) found\b.*", re.IGNORECASE | re.DOTALL)
_NO_LICENCE = "cc_no"  # all rights stay with the authors


class BioRxiv(Provider):
    """Describes preprints by DOI, gives their PDFs, and finds the preprint of a paper."""

    info = ProviderInfo(
        name="biorxiv",
        title="bioRxiv and medRxiv",
        home="https://www.biorxiv.org",
        base_url="https://api.biorxiv.org",
        rate=Rate(starts=1, per_seconds=1.0, at_once=1, gap_seconds=1.0),
        allowed_hosts=("api.biorxiv.org",),
        tier=2,
        prefixes=("10.1101", "10.64898"),
        options=(switch("DOIGET_ENABLE_BIORXIV", asked_for="preprints"),),
    )

    async def describe_doi(self, doi: str) -> Work:
        found = await self._first("details", doi, read_versions)
        if not found:
            raise no_such_thing("biorxiv", f"preprint with the DOI {doi}")
        return found[0]

    async def find_copies(self, doi: str) -> tuple[Copy, ...]:
        return copies_in(await self._first("details", doi, read_versions))

    async def find_preprints(self, doi: str) -> tuple[str, ...]:
        return await self._first("pubs", doi, read_preprints)

    async def _first(
        self, kind: str, doi: str, read: Callable[[Entries, str], tuple[T, ...]]
    ) -> tuple[T, ...]:
        """What the first server has that has anything; nothing only if both have nothing."""
        for server in SERVERS:
            path = f"/{kind}/{server}/{in_path(doi)}/na/json"
            found = await self.upstream.search(path, read=lambda a: read(entries_in(a), doi))
            if found:
                return found
        return ()


def in_path(doi: str) -> str:
    if {"", ".", ".."} & set(doi.split("/")):  # it would lead to another path
        raise BadAnswer("biorxiv", f"its paths cannot carry {doi}", cause="shape")
    return quote(doi, safe="/")


def entries_in(answer: Any) -> Entries:
    """What a server has; nothing only where it says so in words."""
    said = required(text_of(records_of(answer["messages"])[0]["status"]), "status")
    entries = records_of(answer.get("collection"))
    if _NONE.fullmatch(said) and not entries:
        return ()
    if said.lower() != "ok" or not entries:
        raise ValueError(said)
    return entries


def read_preprints(entries: Entries, doi: str) -> tuple[str, ...]:
    """The preprints of a paper; a preprint's own DOI finds what it became instead."""
    asked = doi_of(doi)
    pairs = [(doi_of(one["preprint_doi"]), doi_of(one["published_doi"])) for one in entries]
    if any(asked not in pair for pair in pairs):
        raise ValueError(f"the answer is about {pairs[0]}")
    return tuple(dict.fromkeys(one for one, paper in pairs if one and paper == asked))


def read_versions(entries: Entries, doi: str) -> tuple[Work, ...]:
    for entry in entries:
        json_values.expect_doi(doi_of(entry["doi"]), doi)
    return (read_work(entries),) if entries else ()


def read_work(entries: Entries) -> Work:
    """One preprint from its versions."""
    versions = sorted(entries, key=lambda entry: int(entry["version"]))
    last = versions[-1]
    first_date = required(dates.date_of(versions[0]["date"]), "date")
    standing = [one for one in versions if text_of(one["type"]) != "withdrawn"]
    withdrawn = Notice(kind="withdrawal", source="biorxiv", date=dates.date_of(last["date"]))
    return Work(
        source="biorxiv",
        title=text_of(last["title"]),
        authors=authors_in(last["authors"]),
        year=int(first_date[:4]),
        published=first_date,
        updated=dates.date_of(last["date"]),
        doi=doi_of(last["doi"]),
        type="preprint",
        venue=text_of(last["server"]),
        abstract=json_values.abstract_of(last.get("abstract")),
        url=_page(last),
        licence=_licence(last),
        copies=tuple(map(_copy, standing[-1:])),
        notices=None if last in standing else (withdrawn,),
        published_as=json_values.dois_of([last.get("published")]),
        version=str(int(last["version"])),
        categories=json_values.texts_of(last.get("category")),
        raw={"versions": versions},
    )


def _page(version: Record) -> str:
    """The address of one version, of the form that both servers give every version."""
    server = (text_of(version["server"]) or "").lower()
    if server not in SERVERS:
        raise ValueError(f"no such server: {server}")
    doi = in_path(required(doi_of(version["doi"]), "DOI"))
    return f"https://www.{server}.org/content/{doi}v{int(version['version'])}"


def _licence(version: Record) -> str | None:
    said = text_of(version.get("license"))
    return None if said == _NO_LICENCE else licence_of(said)


def _copy(version: Record) -> Copy:
    return Copy(
        url=f"{_page(version)}.full.pdf",
        source="biorxiv",
        is_pdf=True,
        host_type="repository",
        licence=_licence(version),
        of_doi=True,
    )
