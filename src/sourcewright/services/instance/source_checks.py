"""The doctor's checks of sources: whether each can work, and, with a test request, whether it does."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from sourcewright.base.errors import NotFound, ResearchError, UpstreamError
from sourcewright.base.identifiers import Pmid
from sourcewright.domain.capabilities import (
    ConvertsPubmedIds,
    DeliversPapers,
    DescribesArxivPapers,
    DescribesDois,
    FindsFilers,
    FindsSnapshots,
    LocatesDois,
    SearchesCases,
    SearchesImages,
    SearchesNews,
    SearchesPatents,
    SearchesPlaces,
    SearchesSeries,
    SearchesTrials,
    SearchesWeb,
)
from sourcewright.domain.records.cases import CaseQuery
from sourcewright.domain.records.patents import PatentQuery
from sourcewright.domain.records.places import PlaceQuery
from sourcewright.domain.records.trials import TrialQuery
from sourcewright.domain.web.queries import Query, SearchKind
from sourcewright.services.instance.doctor import Finding, examine_network
from sourcewright.services.providers import CONTACT_SETTING, Source

_DOI, _ARXIV_ID, _PMID = "10.1000/1", "0704.0001", Pmid("1")
_WORD, _PLACE, _URL = "harbour", "London", "https://example.com/"
_PROBE_SECONDS = 20
_CREDENTIALS = frozenset({"secret", "login", "headers"})
_NOT_A_KEY = re.compile(
    r"<.*>|(.)\1{2,}|todo|(?:your|insert|enter|paste|replace|put)[-_ ].*|your\w*(?:key|token)"
    r"|.*(?:change[-_ ]?me|placeholder|(?:key|token)[-_ ]?here).*|(?:api[-_ ]?)?(?:key|token|secret)",
    re.IGNORECASE,
)
"""What stands for a key in the `.env.example` files of other servers, such as `your-api-key`."""


def examine_source(source: Source) -> Finding:
    """Check without a request whether a source can work: a variable that is set is not enough."""
    if source.provider is not None:
        return _examine_settings(source)
    if not source.enabled:
        turn_on = source.switch and f"set {source.switch}=1 to use it"
        return _off(source, "disabled", turn_on)
    if source.withheld:
        # Which setting, and what is wrong with it, is reported once for all sources.
        setting = source.withheld.partition(" ")[0]
        detail = "not configured: the e-mail address that is set is not sent"
        return _off(source, detail, f"correct {setting}")
    return _off(source, "not configured", f"set {source.needs} to use it")


def _off(source: Source, detail: str, advice: str | None) -> Finding:
    # An address costs nothing, and every user has one.
    optional = source.needs != CONTACT_SETTING
    return Finding(
        subject=source.name, grade="note", detail=detail, advice=advice, optional=optional
    )


def _examine_settings(source: Source) -> Finding:
    provider: Any = source.provider
    credentials = {
        one.env[0]: str(provider.options[one.name])
        for one in provider.info.options
        if one.kind in _CREDENTIALS and provider.options.get(one.name)
    }
    for name, value in credentials.items():
        if _NOT_A_KEY.fullmatch(value.strip()):
            return Finding(
                subject=source.name,
                grade="problem",
                detail=f"{name} is a placeholder, so no request can succeed",
                advice=f"set {name} to your own key, or remove it",
            )
    if credentials:
        names = " and ".join(credentials)
        detail = f"{names}: set, not tested (`sourcewright doctor --online` tests it)"
        return Finding(subject=source.name, grade="ok", detail=detail)
    return Finding(subject=source.name, grade="ok", detail="configured")


def examine_unlisted_tools(tools: Mapping[str, str]) -> list[Finding]:
    """Report the tools that are not listed because their source is not configured."""
    return [
        Finding(
            subject=name,
            grade="note",
            detail="not listed",
            advice=f"{remedy} to use it",
            optional=True,
        )
        for name, remedy in tools.items()
    ]


async def probe_sources(sources: Sequence[Source]) -> list[Finding]:
    """Check whether sources respond; a computer that is offline is reported once."""
    results = await asyncio.gather(*map(_probe_source, sources))
    offline = next((one for one in results if isinstance(one, UpstreamError)), None)
    if offline is None:
        return [one for one in results if isinstance(one, Finding)]
    reason = re.search(r"\((.+)\)", offline.detail)
    network = examine_network(reason[1] if reason else offline.detail)
    return [*network, *map(examine_source, sources)]


async def _probe_source(source: Source) -> Finding | UpstreamError:
    """Check whether a source responds; "not found" is a valid response.

    Returns the error if this computer is offline, which says nothing about the source.
    """
    examined = examine_source(source)
    request = _sample_request(source)
    if source.provider is None or examined.grade == "problem":
        return examined
    if request is None:
        return replace(examined, detail="configured; there is no test request for it")
    try:
        async with asyncio.timeout(_PROBE_SECONDS):
            await request()
    except NotFound:
        pass
    except TimeoutError:
        return _silent(source, f"did not answer within {_PROBE_SECONDS} seconds")
    except ResearchError as error:
        if isinstance(error, UpstreamError) and error.cause == "offline":
            return error
        return _silent(source, str(error))
    return Finding(subject=source.name, grade="ok", detail="answers")


def _silent(source: Source, detail: str) -> Finding:
    return Finding(
        subject=source.name,
        grade="problem",
        detail=detail,
        advice="check the network and the status page of the source, then try again",
    )


def _query(kind: SearchKind) -> Query:
    return Query(kind=kind, text=_WORD, limit=1)


_SAMPLES: Mapping[type, Callable[[Any], Awaitable[object]]] = MappingProxyType(
    {
        LocatesDois: lambda source: source.locate_doi(_DOI),
        DescribesArxivPapers: lambda source: source.describe_arxiv(_ARXIV_ID),
        ConvertsPubmedIds: lambda source: source.doi_of(_PMID),
        SearchesWeb: lambda source: source.search_web(_query("web")),
        SearchesImages: lambda source: source.search_images(_query("images")),
        SearchesNews: lambda source: source.search_news(_query("news")),
        FindsFilers: lambda source: source.match_filers(_WORD),
        SearchesCases: lambda source: source.search_cases(CaseQuery(text=_WORD, limit=1)),
        SearchesTrials: lambda source: source.search_trials(TrialQuery(text=_WORD, limit=1)),
        SearchesPlaces: lambda source: source.search_places(PlaceQuery(text=_PLACE, limit=1)),
        SearchesPatents: lambda source: source.search_patents(PatentQuery(text=_WORD, limit=1)),
        SearchesSeries: lambda source: source.search_series(_WORD, limit=1),
        FindsSnapshots: lambda source: source.find_snapshot(_URL),
    }
)
"""A small request for each capability that has one; of several, the first is sent."""


def _sample_request(source: Source) -> Callable[[], Awaitable[object]] | None:
    """Return a small request to a source, with a DOI of one of its own prefixes; None if none fits."""
    provider: Any = source.provider
    if provider is not None and source.info is not provider.info:
        return None  # another role's address of the same provider, which these do not fit
    doi = f"{source.info.prefixes[0]}/1" if source.info.prefixes else _DOI
    if isinstance(provider, DescribesDois):
        return lambda: provider.describe_doi(doi)
    if isinstance(provider, DeliversPapers):
        return lambda: provider.deliver(doi)
    sample = next((send for able, send in _SAMPLES.items() if isinstance(provider, able)), None)
    return None if sample is None else lambda: sample(provider)
